"""How well corrections are understood without a model: python benchmarks/corrections.py [FILE …] [--show]

A file has one JSON object per line: call {tool, arguments}, request, said, now, kind (value, blame, wrong, new, back,
unclear) with edit {argument: value}, or blamed and praised [argument]. Tools are described by a `tools` beside the
call, in --tools or in the file's neighbour *_tools.json; else values tell their kind. Default: all open sets, under
tests/language/corrections/data. Rules were made in sight of them; what the last three came to at first is in docs/log.md.

right: as it is written there. asked: something less, so that nothing is changed but a question or a model is needed.
missed: a correction taken for a new request. wrong: a change, or a blame, that is not what was said.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
from collections import Counter
from pathlib import Path
from typing import Any

from toolmend.base.messages import Call, ToolSpec
from toolmend.language.corrections import Understood, edited, understand

DATA = Path(__file__).parents[1] / "tests" / "language" / "corrections" / "data"
CHANGES = ("edit", "back")


def specs(tools: dict[str, Any]) -> list[ToolSpec]:
    """The tools of a {full name: parameters}."""
    parts = ((name.rpartition("."), parameters) for name, parameters in tools.items())
    return [ToolSpec(name, parameters=parameters, receiver=receiver) for (receiver, _, name), parameters in parts]


def plain(value: Any) -> Any:
    """A value as it is compared: texts folded, numbers as numbers."""
    if isinstance(value, str):
        return " ".join(value.casefold().split())
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, (list, tuple)) else value


def outcome(row: dict[str, Any], understood: Understood) -> str:
    """right, asked, missed or wrong."""
    kind, due = understood.kind, row["kind"]
    call = Call(row["call"]["tool"], row["call"]["arguments"])
    if due == "value" and kind == "edit":
        changed, wanted = (edited(call, edits).arguments for edits in (understood.edits.get(0, {}), row["edit"]))
        return "right" if plain(dict(changed)) == plain(dict(wanted)) else "wrong"
    if due == "blame" and kind == "blame":
        blamed = {name for _, name in understood.blamed}
        praised = {name for _, name in understood.praised}
        return "right" if blamed == set(row["blamed"]) and praised <= set(row.get("praised", praised)) else "wrong"
    if kind == due:
        return "right"
    if kind in CHANGES or (kind == "blame" and due in ("new", "back")):
        return "wrong"
    return "missed" if kind == "new" else "asked"


def main() -> None:
    """Print the counts by kind of each file, and with --show every sentence that was not right."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, default=sorted(DATA.glob("*.jsonl")))
    parser.add_argument("--tools", type=Path)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    for file in options.files:
        beside = file.with_name(f"{file.stem}_tools.json")
        tools_file = options.tools or (beside if beside.exists() else DATA / "tools.json")
        print(f"{file.stem}:")
        score(file, json.loads(tools_file.read_text(encoding="utf-8")), show=options.show)


def score(file: Path, described: dict[str, Any], *, show: bool) -> None:
    """Print the counts of one file."""
    counts: dict[str, Counter[str]] = {}
    for row in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
        call = Call(row["call"]["tool"], row["call"]["arguments"])
        tools = specs({**described, **row.get("tools", {})})
        now = dt.datetime.fromisoformat(row["now"]) if row.get("now") else None
        understood = understand(row["said"], [call], tools, request=row.get("request", ""), now=now)
        result = outcome(row, understood)
        counts.setdefault(row["kind"], Counter())[result] += 1
        if show and result != "right":
            due = row.get("edit", row.get("blamed", ""))
            got = understood.edits or understood.blamed or understood.candidates
            print(f"{result:6} {row['kind']:7} {row['said']!r} due {due} got {understood.kind} {got}")
    print(f"{'kind':8}{'right':>7}{'asked':>7}{'missed':>8}{'wrong':>7}{'of':>6}")
    for kind, count in [*counts.items(), ("all", sum(counts.values(), Counter()))]:
        print(f"{kind:8}{count['right']:7}{count['asked']:7}{count['missed']:8}{count['wrong']:7}{count.total():6}")


if __name__ == "__main__":
    main()
