"""A report on a terminal: toolmend's own rates, and the published tables in their notation. Draws; computes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from toolmend.evals.reports.heat import heat_maps
from toolmend.evals.reports.published import published
from toolmend.evals.reports.tables import FEW_NOTE, Cell, Table, own


def print_report(report: Mapping[str, Any], console: Console, notation: str = "both") -> None:
    """Everything a person wants to see of a run. `notation` is own, blog or both."""
    run = report["run"]
    about = f" · run {run['id']} · {run['samples']} samples · {run['status']}"
    console.print(Text.assemble((run["suite"], "bold"), about), highlight=False)
    if notation in ("blog", "both"):
        print_tables(published(report), console)
    if notation in ("own", "both"):
        print_tables([*own(report), *heat_maps(report)], console)
    for note in report["notes"]:
        console.print(Text.assemble(("note:", "yellow"), f" {note}"), highlight=False)


def print_tables(made: Sequence[Table], console: Console) -> None:
    """Tables below their titles; of those with the same title only the first has it."""
    title = ""
    for table in made:
        if table.title != title:
            about = f": {table.about}" if table.about else ""
            console.print(Text.assemble("\n", (table.title, "bold"), about), highlight=False)
        title = table.title
        console.print(_grid(table, console.width))
        if table.note:
            console.print(Text(table.note, style="dim"), highlight=False)
    if any(table.has_few for table in made):
        console.print(Text(FEW_NOTE, style="dim"), highlight=False)


def _grid(table: Table, width: int) -> Grid:
    """The table; on its side where it is too wide for the terminal and that helps, unless rows are published."""
    from rich import box

    rows = [list(table.columns), *([row.head, *map(_text, row.cells)] for row in table.rows)]
    published = [row.published for row in table.rows]
    turned = [list(column) for column in zip(*rows, strict=True)]
    if not table.marks and not any(published) and _wide(rows) > width and _wide(turned) < _wide(rows):
        rows = turned
        published = [False] * (len(rows) - 1)
    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False)
    for number, heading in enumerate(rows[0]):
        grid.add_column(Text(heading), justify="right" if number and not table.marks else "left", overflow="fold")
    for number, (row, dim) in enumerate(zip(rows[1:], published, strict=True)):
        if dim and number and not published[number - 1]:
            grid.add_section()
        grid.add_row(Text(row[0], style="dim" if dim else ""), *map(Text, row[1:]))
    return grid


def _text(cell: Cell) -> str:
    return f"{cell.text}\n{cell.small}" if cell.small else cell.text


def _wide(rows: Sequence[Sequence[str]]) -> int:
    """Columns of a terminal that the cells need side by side."""
    return sum(max(len(line) for row in rows for line in row[column].split("\n")) + 3 for column in range(len(rows[0])))
