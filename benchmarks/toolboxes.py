"""Tools that nobody had in sight: strangers over their own functions, first right and after one correction.

    python benchmarks/toolboxes.py benchmarks/putaway/toolboxes [--model smol/tools] [--show]
    python benchmarks/toolboxes.py benchmarks/putaway/kinds.jsonl

A folder has NAME.py with functions and NAME.jsonl with lines {say, expect, correction?}; a file has lines {tools, say,
expect}. `expect` are the calls that are due ([] for none, or for a question). 95 % intervals by Wilson.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from toolmend.base.messages import Call, ToolSpec
from toolmend.base.stats import wilson
from toolmend.evals.suites.stub_tools import offered
from toolmend.session import Answer, Session
from toolmend.session.approval import ApprovalRequest, Approvals, Policy, Verdict
from toolmend.tools import Toolbox


def sentences(place: Path) -> Iterator[tuple[str, Any, Mapping[str, Any]]]:
    """A name, what makes its toolbox, and one line of it each."""
    for path in sorted(place.glob("*.jsonl")) if place.is_dir() else [place]:
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            tools = row.get("tools")
            yield path.stem, (specs(tools) if tools else str(path.with_suffix(".py"))), row


def specs(tools: list[Mapping[str, Any]]) -> tuple[ToolSpec, ...]:
    return tuple(ToolSpec(tool["name"], tool.get("description", ""), tool["parameters"]) for tool in tools)


def box(tools: Any) -> Toolbox:
    return Toolbox.load(tools) if isinstance(tools, str) else offered(tools)


async def yes(question: ApprovalRequest) -> Verdict:
    """A person who is asked before anything runs, as in `toolmend chat`; so what was done can be corrected."""
    return Verdict(True)


def told(call: Call) -> tuple[str, dict[str, Any]]:
    """A call as it is compared: whatever its receiver; what is null is left out."""
    return call.tool.rpartition(".")[2], _folded(
        {name: value for name, value in call.arguments.items() if value is not None}
    )


def is_right(answer: Answer, expected: list[Mapping[str, Any]], session: Session) -> bool:
    """Whether the calls are those that are due; what is left out counts as its default."""
    made, due = [told(call) for call in answer.reading.calls], [told(_call(one)) for one in expected]
    defaults = {
        spec.name.rpartition(".")[2]: {
            name: one["default"] for name, one in spec.properties.items() if one.get("default") is not None
        }
        for spec in session.tools.specs
    }

    def whole(calls: list[tuple[str, dict[str, Any]]]) -> list[tuple[str, str]]:
        filled = ((name, {**_folded(defaults.get(name, {})), **values}) for name, values in calls)
        return sorted((name, str(sorted(values.items()))) for name, values in filled)

    return whole(made) == whole(due)


def _folded(values: Mapping[str, Any]) -> dict[str, Any]:
    """Texts whatever their capitals, numbers as numbers: 2 is 2.0."""
    return {name: _plain(value) for name, value in values.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    return value.casefold() if isinstance(value, str) else value


def _call(one: Mapping[str, Any]) -> Call:
    return Call(str(one.get("tool") or one.get("name")), dict(one.get("arguments") or one.get("args") or {}))


def main() -> None:
    """Play every sentence in a talk of its own, and correct once what is wrong and has a correction."""
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("place", type=Path)
    reader.add_argument("--model", default="smol/tools")
    reader.add_argument("--show", action="store_true", help="what went wrong")
    asked = reader.parse_args()
    first: dict[str, list[bool]] = {}
    then: list[bool] = []
    for name, tools, row in sentences(asked.place):
        session = Session(asked.model, box(tools), approve=Approvals(Policy.of("ask"), yes))
        answer = session.request(row["say"])
        right, first_told = is_right(answer, row["expect"], session), str(answer)
        first.setdefault(name, []).append(right)
        if not right and "correction" in row:
            answer = session.correct(row["correction"])
        then.append(is_right(answer, row["expect"], session))
        if asked.show and not right:
            mended = f"then: {answer}" if then[-1] else f"still wrong: {answer}"
            print(f"{name}: {row['say']}\n    {first_told}\n    due: {row['expect']}\n    {mended}", flush=True)
    for name, hits in first.items():
        print(f"{name:<20} first right {_share(hits)}")
    hits = [hit for some in first.values() for hit in some]
    print(f"{'all':<20} first right {_share(hits)}, after at most one correction {_share(then)}")


def _share(hits: list[bool]) -> str:
    low, high = wilson(sum(hits), len(hits))
    return f"{sum(hits)} of {len(hits)}, {sum(hits) / len(hits):.1%} ({low:.0%}–{high:.0%})"


if __name__ == "__main__":
    main()
