"""A constraint applied to an embedded model: every token is tried on the text that it would add, in order of its logit.

The model writes spelled text (spelling.py), a constraint speaks of real text: `Unspelling` turns one into the other
byte by byte. Trying the likeliest first gives the same token as masking the whole vocabulary, mostly at the first try.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase
from typing import Any

import numpy as np

from toolmend.models.builtin.spelling import OF_MARK
from toolmend.models.builtin.tokens import END, SPECIAL, BuiltinTokens
from toolmend.models.masks import Mask

_MARKS = {ord(mark): (case, glued) for mark, (glued, case) in OF_MARK.items()}
_LOWER, _UPPER = ascii_lowercase.encode(), ascii_uppercase.encode()
_SPACE = ord(" ")
_SPAN, _TIMES, _PERIOD = 24, 4, 16
_SHORTEST_SPAN = 8


@dataclass(frozen=True, slots=True)
class Unspelling:
    """Where the decoding of spelled text stands. `mark` waits for its word; `spaced`: its space has come, too;
    `loud`: in a word of capitals; `begun`: something was written, so that a space is one."""

    mark: int = 0
    spaced: bool = False
    loud: bool = False
    begun: bool = False

    def after(self, spelled: bytes, shorthands: Mapping[int, bytes]) -> tuple[Unspelling, bytes]:
        """The state after these bytes, and the text they add. Marks out of place are dropped, as in `decode`."""
        mark, spaced, loud, begun, text = self.mark, self.spaced, self.loud, self.begun, bytearray()
        for byte in spelled:
            case, glued = _MARKS.get(mark, (0, False))
            if mark and not spaced and byte == _SPACE:
                spaced = True
                continue
            if spaced:
                word = byte in _LOWER
                if begun and not (word and glued):
                    text.append(_SPACE)
                begun, loud = True, word and case == 2
                text += bytes((byte - 32 if case else byte,)) if word else b""
                mark, spaced = 0, False
                if word:
                    continue
            mark = byte if byte in _MARKS else 0
            loud = loud and byte in _LOWER
            if not mark:
                if byte != _SPACE or begun:
                    text += bytes((byte - 32,)) if loud else shorthands.get(byte, bytes((byte,)))
                begun = True
        return Unspelling(mark, spaced, loud, begun), bytes(text)

    def may_follow(self) -> list[bytes]:
        """What must come of a mark whose space has come: one of these texts. Nothing if there is none."""
        if not self.spaced:
            return []
        case, glued = _MARKS[self.mark]
        space = b" " if self.begun else b""
        return [space, *((b"" if glued else space) + bytes((letter,)) for letter in (_UPPER if case else _LOWER))]


class Guide:
    """Leads one reply along a mask."""

    def __init__(self, mask: Mask, tokens: BuiltinTokens) -> None:
        self._mask, self._state, self._bytes = mask, Unspelling(), tokens.bytes_of
        self._made: list[int] = []
        self.refused = 0  # tokens that would have gone on repeating
        self._shorthands = {ord(code): text.encode() for code, text in tokens.spelling.codes.items()}

    def pick(self, logits: np.ndarray[Any, Any], choose: Callable[[np.ndarray[Any, Any]], int]) -> int:
        """The token that `choose` takes of those that fit. Logits of tokens that do not fit become -inf."""
        if self._mask.must_end:
            return END
        circling: list[tuple[int, Unspelling, bytes]] = []
        while np.isfinite(logits).any():
            token = choose(logits)
            logits[token] = -np.inf
            if token == END and self._mask.may_end and not self._state.spaced:
                return END
            found = self._tried(token)
            if found and repeated([*self._made[-_TIMES * _PERIOD :], token], self.refused):
                circling.append((token, *found))
            elif found and (found[1] or not circling):  # a mark alone leads out of no circle
                self.refused += len(circling)
                return self._take(token, *found)
        return self._take(*circling[0]) if circling else END  # where nothing else fits, it may repeat

    def _tried(self, token: int) -> tuple[Unspelling, bytes] | None:
        """The state after a token and the text it adds; None if it does not fit."""
        if token < len(SPECIAL):
            return None
        state, text = self._state.after(self._bytes[token], self._shorthands)
        if not text and self._state.mark and state.spaced <= self._state.spaced:
            return None  # mark after mark: a reply that never comes to a word
        follows = state.may_follow()
        fits = self._mask.fits(text) and (not follows or any(self._mask.fits(text + each) for each in follows))
        return (state, text) if fits else None

    def _take(self, token: int, state: Unspelling, text: bytes) -> int:
        self._mask.take(text)
        self._state = state
        self._made.append(token)
        return token


def repeated(made: Sequence[int], refused: int = 0) -> int:
    """How many tokens the reply repeats at its end, over and over; 0 if it does not.

    That is 24 tokens at least, and the same 1 to 16 tokens four times at least. With every token that was refused for
    it there is less patience: 12 tokens and twice, then 8.
    """
    least, times = max(_SPAN // (1 + refused), _SHORTEST_SPAN), max(_TIMES // (1 + refused), 2)
    for period in range(1, _PERIOD + 1):
        span = max(least, times * period)
        end = made[-span:]
        if len(end) == span and all(a == b for a, b in zip(end, end[period:], strict=False)):
            return period
    return 0
