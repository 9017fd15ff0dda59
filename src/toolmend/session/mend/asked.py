"""Sentences that ask for no change: questions about what there is. What answers them reads; nothing is written for one.

And one that asks for more than a tool can do: "every Wednesday" of a tool that makes one thing on one day. Both are
told in words instead of a call. Without I/O.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import Any

from toolmend.base.messages import Call, ToolSpec
from toolmend.language.corrections.names import split_name
from toolmend.language.corrections.segments import segments
from toolmend.language.corrections.slots import slots_of
from toolmend.reading import Reading
from toolmend.session.mend.grounds import TAKING
from toolmend.strategies import Act, Flag, Flow, Say

_LEADS = re.compile(
    r"(?i)^(?:(?:please|hey|hi|hello|ok(?:ay)?|so|and|but|well|um+|just|quick question|by the way|tell me"
    r"|show me|remind me|let me know|do you know|(?:can|could) you (?:tell|show|remind) me|i wonder"
    r"|i'd like to know|i want to know|any idea|(?:can|could) you (?:check|see|look up)|check|see)\b[,:]?\s*)+"
)
_ASKS = re.compile(
    r"(?i)(?:what(?:['’]s|s)?(?! (?:about|if)\b)"
    r"|when(?:['’]s|s)? (?=(?:is|are|was|were|do|does|did|am|will|can|should)\b"
    r"|(?:(?:my|the|our) )?[\w'’]+ (?:is|are|was|starts?|ends?|begins?|leaves?)\W*$)"
    r"|where(?:['’]s|s)?|who(?:['’]s|s|se|m)?"
    r"|which\b(?=.*\?|(?: \w+){0,3} (?:is|are|was|were|do|does|did|has|can|should|will|needs?)\b)|"
    r"how(?! about\b)"
    r"|(?:do|have|am) (?:i|we|you(?! (?:think|mind|want))|they|any\w*)|(?:shall|should) (?:i|we|he|she|they|it)"
    r"|(?:is|are|was|were|does|did|has|will)(?! (?:you\b|it possible|(?:it|that|this|he|she|they|i) not\b"
    r"|i (?:say|ask|mean|tell)\b|(?:it|that|this) (?:right|correct|wrong|ok|okay)\b)) [\w'’]+"
    r"|(?:are|were|did) you(?! able)"
    r"|can (?:i|we) (?:make|fit|still|manage|get)|(?:if|whether)\b(?!.*,)"
    r"|any(?:thing|one|body)?(?: \w+){0,3} (?:on|for|today|tonight|tomorrow|this|next|at|in|left|planned|due)"
    r"|free (?:on|at|tomorrow|today|this|next)|busy (?:on|at|tomorrow|today|this|next))\b"
)
_SHOWS = re.compile(r"(?i)^\W*(?:(?:please|can you|could you|just) )*(?:show|list|tell|read) (?:me|us)\b(?! to\b)")
_SHORT = 1  # a sentence of so many words is a lead: "Hello."
_WISH = re.compile(r"(?i)^(?:when|if|what|which|who|how)\b.*,\s*(?:please )?\w+ (?:the|a|an|my|our|it|me|us|them)\b")
_WRITES = TAKING | frozenset(
    "add create book schedule insert make order put set move change update edit rename replace send mail write post"
    " pay buy sell start stop open close lock unlock turn switch play pause reserve assign plan record log save share"
    " invite call heat dim light lights water feed print publish transfer reset restore merge swap shift postpone wake"
    " remind register mark complete finish done increase decrease raise lower place submit enable disable kill run"
    " deliver return append".split()
)
_DAY = r"(?:mon|tues?|wednes|wed|thurs?|fri|satur|sat|sun)(?:day)?"
_UNIT = (
    rf"(?:{_DAY}|day|night|morning|afternoon|evening|noon|week(?:day|end)?|month|year|hour|fortnight"
    r"|minute|quarter)"
)
_REPEATS = re.compile(
    rf"(?i)\b(?:(?:every|each) (?:single |other |second |third |few |two |three |four |\d+ |\d+(?:st|nd|rd|th) "
    rf"|first |last |working )?{_UNIT}s?\b|(?:once|twice|three times|\d+ times|\d+x) (?:a|per|every|each) {_UNIT}"
    rf"|(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days(?: and (?:mon|tues|wednes|thurs|fri|satur|sun)days)?\b"
    rf"|(?:on )?(?:weekdays|weekends)\b|(?:daily|weekly|monthly|yearly|annually|hourly|nightly|fortnightly|biweekly"
    rf"|bi-weekly)(?= (?:at|on|from|until|till|for|in|with|before|after|starting)\b|[.,;!?]|$)"
    rf"|(?:recurring|repeating)\b|repeat(?:s|ed)?\b)"
)
_QUOTED = re.compile(r"[\"“][^\"”]*[\"”]|(?<!\w)['‘][^'’]*['’](?!\w)")
_CLAUSE = re.compile(r"[.;!?,](?=\s|$)")
_NOT = re.compile(
    r"(?i)\b(?:not?|never|cannot|can['’]?t|won['’]?t|don['’]?t|doesn['’]?t|isn['’]?t|nobody|except|without)\b"
)
_HOLDS = re.compile(
    r"(?i)repeat|recur|rrule|frequen|interval|every|each|cadence|days|weekdays|cron|schedule|until|times|rhythm|period"
)
_WHEN = ("date", "time", "date-time")
QUESTION = (
    "That was a question, and none of these tools answers it. Nothing was changed; to have something done, say so."
)


def is_question(text: str) -> bool:
    """Whether a sentence asks how things are. A polite request ("could you add …?"), a suggestion ("how about five?")
    and what doubts a value ("isn't it on Friday?") are none."""
    if _SHOWS.match(text):
        return True
    sentences = [_LEADS.sub("", " ".join(part.split())) for part in re.split(r"(?<=[.?!;])\s+", text)]
    told = [said for said in sentences if len(said.split()) > _SHORT] or sentences[:1]
    return all(_ASKS.match(said) and not _WISH.match(said) for said in told)


def repeats(text: str) -> str:
    """The words by which something is to happen again and again; "" where there are none outside of quotation marks."""
    for clause in _CLAUSE.split(_QUOTED.sub(" ", text)):
        if (match := _REPEATS.search(clause)) and not _NOT.search(clause):
            return " ".join(match[0].split())
    return ""


def writes(spec: ToolSpec | None) -> bool:
    """Whether calls of a tool change something: it says so, by its effect and its name."""
    if spec is None or spec.effect == "read":
        return False
    return spec.effect == "danger" or bool(_WRITES & set(split_name(spec.name)[:1]))


def once(call: Call, spec: ToolSpec | None) -> bool:
    """Whether a call is about one day or one time, and its tool has no word for more."""
    if not writes(spec) or spec is None or any(_HOLDS.search(name) for name in spec.properties):
        return False
    return any(slot.kind in _WHEN for slot in slots_of(call, [spec]))


def as_asked(flow: Flow, text: str, specs: Sequence[ToolSpec], *, corrects: bool = False) -> Flow:
    """The turn without what `text` does not ask for: to a question nothing is written, unless it `corrects`, and
    nothing is made once that is to be again and again. What is left out is told."""
    asks, again = not corrects and is_question(text), repeats(text)
    several = sum(one.kind == "day" for one in segments(text)[0]) > 1  # the days are told one by one
    named = {spec.full_name: spec for spec in specs}
    sent: Any = None
    while True:
        try:
            step = flow.send(sent)
        except StopIteration:
            return
        if not isinstance(step, Act):
            sent = yield step
            continue
        each = several and len(step.calls) > 1
        refused = _refused(step.calls, named, asks=asks, again="" if each else again)
        if not refused:
            sent = yield step
            continue
        flow.close()
        yield from _told(step, named, refused, asks=asks, again=again)
        return


def _refused(calls: Sequence[Call], named: dict[str, ToolSpec], *, asks: bool, again: str) -> list[Call]:
    return [
        call
        for call in calls
        if (asks and writes(named.get(call.tool))) or (again and once(call, named.get(call.tool)))
    ]


def _told(
    step: Act, named: dict[str, ToolSpec], refused: Sequence[Call], *, asks: bool, again: str
) -> Generator[Any, Any, None]:
    """What is left of the calls, if anything is; else why there is nothing."""
    calls = tuple(call for call in step.calls if call not in refused)
    if calls and asks:
        yield replace(step, calls=calls, reading=replace(step.reading, calls=calls))
        return
    why = (
        QUESTION if asks else f"“{again}”: these tools do a thing once, so nothing was done. Say one day and its time."
    )
    yield Flag("refused", "a question" if asks else "a repetition")
    yield Say(why)
    yield Act((), Reading((), why, problem="no_call"))
