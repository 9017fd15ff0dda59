"""What happens to people's own sentences: corrections of a call that stands, and first requests.

    python benchmarks/people.py corrections [--model none|perfect|NAME]... [--ladder on|off|both] [--which new|seen|all]
    python benchmarks/people.py requests --model NAME [--which new|seen|all]

Nobody here wrote them: the Schema-Guided Dialogue corpus (Rastogi et al. 2020, CC BY-SA 4.0), converted, in --folder
(../shared/people), which is not part of this project. A correction: a complete call stands, the person says a sentence;
*mended* is exactly what the annotation changes changed, to what its words mean by the same clock; *damaged* another
argument than these; *asked* a question, and nothing changed; *unchanged*; *wrong* all else (damaged ones are wrong,
too). `none` is a model that never answers, `perfect` one that always says the annotated call. 95 % intervals by Wilson.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from toolmend import Resolved
from toolmend.base.errors import ModelError
from toolmend.base.messages import Call, ToolSpec
from toolmend.base.portal import run_sync
from toolmend.base.stats import wilson
from toolmend.evals.suites.stub_tools import offered
from toolmend.language import resolve
from toolmend.models import Model, load_model
from toolmend.models.scripted import Scripted
from toolmend.reading import render
from toolmend.session import Session

FOLDER = Path(__file__).parents[2] / "shared" / "people"
NOW = dt.datetime(2019, 3, 1, 9)
"""The corpus speaks of this day's weeks; standing, due and made values are computed by one clock."""
OUTCOMES = ("mended", "asked", "unchanged", "wrong", "damaged")


def meant(words: Any, schema: Mapping[str, Any]) -> tuple[Any, ...]:
    """What words can mean for a parameter; the words themselves where nothing computes them."""
    if not isinstance(words, str) or (
        schema.get("type") == "string" and "format" not in schema and "enum" not in schema
    ):
        return (words,)
    found = resolve(words, schema, now=NOW)
    return (found.value,) if isinstance(found, Resolved) else found.candidates or (words,)


def plain(value: Any) -> Any:
    """A value as it is compared: texts without case and a leading "the", numbers as numbers."""
    if isinstance(value, str):
        return " ".join(value.casefold().removeprefix("the ").split())
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def spec_of(tool: Mapping[str, Any]) -> ToolSpec:
    return ToolSpec(tool["name"], tool.get("description", ""), tool["parameters"])


def call_of(tool: ToolSpec, words: Mapping[str, Any]) -> Call:
    """The call of these words, each as the first thing that it can mean."""
    return Call(tool.name, {name: meant(said, tool.properties.get(name, {}))[0] for name, said in words.items()})


def perfect(row: Mapping[str, Any], tool: ToolSpec) -> Model:
    """A model that always says the annotated call."""
    return Scripted([render(call_of(tool, {**row["standing"], **row["changed"]}), tool)], "perfect")


def corrected(row: Mapping[str, Any], model: str | Model, *, ladder: bool) -> tuple[str, str]:
    """The outcome of one correction, and what then stood or was said."""
    tool = spec_of(row["tool"])
    asked: str | Model = model
    if model == "perfect":
        asked = perfect(row, tool)
    elif model == "none":
        asked = Scripted([""], "none")
    session = Session(asked, offered([tool]), mend=ladder)
    session.tools.now = NOW
    before = call_of(tool, row["standing"])
    run_sync(partial(session.play, row["heard"] or "Please.", reply=render(before, tool)))
    try:
        answer = session.correct(row["say"])
    except ModelError as error:
        return "unchanged", str(error)
    result = outcome(row, tool, before, session.standing)
    asks = session.offers or answer.open or answer.text.rstrip().endswith("?")
    told = f"{[render(call, tool) for call in session.standing]} {answer.text}"
    return "asked" if result == "unchanged" and asks else result, told


def outcome(row: Mapping[str, Any], tool: ToolSpec, before: Call, standing: Sequence[Call]) -> str:
    """mended, damaged (and so wrong), wrong or unchanged."""
    if len(standing) != 1 or standing[0].tool != tool.name:
        return "wrong"
    made, old = dict(standing[0].arguments), dict(before.arguments)
    others = (set(made) | set(old)) - set(row["changed"])
    if any(plain(made.get(name)) != plain(old.get(name)) for name in others):
        return "damaged"
    due = {name: tuple(map(plain, meant(said, tool.properties.get(name, {})))) for name, said in row["changed"].items()}
    if all(plain(made.get(name)) in values for name, values in due.items()):
        return "mended"
    return "unchanged" if made == old else "wrong"


def requested(row: Mapping[str, Any], model: str | Model) -> tuple[bool, bool, bool]:
    """Of a first request: the right tool, right as a whole, and that what was not said is asked for."""
    tools = {tool["name"]: spec_of(tool) for tool in row["tools"]}
    session = Session(model, offered(list(tools.values())))
    session.tools.now = NOW
    answer = session.request(row["say"])
    made, spec = answer.calls, tools[row["tool"]]
    if row["asks"]:
        waiting = answer.open.question if answer.open else None
        asks = waiting is not None and waiting.argument in row["asks"]
        tool = waiting is not None and waiting.tool in (spec.name, spec.full_name)
        return tool or bool(made and made[0].tool == row["tool"]), asks and tool, asks
    tool = len(made) == 1 and made[0].tool == row["tool"]
    if not tool:
        return False, False, False
    defaults = {name: one["default"] for name, one in spec.properties.items() if "default" in one}
    values = {name: plain(value) for name, value in {**defaults, **made[0].arguments}.items()}
    due = {name: meant(said, spec.properties.get(name, {})) for name, said in row["words"].items()}
    due = {**{name: (value,) for name, value in defaults.items()}, **due}
    same = values.keys() == due.keys() and all(values[name] in map(plain, due[name]) for name in due)
    return True, same, False


def rows_of(path: Path, which: str, limit: int) -> Iterator[dict[str, Any]]:
    """The rows of a file: of services that no training set has (new), that one has (seen), or all."""
    kept = 0
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if which == "all" or row["new_service"] == (which == "new"):
            kept += 1
            if limit and kept > limit:
                return
            yield row


def share(count: int, total: int) -> str:
    low, high = wilson(count, total) if total else (0.0, 1.0)
    return f"{count:4d} {count / max(1, total):6.1%} ({low:.0%}–{high:.0%})"


def main() -> None:
    """Play every row in a talk of its own and print the shares."""
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("what", choices=("corrections", "requests"))
    reader.add_argument("--model", action="append")
    reader.add_argument("--ladder", choices=("on", "off", "both"), default="both")
    reader.add_argument("--which", choices=("new", "seen", "all"), default="new")
    reader.add_argument("--folder", type=Path, default=FOLDER)
    reader.add_argument("--file", type=Path, help="other rows of the same form")
    reader.add_argument("--limit", type=int, default=0, help="so many rows at most; 0: all")
    reader.add_argument("--show", action="store_true", help="what was not right (never of an exam)")
    asked = reader.parse_args()
    path = asked.file or asked.folder / f"{asked.what}.jsonl"
    if not path.is_file():
        raise SystemExit(f"{path} is not here: the sentences of people are not part of this project (docs/measures.md)")
    rows = list(rows_of(path, asked.which, asked.limit))
    for model in asked.model or (["none", "perfect"] if asked.what == "corrections" else ["smol/tools"]):
        if asked.what == "requests":
            of_requests(rows, model)
            continue
        for ladder in {"on": (True,), "off": (False,), "both": (True, False)}[asked.ladder]:
            of_corrections(rows, model, ladder=ladder, show=asked.show)


def of_corrections(rows: Sequence[Mapping[str, Any]], model: str, *, ladder: bool, show: bool) -> None:
    counts: Counter[str] = Counter()
    used: str | Model = model if model in ("none", "perfect") else load_model(model)
    for row in rows:
        result, told = corrected(row, used, ladder=ladder)
        counts[result] += 1
        counts["wrong"] += result == "damaged"
        if show and result != "mended":
            print(f"{result}: {row['say']}\n    stood {row['standing']}\n    due {row['changed']}\n    {told}")
    print(f"{model}, ladder {'on' if ladder else 'off'}, {len(rows)} corrections", flush=True)
    for name in OUTCOMES:
        print(f"  {name:<10}{share(counts[name], len(rows))}")


def of_requests(rows: Sequence[Mapping[str, Any]], model: str) -> None:
    used = load_model(model)
    complete: list[tuple[bool, bool]] = []
    asks: list[bool] = []
    for row in rows:
        tool, right, asked = requested(row, used)
        if row["asks"]:
            asks.append(asked)
        else:
            complete.append((tool, right))
    print(f"{model}, {len(rows)} first requests")
    print(f"  complete: right      {share(sum(right for _, right in complete), len(complete))} of {len(complete)}")
    print(f"  complete: right tool {share(sum(tool for tool, _ in complete), len(complete))}")
    print(f"  asks for what is missing {share(sum(asks), len(asks))} of {len(asks)}")


if __name__ == "__main__":
    main()
