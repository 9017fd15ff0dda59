"""A sentence about calls that were made → what it says of them: new values, blame, praise, or nothing at all.

    understand("No, seven in the evening.", calls, specs).edits     # {0: {"time": "19:00"}}

Works from the words, the calls and their schemas, for any tool. Asks no model; where two readings are left it says so.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from typing import Any

from toolmend.base.messages import Call, ToolSpec
from toolmend.language.corrections.as_such import said_as_such
from toolmend.language.corrections.as_written import as_written
from toolmend.language.corrections.back import takes_back
from toolmend.language.corrections.clauses import opened, says_meant, tidy
from toolmend.language.corrections.complaining import complains, is_again, without_complaints
from toolmend.language.corrections.cues import by_cues
from toolmend.language.corrections.filling import part_of
from toolmend.language.corrections.names import label, split_name
from toolmend.language.corrections.part import Part
from toolmend.language.corrections.segments import segments
from toolmend.language.corrections.texts import shares
from toolmend.language.corrections.understood import Understood
from toolmend.language.corrections.values import Surroundings
from toolmend.language.resolve.references import Referred, refer
from toolmend.language.resolve.words import Words

LONGEST = 300
CONTRADICTS = "that contradicts itself"
_DENIED = re.compile(r"(?:\bnot|n't|\bnever)(?: (?:at|on|for|the|it|is|to|be))* $")
_EVERY = re.compile(
    r"(?i)\b(?:for |in |on )?(?:all of (?:them|those|these)|both of (?:them|those|these)|all (?:three|four"
    r"|five|the entries|the events)|each of (?:them|those|these)|every one of them|everything|them both"
    r"|them all|both|all|each)\b(?! (?:is|are|was)? ?(?:right|fine|correct|good|ok|but|else|except))"
)
_ONE = re.compile(
    r"(?i)\b(?:the )?((?:first|second|third|fourth|last|other|1st|2nd|3rd)(?: (?:one|call|entry|event|alarm"
    r"|order))?)\b(?! (?:of|week|day|month|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january"
    r"|february|march|april|may|june|july|august|september|october|november|december))"
)
_REMOVES = frozenset({"remove", "delete", "cancel", "clear"})
_LEAD = re.compile(r"(?i)^(?:the|an?|my|our) ")
_AGAIN = re.compile(r"(?i)(?:(?:and|then|now|please) )*(?:book|order|schedule|reserve|plan|arrange) the same\b")
_NEW = (
    "is a request of its own",
    "asks for something more",
    "tells of something new",
    "is about an earlier call",
    "names somebody else",
    "is a question",
)


def understand(
    sentence: str,
    calls: Sequence[Call],
    specs: Sequence[ToolSpec],
    *,
    request: str = "",
    now: dt.datetime | None = None,
    hours: str | None = None,
    locale: str | None = None,
) -> Understood:
    """What the sentence says of the calls, which are those that it can only be about.

    `request` is what the person had said, `now` the clock, `hours` and `locale` as in resolve(). Never raises on words.
    """
    if request and len(sentence) <= LONGEST:
        sentence = as_written(sentence, request)
    said = tidy(sentence)
    if not said or len(said) > LONGEST or not calls:
        return Understood(
            "unclear" if calls else "new",
            reason="no words" if not said else "too much at once" if calls else "nothing was done",
        )
    if takes_back(said, calls):
        return Understood("back", reason="is to be taken back")
    understood = _understood(sentence, said, calls, specs, Surroundings(request, now, hours, locale))
    if is_again(said) or (understood.kind in ("edit", "unclear") and said_as_such(said) and complains(said)):
        return Understood("wrong", reason="something is said to be wrong")
    return without_complaints(understood, said, calls, specs, request)


def _understood(
    sentence: str, said: str, calls: Sequence[Call], specs: Sequence[ToolSpec], background: Surroundings
) -> Understood:
    """The same, as far as every word of it is explained by the calls."""
    request = background.request
    if _contradicts(said):
        return Understood("unclear", reason=CONTRADICTS)
    verdict = by_cues(sentence, calls, [request or "?"])
    numbers, rest = _meant(said, calls, background.now)
    parts = {number: part_of(rest, calls[number], specs, background) for number in numbers or range(len(calls))}
    understood = _together(
        {number: part for number, part in parts.items() if part is not None and part.says_something},
        calls,
        bool(numbers),
    )
    if not verdict.amends and (bare := opened(said)) != said:
        verdict = by_cues(bare, calls, [request or "?"])
    new = not verdict.amends and any(verdict.reason.startswith(reason) for reason in _NEW)
    new = new and not (
        verdict.reason.startswith("tells")
        and re.search(r"(?i)\b(?:i need|need (?:it|that|this)|have (?:it|that|this))\b", said)
    )
    anew = not verdict.amends and not says_meant(sentence) and _is_anew(said, understood, calls, specs, request)
    if anew and not (understood and _of_these(said, understood, calls, verdict.reason)):
        return Understood("new", reason="says all that a new call needs")
    if understood is not None and not (
        new and not _stands(understood, parts) and not _of_these(said, understood, calls, verdict.reason)
    ):
        return understood
    if not verdict.amends and not says_meant(sentence):
        return Understood("new", reason=verdict.reason)
    return understood or Understood(
        "unclear" if verdict.amends or says_meant(sentence) else "new", reason="not understood"
    )


def _is_anew(
    said: str, understood: Understood | None, calls: Sequence[Call], specs: Sequence[ToolSpec], request: str
) -> bool:
    """Whether all that a call needs is other, or a title not heard of and more is said: it is rather another one."""
    if understood is None or understood.kind != "edit":
        return False
    if _AGAIN.match(said):
        return True
    for number, edits in understood.edits.items():
        opening = next((words for (at, _), words in understood.words.items() if at == number), "")
        unheard = set(opening.lower().split()) - set(request.lower().split())
        titled = len(opening.split()) > 1 and opening in edits.values() and said.startswith(opening)
        if titled and unheard and len(edits) > 1:
            return True
        spec = next((spec for spec in specs if calls[number].tool in (spec.full_name, spec.name)), None)
        needed = set(spec.required) if spec else set(calls[number].arguments)
        least = 2 if re.match(r"(?i)(?:and|then) ", said) else 3
        if len(needed) >= least and needed <= set(edits):
            return True
    return False


def _contradicts(said: str) -> bool:
    """Whether a value is said and denied: "it's at two, and it isn't at two"."""
    words = Words(said).text
    for value in {value.words for value in segments(said)[0] if value.kind != "number" or f"at {value.words}" in words}:
        places = re.finditer(rf"(?<!\S){re.escape(value)}(?!\S)", words)
        if len({bool(_DENIED.search(words[: place.start()])) for place in places}) == 2:
            return True
    return False


def _of_these(said: str, understood: Understood, calls: Sequence[Call], reason: str) -> bool:
    """Whether an edit names its argument, or somebody else only in a part of a text that stays."""
    else_ = reason.startswith("names somebody else")
    return (
        understood.kind == "edit"
        and not reason.startswith("is a question")
        and any(
            re.search(rf"(?i)\b{re.escape(label(name))}\b", said)
            or (else_ and shares(old, str(value)) and not shares(old, understood.words.get((number, name), old)))
            for number, edits in understood.edits.items()
            for name, value in edits.items()
            for old in (re.sub(r"\d", "", str(calls[number].arguments.get(name, ""))),)
        )
    )


def _stands(understood: Understood, parts: Mapping[int, Part | None]) -> bool:
    """Whether it is a correction although its words could be a request."""
    if understood.kind in ("wrong", "blame"):
        return True
    return any(part is not None and part.sure and not part.unclear for part in parts.values())


def _meant(said: str, calls: Sequence[Call], now: dt.datetime | None) -> tuple[tuple[int, ...], str]:
    """Which of several calls are spoken of (none: it does not say), and the words without that."""
    if len(calls) < 2:
        return (), said
    if match := _EVERY.search(said):
        return tuple(range(len(calls))), " ".join((said[: match.start()] + " it " + said[match.end() :]).split())
    if match := _ONE.search(said):
        found = refer(f"the {match[1]}", [call.arguments for call in calls], now=now)
        if isinstance(found, Referred) and len(found.places) == 1:
            return found.places, " ".join((said[: match.start()] + " it " + said[match.end() :]).split())
    words = _only_of_one(said, calls)
    return ((words,), said) if words is not None else ((), said)


def _only_of_one(said: str, calls: Sequence[Call]) -> int | None:
    """The one call that has a word of the sentence in its texts which the others have not."""
    if re.search(r"(?i)\bnot\b|\binstead\b", said):
        return None
    own = [
        {
            word
            for value in call.arguments.values()
            if isinstance(value, str)
            for word in re.findall(r"[^\W\d_]{3,}", value.lower())
        }
        for call in calls
    ]
    spoken = set(re.findall(r"[^\W\d_]{3,}", said.lower()))
    hits = [
        number
        for number, words in enumerate(own)
        if spoken & (words - set().union(*(other for place, other in enumerate(own) if place != number)))
    ]
    return hits[0] if len(hits) == 1 else None


def _together(parts: Mapping[int, Part], calls: Sequence[Call], chosen: bool) -> Understood | None:
    """What the sentence says of all the calls it is about."""
    edits = {number: part for number, part in parts.items() if part.edits and not part.unclear}
    if edits:
        return _edits(edits, calls, chosen)
    if any(part.unclear for part in parts.values()):
        candidates = tuple({number: change} for number, part in parts.items() for change in part.candidates)
        return Understood(
            "unclear", candidates=candidates, reason=next(part.unclear for part in parts.values() if part.unclear)
        )
    blamed = {number: part for number, part in parts.items() if part.blamed}
    if blamed:
        return _blame(blamed, "is said to be wrong")
    same = [part.same for part in parts.values() if part.same]
    if same and not any(part.wrong and not part.same for part in parts.values()):
        name, words = next(iter(same[0].items()))
        return Understood("unclear", reason=f"{name} {words!r} is what the call has")
    if any(part.wrong for part in parts.values()):
        return Understood("wrong", reason="something is said to be wrong")
    praised = tuple((number, name) for number, part in parts.items() for name in sorted(part.praised))
    return Understood("new", praised=praised, reason="only praise") if praised else None


def _edits(parts: Mapping[int, Part], calls: Sequence[Call], chosen: bool) -> Understood:
    if len(parts) > 1 and not chosen:
        sure = {number: part for number, part in parts.items() if part.sure}
        parts = sure or parts
        olds = {
            tuple((name, repr(calls[number].arguments.get(name))) for name in sorted(part.edits))
            for number, part in parts.items()
        }
        if len(olds) > 1:
            return Understood(
                "unclear",
                candidates=tuple({number: part.edits} for number, part in parts.items()),
                reason="which of the calls?",
            )
    if any(part.blamed - set(part.edits) for part in parts.values()):
        return _blame(parts, "is said to be wrong")
    if others := {number: part for number, part in parts.items() if _is_another(calls[number], part)}:
        return _another(others, calls)
    words = {(number, name): said for number, part in parts.items() for name, said in part.words.items()}
    praised = tuple((number, name) for number, part in parts.items() for name in sorted(part.praised - set(part.edits)))
    edits = {number: dict(part.edits) for number, part in parts.items()}
    likely = min(part.likely for part in parts.values())
    how = next(iter(parts.values())).how
    return Understood("edit", edits, praised=praised, words=words, reason=how, likely=likely)


def _is_another(call: Call, part: Part) -> bool:
    """Whether another thing is meant: a call that takes one away is given another name, and no date or time."""
    verb = split_name(call.tool.rpartition(".")[2])[0]
    texts = [name for name, value in call.arguments.items() if isinstance(value, str)]
    return verb in _REMOVES and len(texts) > 1 and set(part.edits) == {texts[0]}


def _another(parts: Mapping[int, Part], calls: Sequence[Call]) -> Understood:
    """Everything that tells the thing is wrong; the words for the right one are kept, or its name as it is spelled."""
    blamed = tuple((number, name) for number in parts for name in calls[number].arguments)
    words = {
        (number, name): said if _LEAD.sub("", said).lower() in str(part.edits[name]).lower() else str(part.edits[name])
        for number, part in parts.items()
        for name, said in part.words.items()
    }
    excluded = {(number, name): (calls[number].arguments[name],) for number, name in blamed}
    return Understood("blame", blamed=blamed, excluded=excluded, words=words, reason="another thing is meant")


def _blame(parts: Mapping[int, Part], reason: str) -> Understood:
    blamed = tuple((number, name) for number, part in parts.items() for name in sorted(part.blamed - set(part.edits)))
    praised = tuple((number, name) for number, part in parts.items() for name in sorted(part.praised - part.blamed))
    excluded: dict[tuple[int, str], tuple[Any, ...]] = {
        (number, name): values
        for number, part in parts.items()
        for name, values in part.excluded.items()
        if name not in part.edits
    }
    edits = {number: dict(part.edits) for number, part in parts.items() if part.edits}
    return Understood("blame", edits, blamed, praised, excluded, reason=f"{blamed[0][1]} {reason}")
