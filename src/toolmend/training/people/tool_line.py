"""A tool as the notation shows it (docs/notation.md), taken apart: name, arguments, what is told of it. Knows no
talk.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_LINE = re.compile(r"(?P<name>[^\W\d]\w*)\((?P<inside>.*?)\)(?:  # (?P<about>.*))?")
_BETWEEN = re.compile(r",\s*(?![^\[{]*[\]}])")
_NAME = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class ToolLine:
    """Its name, its arguments as (name, the rest: `?: date`, ` = 2`), what the tool does, what each argument is."""

    name: str
    arguments: tuple[tuple[str, str], ...] = ()
    about: str = ""
    meanings: Mapping[str, str] | None = None

    @classmethod
    def read(cls, line: str) -> ToolLine:
        """Of its line. Raises ValueError for what is no signature."""
        match = _LINE.fullmatch(line.strip())
        if match is None:
            raise ValueError(f"{line:.60} is no signature of a tool")
        pieces = [piece for piece in _BETWEEN.split(match["inside"]) if piece]
        named = [_NAME.match(piece) for piece in pieces]
        if not all(named):
            raise ValueError(f"{line:.60} has an argument without a name")
        arguments = tuple((name[0], piece[name.end() :]) for name, piece in zip(named, pieces, strict=True) if name)
        about, meanings = _told(match["about"] or "", [name for name, _ in arguments])
        return cls(match["name"], arguments, about, meanings)

    def line(self, *, about: bool = True, meanings: bool = True) -> str:
        """As it is shown, with what is told of it or less."""
        notes = "; ".join(f"{name}: {text}" for name, text in (self.meanings or {}).items()) if meanings else ""
        told = ". ".join(part for part in (self.about if about else "", notes) if part)
        inside = ", ".join(f"{name}{rest}" for name, rest in self.arguments)
        return f"{self.name}({inside})" + (f"  # {told}" if told else "")

    def renamed(self, name: str, names: Mapping[str, str]) -> ToolLine:
        """Under another name, its arguments too."""
        arguments = tuple((names.get(old, old), rest) for old, rest in self.arguments)
        told = {names.get(old, old): text for old, text in (self.meanings or {}).items()}
        return ToolLine(name, arguments, self.about, told)


def _told(text: str, names: list[str]) -> tuple[str, dict[str, str]]:
    """What a tool does, and what its arguments are: `Feed a cat. cat: who; grams: how much`."""
    places = [match for name in names if (match := re.search(rf"(?:^|\. |; ){re.escape(name)}: ", text))]
    places.sort(key=lambda match: match.start())
    about = text[: places[0].start()] if places else text
    ends = [*(match.start() for match in places[1:]), len(text)][: len(places)]
    told = {match[0].strip("; .").removesuffix(":"): text[match.end() : end].strip("; ")
            for match, end in zip(places, ends, strict=True)}  # fmt: skip
    return about.strip(), told
