"""One line of a model's reply as it was said: a tool and the words for its arguments, or a change of a call."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

NOTATION = 1
"""The version of the spoken notation (docs/notation.md); adapters record theirs."""

CHANGE, AGAIN, UNDO = "change", "again", "undo"
MISSING = "?"
"""The word for what was not said."""


@dataclass(frozen=True, slots=True)
class Said:
    """One line: the tool's full name, or `change`, `again` or `undo`; its arguments in the words that were used; `of`
    are those for the call that is changed or undone, "" where none are given."""

    tool: str
    words: Mapping[str, Any] = field(default_factory=dict)
    of: str = ""


_APOSTROPHE = re.compile(r"(?<=\w)['’](?=\w)|(?<=s)['’](?= )")
_MARKS = {'"': '"', "`": "`", "“": "”“", "„": "“”", "”": "”", "«": "»", "»": "«", "‘": "’", "‚": "‘’", "'": "'"}

Place = tuple[int, int]
"""Where words stand in a sentence: start and end."""


def place_of(words: str, sentence: str) -> Place | None:
    """Where the sentence has the words, as whole words in any case; None if nowhere."""
    match = re.search(rf"(?<!\w){re.escape(words.strip())}(?!\w)", sentence, re.IGNORECASE) if words.strip() else None
    return match.span() if match else None


def unquoted(sentence: str) -> str:
    """The sentence that stands in quotation marks as a whole, without them; any other as it is."""
    bare = sentence.strip()
    while len(bare) > 2 and bare[0] in _MARKS and (end := bare.rstrip(".!? ")) and end[-1] in _MARKS[bare[0]]:
        inner = end[1:-1].strip()
        marks = bare[0] + _MARKS[bare[0]]
        if not inner or any(mark in marks for mark in _APOSTROPHE.sub("", inner)):
            break  # two quotations, or one in another
        bare = inner
    return bare if bare != sentence.strip() else sentence


def hidden_in(words: str, sentence: str) -> str:
    """The sentence with the words made unreadable where they stand."""
    place = place_of(words, sentence)
    return sentence[: place[0]] + "~" * (place[1] - place[0]) + sentence[place[1] :] if place else sentence


def once(lines: Sequence[Said]) -> tuple[Said, ...]:
    """The lines without those that say the same once more, or less than another of the same tool: with a "?"."""
    unique = [line for place, line in enumerate(lines) if line not in lines[:place]]
    return tuple(line for line in unique if not any(_says_more(other, line) for other in unique))


def _says_more(one: Said, other: Said) -> bool:
    """Whether one line has all that the other says, and words where that has a "?"."""
    told = {name: words for name, words in other.words.items() if words != MISSING}
    more = MISSING in other.words.values() and MISSING not in one.words.values()
    return more and one.tool == other.tool and told.items() <= one.words.items()
