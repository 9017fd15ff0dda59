"""Reads a Google-style docstring: what the tool does, and what each parameter means. Knows no types and no schema."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass, field

_ARGS = re.compile(r"(args|arguments|parameters|params):$", re.IGNORECASE)
_OTHER = re.compile(r"(returns?|raises|yields|examples?|undo|todo|see also):$", re.IGNORECASE)
_ENTRY = re.compile(r"(?P<name>\*{0,2}\w+)\s*(?:\(.*?\))?\s*:\s*(?P<text>.*)")


@dataclass(frozen=True, slots=True)
class Docs:
    """A docstring taken apart. Lines of a paragraph are joined; `parameters` keeps the order of the docstring."""

    description: str = ""
    parameters: dict[str, str] = field(default_factory=dict)


def read_docstring(text: str | None) -> Docs:
    """The description (everything before the first section) and the entries of the `Args:` section.

    >>> read_docstring("Ring a bell.\\n\\nArgs:\\n    times: how often\\n")
    Docs(description='Ring a bell.', parameters={'times': 'how often'})
    """
    lines = inspect.cleandoc(text or "").splitlines()
    heads = [index for index, line in enumerate(lines) if _ARGS.match(line) or _OTHER.match(line)]
    description = _joined(lines[: heads[0]] if heads else lines)
    for index in heads:
        if _ARGS.match(lines[index]):
            return Docs(description, _entries(_block(lines[index + 1 :])))
    return Docs(description)


def _block(lines: list[str]) -> list[str]:
    """The indented lines right under a section head."""
    for index, line in enumerate(lines):
        if line.strip() and not line[0].isspace():
            return lines[:index]
    return lines


def _entries(lines: list[str]) -> dict[str, str]:
    texts: dict[str, list[str]] = {}
    current: list[str] = []
    margin: int | None = None
    for line in filter(str.strip, lines):
        indent = len(line) - len(line.lstrip())
        margin = indent if margin is None else margin
        entry = _ENTRY.fullmatch(line.strip()) if indent <= margin else None
        if entry:
            current = texts.setdefault(entry["name"].lstrip("*"), [])
        current.append(entry["text"] if entry else line.strip())
    return {name: " ".join(filter(None, parts)) for name, parts in texts.items()}


def _joined(lines: list[str]) -> str:
    paragraphs = "\n".join(line.strip() for line in lines).strip().split("\n\n")
    return "\n".join(" ".join(paragraph.split()) for paragraph in paragraphs if paragraph.strip())
