"""Wordings as a file, for corrections that suites make: how people type, level by level, written by hand.

    {"level": 2, "text": "the {argument} {is} wrong"}
    {"level": 3, "text": "It's at {value}, not {wrong}.", "of": "time"}

`level` is that of language/corrections/__init__.py; any other marks a doubt about a right answer. `of` limits a wording to
arguments that go without their name (date, time, length, name), to answers to a `question`, or to a mistake of the call
as such (AS_SUCH). The open half ships.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from string import Formatter
from typing import Any

from toolmend.base.errors import BadFile
from toolmend.base.mistakes import Kind

SLOTS = {"argument", "Argument", "is", "value", "wrong", "action", "unasked"}
AS_SUCH = (
    "no_call wrong_tool missing_call extra_call repeated_call unwanted_call missing_argument unknown_argument"
).split()
OF = ("", "date", "time", "length", "name", "question", *AS_SUCH)
DOUBT = -1
_ALSO = {"arg": "argument", "name": "argument", "parameter": "argument", "new": "value", "right": "value"}
_KINDS_OF = {"title": "name", "duration": "length"}
_ENTRY = "that one"  # what the call is about; a mistake knows no more of it


@dataclass(frozen=True)
class Pool:
    """Wordings by level and what they are limited to ("" for nothing). `name` and `hash` stand in a run's record."""

    name: str
    hash: str
    lines: Mapping[tuple[int, str], tuple[str, ...]]

    def of(self, level: int, *kinds: str) -> tuple[str, ...]:
        """The wordings of a level for these kinds, "" included."""
        return tuple(line for kind in dict.fromkeys(("", *kinds)) for line in self.lines.get((level, kind), ()))

    def as_such(self, level: int, kind: Kind) -> tuple[str, ...]:
        """What is said of such a mistake and no other."""
        return self.lines.get((level, kind.value), ())

    def answers(self, level: int) -> tuple[str, ...]:
        """What is said to a question; where there is nothing of the kind, what is said to a call."""
        return self.lines.get((level, "question"), ()) or self.of(level)


@cache
def open_pool() -> Pool:
    """The open half: what suites say unless told otherwise."""
    text = files("toolmend.language.corrections").joinpath("wordings.jsonl").read_text(encoding="utf-8")
    return _pool("wordings.jsonl", text)


def read_pool(path: str | Path) -> Pool:
    """The wordings of a file. Raises BadFile with the line that is none."""
    try:
        text = Path(path).expanduser().read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(path, f"cannot be read ({error})") from error
    return _pool(str(path), text)


def _pool(name: str, text: str) -> Pool:
    lines: dict[tuple[int, str], list[str]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            level, of, wording = _row(name, number, line)
            lines.setdefault((level, of), []).append(wording)
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    return Pool(Path(name).name, digest, {key: tuple(wordings) for key, wordings in lines.items()})


def _row(name: str, number: int, line: str) -> tuple[int, str, str]:
    try:
        row: Any = json.loads(line)
        level, wording = row["level"], row["text"].replace("{entry}", _ENTRY)
        of = row.get("of", row.get("for", [""])[0])
        of = _KINDS_OF.get(of, of)
        slots = {field for _, field, _, _ in Formatter().parse(wording) if field}
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise BadFile(name, "a wording is an object with level and text", number) from error
    if unknown := slots - SLOTS - set(_ALSO):
        known = ", ".join(sorted({*SLOTS, *_ALSO}))
        raise BadFile(name, f"the slot {{{min(unknown)}}} is not known; known: {known}", number)
    if of not in OF:
        raise BadFile(name, f"of is {of!r}; known: {', '.join(OF[1:])}", number)
    for other, slot in _ALSO.items():
        wording = wording.replace(f"{{{other}}}", f"{{{slot}}}")
    return level if level in (0, 1, 2, 3) else DOUBT, of, wording


@cache
def _sections() -> Mapping[str, tuple[str, ...]]:
    text = files("toolmend.language.corrections").joinpath("sentences.txt").read_text(encoding="utf-8")
    blocks = (block.partition("]\n") for block in text.split("\n[")[1:])
    return {name: tuple(filter(None, lines.splitlines())) for name, _, lines in blocks}


def sentences(level: int, of: str = "") -> tuple[str, ...]:
    """The wordings of a level for a kind of mistake, as sentences.txt names it; () where there are none."""
    return _sections().get(f"{level} {of}".strip(), ())
