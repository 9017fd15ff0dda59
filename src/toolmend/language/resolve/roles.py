"""Whose words these are, by what stands beside them in the sentence: "into the depot", "under Hartigan".

For words that a model gave to the wrong argument, or to none, or made up. Pure: knows words and a tool's schema.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import permutations
from typing import Any

from toolmend.base.messages import ToolSpec
from toolmend.language.resolve import Resolved, resolve
from toolmend.language.resolve.allotted import alike, words_of
from toolmend.language.resolve.edges import is_text
from toolmend.language.resolve.parameters import typed
from toolmend.language.resolve.said import MISSING, place_of
from toolmend.language.resolve.words import WEEKDAY

_PERSONS = frozenset("name customer client guest person owner who patient member caller visitor booker contact".split())
_DAYS = frozenset("when day date time slot moment".split())
_NAME = r"[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*"
_INTRODUCED = re.compile(
    r"(?:\b(?:under|in the name of|on behalf of|[Tt]his is|[Mm]y name(?:'s| is)|[Nn]ame's|[Ii]t's for) "
    rf"(?P<one>{_NAME})"
    rf"|(?:^|[,.!] )(?P<two>{_NAME}) (?:here|speaking)\b)"
)
_WHEN = re.compile(
    rf"(?i)\b(?:{WEEKDAY}|today|tonight|tomorrow|week|weekend|noon|midnight|morning"
    r"|afternoon|evening|\d?\d(?::\d\d)? ?[ap]m|\d?\d:\d\d|january|february|march|april|june|july|august|september"
    r"|october|november|december|\d+(?:st|nd|rd|th))\b"
)
_OWNS = re.compile(r"['’]s$")
_SOURCES = frozenset("from source origin start departure old current".split())
_TO, _FROM = r"(?:into|onto|to|in)", r"(?:from|out of|off)"
_YEAR = re.compile(r"(?i)(?:(?:from|about|around|circa|in|the year|made|built)\s+)*(?P<year>(?:1[5-9]|20)\d\d)")


def in_their_roles(spec: ToolSpec, words: Mapping[str, Any], sentence: str) -> dict[str, Any]:
    """The words, each to the argument that what stands beside it tells."""
    given = _years(spec, _towards(spec, _days(spec, dict(words)), sentence))
    return _echoed(spec, _in_front(spec, _introduced(spec, given, sentence), sentence), sentence)


def _days(spec: ToolSpec, words: dict[str, Any]) -> dict[str, Any]:
    """A text that is to say when and does not, changed with the one other text that does."""
    texts = {name: str(text) for name, text in words.items() if is_text(spec, name) and isinstance(text, str)}
    for name, other in permutations(texts, 2):
        days = [one for one in texts if words_of(one)[-1:] and words_of(one)[-1] in _DAYS]
        if days == [name] and not _WHEN.search(texts[name]) and texts[name] != MISSING and _WHEN.search(texts[other]):
            return {**words, name: words[other], other: words[name]}
    return words


def _towards(spec: ToolSpec, words: dict[str, Any], sentence: str) -> dict[str, Any]:
    """A member that the sentence comes from, as the one that it goes to: "from the hall into the depot"."""
    for name, text in words.items():
        members = [str(one) for one in typed(name, spec.properties.get(name, {})).get("enum", ())]
        if text not in members or _SOURCES & set(words_of(name)) or not _beside(_FROM, text, sentence):
            continue
        there = [one for one in members if one != text and _beside(_TO, one, sentence)]
        words = {**words, name: there[0]} if len(there) == 1 else words
    return words


def _beside(before: str, text: str, sentence: str) -> bool:
    return bool(re.search(rf"(?i)\b{before} (?:the |our |my )?{re.escape(text.replace('_', ' '))}\b", sentence))


def _years(spec: ToolSpec, words: dict[str, Any]) -> dict[str, Any]:
    """A year that a text was given, which need not be given, to the one argument that is a year and has none."""
    years = [name for name in spec.properties if "year" in words_of(name) and name not in words]
    due = [name for name in years if typed(name, spec.properties[name]).get("type") == "integer"]
    for name, text in list(words.items()) if len(due) == 1 else ():
        match = _YEAR.fullmatch(text) if isinstance(text, str) and is_text(spec, name) else None
        if match and name not in spec.required:
            del words[name]
            return {**words, due[0]: match["year"]}
    return words


def _introduced(spec: ToolSpec, words: dict[str, Any], sentence: str) -> dict[str, Any]:
    """The name by which somebody asks: "Ferreira here", "under Hartigan"; what that argument had goes to the one that
    had the name, or that has none."""
    names = [name for name in spec.required if is_text(spec, name) and set(words_of(name)) & _PERSONS]
    told = [_OWNS.sub("", match["one"] or match["two"]) for match in _INTRODUCED.finditer(sentence)]
    if len(names) != 1 or len(told) != 1 or words.get(names[0]) == told[0]:
        return words
    old = words.get(names[0], MISSING)
    had = [name for name, text in words.items() if text == told[0]]
    if had:
        return {**words, names[0]: told[0], had[0]: old}
    lacking = [name for name in spec.required if words.get(name, MISSING) == MISSING and is_text(spec, name)]
    return {**words, names[0]: told[0], **({lacking[0]: old} if len(lacking) == 1 and lacking != names else {})}


def _in_front(spec: ToolSpec, words: dict[str, Any], sentence: str) -> dict[str, Any]:
    """A member that nobody took from the words of a text which it only begins: "left knee" for a place and a side."""
    for name, schema in spec.properties.items():
        members = [str(one) for one in typed(name, schema).get("enum", ())]
        for text in [text for text in words if is_text(spec, text) and name not in words]:
            member, _, rest = str(words[text]).partition(" ")
            if member in members and rest.islower() and place_of(str(words[text]), sentence):
                words = {**words, text: rest, name: member}
    return words


def _echoed(spec: ToolSpec, words: dict[str, Any], sentence: str) -> dict[str, Any]:
    """For a text that need not be given and was not, the one name of the part of the sentence that has the argument's
    own name in another form: "Sunniva sings the solo" for the soloist."""
    used = " ".join(str(text) for text in words.values()).lower()
    for name in spec.properties:
        own = words_of(name)
        if not is_text(spec, name) or name in spec.required or words.get(name, MISSING) != MISSING or len(own) != 1:
            continue
        parts = [part for part in re.split(r"[,;.:!?]", sentence)
                 if any(word != own[0] and _is_form(word, own[0]) for word in part.lower().split())]  # fmt: skip
        told = [one for one in re.findall(_NAME, parts[0]) if one.lower() not in used] if len(parts) == 1 else []
        if len(told) == 1 and not isinstance(resolve(told[0], {"type": "string", "format": "date"}), Resolved):
            words = {**words, name: told[0]}
    return words


def _is_form(word: str, own: str) -> bool:
    return len(word) > 3 and (alike(word, [own]) or own.startswith(word))
