"""Rows in a file, made once and then only read: where thousands of tokens pass a second, making them is what takes
time.

One .xz: a line of JSON (`{"rows": 1, "base": …, "course": …, "count": …, "tokens": …, "kept": …}`), then in whole
numbers of 16 bits, little endian, the lengths of the rows and their tokens, then a bit for each token: whether it is
learned. The last `kept` rows are kept back: they are the exam.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from toolmend.base.atomic import written
from toolmend.base.errors import BadFile, BadOption
from toolmend.training.adapter.courses import Course
from toolmend.training.adapter.rows import Row, Tokens

VERSION = 1
_MOST = 1 << 16  # token numbers
_FLAT = np.ndarray[Any, Any]


def taught_rows(course: Course, tokens: Tokens, count: int) -> Iterator[Row]:
    """The first rows of a course, so many."""
    seed = 0
    while count:
        if row := course.row(seed, tokens):
            yield row
            count -= 1
        seed += 1


def pack_rows(path: Path, rows: Sequence[Row], kept: Sequence[Row], *, base: str, course: str, title: str) -> int:
    """Write a file that is there wholly or not at all; how many tokens are in it. Raises BadFile, BadOption for a base
    with more tokens than 16 bits can number."""
    every = [*rows, *kept]
    flat = np.fromiter((token for row in every for token in row.tokens), dtype=np.int64)
    if len(flat) and flat.max() >= _MOST:
        raise BadOption(f"{base} has tokens above {_MOST:,}: its rows cannot be packed")
    head = {"rows": VERSION, "base": base, "course": course, "title": title, "count": len(every), "tokens": len(flat)}
    lengths = np.array([len(row.tokens) for row in every], dtype="<u2")
    marks = np.packbits(np.fromiter((mark for row in every for mark in row.learned), dtype=bool))
    with written(path) as part, lzma.open(part, "wb", preset=6) as stream:
        stream.write(f"{json.dumps({**head, 'kept': len(kept)})}\n".encode())
        for values in (lengths, flat.astype("<u2"), marks):
            stream.write(values.tobytes())
    return len(flat)


@dataclass(frozen=True)
class PackedCourse:
    """The rows of a file as a course: gone through in their order again and again, those kept back never."""

    name: str
    title: str
    base: str
    count: int
    _lengths: _FLAT
    _tokens: _FLAT
    _learned: _FLAT
    _ends: _FLAT

    toolbox = ""

    def row(self, seed: int, tokens: Tokens) -> Row | None:
        """The row of a seed: every row once in a round, then again."""
        return self._row(seed % self.count)

    def kept_back(self, tokens: Tokens) -> Sequence[Row]:
        """The rows that are never trained on."""
        return [self._row(place) for place in range(self.count, len(self._lengths))]

    def _row(self, place: int) -> Row:
        end = int(self._ends[place])
        part = slice(end - int(self._lengths[place]), end)
        return Row(tuple(self._tokens[part].tolist()), tuple(self._learned[part].tolist()))


def packed_course(path: Path, base: str) -> PackedCourse:
    """The course of a file whose rows were made for this base. Raises BadFile for another, or half of one."""
    try:
        with lzma.open(path) as stream:
            head, content = json.loads(stream.readline()), stream.read()
        if head["rows"] != VERSION:
            raise BadFile(path, f"has rows of version {head['rows']}; this toolmend reads {VERSION}")
        count, size, kept = int(head["count"]), int(head["tokens"]), int(head["kept"])
        named, course, title = str(head["base"]), str(head["course"]), str(head["title"])
    except (lzma.LZMAError, EOFError) as error:
        raise BadFile(path, "is no .xz file, or cut off; pack the rows again (toolmend train pack)") from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadFile(path, f"holds no packed rows ({error}); `toolmend train pack` makes them") from error
    if named != base:
        raise BadFile(path, f"has rows for the base {named}, not {base}; pack them for it")
    if len(content) != 2 * count + 2 * size + -(-size // 8) or not 0 <= kept < count:
        raise BadFile(path, "holds fewer or more rows than its first line says; pack them again")
    lengths = np.frombuffer(content, "<u2", count).astype(np.int64)
    tokens = np.frombuffer(content, "<u2", size, offset=2 * count)
    learned = np.unpackbits(np.frombuffer(content, np.uint8, offset=2 * (count + size)), count=size).astype(bool)
    if lengths.sum() != size:
        raise BadFile(path, "holds rows of other lengths than it says; pack them again")
    name = f"packed {path.name} {course}"
    return PackedCourse(name, title, base, count - kept, lengths, tokens, learned, lengths.cumsum())
