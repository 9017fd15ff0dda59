"""Bytes as they come -> JSON values, one after the other: event streams, lines of JSON, or one document.

Which of the three is seen by the first characters, not by the content type, which servers get wrong. Any chunking,
CR, LF or CRLF, characters cut in two, a mark at the start: all the same. No input and output here.
"""

from __future__ import annotations

import codecs
import io
import json
from collections.abc import Callable, Iterator
from typing import Any, Literal

DONE = object()
"""What stands for the line `data: [DONE]`."""

MOST = 8 << 20
"""Bytes of one reply that are read if nobody says otherwise: an endless stream ends here."""

Take = Callable[[Any], bool]
_FIELDS = ("data", "event", "id", "retry")


class Broken(Exception):
    """A reply that cannot be read on; the text says what is wrong with it."""


class Lines:
    """Bytes -> lines of text."""

    def __init__(self) -> None:
        text = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._decode = io.IncrementalNewlineDecoder(text, translate=True).decode
        self._open: list[str] = []

    def feed(self, piece: bytes, *, last: bool = False) -> Iterator[str]:
        """The lines that this piece completes; of the `last` one also what is left."""
        *whole, rest = str(self._decode(piece, last)).split("\n")
        for line in whole:
            yield "".join([*self._open, line])
            self._open = []
        self._open.append(rest)
        if last and any(self._open):
            yield "".join(self._open)


class Records:
    """Feeds JSON values to `take`, until it says that it has enough; DONE is one of them.

    Raises Broken for what is none of the three forms, for broken JSON, and after `most` bytes.
    """

    def __init__(self, take: Take, most: int = MOST) -> None:
        self.count = self.size = 0
        self.form: Literal["events", "lines", "document"] | None = None
        self._take, self._most, self._lines = take, most, Lines()
        self._data: list[str] = []
        self._raw: list[bytes] = []
        self._enough = False

    @property
    def raw(self) -> str:
        """The reply as it came."""
        return b"".join(self._raw).decode("utf-8", "replace")

    def feed(self, piece: bytes) -> bool:
        """Read a piece; True when no more is needed."""
        self.size += len(piece)
        self._raw.append(piece)
        if self.size > self._most:
            raise Broken(f"the reply does not end: more than {self._most:,} bytes after {self.count} records")
        for line in self._lines.feed(piece):
            if self._line(line):
                return True
        return self._enough

    def close(self) -> None:
        """The reply is over. An event without the empty line after it counts too: some servers leave that out."""
        for line in self._lines.feed(b"", last=True):
            if self._line(line):
                return
        if self.form == "events":
            self._event()
        elif self._data:
            self._put("\n".join(self._data))

    def _line(self, line: str) -> bool:
        if self.form is None and line.strip():
            self._begin(line.lstrip())
        if self.form == "events":
            self._field(line)
        elif self.form == "lines":
            if line.strip():
                self._put(line)
        elif self.form == "document":
            self._data.append(line)
            if len(self._data) == 1:  # a line that is JSON by itself is the first of many
                self._first(line)
        return self._enough

    def _begin(self, start: str) -> None:
        if start[0] in "{[":
            self.form = "document"
        elif start[0] == ":" or start.partition(":")[0].rstrip() in _FIELDS:
            self.form = "events"
        else:
            kind = "HTML" if start[0] == "<" else "neither JSON nor an event stream"
            raise Broken(f"the reply is {kind}: {start[:80]!r}")

    def _first(self, line: str) -> None:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            return  # a document over several lines
        self.form, self._data = "lines", []
        self._give(value)

    def _field(self, line: str) -> None:
        if not line:
            self._event()
        elif line[0] != ":":
            name, _, value = line.partition(":")
            if name == "data":
                self._data.append(value.removeprefix(" "))

    def _event(self) -> None:
        text, self._data = "\n".join(self._data), []
        if text.strip() == "[DONE]":
            self._give(DONE)
        elif text.strip():
            self._put(text)

    def _put(self, text: str) -> None:
        try:
            value = json.loads(text)
        except (ValueError, RecursionError) as error:
            where = "the reply" if self.form == "document" else f"record {self.count + 1} of the stream"
            raise Broken(f"{where} is no JSON ({_said(error)}): {text[:80]!r}") from None
        self._give(value)

    def _give(self, value: Any) -> None:
        self.count += 1
        self._enough = self._take(value) or self._enough


def _said(error: Exception) -> str:
    return error.msg if isinstance(error, json.JSONDecodeError) else str(error).partition(";")[0]
