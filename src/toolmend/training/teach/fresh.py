"""Fresh values for arguments, shaped like those of the examples: numbers in their range, texts with their pattern of
letters and figures, other words in their place.

    GLOW25 → TARN47     nora@lind.org → brum@sket.org     Wool blanket → Copper frindle

A model that is to copy must meet words that nobody listed. Knows no sentence.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, time, timedelta
from random import Random
from typing import Any

from toolmend.messages import Call, ToolSpec
from toolmend.training.teach.arguments import Kind, kind_of, leaves
from toolmend.training.words import Words, made_up

_PIECE = re.compile(r"[^\W\d_]+|\d+")
_SMALL = {"with", "and", "for", "of", "at", "the", "in", "on", "to", "a", "an", "is", "it", "am", "as", "by", "or"}
_KEPT, _LONG_TEXT = 0.3, 3
_TRIES = 30


@dataclass
class Values:
    """Draws values by kind. `seen` are the examples' values by the kind's key; `held_out` draws other words than
    training does, and never an example's text."""

    seen: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    held_out: bool = False

    def __post_init__(self) -> None:
        """The words of both sides."""
        self._words = Words(self.held_out)
        self._makers = {
            "choice": self._choice, "integer": self._integer, "number": self._number, "length": self._length,
            "date": self._date, "time": self._time, "text": self._text,
        }  # fmt: skip

    def draw(self, kind: Kind, random: Random, but: Sequence[Any] = ()) -> Any:
        """A value of that kind that is none of `but`, where there is another one. Flags are drawn as flags."""
        if kind.name == "flag":
            return random.random() < 0.5
        if kind.name not in self._makers:
            return None
        value = None
        for _ in range(_TRIES):
            value = self._makers[kind.name](kind, random)
            if value not in but and _fits(value, kind):
                return value
        known = [each for each in self.seen.get(kind.key, ()) if _fits(each, kind)]
        return random.choice(known) if known and not _fits(value, kind) else value

    def _choice(self, kind: Kind, random: Random) -> str:
        return random.choice(kind.choices)

    def _integer(self, kind: Kind, random: Random) -> int:
        known = [int(each) for each in self.seen.get(kind.key, ()) if isinstance(each, int | float)] or [1, 5, 20]
        longest = max(len(str(abs(each))) for each in known)
        if longest >= 3 and min(known) >= 100:
            digits = longest if random.random() < 0.8 else max(1, longest + random.choice((-1, 1)))
            return random.randint(10 ** (digits - 1), 10**digits - 1)
        low = kind.low if kind.low is not None else min(0 if 0 in known else 1, *known)
        high = kind.high if kind.high is not None else max(12, 2 * max(known))
        step = 5 if len(known) > 1 and all(each % 5 == 0 for each in known) and random.random() < 0.6 else 1
        if random.random() < 0.6:
            high = min(high, max(12.0, low + 1))
        return int(random.randint(int(low), max(int(low), int(high))) // step * step) or int(max(low, step))

    def _number(self, kind: Kind, random: Random) -> float:
        known = [float(each) for each in self.seen.get(kind.key, ()) if isinstance(each, int | float)] or [1.5, 20.0]
        low = kind.low if kind.low is not None else min(1.0, *known)
        high = kind.high if kind.high is not None else 1.5 * max(known)
        if random.random() < 0.5:
            high = max(low + 1, min(high, 3 * sorted(known)[len(known) // 2]))
        whole = random.randint(int(low), max(int(low), int(high)))
        shape = random.random()
        if shape < 0.35:
            return whole
        cents = random.choice((50, 90, 95, 99, 25, 75)) if shape < 0.8 else random.randint(1, 99)
        return whole + cents / 100

    def _length(self, kind: Kind, random: Random) -> int:
        if kind.unit == "minute":
            return random.choice((5, 10, 15, 20, 30, 45, 60, 75, 90, 105, 120, 150, 180, 240))
        return random.randint(1, 30)

    def _date(self, kind: Kind, random: Random) -> str:
        known = sorted(date.fromisoformat(each) for each in self.seen.get(kind.key, ()) if isinstance(each, str))
        first, last = (known[0], known[-1]) if known else (date(2024, 1, 1), date(2026, 12, 31))
        first, last = first - timedelta(days=150), last + timedelta(days=240)
        return (first + timedelta(days=random.randrange((last - first).days + 1))).isoformat()

    def _time(self, kind: Kind, random: Random) -> str:
        hour = random.randint(7, 22) if random.random() < 0.9 else random.randint(0, 23)
        return time(hour, random.choice((0, 0, 0, 30, 30, 15, 45, 10, 20, 40, 50, 5))).isoformat("minutes")

    # texts -------------------------------------------------------------------------------------------------------

    def _text(self, kind: Kind, random: Random) -> str:
        known = [each for each in self.seen.get(kind.key, ()) if isinstance(each, str) and each]
        if not known:
            return made_up(random)
        model = random.choice(known)
        if not self.held_out and random.random() < _KEPT:
            return model
        if len(model.split()) > _LONG_TEXT:
            return self._reworded(model, known, random)
        return _PIECE.sub(lambda match: self._piece(match[0], known, random), model)

    def _reworded(self, model: str, known: Sequence[str], random: Random) -> str:
        """A long text with about half of its words changed, perhaps cut short."""
        words = [
            _PIECE.sub(lambda match: self._piece(match[0], known, random), word) if random.random() < 0.5 else word
            for word in model.split()
        ]
        return " ".join(words[: random.randint(2, len(words))] if random.random() < 0.3 else words)

    def _piece(self, piece: str, known: Sequence[str], random: Random) -> str:
        """Other figures for figures, another word for a word, its letter case kept."""
        if piece.isdigit():
            first = str(random.randint(1, 9)) if piece[0] != "0" or len(piece) == 1 else "0"
            return first + "".join(str(random.randint(0, 9)) for _ in piece[1:])
        if piece.lower() in _SMALL or (len(piece) <= 3 and piece.islower() and random.random() < 0.8):
            return piece
        word = self._word(piece, known, random)
        if piece.isupper() and len(piece) > 1:
            return word.upper()
        return word.capitalize() if piece[0].isupper() else word.lower()

    def _word(self, piece: str, known: Sequence[str], random: Random) -> str:
        chance = random.random()
        if chance < 0.45:
            return made_up(random)
        if chance < 0.6 and not self.held_out:
            pieces = [each for each in _PIECE.findall(random.choice(known)) if each.lower() not in _SMALL]
            return str(random.choice(pieces or [piece]))
        section = random.choice(("people", "surnames") if piece[0].isupper() and chance < 0.8 else ("events", "topics"))
        words: list[str] = re.findall(r"[A-Za-z]{3,}", self._words.pick(random, section))
        return random.choice(words or [made_up(random)])


def seen_values(specs: Mapping[str, ToolSpec], calls: Iterable[Call]) -> dict[str, list[Any]]:
    """The values of these calls by the key of their kind, each once."""
    found: dict[str, dict[Any, None]] = defaultdict(dict)
    for call in calls:
        for path, value in leaves(call.arguments):
            if isinstance(value, str | int | float) and not isinstance(value, bool):
                found[kind_of(specs[call.tool], path, value).key][value] = None
    return {key: list(values) for key, values in found.items()}


def _fits(value: Any, kind: Kind) -> bool:
    """Whether the schema's bounds and pattern let it through."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return (kind.low is None or value >= kind.low) and (kind.high is None or value <= kind.high)
    if isinstance(value, str) and kind.pattern:
        return re.search(kind.pattern, value) is not None
    return isinstance(value, str) and bool(value.strip())
