"""LLMaker's requests as a table: done strictly, done by the published checks, and what the paper printed."""

from __future__ import annotations

from collections.abc import Iterator

from toolmend.evals.reports.tables import Behind, Cell, Data, Row, Table

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
    )
    return [Table("LLMaker's requests", _ABOUT, ("contestant", *cases, "all"), tuple(rows), note=note)]


def _own(report: Data, cases: list[str]) -> Iterator[Row]:
    totals = report["llmaker"]["totals"]
    for who, contestant in enumerate(report["contestants"]):
        name = f"{contestant['model']} · {contestant['strategy']}"
        mine = {row["case"]: row for row in totals if row["contestant"] == name}
        cells = [_cell([mine[case]], who) if case in mine else Cell("–") for case in cases]
        yield Row(name, (*cells, _cell(list(mine.values()), who) if mine else Cell("–")))


def _cell(rows: list[Data], who: int) -> Cell:
    requests, ours, theirs = (sum(row[name] for row in rows) for name in ("requests", "ours", "theirs"))
    return Cell(f"{ours}/{theirs}", f"of {requests}", Behind("all", who))


def _printed(printed: Data, cases: list[str]) -> Iterator[Row]:
    for row in printed["rows"]:
        cells = [Cell(f"{row[case]} %" if case in row else "–") for case in cases]
        yield Row(row["who"], (*cells, Cell("–")), published=True)
