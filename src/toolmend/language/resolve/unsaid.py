"""What a sentence does not bear out: members, switches and texts that need not be given and that nobody said.

A small model fills what it may ("Siobhan's done, 500 ml" with blood_group="A+"), or takes one member where another is
said. Pure: knows words and a tool's schema.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from toolmend.base.messages import ToolSpec
from toolmend.language.resolve.allotted import PLAIN, alike, in_digits, words_of
from toolmend.language.resolve.edges import is_text
from toolmend.language.resolve.parameters import typed
from toolmend.language.resolve.remains import LITTLE, remains
from toolmend.language.resolve.said import MISSING, place_of
from toolmend.language.resolve.units import UNITS, WORDS

_WORD = re.compile(r"[^\W_]+(?:[+-](?!\w))?|[€$£¥]")
_NOT = re.compile(r"(?i)n['’]t\b|\b(?:not|no|never|without|nothing|nobody|none)\b")
_SWITCHES = frozenset({"on", "enabled", "active", "power"})
_NEAR = 5  # words before "off" that it is said of
_STEM = 4  # letters of a member that a word may begin with


def borne_out(spec: ToolSpec, words: Mapping[str, Any], sentence: str) -> dict[str, Any]:
    """The words, each member as it is said, without what is optional and not said: a member, a switch, or a text that
    is only a part of what another argument has."""
    told = [form for word in _WORD.findall(sentence.casefold()) for form in {word, word.rstrip("+-")}]
    kept: dict[str, Any] = {}
    for name, text in words.items():
        schema = typed(name, spec.properties.get(name, {}))
        if not isinstance(text, str) or text == MISSING or not told:
            kept[name] = text
            continue
        members = [str(member) for member in schema.get("enum", ())]
        text = _the_one_said(text, members, told, sentence)
        needed = name in spec.required or name not in spec.properties
        if members and not _is_said(_WORD.findall(text.replace("_", " ")), told, sentence, text):
            if not needed:
                continue
            if text in members and not _counts_in(text, told) and not remains(spec, words, sentence):
                text = MISSING  # nothing that was said can have been meant by it
        if schema.get("type") == "boolean" and name in _SWITCHES:  # in the word that was said
            yes = "on" in told and text.lower() in ("yes", "true")
            text = "off" if _is_off(spec, sentence) else "on" if yes else text
        if schema.get("type") == "boolean" and not needed:
            about = [*words_of(name), *_WORD.findall(str(schema.get("description", "")).lower())]
            refused = schema.get("default") is True and text.lower() in ("no", "false", "off") and _NOT.search(sentence)
            if not refused and not any(alike(word, told) for word in about if word not in PLAIN and len(word) > 2):
                continue
        own = _WORD.findall(text.lower().replace("_", " "))
        of_the_tool = bool(own) and all(alike(word, words_of(spec.name)) for word in own)
        if is_text(spec, name) and not needed and (of_the_tool or _is_part(name, words, sentence)):
            continue
        if is_text(spec, name) and not needed and _says_nothing_more(name, words, sentence):
            continue
        others = [str(words[other]) for other in spec.required if other in words and other != name]
        if schema.get("type") in ("integer", "number") and not needed and _is_of_one(text, others, sentence):
            continue
        kept[name] = text
    return kept


def _the_one_said(text: str, members: Sequence[str], told: Sequence[str], sentence: str) -> str:
    """The member that the sentence says, as it is or with an ending ("heating", "halfway"), where the one that was
    taken is not said and no third is."""
    said = [member for member in members if place_of(member.replace("_", " "), sentence)]
    said = said or [one for one in members if len(one) >= _STEM and any(word.startswith(one.lower()) for word in told)]
    return said[0] if len(said) == 1 and text in members and text not in said else text


def _is_off(spec: ToolSpec, sentence: str) -> bool:
    """Whether the sentence puts off what the tool puts on or off: "lights off on Big Boy", "switch the lamp off"."""
    own = [*words_of(spec.name), "switch", "turn", "put"]
    before = [match[1].lower().split()[-_NEAR:] for match in re.finditer(r"(?i)([^,;.!?]*)\boff\b", sentence)]
    told = [word for words in before for word in words if "on" not in words]
    return any(alike(word, own) or (len(word) > 3 and any(one.endswith(word) for one in own)) for word in told)


def _counts_in(text: str, told: Sequence[str]) -> bool:
    """Whether a member is a unit that the sentence says by another name: "euros" for EUR, "£" for GBP."""
    unit = UNITS.get(text, UNITS.get(text.lower(), ""))
    return bool(unit) and any(kind.get(word) == unit for word in told for kind in WORDS.values())


def _is_said(own: Sequence[str], told: Sequence[str], sentence: str, text: str) -> bool:
    """Whether the sentence has the words, or one of theirs in another form."""
    return text.casefold() in sentence.casefold().split() or any(
        word.casefold() in told or (len(word) > 3 and any(one[:4] == word[:4].casefold() for one in told))
        for word in own
    )


def _is_of_one(text: str, others: Sequence[str], sentence: str) -> bool:
    """Whether a number's words are said once, as a part of another's: "fifty" of "forty-five fifty"."""
    own, told = set(_WORD.findall(text.casefold())), _WORD.findall(sentence.casefold())
    within = any(own < set(_WORD.findall(other.casefold())) for other in others)
    return bool(own) and within and all(told.count(word) == 1 for word in own)


def _says_nothing_more(name: str, words: Mapping[str, Any], sentence: str) -> bool:
    """Whether a text holds a number that is another argument's, and beside it no word of any sense: "there'll be
    fourteen" for what is written on a cake for fourteen."""
    text = str(words[name])
    others = [str(told) for other, told in words.items() if other != name]
    held = [told for told in others if re.search(r"\d", in_digits(told)) and (place_of(told, text))]
    left = [word for told in held for word in text.casefold().replace(told.casefold(), " ").split()]
    return bool(held) and place_of(text, sentence) is not None and all(word in LITTLE for word in left)


def _is_part(name: str, words: Mapping[str, Any], sentence: str) -> bool:
    """Whether the sentence has these words only inside, or around, those of another argument."""
    if (place := place_of(words[name], sentence)) is None or len(re.findall(re.escape(words[name]), sentence)) > 1:
        return False
    for other, text in words.items():
        there = place_of(text, sentence) if other != name and isinstance(text, str) else None
        if there and there[0] <= place[0] and place[1] <= there[1]:
            return True
    return False
