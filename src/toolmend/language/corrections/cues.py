"""Cues that a sentence amends the last call or is something new: rules over words in order, each with its reason.

They say "new" when unsure: a request taken for an amendment undoes something that was right. Know calls and sentences;
nothing of tools.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from toolmend.base.messages import Call
from toolmend.language.resolve import vocabulary

UNSURE = "nothing says that it amends"
MORE = "asks for something more"


@dataclass(frozen=True, slots=True)
class RouteDecision:
    """What a router decided, and why, in words fit to be shown."""

    amends: bool
    reason: str


def by_cues(text: str, calls: Sequence[Call], texts: Sequence[str]) -> RouteDecision:
    """Cues of fault, of taking back and of change against cues of something new."""
    said = _normal(text)
    if not texts:
        return RouteDecision(False, "nothing was asked before")
    for amends, reason, cue in _cues(said, calls):
        if cue:
            return RouteDecision(amends, f"{reason} ({cue!r})")
    return RouteDecision(False, UNSURE)


# Cues, in the order of the rules in `_cues`. All see lower-cased text with plain apostrophes (`_normal`).
_REQUEST = re.compile(
    rf"^(({vocabulary.either('requests')})(?: (?!(?:it|that|this|them)\b)\S+|$)"
    r"|(cancel|remove|delete|take|clear|put|add) (?:it|that|this|them)(?: (?:out|off|in|up|down)\b.*)?$)"
)
_LEAD = re.compile(rf"^({vocabulary.either('leads in cues')})\b[,:]?\s*")
_CLAUSE = re.compile(r"[.!?;:,](?=\s|$)|\b(?:and|but)\b")
_FAULT = re.compile(rf"\b({vocabulary.either('finds fault')})\b")
_CODE = re.compile(rf"\b({vocabulary.either('code')})\b")
_ONCE_MORE = (
    r"^(?:and |then |and then )?"
    r"(?:(?:the )?same(?: (?:thing|again|one|entry))?|again|once more|ditto|repeat(?: (?:it|that))?)"
    r" (?:(?:on|at|for|from|in) |(?=(?:the (?:day|week|month)|tomorrow|today|tonight|next|this|\w+day)\b))(?=\w)"
)
_ALSO = re.compile(
    r"\b(another|also|as well|in addition|besides|a second|one more|additional|next:|a new)\b|\btoo$|" + _ONCE_MORE
)
_MEANT = re.compile(
    r"\b(i mean|i meant|i said|i told you|i asked for|(?<!what )i wanted(?! to (ask|know))|instead|rather(?= than|$)"
    r"|(i'd|would) rather|other way (a)?round|suits me better|is better)\b"
)
_DECLARES = re.compile(r"\b(i'm (having|going|meeting|seeing)|i (also )?(have|need|won't)|we need|there's|there is)\b")
_NO = re.compile(r"^(no|nope|nah|not|oops|whoops|correction)\b(?! (sure|yet|only|\w+s\b))")
_CONTRAST = re.compile(r",\s*not\b|\bnot (in|on|at|from|to|the)\b")
_MORE = re.compile(r"[.!?;,](?=\s)")
_CHANGE = (
    r"set|change|make|move|shift|push|pull|extend|shorten|lengthen|rename|fix|correct|put|start|end|keep|check|give"
    r"|use|respect|mind|drop|leave out|leave off|adjust|edit|update|modify|reschedule|postpone|look at|count|have|let"
)
_CHANGES_IT = re.compile(
    rf"\b(?:{_CHANGE}|call|name|label|title) it\b(?! (?:(?:in|out|off)$|in (?:the|my|our)\b))"
    r"|\b(?:set|change|make|move|shift|push|put) (?:that|this|them)\b"
)
_CHANGES_THE = re.compile(rf"\b(?:{_CHANGE}|remove|delete|add|write|include) (?:only |just )?(?:the|its) ([^,.]*)")
_HEAD_ENDS = re.compile(r" (?:of|to|at|on|for|from|by|in|with|so)\b")
_IT_IS = re.compile(
    r"^(it|that one|this one) (?!is\b|was\b|would\b|seems\b|looks\b)\w+"
    r"|^(that|this) (should|must|needs?|starts?|lasts?|has)\b"
    r"|^(it's|that's|it is|it was) (?:only )?(?:at|on|in|for|from|to|called|with|delayed|moved|postponed"
    r"|rescheduled|going to|the (?=\d)|(?=\d))\b"
)
_WITH = re.compile(r"\bwith (\w+)")
_QUESTION = re.compile(r"^(what|where|when|who|how|is|are|do|does|did|which)\b")
_PART_IS = re.compile(r"^(?:the )?(?:current |right |correct )?(\w+) (?:is|are|in|as|will be)\b")
_HAPPENS = re.compile(
    r"\b(should|must|needs?|has to|starts?|ends?|lasts?|goes|leaves|(is|are) (at|on|in|for|called|the|an?|\d+))\b|:"
)
_TAKES_BACK = re.compile(r"^(sorry|actually|wait|hmm+|well)\b")
_YEAR = re.compile(r"^\D*\b(?:(?:19|20)\d\d|twenty twenty(?:-\w+)?)\b\D*$")

_PARTS = vocabulary.words("parts")
_QUALIFIERS = frozenset({"current", "right", "correct", "actual", "event", "entry", "appointment"})
_SMALL = vocabulary.words("small in cues")
_VALUE = re.compile(rf"^({vocabulary.either('values in cues')})$")
_IDLE = frozenset({"a", "an", "the", "with", "of", "for", "at", "on", "in", "to", "and", "my", "me", "entry", "action"})


def _cues(said: str, calls: Sequence[Call]) -> Iterator[tuple[bool, str, str]]:
    """The rules in order: whether it amends, why, and the words that show it ("" where the rule does not hold)."""
    last = _title_words(calls[-1:])
    meant = _found(_MEANT, said)
    yield False, "is a request of its own", "" if meant else _request(said)
    yield True, "finds fault", _found(_FAULT, said)
    yield True, "speaks of the call itself", _found(_CODE, said)
    yield False, MORE, _found(_ALSO, said)
    yield True, "says what was meant", meant
    yield False, "tells of something new", _found(_DECLARES, said)
    yield True, "takes back", _found(_NO, said)
    yield False, "is about an earlier call", _first_of(said, _title_words(calls[:-1]) - last - _PARTS - _SMALL)
    yield True, "names the contrary", _found(_CONTRAST, said)
    yield False, "goes on to something new", _goes_on(said, last)
    yield True, "changes what was done", _found(_CHANGES_IT, said)
    yield True, "goes on about it", _found(_IT_IS, said)
    yield False, "names somebody else", _somebody_else(said, last)
    yield True, "changes a part of it", _changed_part(said, last)
    yield False, "is a question", _found(_QUESTION, said)
    yield True, "describes a part of it", _described(said, last)
    yield True, "takes back", _found(_TAKES_BACK, said) if _only_values(_TAKES_BACK.sub("", said), last) else ""
    yield True, "gives only a value", said if _only_values(said, frozenset()) else ""
    yield True, "names the year", said if _YEAR.match(said) and len(_tokens(said)) <= 8 else ""


def _normal(text: str) -> str:
    """Lower case, plain apostrophes, the common spellings without one mended, single blanks, no closing mark."""
    said = " ".join(text.lower().replace("\u2019", "'").split()).strip(" .!?")
    said = re.sub(r",? please$", "", said)
    said = re.sub(r"\b(that|it|what|there)s\b", r"\1's", said)
    return re.sub(r"\b(is|does|did|do|was|ca)nt\b", r"\1n't", said)


def _found(cue: re.Pattern[str], said: str) -> str:
    match = cue.search(said)
    return match[0].strip() if match else ""


def _tokens(said: str) -> list[str]:
    return re.findall(r"[^\W_]+(?:['.:][^\W_]+)*%?", said)


def _title_words(calls: Sequence[Call]) -> frozenset[str]:
    """The words that tell the calls apart: those of their texts (not dates, not times), tools and parameters."""
    texts = [value for call in calls for value in call.arguments.values() if isinstance(value, str)]
    texts += [name.replace("_", " ") for call in calls for name in call.arguments]
    tools = [call.tool.rpartition(".")[2].replace("_", " ") for call in calls]
    found = {word for text in [*texts, *tools] for word in _tokens(text.lower()) if not _VALUE.match(word)}
    return frozenset(found - _IDLE)


def _goes_on(said: str, last: frozenset[str]) -> str:
    """What follows the first sentence or comma, where it speaks of things not heard of: two unknown words or more."""
    _, *more = _MORE.split(said, maxsplit=1)
    known = last | _PARTS | _IDLE | _SMALL
    unknown = [word for word in _tokens(" ".join(more)) if word not in known and not _VALUE.match(word)]
    return " ".join(unknown) if len(unknown) > 1 else ""


def _first_of(said: str, words: frozenset[str]) -> str:
    return next((word for word in _tokens(said) if word in words), "")


def _request(said: str) -> str:
    """The first clause that opens with a verb of asking and has an object of its own."""
    for clause in _CLAUSE.split(said):
        clause = clause.strip()
        while lead := _LEAD.match(clause):
            clause = clause[lead.end() :]
        speaks_of_the_call = _CHANGES_THE.match(clause) and _changed_part(clause, frozenset())  # "remove the title"
        if (asks := _REQUEST.match(clause)) and not speaks_of_the_call:
            return asks[0]
    return ""


def _somebody_else(said: str, last: frozenset[str]) -> str:
    match = _WITH.search(said)
    return match[0] if match and match[1] not in last | _IDLE and not _VALUE.match(match[1]) else ""


def _changed_part(said: str, last: frozenset[str]) -> str:
    """A verb of changing with a part of the call ("the duration") or with what the last call was about."""
    match = _CHANGES_THE.search(said)
    head = _tokens(_HEAD_ENDS.split(match[1])[0]) if match else []
    while len(head) > 1 and _VALUE.match(head[-1]) and head[-1] not in ("evening", "night"):  # "the date night"
        head.pop()
    return match[0] if match and head and (head[-1] in _PARTS or last & set(head)) else ""


def _described(said: str, last: frozenset[str]) -> str:
    """ "The year is …", "The concert starts …": nothing but a part, or the last call's title, opens it."""
    if (part := _PART_IS.match(said)) and part[1] in _PARTS:
        return part[0]
    match = _HAPPENS.search(said)
    opening = set(_tokens(said[: match.start()] if match else "")) - _IDLE
    return match.string[: match.end()] if match and opening and opening <= _PARTS | _QUALIFIERS | last else ""


def _only_values(said: str, last: frozenset[str]) -> bool:
    """Whether only values and small words are said; one unknown word may be there if `last` has words."""
    tokens = _tokens(said)
    unknown = [word for word in tokens if not _VALUE.match(word) and word not in last | _SMALL]
    return any(map(_VALUE.match, tokens)) and len(unknown) <= (1 if last else 0)
