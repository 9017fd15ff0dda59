"""Words that say a value by another thing: "as long as the flight out", "when round three is over", "the eve of it".

It takes the words apart only: which thing they name, and what its values are, is found elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_AT_ONCE = r"(?:right|straight|directly|immediately|just)"
_BESIDE = rf"^(?:{_AT_ONCE} )?(?:{{}})(?: that| it| this)?(?: one)?$"
AFTER = re.compile(_BESIDE.format("after|afterwards?|following"))
BEFORE = re.compile(_BESIDE.format("before|beforehand"))
AS_LONG = re.compile(
    r"\b(?:just |equally |exactly )?as long\b(?! as)|\b(?:the )?same (?:length|duration)\b(?! (?:as|of)\b)"
    r"|\bsame (?:hours|times)\b(?! as)",
    re.IGNORECASE,
)
"""Said of a new thing: it lasts as long as the one before."""
LONG_AS = re.compile(
    r"\b(?:(?:(?:\w+ times|twice|half|just|equally|exactly) )?as long as"
    r"|(?:the )?same (?:length|duration|times|hours) as"
    r"|(?:twice|double|half) the (?:length|duration) of|(?:[\w-]+ ){1,3}(?:longer|shorter) than) [^,.;:!?]+",
    re.IGNORECASE,
)
"""How long something lasts, by another thing."""
SAME_TIMES = re.compile(r"\bsame (?:hours|times|slot)\b", re.IGNORECASE)
"""A start and an end at once."""
PRONOUN = re.compile(r"(?:that|it|this|that one|this one)", re.IGNORECASE)
ITS_DAY = re.compile(r"^(?:on )?(?:the )?(?:day|morning|afternoon|evening|night) of (?=\D)", re.IGNORECASE)
"""Said before a thing: the day that it is on."""
_IS = r"(?:['’]s| is| are| has| have)(?: all)?"
_ENDS = rf"(?: ends?| finish(?:es)?| wraps up|{_IS} (?:over|done|through|finished|ended|out))"
ENDING = re.compile(_ENDS + r"(?!\w)", re.IGNORECASE)
"""Said behind a thing: it is its end that counts."""
_TAIL = re.compile(rf"(?: starts?| begins?| kicks off|(?: is|['’]s) on|(?P<ends>{_ENDS}))$", re.IGNORECASE)
_WHEN = re.compile(rf"^(?:{_AT_ONCE} )?(?:when|once|the (?:minute|moment)(?: that)?|as soon as)\b", re.IGNORECASE)
_FOLLOWS = re.compile(rf"^(?:{_AT_ONCE} )?follows(?: {_AT_ONCE})?(?: on)?(?: from)?\b", re.IGNORECASE)
_ADVERB = re.compile(r",? (?:immediately|directly|straight away|right away|at once)$", re.IGNORECASE)
_EVE = re.compile(r"^(?:on )?(?:the )?(?:eve (?:of|before)|(?:evening|night) before)\b", re.IGNORECASE)
_LINK = re.compile(
    r"\b(?:before|b4|prior to|after|as|than|from|following|of|like|with|until|till?)\s+(?=\S)", re.IGNORECASE
)
_THAT_ONE = re.compile(
    r"\b(?:(?P<way>after|before)|from) (?:that|this|it|then|there)(?: one| day| date)?$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Likeness:
    """How a value is said by another thing's, the words for the thing, and whether it is its end that counts."""

    how: str
    thing: str
    ends: bool = False


def likenesses(words: str) -> Iterator[Likeness]:
    """Every way in which the words can be taken apart, the shortest `how` first."""
    words = _ADVERB.sub("", words.strip(" .,!"))
    tail = _TAIL.search(words)
    ends = bool(tail and tail["ends"])
    words = _FOLLOWS.sub("after", words[: tail.start()] if tail else words)
    if tail:
        words = _WHEN.sub("after" if ends else "at the same time as", words)
    if eve := _EVE.match(words):
        words = f"the day before{words[eve.end() :]}"
    words = ITS_DAY.sub("same day as ", words)
    for link in _LINK.finditer(words):
        yield Likeness(words[: link.end()].strip(), words[link.end() :], ends)


def in_plain(words: str) -> str:
    """The words with what only points back said plainly: "in a fortnight from then" is a fortnight after that."""
    words = re.sub(r"^(?:and )?again,? |,? and again$", "", words, flags=re.IGNORECASE)
    if told := _THAT_ONE.search(words):
        return f"{words[: told.start()].removeprefix('in ')}{(told['way'] or 'after').lower()} that"
    return words
