"""What the browser says was pressed: anything may stand there, so everything is looked at. Knows no desk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import gradio as gr

from toolmend.errors import BadOption


class Told:
    """The data of one event."""

    def __init__(self, event: gr.EventData) -> None:
        data = event._data
        self._data: Mapping[str, Any] = data if isinstance(data, dict) else {}

    @property
    def do(self) -> str:
        """What is to be done."""
        return self.word("do")

    @property
    def text(self) -> str:
        """What was written or chosen. Raises BadOption where that is nothing."""
        if not (text := self.word("text").strip()):
            raise BadOption("write something first")
        return text

    def word(self, name: str) -> str:
        """A text, "" where there is none."""
        value = self._data.get(name)
        return value if isinstance(value, str) else ""

    def number(self, name: str, low: int, high: int) -> int:
        """A whole number within bounds. Raises BadOption for another."""
        written = self.word(name)
        if not (written.isascii() and written.isdecimal()) or len(written) > 6 or not low <= int(written) <= high:
            raise BadOption(f"{name} must be a whole number from {low} to {high}, not {written!r:.40}")
        return int(written)

    def ticked(self, kind: str, known: Iterable[str]) -> tuple[str, ...]:
        """Which of the boxes `kind NAME` are ticked."""
        return tuple(name for name in known if self.word(f"{kind} {name}"))
