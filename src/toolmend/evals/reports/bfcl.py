"""BFCL's categories as a table: right by toolmend's rules, right by its checker's, and what the public table had."""

from __future__ import annotations

from collections.abc import Iterator

from toolmend.evals.reports.tables import Behind, Cell, Data, Row, Table, rate_cell

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
    about = "requests right at once, with 95 % intervals; only the calls of the first reply count"
    return [Table("BFCL", about, ("contestant", *categories), tuple(rows), note=note)]


def _own(report: Data, categories: list[str]) -> Iterator[Row]:
    for who, contestant in enumerate(report["contestants"]):
        name = f"{contestant['model']} · {contestant['strategy']}"
        mine = {row["category"]: row for row in report["bfcl"]["rows"] if row["contestant"] == name}
        for key, rules in _RULES:
            cells = [_cell(mine[each][key], who) if each in mine else Cell("–") for each in categories]
            yield Row(f"{name}, {rules}", tuple(cells))


def _cell(rate: Data, who: int) -> Cell:
    shown = rate_cell(rate, "all", who)
    return Cell(f"{100 * rate['value']:.1f} %", shown.small, Behind("all", who)) if shown.small else shown


def _printed(printed: Data, categories: list[str]) -> Iterator[Row]:
    for row in printed["rows"]:
        columns = [printed["columns"].get(category, category) for category in categories]
        yield Row(row["who"], tuple(Cell(f"{row[column]} %" if column in row else "–") for column in columns), True)
