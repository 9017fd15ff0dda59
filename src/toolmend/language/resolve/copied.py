"""The words of a new call as the sentence has them: a copy that went wrong is put right, what was not said is left out.

A small model stutters ("Yellow Yellowstone Park"), and fills what need not be given with a "?" or another's words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import SequenceMatcher
from typing import Any

from toolmend.base.messages import ToolSpec
from toolmend.language.resolve import vocabulary
from toolmend.language.resolve.background import Background
from toolmend.language.resolve.edges import TITLES, is_text
from toolmend.language.resolve.said import MISSING, place_of

_ORDERS = vocabulary.words("orders")
_EMPTY = frozenset("an the and or not of in at for to with by no".split())
_MENDED = 0.8  # how alike two spellings of one word are
_LIKE, _LEAST = 0.5, 4  # so alike is one word to what it is a slip of; letters of a text that is looked at
_BEGUN = 2  # letters that a slip shares with the word that was said
_ALIKE = 3  # letters that a word shares with the one it stumbled over
_SAID_WORD = r"[^\s,.;:!?]+"
_LOOSE = re.compile(
    r"\s+(?:at|for|to|with|of|the|and|from|by)$"
    r"|(?<!\bcheck)(?<!\bsign)(?<!\blog)(?<!\bdrop)(?<!\bmove)(?<!\bweigh)(?<!\bclock)(?<!\bwalk)\s+(?:in|on)$",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(?:the|an?) (?=\S)")


def as_said(
    spec: ToolSpec, words: Mapping[str, Any], sentence: str, known: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """The words without what need not be given and was not said: a "?", or words that the sentence says once and that
    are another argument's; texts without their first word where it is a stumble over the second. What is `known`, in
    small letters, is no faulty copy."""
    kept: dict[str, Any] = {}
    for name, text in words.items():
        if not isinstance(text, str):
            items = text if isinstance(text, list) else []
            mended = [_without_slip(one, sentence) if isinstance(one, str) else one for one in items]
            mended[:1] = [_in_a_list(one, sentence) if isinstance(one, str) else one for one in mended[:1]]
            kept[name] = mended or text
            continue
        needed = name in spec.required or name not in spec.properties
        made_up = text.casefold() not in known and _is_made_up(spec, name, text, sentence)
        switch = spec.properties.get(name, {}).get("type") == "boolean"
        unsaid = text == MISSING or (text.lower() in _EMPTY and not switch) or made_up
        if not needed and (unsaid or _is_anothers(spec, name, words, sentence)):
            continue
        kept[name] = text if text.casefold() in known else _copied(spec, name, text, sentence)
    return kept


def said_before(spec: ToolSpec, words: Mapping[str, Any], background: Background) -> dict[str, Any]:
    """The texts that must be given and that were said earlier in the talk, not in this sentence: no faulty copies."""
    texts = {name: text for name, text in words.items() if name in spec.required and is_text(spec, name)}
    return {name: text for name, text in texts.items() if isinstance(text, str)
            if place_of(text, background.before) and not place_of(text, background.text)}  # fmt: skip


def _copied(spec: ToolSpec, name: str, text: str, sentence: str) -> str:
    """The text as it was said; of one that is kept as it is, without the article it was said with."""
    text = _without_stumble(text, sentence)
    if spec.properties.get(name, {}).get("items", {}).get("type") == "string":
        return _in_a_list(_without_slip(text, sentence), sentence)
    if not is_text(spec, name):
        return text
    text = _without_order(name, _without_slip(text, sentence), sentence)
    bare = _LOOSE.sub("", text)
    text = bare if bare and re.search(rf"(?i)(?<!\w){re.escape(text)}\s+\w", sentence) else text  # "the vestry at" six
    return without_article(text, sentence)


def _without_order(name: str, text: str, sentence: str) -> str:
    """A name without the word that orders what is done with it, and begins the sentence: "Give Isadora"."""
    order, _, rest = text.partition(" ")
    begins = sentence.strip().lower().startswith(text.lower())
    return rest if begins and name not in TITLES and order.lower() in _ORDERS and rest[:1].isupper() else text


def _in_a_list(text: str, sentence: str) -> str:
    """The first thing of a list without the word that orders it, and begins the sentence: "stick cooking oil"."""
    order, _, rest = text.partition(" ")
    begins = sentence.strip().lower().startswith(text.lower())
    return rest if begins and rest and order.lower() in _ORDERS else text


def _without_slip(text: str, sentence: str) -> str:
    """The text with the one word that was not said as it was said: "paparry office" of "passport office"."""
    own, told = re.findall(_SAID_WORD, text), re.findall(_SAID_WORD, sentence)
    there = {form for word in sentence.lower().split() for form in (word, *re.findall(r"[\w-]+", word))}
    slips = [place for place, word in enumerate(own) if word.lower() not in there]
    if len(slips) != 1 or len(text) < _LEAST:
        return text
    begun = own[slips[0]][: _BEGUN if len(own) == 1 else 1].lower()
    for start in range(len(told) - len(own) + 1):
        run = told[start : start + len(own)]
        same = all(
            one.lower() == other.lower()
            for place, (one, other) in enumerate(zip(own, run, strict=True))
            if place != slips[0]
        )
        word, slip = run[slips[0]].lower(), own[slips[0]].lower()
        likeness = SequenceMatcher(None, word, slip).ratio()
        mended = likeness >= _MENDED and not word.startswith(slip)  # the model's, of a mistyped one
        alone = len(own) == 1 and (likeness < _LIKE or not slip.isalpha())
        if same and word.startswith(begun) and not mended and not alone:
            return " ".join(run) if " ".join(own) == text else text.replace(own[slips[0]], run[slips[0]])
    return text


def _is_made_up(spec: ToolSpec, name: str, text: str, sentence: str) -> bool:
    """Whether it is a text of which the sentence has no word."""
    own, told = (set(re.findall(r"[^\W_]{3,}", words.lower())) for words in (text, sentence))
    return (
        is_text(spec, name)
        and bool(own)
        and bool(told)
        and not any(word[:4] in {one[:4] for one in told} for word in own)
    )


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


def without_article(text: str, sentence: str) -> str:
    """The text without the article that it was copied with."""
    bare = _ARTICLE.sub("", text)
    return bare if bare != text and re.search(rf"(?<!\w){re.escape(text)}(?!\w)", sentence) else text
