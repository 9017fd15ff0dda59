"""The words of a new call as the sentence has them: a copy that went wrong is put right, what was not said is left out.

A small model stutters ("Yellow Yellowstone Park"), and fills what need not be given with a "?" or another's words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolmend.messages import ToolSpec
from toolmend.resolve.recopied import recopied, without_article
from toolmend.resolve.said import MISSING

_EMPTY = frozenset("an the and or not of in at for to with by no".split())
_ALIKE = 3  # letters that a word shares with the one it stumbled over


def as_said(spec: ToolSpec, words: Mapping[str, Any], sentence: str) -> dict[str, Any]:
    """The words without what need not be given and was not said: a "?", or words that the sentence says once and that
    are another argument's; texts without their first word where it is a stumble over the second."""
    kept: dict[str, Any] = {}
    for name, text in words.items():
        if not isinstance(text, str):
            kept[name] = text
            continue
        needed = name in spec.required or name not in spec.properties
        if not needed and (text == MISSING or text.lower() in _EMPTY or _is_anothers(spec, name, words, sentence)):
            continue
        kept[name] = _copied(spec, name, text, sentence)
    return kept


def _copied(spec: ToolSpec, name: str, text: str, sentence: str) -> str:
    """The text as it was said; of one that is kept as it is, without the article it was said with."""
    text = _without_stumble(text, sentence)
    schema = spec.properties.get(name, {})
    if schema.get("type") != "string" or schema.keys() & {"enum", "format"}:
        return text
    return without_article(recopied(text, sentence), sentence)


def _is_anothers(spec: ToolSpec, name: str, words: Mapping[str, Any], sentence: str) -> bool:
    same = [other for other, said in words.items() if str(said).lower() == words[name].lower()]
    first = any(other in spec.required for other in same) or same[0] != name
    return first and sentence.lower().count(words[name].lower()) == 1


def _without_stumble(text: str, sentence: str) -> str:
    first, _, rest = text.partition(" ")
    told = sentence.lower()
    if not rest or text.lower() in told or rest.lower() not in told or first.lower() in told.split():
        return text
    begun = first[:_ALIKE].lower()
    return rest if len(begun) == _ALIKE and rest.lower().startswith(begun) else text
