"""The table mutants.txt, read: which test guards which lines."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class Mutant(NamedTuple):
    """`old` stands once in `src/toolmend/<file>`; with `new` in its place `test` fails."""

    test: str
    file: str
    old: str
    new: str


def read() -> list[Mutant]:
    """All mutants, in the order of the table."""
    text = Path(__file__).with_name("mutants.txt").read_text(encoding="utf-8")
    return [_mutant(part.strip().splitlines()) for part in text.split("\n\n") if not part.startswith("#")]


def _mutant(lines: list[str]) -> Mutant:
    test, _, file = lines[0].partition(" · ")
    old, new = ("\n".join(line[1:] for line in lines[1:] if line.startswith(sign)) for sign in "-+")
    return Mutant(test, file, old, new)
