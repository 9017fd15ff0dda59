"""Which call a line is about, and what its `of` says besides: a day, a name that is new, people who are no entries.

Calls and words only; what the words mean is found elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from toolmend.base.messages import Call
from toolmend.language.resolve import dates
from toolmend.language.resolve.background import Background
from toolmend.language.resolve.references import Referred, Undecided, named_in, refer, words_unlike
from toolmend.language.resolve.said import AGAIN, Said, place_of
from toolmend.language.resolve.words import Words

_SHIFTED = re.compile(r"\b(?:later|earlier|before|after)\b", re.IGNORECASE)
_ON = re.compile(r"^(?:(?:on|the|that) )+")
_BESIDE = r"\b(?:before|after|following|until|than|from) (?:(?:the|my|our) )?{}(?!\w)"


def settled(line: Said, title: str, known: Sequence[Call], background: Background) -> Said:
    """The line with what its `of` says where it belongs; `title` is the argument that names what a call makes."""
    of, text = line.of, background.text
    if not of:
        return line
    if re.search(rf"(?i)\b{re.escape(of)} of (?:us|you)\b", text):  # "all three of us" are no entries
        named = named_in(text, [call.arguments for call in known])
        return replace(line, of="" if named is None else str(known[named].arguments.get(title, "")))
    if of.lower() in (str(told).lower() for told in line.words.values()):
        return _without_of(line, title, known, background)
    if line.tool != AGAIN:
        return line
    if "date" not in line.words and dates.GRAMMAR.read_all(_ON.sub("", Words(of).text)):
        return replace(line, words={**line.words, "date": of}, of="")
    if title and title not in line.words and place_of(of, text) and (like := _named_like(of, title, known)):
        return replace(line, words={title: like[0], **line.words}, of=like[1])
    return line


def beside(line: Said, sentence: str) -> Said:
    """The line without an `of` that only says when: "after the morning service, so 11.15"."""
    related = line.of and re.search(_BESIDE.format(re.escape(line.of.removeprefix("the "))), sentence, re.IGNORECASE)
    return replace(line, of="") if related else line


def _without_of(line: Said, title: str, known: Sequence[Call], background: Background) -> Said:
    """The line without words that stand in it twice: for the call, and for what it becomes."""
    of = line.of.lower()
    things = [call.arguments for call in known]
    if _SHIFTED.search(of) or isinstance(refer(of, things, now=background.now), Undecided):
        return replace(line, of="")
    names = [str(thing.get(title, "")).lower() for thing in things]
    if (
        str(line.words.get(title, "")).lower() == of and of.removeprefix("the ") not in names and line.tool != AGAIN
    ):  # what it becomes
        return line
    return replace(line, words={name: told for name, told in line.words.items() if str(told).lower() != of})


def _named_like(of: str, title: str, known: Sequence[Call]) -> tuple[str, str] | None:
    """The name of a new call where nothing is called that, but something alike, and the name of that: "round three"
    after "Round two", "R3" after "Cup R2"."""
    found = refer(of, [call.arguments for call in known])
    if isinstance(found, Referred) and found.by != "its words":
        return None
    for call in sorted(reversed(known), key=lambda call: not call.id):  # those of this very reply last
        old = str(call.arguments.get(title, ""))
        new = words_unlike(of, call.arguments)
        if old and new and len(new) < len(of.split()) and not any(not words_unlike(of, one.arguments) for one in known):
            return of.removeprefix("the "), old
        alike = [word for word in old.split() if _shape(word) == _shape(of)]
        if alike and len(of.split()) == 1 and re.search(r"\d", of) and of not in old.split():
            return old.replace(alike[-1], of), old
    return None


def _shape(word: str) -> str:
    return re.sub(r"\d+", "0", word.lower())
