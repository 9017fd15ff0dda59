"""A comparison as text on a screen: figures, verdict, where the sides differ. Computes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from toolmend.apps.cli.kit.screen import counted, hang, plain
from toolmend.base.mistakes import Mark, glyphs
from toolmend.evals.comparing.case_diff import CaseDifference, Version
from toolmend.evals.comparing.compare import Comparison, Contrast
from toolmend.evals.comparing.figures import BY_NAME, amount, chance, change
from toolmend.evals.comparing.report import verdict

MOST_FIELDS = 8  # differences of configuration shown; JSON has them all
_LONG = 160

Rows = list[list[str]]


def print_text(comparison: Comparison, console: Console, cases: int) -> None:
    """Everything on a screen, at most `cases` differences of each two sides."""
    for line in heading(comparison):
        say(console, line)
    for contrast in comparison.contrasts:
        say(console, f"\nA  {contrast.a}\nB  {contrast.b}", "bold")
        print_grid(figure_rows(contrast), console)
        for line in unpaired(contrast):
            say(console, line, "dim")
        say(console, verdict(contrast), "bold")
        _print_cases(contrast, console, cases)
    print_notes(comparison.notes, console)


def say(console: Console, text: str, style: str = "") -> None:
    """A line as it is: wrapped on a terminal, whole in a pipe."""
    console.print(Text(plain(text), style), soft_wrap=not console.is_terminal)


def print_grid(rows: Rows, console: Console) -> None:
    """Rows under the first one as heading."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for number, head in enumerate(rows[0]):
        table.add_column(Text(plain(head.replace(" (", "\n("))), justify="right" if number else "left", overflow="fold")
    for row in rows[1:]:
        table.add_row(*(Text(plain(cell.replace(" (", "\n("))) for cell in row))
    console.print(table)


def print_notes(notes: Sequence[str], console: Console) -> None:
    """What a reader should know."""
    for note in notes:
        console.print(Text.assemble(("note:", "yellow"), f" {plain(note)}"), soft_wrap=not console.is_terminal)


def heading(comparison: Comparison) -> Iterator[str]:
    """Which runs, and what differs in their configurations."""
    for played in comparison.runs:
        named = ", ".join(f"{c.model} · {c.strategy}" for c in played.run.config.contestants)
        yield f"{played.run.config.suite} · run {played.run.id} · {counted(len(played.outcomes), 'sample')} · {named}"
    yield from differing(comparison.differs)


def differing(differs: Sequence[tuple[str, Any, Any]]) -> Iterator[str]:
    """`differs: temperature 0.0 → 0.7`, a line for each field."""
    for name, a, b in differs[:MOST_FIELDS]:
        yield f"differs: {name}: {_value(a)} → {_value(b)}"
    if len(differs) > MOST_FIELDS:
        yield f"differs: {len(differs) - MOST_FIELDS} more fields (--format json has them all)"


def figure_rows(contrast: Contrast) -> Rows:
    """A row for each figure that both have, below a heading."""
    rows = [["", "A", "B", "B − A", "p (Holm)", "pairs (cases)"]]
    for compared in contrast.figures:
        if not compared.pairs:
            continue
        figure = BY_NAME[compared.figure]
        shown = change(compared.difference, compared.low, compared.high, figure)
        values = [amount(compared.a, figure), amount(compared.b, figure), shown]
        rows.append([figure.label, *values, chance(compared.p_holm), f"{compared.pairs} ({compared.cases})"])
    return rows


def unpaired(contrast: Contrast) -> Iterator[str]:
    """What could not be paired: whole samples, and per figure what one side alone has."""
    yield f"{counted(contrast.paired, 'pair')} of samples"
    for name, only, errors in (("A", contrast.only_a, contrast.errors_a), ("B", contrast.only_b, contrast.errors_b)):
        if only:
            yield f"not paired: {counted(only, 'sample')} that only {name} has"
        if errors:
            yield f"not paired: {counted(errors, 'sample')} of {name} that could not be run"
    alone = [
        f"{BY_NAME[compared.figure].label} {compared.only_a} + {compared.only_b}"
        for compared in contrast.figures
        if compared.only_a or compared.only_b
    ]
    if alone:
        yield f"in paired samples, but on one side only: {', '.join(alone)}"


def _print_cases(contrast: Contrast, console: Console, most: int) -> None:
    if not contrast.cases or not most:
        return
    say(console, f"\n{_cases_title(contrast, most)}", "dim")
    for difference in contrast.cases[:most]:
        print_difference(difference, console, ("  A", "  B"))


def print_difference(difference: CaseDifference, console: Console, names: tuple[str, str]) -> None:
    """A step at which two sides differ: what was asked, and what each said, by its name."""
    say(console, _place(difference))
    hang(console, "  asked", difference.asked, indent=8)
    for name, version in zip(names, (difference.a, difference.b), strict=True):
        hang(console, name, _version(version), indent=8)


def _cases_title(contrast: Contrast, most: int) -> str:
    shown, every = min(most, len(contrast.cases)), len(contrast.cases)
    return f"Where they differ: {counted(shown, 'step')}" + (
        f" of {every} (--cases shows more)" if shown < every else ""
    )


def _place(difference: CaseDifference) -> str:
    attempts = f", {difference.differ} of {difference.attempts} attempts differ" if difference.attempts > 1 else ""
    right = (
        f"right at once {difference.a.right} → {difference.b.right}" if difference.a.right != difference.b.right else ""
    )
    of = f" · {difference.of}" if difference.of else ""
    return " · ".join(filter(None, [f"{difference.case}, step {difference.step + 1}{of}{attempts}", right]))


def _version(version: Version) -> str:
    mistakes = f"   {', '.join(version.mistakes)}" if version.mistakes else ""
    return f"{marked(version.marks)}  {short(version.reply)}{mistakes}"


def marked(marks: Sequence[Sequence[Mark]]) -> str:
    """The marks of every reply to a step: `🍄 › 🥦`."""
    return " › ".join(glyphs(reply) for reply in marks)


def short(text: str) -> str:
    """A reply on one line, cut where it is long."""
    line = " ".join(text.split()) or "(nothing)"
    return line if len(line) <= _LONG else line[: _LONG - 1] + "…"


def _value(value: Any) -> str:
    return "not there" if value is None else short(str(value))
