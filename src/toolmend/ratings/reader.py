"""Votes from a CSV file: columns a, b, winner, and where known weight, prompt, rater, turn, category.

Anything odd is refused with its line; nothing is guessed. Reads in pieces, so that memory holds codes and not texts.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, NoReturn

import numpy as np
from numpy.typing import NDArray

from toolmend.errors import BadFile
from toolmend.ratings.votes import GREATEST, LABELS, MOST_CONTESTANTS, WINNERS, Coder, Labels, Votes

NEEDED = ("a", "b", "winner")
KNOWN = (*NEEDED, "weight", *LABELS)
_PIECE = 50_000  # lines

Piece = Sequence[Sequence[str]]


def read_votes(path: str | Path) -> Votes:
    """The votes of a file.

    Raises BadFile, with the line: no such file, a column missing, a row too short or long, a winner that is none of
    a, b, tie, both_bad, a contestant against itself or without a name, a weight that is negative or no number.
    """
    path = Path(path).expanduser()
    try:
        with open(path, "rb") as stream:
            return _Reading(path, csv.reader(_decoded(stream, path), strict=True)).votes()
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


class _Winners(dict[str, int]):
    """`winner` as written to its code; KeyError for anything else. Blanks around it do not count."""

    def __missing__(self, text: str) -> int:
        self[text] = code = dict(zip(WINNERS, range(4), strict=True))[text.strip()]
        return code


def _number(text: str) -> float:
    """A number from 0 to GREATEST, in plain notation. Raises ValueError."""
    value = float(text)
    if not 0 <= value <= GREATEST or "_" in text:
        raise ValueError(text)
    return value


class _Reading:
    """One reading of one file: the columns grow piece by piece."""

    def __init__(self, path: Path, rows: Iterator[list[str]]) -> None:
        self._path, self._rows = path, rows
        self._names, self._winners = Coder(), _Winners()
        self._coders = {name: Coder(unknown=True) for name in LABELS}
        self._line = 0
        self._head = self._header()
        self._parts: dict[str, list[NDArray[np.float64] | NDArray[np.int32]]] = {
            name: [] for name in self._head if name in KNOWN
        }

    def _header(self) -> list[str]:
        head = [cell.strip() for cell in self._next() or []]
        if not head:
            raise BadFile(self._path, f"is empty; its first line must name the columns {', '.join(NEEDED)}")
        for name in NEEDED:
            if name not in head:
                raise BadFile(self._path, f"there is no column {name!r} (columns are {', '.join(head)})", self._line)
        if twice := next((name for name in head if head.count(name) > 1), None):
            raise BadFile(self._path, f"two columns are called {twice!r}", self._line)
        return head

    def _next(self) -> list[str] | None:
        """The next row that is not blank; None at the end. Keeps the number of its last line."""
        try:
            for row in self._rows:
                self._line = self._rows.line_num  # type: ignore[attr-defined]  # csv's reader counts lines
                if row:
                    return row
        except csv.Error as error:
            self._fail(f"not CSV ({error})", self._rows.line_num)  # type: ignore[attr-defined]
        return None

    def votes(self) -> Votes:
        """Everything to the end of the file."""
        while True:
            piece: list[list[str]] = []
            lines: list[int] = []
            while len(piece) < _PIECE and (row := self._next()) is not None:
                piece.append(row)
                lines.append(self._line)
            if not piece:
                return self._joined()
            self._take(piece, lines)

    def _take(self, piece: Piece, lines: Sequence[int]) -> None:
        width = len(self._head)
        for row, line in zip(piece, lines, strict=True):
            if len(row) != width:
                self._fail(f"{len(row)} cells where the first line names {width} columns", line)
        for name, cells in zip(self._head, zip(*piece, strict=True), strict=True):
            if name in ("a", "b"):
                self._keep(name, self._names.__getitem__, cells, lines, "")
            elif name == "winner":
                self._keep(name, self._winners.__getitem__, cells, lines, f"winner is one of {', '.join(WINNERS)}")
            elif name in self._coders:
                self._keep(name, self._coders[name].__getitem__, cells, lines, "")
            elif name in self._parts:
                self._keep(name, _number, cells, lines, f"{name} is a number from 0 to {GREATEST:,}")
        same = self._parts["a"][-1] == self._parts["b"][-1]
        if same.any():
            at = int(np.argmax(same))
            self._fail(f"{self._names.names[int(self._parts['a'][-1][at])]!r} stands on both sides", lines[at])
        self._check_names(piece, lines)

    def _keep(
        self,
        name: str,
        read: Callable[[str], float],
        cells: Sequence[str],
        lines: Sequence[int],
        rule: str,
    ) -> None:
        """One column of a piece as numbers; a cell that cannot be read fails with its line."""
        try:
            numbers = np.fromiter(map(read, cells), dtype=np.float64, count=len(cells))
            self._parts[name].append(numbers if read is _number else numbers.astype(np.int32))
        except (KeyError, ValueError):
            for cell, line in zip(cells, lines, strict=True):
                try:
                    read(cell)
                except (KeyError, ValueError):
                    self._fail(f"{rule}, not {cell!r}", line)

    def _check_names(self, piece: Piece, lines: Sequence[int]) -> None:
        if "" in self._names.names:
            columns = [self._head.index(side) for side in ("a", "b")]
            for row, line in zip(piece, lines, strict=True):
                if any(not row[column].strip() for column in columns):
                    self._fail("a contestant has no name", line)
        if len(self._names.names) > MOST_CONTESTANTS:
            self._fail(f"more than {MOST_CONTESTANTS:,} contestants; is this the right column?", lines[-1])

    def _joined(self) -> Votes:
        whole = {name: np.concatenate(parts) if parts else np.empty(0) for name, parts in self._parts.items()}
        labels = {
            name: Labels(whole[name].astype(np.int32, copy=False), tuple(coder.names))
            for name, coder in self._coders.items()
            if name in whole
        }
        unused = [name for name in self._head if name not in whole and not self._is_beside(name)]
        return Votes(
            tuple(self._names.names),
            whole["a"].astype(np.int32, copy=False),
            whole["b"].astype(np.int32, copy=False),
            whole["winner"].astype(np.int8),
            whole["weight"].astype(np.float64, copy=False) if "weight" in whole else None,
            labels.get("prompt"),
            labels.get("rater"),
            labels.get("turn"),
            labels.get("category"),
            (f"columns not used: {', '.join(map(repr, unused))}",) if unused else (),
        )

    def _is_beside(self, name: str) -> bool:
        """Whether the column has a partner: something that is known of both sides, such as their lengths."""
        partner = name[:-1] + {"a": "b", "b": "a"}.get(name[-1:], "")
        return name.endswith(("_a", "_b")) and partner in self._head

    def _fail(self, what: str, line: int) -> NoReturn:
        raise BadFile(self._path, what, line)
