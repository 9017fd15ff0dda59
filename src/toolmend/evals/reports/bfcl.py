"""A run of BFCL's cases judged twice: by toolmend's rules, which decide, and beside them by those of BFCL's checker.

    {"rows": [{"contestant": …, "category": "simple_python", "ours": {rate}, "theirs": {rate}}, …], "published": {…}}

Only what the first reply to a request called counts, as published. Intervals are 95 %, clustered by case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from typing import Any

from toolmend.base.events import Marked, Read
from toolmend.evals.benchmarks.published import published_data
from toolmend.evals.metrics.rates import rate
from toolmend.evals.reports.tables import Behind, Cell, Data, Table, TableRow, rate_cell
from toolmend.evals.store import Sample
from toolmend.evals.suites.suite import Suite
from toolmend.grading import grade
from toolmend.models.lessons import lessons

NOTATION = "bfcl"
NEEDED = (Marked, Read)


def section(suite: Suite, samples: Iterable[Sample]) -> dict[str, Any]:
    """The part of the report; samples that could not be run are in no rate."""
    cases = suite.cases()
    judged: dict[tuple[str, str], list[tuple[str, bool, bool]]] = {}
    for sample in samples:
        case = cases.get(sample.case)
        if case is None or sample.status == "error":
            continue
        key = (" · ".join(sample.contestant), case.group)
        read = {event.turn: event for event in reversed(sample.events) if isinstance(event, Read)}
        seen = set[int]()
        for marked in sample.marked:
            number = marked.step or 0
            if number in seen:
                continue
            seen.add(number)
            calls = read[marked.turn].calls if marked.turn in read else ()
            theirs = replace(case.steps[number].expected, rules="bfcl")
            right = grade(calls, theirs, case.tools).correct
            judged.setdefault(key, []).append((sample.case, not marked.mistakes, right))
    rows = [
        {
            "contestant": contestant,
            "category": category,
            "ours": _rate([(case, ours) for case, ours, _ in results]),
            "theirs": _rate([(case, theirs) for case, _, theirs in results]),
        }
        for category in dict.fromkeys(case.group for case in cases.values())
        for (contestant, group), results in judged.items()
        if group == category
    ]
    return {"rows": rows, "published": published_data("bfcl")}


def _rate(trials: list[tuple[str, bool]]) -> dict[str, Any]:
    found = rate(trials)
    return {"value": found.value, **asdict(found)}


# as a table ----------------------------------------------------------------------------------------------------------


_IN_SIGHT = "The rules that compute what their words mean were made in sight of simple_python and irrelevance."
_RULES = (("theirs", "BFCL's rules"), ("ours", "toolmend's rules"))


def bfcl(report: Data) -> list[Table]:
    """The table, if this was such a run."""
    if "bfcl" not in report:
        return []
    part = report["bfcl"]
    printed = part["published"]
    categories = list(dict.fromkeys(row["category"] for row in part["rows"]))
    rows = [*_own(report, categories), *_printed(printed, categories)]
    note = f"Below the line: published, {printed['date']}: {printed['source']}. {printed['about']}"
    ours = lessons(contestant["model"] for contestant in report["contestants"])
    note += f"{ours} {_IN_SIGHT}" if ours else ""
    about = "requests right at once, with 95 % intervals; only the calls of the first reply count"
    return [Table("BFCL", about, ("contestant", *categories), tuple(rows), note=note)]


def _own(report: Data, categories: list[str]) -> Iterator[TableRow]:
    for who, contestant in enumerate(report["contestants"]):
        name = f"{contestant['model']} · {contestant['strategy']}"
        mine = {row["category"]: row for row in report["bfcl"]["rows"] if row["contestant"] == name}
        for key, rules in _RULES:
            cells = [_cell(mine[category][key], who) if category in mine else Cell("–") for category in categories]
            yield TableRow(f"{name}, {rules}", tuple(cells))


def _cell(rate: Data, who: int) -> Cell:
    shown = rate_cell(rate, "all", who)
    return Cell(f"{100 * rate['value']:.1f} %", shown.small, Behind("all", who)) if shown.small else shown


def _printed(printed: Data, categories: list[str]) -> Iterator[TableRow]:
    for row in printed["rows"]:
        columns = [printed["columns"].get(category, category) for category in categories]
        yield TableRow(
            row["who"], tuple(Cell(f"{row[column]} %" if column in row else "–") for column in columns), True
        )
