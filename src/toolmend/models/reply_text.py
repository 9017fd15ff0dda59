"""The text of a reply as it grows out of tokens: pieces go out once they cannot change, and a stop text cuts it.

Knows no tokenizer: it is given the function that turns tokens into text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from toolmend.models.model import OnDelta

_UNSETTLED = " \ufffd\u200b"  # at the end of a text: half a character or a mark, which the next token may change


class ReplyText:
    """One reply in the making. `decode` turns all its tokens into text; `on_delta` hears of each settled piece once."""

    def __init__(self, decode: Callable[[list[int]], str], stop: Sequence[str], on_delta: OnDelta | None) -> None:
        self._decode, self._stop, self._on_delta, self._shown = decode, [text for text in stop if text], on_delta, 0
        self._held = max(map(len, self._stop), default=1) - 1
        self.stopped = False

    def ends(self, made: list[int]) -> bool:
        """Whether a stop text has come."""
        if not self._stop and not self._on_delta:
            return False
        settled = self._decode(made).rstrip(_UNSETTLED)
        if self._cut(settled) != settled:
            self.stopped = True
            return True
        self._show(settled[: len(settled) - self._held])
        return False

    def whole(self, made: list[int]) -> str:
        """The text, all of it shown."""
        text = self._cut(self._decode(made))
        self._show(text)
        return text

    def _cut(self, text: str) -> str:
        return text[: min((at for stop in self._stop if (at := text.find(stop)) >= 0), default=len(text))]

    def _show(self, text: str) -> None:
        if self._on_delta and len(text) > self._shown:
            self._on_delta(text[self._shown :])
            self._shown = len(text)
