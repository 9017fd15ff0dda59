"""Numbers whose words are one word too many or too few: "151/92" is two, "a spelt loaf" is one, "two hours" of "two
hours and five minutes" is not all. Pure: knows words and a tool's schema.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from toolmend.messages import ToolSpec
from toolmend.resolve.allotted import is_numeric, words_of
from toolmend.resolve.durations import SPAN, measure
from toolmend.resolve.parameters import typed
from toolmend.resolve.said import MISSING, place_of
from toolmend.resolve.units import KINDS
from toolmend.resolve.words import Words

_NUMBER = r"\d+(?:\.\d+)?"
_PAIR = re.compile(rf"(?i)(?<![\w/.])(?P<one>{_NUMBER})(?:\s*[/x×]\s*| over | by )(?P<two>{_NUMBER})(?![\w/]|\.\d)")
_SPAN = re.compile(SPAN)
_FURTHER = 4  # words that may belong to a length behind what was copied of it


def counted_in_full(spec: ToolSpec, words: Mapping[str, Any], sentence: str) -> dict[str, Any]:
    """The words: two numbers that were said as one apart, lengths whole, and one of what is said with an article."""
    return _one(spec, _whole(spec, _apart(spec, dict(words), sentence), sentence), sentence)


def _apart(spec: ToolSpec, words: dict[str, Any], sentence: str) -> dict[str, Any]:
    """The two numbers of a pair to two arguments that stand together, where both lack one or have the pair."""
    names = [name for name in spec.required if is_numeric(spec.properties.get(name, {}))]
    pairs = list(_PAIR.finditer(sentence))
    for name, other in pairwise(names):
        told = [str(words.get(one, MISSING)) for one in (name, other)]
        open_ends = [text for text in told if text == MISSING or _PAIR.search(text)]
        if _PAIR.fullmatch(told[0]) and len(open_ends) == 1:  # the second has a number that is another's
            open_ends = told
        pair = next((match for text in told if (match := _PAIR.search(text))), pairs[0] if len(pairs) == 1 else None)
        if len(open_ends) == 2 and pair:
            return {**words, name: pair["one"], other: pair["two"]}
    return words


def _whole(spec: ToolSpec, words: dict[str, Any], sentence: str) -> dict[str, Any]:
    """A length of time to its end in the sentence."""
    for name, text in words.items():
        unit = typed(name, spec.properties.get(name, {})).get("x-unit", "")
        place = place_of(text, sentence) if isinstance(text, str) and KINDS.get(unit) == "duration" else None
        if place is None:
            continue
        behind = list(re.finditer(r"\S+", re.split(r"[,;:!?]|\.(?=\s|$)", sentence[place[1] :])[0]))[:_FURTHER]
        for last in reversed(behind):
            told = sentence[place[0] : place[1] + last.end()]
            if _SPAN.fullmatch(Words(told).text) and measure(Words(told).text):
                words = {**words, name: told}
                break
    return words


def _one(spec: ToolSpec, words: dict[str, Any], sentence: str) -> dict[str, Any]:
    """One, where a count must be given and the sentence has what is counted with an article: "a spelt loaf"."""
    for name in spec.required:
        schema = spec.properties.get(name, {})
        counted = words_of(name)[-1:]
        lacks = str(words.get(name, MISSING)).lower() in (MISSING, "a", "an")
        if schema.get("type") == "integer" and lacks and counted and counted[0].endswith("s"):
            one = "|".join(map(re.escape, _singulars(counted[0])))
            if re.search(rf"(?i)\b(?:an?|one|another) (?:[\w'-]+ ){{0,2}}(?:{one})\b", sentence):
                words = {**words, name: "1"}
    return words


def _singulars(word: str) -> list[str]:
    """What a word in many can be in one: "loaves" → "loave", "loaf", "loafe"."""
    forms = [word[:-1]]
    forms += [word[:-3] + "f", word[:-3] + "fe"] if word.endswith("ves") else []
    forms += [word[:-3] + "y"] if word.endswith("ies") else []
    return forms + ([word[:-2]] if word.endswith("es") else [])
