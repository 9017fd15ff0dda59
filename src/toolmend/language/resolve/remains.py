"""What of a sentence nobody has: no argument, no name or description of the tool, no word that says little by itself.

Of "Selma would like a cake for Saturday" nothing remains but who and when; of "we're about to watch a film" the film.
Pure: knows words and a tool's schema.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from toolmend.base.messages import ToolSpec
from toolmend.language.resolve import vocabulary
from toolmend.language.resolve.allotted import PLAIN, alike, words_of
from toolmend.language.resolve.said import place_of

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_STOP = re.compile(r"[,;:!?()…\"“”]|\.(?=\s|$)|\s[–—-]\s")
_BESIDE = "there's too they them like likes wants needs gets again also very really he she his her him there'll"
LITTLE = PLAIN | vocabulary.words("no name") | vocabulary.words("orders") | frozenset(_BESIDE.split())
"""Words that say little by themselves."""


def remains(spec: ToolSpec, words: Mapping[str, Any], sentence: str) -> list[str]:
    """The phrases of the sentence that are left, in order: words that stand together, none of little sense."""
    left = sentence
    for told in words.values():
        for text in told if isinstance(told, list) else [told]:
            if place := place_of(str(text), left):
                left = left[: place[0]] + "," * (place[1] - place[0]) + left[place[1] :]
    known = [*words_of(spec.name), *(word for name in spec.properties for word in words_of(name))]
    known += [word.lower() for word in _WORD.findall(spec.description)]
    phrases = []
    for part in _STOP.split(left):
        run: list[str] = []
        for word in [*_WORD.findall(part), ""]:
            low = word.lower()
            if word and low not in LITTLE and not alike(low, known) and not low.isdigit():
                run.append(word)
            elif run:
                phrases.append(" ".join(run))
                run = []
    return phrases
