"""A run of LLMaker's requests, checked twice: what each request came to, strictly and by the published checks.

    {"steps": [{"contestant": …, "case": "T1", "step": 7, "attempt": 0, "strict": true, "published": true}, …], …}

Only first replies count, as published. What the paper printed stands apart (evals/suites/shipped/published/freyr.json).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from toolmend.base.events import Looked
from toolmend.evals.benchmarks.llmaker import PUBLISHED
from toolmend.evals.benchmarks.published import published_data
from toolmend.evals.reports.tables import Behind, Cell, Data, Table, TableRow
from toolmend.evals.store import Sample
from toolmend.models.lessons import lessons

BROKEN = {
    "T4.2": "its design check is a constant False: nothing can pass",
    "T4.6": "asks for four more enemies where three fit: nothing can pass",
    "T5.8": "inverted: passes only if no treasure was removed, so doing nothing passes and doing it fails",
}


def section(samples: Iterable[Sample]) -> dict[str, Any]:
    """The part of the report; samples that could not be run have no steps."""
    steps = [_step(sample, *found) for sample in samples for found in _looked(sample)]
    steps.sort(key=lambda step: (step["attempt"], step["case"], step["step"]))
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for step in steps:
        row = rows.setdefault(
            (step["contestant"], step["case"]),
            {"contestant": step["contestant"], "case": step["case"], "requests": 0, "ours": 0, "theirs": 0},
        )
        row["requests"] += 1
        row["ours"] += step["strict"]
        row["theirs"] += step["published"]
    return {"steps": steps, "totals": list(rows.values()), "broken": BROKEN, "printed": published_data("freyr")}


def _looked(sample: Sample) -> list[tuple[int, Looked]]:
    """The first look after each step, with the step's number in its case."""
    found: dict[int, Looked] = {}
    step_of = {marked.turn: marked.step or 0 for marked in sample.marked}
    for event in sample.events:
        if isinstance(event, Looked) and PUBLISHED in event.beside:
            found.setdefault(step_of.get(event.turn, 0), event)
    return list(found.items())


def _step(sample: Sample, number: int, looked: Looked) -> dict[str, Any]:
    """`steps/T1/7` is step 7 of T1."""
    _, case, step = sample.case.split("/")
    return {
        "contestant": " · ".join(sample.contestant),
        "case": case,
        "step": int(step) + number,
        "attempt": sample.attempt,
        "strict": looked.right,
        "published": looked.beside[PUBLISHED],
    }


# as a table ----------------------------------------------------------------------------------------------------------


_ABOUT = "requests done: strictly / by the published checks"


def llmaker(report: Data) -> list[Table]:
    """The table, if this was such a run."""
    if "llmaker" not in report:
        return []
    part = report["llmaker"]
    cases = list(dict.fromkeys(row["case"] for row in part["totals"]))
    rows = [*_own(report, cases), *_printed(part["printed"], cases)]
    broken = "; ".join(f"{step} {why}" for step, why in part["broken"].items())
    printed = part["printed"]
    note = (
        f"Below the line: printed, {printed['date']}: {printed['source']}; percent by the published checks, other "
        f"models and levels of that time. Published checks that are broken: {broken}."
        f"{lessons(contestant['model'] for contestant in report['contestants'])}"
    )
    return [Table("LLMaker's requests", _ABOUT, ("contestant", *cases, "all"), tuple(rows), note=note)]


def _own(report: Data, cases: list[str]) -> Iterator[TableRow]:
    totals = report["llmaker"]["totals"]
    for who, contestant in enumerate(report["contestants"]):
        name = f"{contestant['model']} · {contestant['strategy']}"
        mine = {row["case"]: row for row in totals if row["contestant"] == name}
        cells = [_cell([mine[case]], who) if case in mine else Cell("–") for case in cases]
        yield TableRow(name, (*cells, _cell(list(mine.values()), who) if mine else Cell("–")))


def _cell(rows: list[Data], who: int) -> Cell:
    requests, ours, theirs = (sum(row[name] for row in rows) for name in ("requests", "ours", "theirs"))
    return Cell(f"{ours}/{theirs}", f"of {requests}", Behind("all", who))


def _printed(printed: Data, cases: list[str]) -> Iterator[TableRow]:
    for row in printed["rows"]:
        cells = [Cell(f"{row[case]} %" if case in row else "–") for case in cases]
        yield TableRow(row["who"], (*cells, Cell("–")), published=True)
