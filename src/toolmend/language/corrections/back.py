"""Sentences that take back what was done: "forget it", "please don't book that", "put it back the way it was".

Knows the tools' names at most: "cancel the booking" takes back a booking and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from toolmend.base.messages import Call
from toolmend.language.corrections.clauses import closed, divisions, opened, tidy
from toolmend.language.corrections.cues import by_cues
from toolmend.language.corrections.names import split_name
from toolmend.language.corrections.segments import segments
from toolmend.language.resolve import vocabulary

_UNDO = f"(?:{vocabulary.either('undo')})"
_BACK = re.compile(
    r"(?:please |just |can you |could you |would you |will you |no thanks,? |no,? |actually,? |you can |you may "
    r"|better )*"
    rf"(?:{vocabulary.either('ways back')})"
    r"(?:,? (?:then|now|entirely|completely|altogether|again|after all|for now|at all|instead|straight away"
    r"|please|thanks|would you|could you|will you|quick|quickly|asap|right now|now))*",
    re.I,
)
_THING = re.compile(
    rf"(?:please |just |can you |could you |actually,? )*(?:{_UNDO}|take (?:out|away|back)|call off|get rid of"
    rf"|forget(?: about)?) "
    r"(?:the|that|this|my) (\w+)"
    r"(?: (?:again|after all|now|(?:that )?you(?:'ve| have)?(?: just)? (?:made|set|added|booked|created|put in"
    r"|did|sent)(?: for me)?))*",
    re.I,
)
_WHY = re.compile(
    r"(?i),? (?:(?:because|since|as|cause) )?(?=(?:we|i|they|you|he|she|it|there|that|this|\w+)(?:'re|'m|'ll|'ve|'s"
    r"|'d)\b(?! (?:the|at|on|in)\b)"
    r"|(?:we|i|they|he|she|it|there) (?:already )?(?:have|are|is|don't|can't|won't|will|found|got|changed|decided)\b)"
)
_SO_MUCH = re.compile(
    r"(?i)\b(?:so|that|too|this|quite) (?:long|many|much|early|late|big|small|loud|warm|hot|cold|bright)\b"
)
_OFF = re.compile(
    r"(?i)(?:[^,]+, )?(?:can you |could you |please |just )*(?:turn|switch|shut) (?:it|that|this|them|(?:the|that"
    r"|this) \w+) (?:back )?off"
    r"(?: again| please| now| for now)*"
)
_MADE = vocabulary.words("made")
_ALSO = vocabulary.table("made by")

_NO_NAME = frozenset("now good today tonight sure the moment being you".split())


def takes_back(sentence: str, calls: Iterable[Call] = ()) -> bool:
    """Whether what was done is to be undone: a clause says so, and no other gives a value or asks for something."""
    said = tidy(sentence)
    things = {word for call in calls for word in _things(call)}
    if _says(said, things) or _says(closed(opened(said)), things) or _switches_off(said, calls):
        return True
    why = _WHY.search(said)
    if why and not segments(said)[0] and _says(closed(opened(said[: why.start()])), things):
        return True
    for one, other in (pair for pair in divisions(said) if not re.search(r"(?i)\binstead\b", said)):
        for clause, rest in ((one, other), (other, one)):
            if _tells_apart(rest, things):
                continue
            if _SO_MUCH.search(rest):
                continue
            if _says(closed(opened(clause)), things) and not segments(rest)[0] and len(rest.split()) < 8:
                return not by_cues(rest, (), ["?"]).reason.startswith("is a request")
    return False


def _tells_apart(rest: str, things: set[str]) -> bool:
    """Whether a clause says which thing, and it is another: "with the accountant" after "cancel the call"."""
    match = re.match(r"(?:with|about|of|for|to|from) (?:the |my |our |an? )?(.+)", rest, re.I)
    named = re.findall(r"[^\W\d_]{3,}", match[1].lower()) if match else ()
    return not things.union(_NO_NAME).issuperset(named)


def _says(clause: str, things: set[str]) -> bool:
    if _BACK.fullmatch(clause):
        return True
    match = _THING.fullmatch(clause)
    pointed = (
        match is not None and re.search(rf"(?i)\b(?:that|this) {match[1]}\b", clause) and match[1].lower() in _MADE
    )
    return match is not None and (bool(pointed) or match[1].lower() in things)


def _switches_off(said: str, calls: Iterable[Call]) -> bool:
    """Whether what was started is to be turned off, where that is no value of the call."""
    truths = any(
        isinstance(value, bool) and name in ("on", "enabled", "active")
        for call in calls
        for name, value in call.arguments.items()
    )
    return bool(calls) and not truths and _OFF.fullmatch(opened(said)) is not None


def _things(call: Call) -> set[str]:
    """What a call makes, in words: book_table -> table, booking, reservation; its title. None for one that removes."""
    words = split_name(call.tool.rpartition(".")[2])
    if words and words[0] in ("remove", "delete", "cancel", "clear"):
        return set()
    texts = " ".join(str(value) for name, value in call.arguments.items() if name in ("title", "name", "label", "item"))
    titles = re.findall(r"[a-z]{3,}", texts.lower())
    return {*words, *titles, *(other for word in words for other in _ALSO.get(word, ()))}
