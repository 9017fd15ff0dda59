"""The tables of the published notation: a run's own rows above the published ones. evals/benchmarks computes them.

4.3  builtin/small   🥦 🥦 🥦   🥦 🥦 🥦   🥦 🥦 🥦
"""

from __future__ import annotations

from collections.abc import Sequence

from toolmend.base.mistakes import Mark, glyphs
from toolmend.evals.reports.bfcl import bfcl
from toolmend.evals.reports.llmaker import llmaker
from toolmend.evals.reports.tables import Behind, Cell, Data, Table, TableRow
from toolmend.models.lessons import taught

Rows = Sequence[tuple[int, str, Data]]  # number and name of the contestant, and what calendar_blog.py made of it

_BELOW = "Below the line: Published, 2024-12-05: Keras chatbot arena blog."
_SPECIALIST = "specialist, trained on this API; the published models read it in the prompt."
_SIGNS = "✔ a valid call, ✔ 🍄 one that had to be corrected; 🍄 told and wrong, 🥦 told and mended, 🔥 no usable call."
_COUNTED = ("correct", "fixed", "mistake", "garbage")


def published(report: Data) -> list[Table]:
    """The published tables this run has rows for; none where the suite has no published notation."""
    if "blog" not in report:
        return [*bfcl(report), *llmaker(report)]
    who = {f"{row['model']} · {row['strategy']}": number for number, row in enumerate(report["contestants"])}
    rows = [(who[name], name, row) for name, row in report["blog"]["rows"].items()]
    printed = report["blog"]["published"]
    made = [_reliability(rows, printed)] if any(row["reliability"] for _, _, row in rows) else []
    made += _complete(rows)
    if any(row["fixing"] for _, _, row in rows):
        made.append(_fixing(rows, printed))
    return [*made, _recap(rows, printed)]


def _reliability(rows: Rows, printed: Data) -> Table:
    made = [TableRow(name, (_marks(row["reliability"], Behind("4.1", who), "✓"),)) for who, name, row in rows]
    made += [TableRow(name, (_marks(marks, None, "✓"),), True) for name, marks in printed["reliability"].items()]
    about = "the first prompt, five attempts"
    return Table("4.1 Reliability", about, ("model", "attempts"), tuple(made), marks=True, note=_note(rows))


def _complete(rows: Rows) -> list[Table]:
    made = []
    played = [(who, name, row) for who, name, row in rows if row["complete"]]
    for who, name, row in played:
        behind = Behind("4.2", who)
        lines = [
            TableRow(
                ("  ↳ " if line["correction"] else "") + line["turn"],
                (Cell(glyphs([Mark(mark) for mark in line["marks"]]), "", behind),),
            )
            for line in row["complete"]
        ]
        if row["gave_up"]:
            lines.append(TableRow("--giving up--", (Cell(""),)))
        where = "The published talks stand in --format json under blog.published.complete."
        note = f"{_SIGNS} {where}" if who == played[-1][0] else ""
        about = "mistakes corrected as they come"
        made.append(Table("4.2 The complete chat", about, (name, "marks"), tuple(lines), marks=True, note=note))
    return made


def _fixing(rows: Rows, printed: Data) -> Table:
    columns = printed["fixing"]["columns"]
    made = [
        TableRow(name, tuple(_marks(row["fixing"].get(group, []), Behind("4.3", who, group)) for group in columns))
        for who, name, row in rows
    ]
    made += [
        TableRow(name, tuple(_marks(cell) for cell in cells), True) for name, cells in printed["fixing"]["rows"].items()
    ]
    about = "three attempts each"
    return Table("4.3 Mistakes that others made", about, ("model", *columns), tuple(made), marks=True, note=_note(rows))


def _recap(rows: Rows, printed: Data) -> Table:
    made = [
        TableRow(name, tuple(Cell(str(row["recap"][mark]), "", Behind("all", who)) for mark in _COUNTED))
        for who, name, row in rows
    ]
    made += [
        TableRow(name, tuple(Cell(str(counts[mark])) for mark in _COUNTED), True)
        for name, counts in printed["recap"].items()
    ]
    return Table("5 Recap", "glyphs over all three", ("model", "✔", "🥦", "🍄", "🔥"), tuple(made), note=_note(rows))


def _note(rows: Rows) -> str:
    """What is below the line, and who above it was trained on what those had to read in the prompt."""
    ours = taught(name.partition(" · ")[0] for _, name, _ in rows)
    return f"{_BELOW} {', '.join(ours)}: {_SPECIALIST}" if ours else _BELOW


def _marks(marks: Sequence[str], behind: Behind | None = None, correct: str = "✔") -> Cell:
    """Sign by sign: here neighbouring 🔥 do not belong together."""
    text = " ".join(correct if mark == "correct" else Mark(mark).glyph for mark in marks)
    return Cell(text, "", behind if marks else None)
