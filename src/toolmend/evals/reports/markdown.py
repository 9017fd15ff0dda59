"""A report as Markdown for a README or an issue: the tables of the terminal. Draws; computes nothing.

Names of models, cases and what was said stand in code spans, so that nothing in them is markup, a link or a mention.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from toolmend.evals.reports.heat import heat_maps
from toolmend.evals.reports.published import published
from toolmend.evals.reports.tables import FEW_NOTE, Cell, Table, TableRow, full

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_OURS = re.compile(r"[\w @^✔🥦🍄🔥]+")  # a heading in which nothing could be markup


def to_markdown(report: Mapping[str, Any], notation: str = "both") -> str:
    """The whole report. `notation` is own, blog or both."""
    run = report["run"]
    about = f"run {run['id']}, {run['created'][:10]}, {run['samples']:,} samples, {run['status']}"
    lines = [
        f"## {code(run['suite'])}",
        "",
        f"{about}; toolmend {run['config']['versions'].get('toolmend', '')}".rstrip(),
        "",
    ]
    lines += [f"> {note}" for note in map(escape, report["notes"])] + [""] * bool(report["notes"])
    made = published(report) if notation in ("blog", "both") else []
    made += [*full(report), *heat_maps(report)] if notation in ("own", "both") else []
    return "\n".join([*lines, *tables_as_lines(made)])


def tables_as_lines(made: Sequence[Table]) -> list[str]:
    """Tables below their titles; of those with the same title only the first has it."""
    lines, title = list[str](), ""
    for table in made:
        lines += [*_heading(table, title), *_table(table), "", *_note(table)]
        title = table.title
    return [*lines, FEW_NOTE, ""] if any(table.has_few for table in made) else lines


def code(text: str) -> str:
    """Foreign text on one line as a code span, fit for a cell of a table too; control characters are shown."""
    flat = _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", " ".join(text.split())).replace("|", "\\|")
    if not flat:
        return ""
    ticks = "`" * (1 + max((len(run) for run in re.findall("`+", flat)), default=0))
    blank = " " if flat.startswith("`") or flat.endswith("`") else ""
    return f"{ticks}{blank}{flat}{blank}{ticks}"


def fenced(text: str) -> str:
    """Foreign text as a block of code."""
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{fence}text\n{text}\n{fence}"


def escape(text: str) -> str:
    """Words of ours that may hold a foreign name: what could be markup is escaped."""
    return re.sub(r"([\\`*_\[\]<>#@|~])", r"\\\1", text)


def _heading(table: Table, before: str) -> list[str]:
    if table.title == before:
        return []
    return [f"**{table.title}**" + (f": {table.about}" if table.about else ""), ""]


def _table(table: Table) -> list[str]:
    first = [column if _OURS.fullmatch(column) else code(column) for column in table.columns]
    align = ["---", *("---" if table.marks else "---:" for _ in table.columns[1:])]
    rows = [first, align, *([_head(row), *map(_cell, row.cells)] for row in table.rows)]
    return [f"| {' | '.join(row)} |" for row in rows]


def _head(row: TableRow) -> str:
    return f"*{code(row.head)}*" if row.published else code(row.head.strip())


def _note(table: Table) -> list[str]:
    """What stands below it; a table of Markdown has no line, published rows are in italics."""
    return [escape(table.note.replace("Below the line", "In italics")), ""] if table.note else []


def _cell(cell: Cell) -> str:
    return f"{cell.text} ({cell.small})" if cell.small else cell.text
