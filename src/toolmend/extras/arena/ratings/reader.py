"""Votes from a CSV file: columns a, b, winner, and where known weight, prompt, rater, turn, category.

Anything odd is refused with its line; nothing is guessed. Memory holds codes and not texts.
"""

from __future__ import annotations

import csv
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from toolmend.base.errors import BadFile
from toolmend.extras.arena.ratings.votes import GREATEST, LABELS, MOST_CONTESTANTS, WINNERS, Coder, Labels, Votes

NEEDED = ("a", "b", "winner")
KNOWN = (*NEEDED, "weight", *LABELS)
Rows = Iterator[tuple[int, list[str]]]


def read_votes(path: str | Path) -> Votes:
    """The votes of a file.

    Raises BadFile, with the line: no such file, a column missing, a row too short or long, a winner that is none of
    a, b, tie, both_bad, a contestant against itself or without a name, a weight that is negative or no number.
    """
    path = Path(path).expanduser()
    try:
        with open(path, "rb") as stream:
            rows = _rows(path, csv.reader(_decoded(stream, path), strict=True))
            return _votes(path, _head(path, rows), rows)
    except OSError as error:
        raise BadFile(path, f"cannot be read ({error.strerror or error})") from error


def _decoded(stream: BinaryIO, path: Path) -> Iterator[str]:
    """The lines as text, each decoded by itself, so that a broken one has its number."""
    number = 0
    try:
        for line in stream:
            number += 1
            yield line.decode() if number > 1 else line.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadFile(path, f"not UTF-8 text ({error.reason})", number) from error


def _rows(path: Path, reader: Any) -> Rows:
    """The rows that are not blank, each with the number of its last line."""
    try:
        for row in reader:
            if row:
                yield reader.line_num, row
    except csv.Error as error:
        raise BadFile(path, f"not CSV ({error})", reader.line_num) from error


def _head(path: Path, rows: Rows) -> list[str]:
    line, row = next(rows, (0, list[str]()))
    head = [cell.strip() for cell in row]
    if not head:
        raise BadFile(path, f"is empty; its first line must name the columns {', '.join(NEEDED)}")
    for name in NEEDED:
        if name not in head:
            raise BadFile(path, f"there is no column {name!r} (columns are {', '.join(head)})", line)
    if twice := next((name for name in head if head.count(name) > 1), None):
        raise BadFile(path, f"two columns are called {twice!r}", line)
    return head


def _votes(path: Path, head: list[str], rows: Rows) -> Votes:
    a_at, b_at, winner_at = map(head.index, NEEDED)
    weight_at = head.index("weight") if "weight" in head else None
    places = {name: head.index(name) for name in LABELS if name in head}
    coders = {name: Coder(unknown=True) for name in places}
    codes = {name: array("i") for name in places}
    names, outcomes = Coder(), {name: code for code, name in enumerate(WINNERS)}
    a, b, winner, weight = array("i"), array("i"), array("b"), array("d")
    for line, row in rows:
        if len(row) != len(head):
            raise BadFile(path, f"{len(row)} cells where the first line names {len(head)} columns", line)
        first, second, outcome = row[a_at].strip(), row[b_at].strip(), outcomes.get(row[winner_at].strip())
        if not first or not second:
            raise BadFile(path, "a contestant has no name", line)
        if first == second:
            raise BadFile(path, f"{first!r} stands on both sides", line)
        if outcome is None:
            raise BadFile(path, f"winner is one of {', '.join(WINNERS)}, not {row[winner_at]!r}", line)
        a.append(names[first])
        b.append(names[second])
        if len(names.names) > MOST_CONTESTANTS:
            raise BadFile(path, f"more than {MOST_CONTESTANTS:,} contestants; is this the right column?", line)
        winner.append(outcome)
        if weight_at is not None:
            weight.append(_weight(path, row[weight_at], line))
        for name, place in places.items():
            codes[name].append(coders[name][row[place]])
    labels = {name: Labels(np.array(codes[name], np.int32), tuple(coders[name].names)) for name in places}
    unused = [name for name in head if name not in KNOWN and not _is_beside(name, head)]
    return Votes(
        tuple(names.names),
        np.array(a, np.int32),
        np.array(b, np.int32),
        np.array(winner, np.int8),
        None if weight_at is None else np.array(weight, np.float64),
        notes=(f"columns not used: {', '.join(map(repr, unused))}",) if unused else (),
        **labels,
    )


def _weight(path: Path, cell: str, line: int) -> float:
    """A number from 0 to GREATEST, in plain notation."""
    try:
        value = float(cell)
    except ValueError:
        value = -1.0
    if not 0 <= value <= GREATEST or "_" in cell:
        raise BadFile(path, f"weight is a number from 0 to {GREATEST:,}, not {cell!r}", line)
    return value


def _is_beside(name: str, head: list[str]) -> bool:
    """Whether the column has a partner: something that is known of both sides, such as their lengths."""
    partner = name[:-1] + {"a": "b", "b": "a"}.get(name[-1:], "")
    return name.endswith(("_a", "_b")) and partner in head
