"""Sentences that only complain: of the calls as such, of an argument, or of nothing in particular."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from toolmend.base.messages import Call, ToolSpec
from toolmend.language.corrections import Understood, understand
from toolmend.language.corrections.as_such import AsSuch, said_as_such
from toolmend.language.corrections.complaining import complains, is_again
from toolmend.language.corrections.names import split_name
from toolmend.language.corrections.segments import segments
from toolmend.session.mend.case import MendCase
from toolmend.session.mend.direction import says_other_way

_LEAD = re.compile(
    r"^\W*(?:(?:no|nope|sorry|actually|please|i (?:meant?|said|wanted)(?: you)?(?: to)?|you should(?: have)?|rather"
    r"|just|instead|ok|well|but)\b\W*)*"
)
_EDITING = frozenset("add remo chan set upda make put rena dele canc move get".split())  # said of values, too
_STEM = 4  # letters that tell a word: "rates", "rate"
NOTHING = "there is no "  # an argument was named that the tool has not
SAID = re.compile(
    r"(?i)\b(?:sa(?:id|y)|told|gave|already|no need|have to ask|mentioned|in what i|you have (?:it|that|the))\b"
)
"""Says that something was said before."""
_FEW = 12  # words; more ask for something
_BRIEF = 3  # words that are no request
_POLITE = re.compile(r"\b(?:would|could|can) you\b")
_DOUBTS = re.compile(r"\b(?:is|are) (?:that|this|the|it)\b.*\b(?:right|correct)\b|\bcan (?:it|that)\b")
_ANYTHING = Call("anything", {"title": "x", "date": "2000-01-01", "time": "00:00", "duration": 0})


def is_complaint(sentence: str) -> bool:
    """Whether a sentence asks for nothing of its own: it finds fault, or asks for another try."""
    told = SAID.search(sentence) and not segments(sentence)[0] and len(sentence.split()) <= _FEW
    return (
        bool(told)
        or says_other_way(sentence)
        or is_again(sentence)
        or bool(said_as_such(sentence))
        or (complains(sentence) and not segments(sentence)[0])
        or understand(sentence, [_ANYTHING], ()).kind in ("blame", "wrong")
    )


def tool_asked(sentence: str, specs: Sequence[ToolSpec]) -> str:
    """The one tool that a sentence asks for in its own words: it has every word of the name in some form, or begins
    with its verb; "" where it asks for none, or several could be meant."""
    said = [word[:_STEM] for word in re.findall(r"[a-z0-9]+", _LEAD.sub("", sentence.lower()))]
    names = {spec.full_name: [word[:_STEM] for word in split_name(spec.name)] for spec in specs}
    whole = [name for name, words in names.items() if words and set(words) <= set(said)]
    longest = max((len(names[name]) for name in whole), default=0)
    whole = [name for name in whole if len(names[name]) == longest]
    begun = [name for name, words in names.items() if words[:1] == said[:1] and words[0] not in _EDITING]
    named = whole or begun
    return named[0] if len(named) == 1 else ""


def as_such(case: MendCase) -> AsSuch:
    """What the sentence says of the calls as such, as far as it can be true; where words are tried again, or found
    fault with, a call is due."""
    verdict = said_as_such(case.said)
    if case.calls and not case.words:
        return "" if verdict == "due" else verdict
    named = tool_asked(case.said, case.specs)
    asked = case.said.rstrip().endswith("?") and not verdict
    faulted = complains(case.said) and not asked and not case.open
    due = (verdict and verdict != "needless") or is_again(case.said) or faulted or (named and not asked)
    return "due" if due else ""


def named(case: MendCase, understood: Understood) -> Understood:
    """What is not understood, but has no words except those of complaints, as blame of the one argument that it names:
    "Duration?", "u got the time mixed up"; where it names none, as a complaint of something."""
    brief = len(case.said.split()) <= _BRIEF
    if understood.kind not in ("new", "unclear") or understood.candidates or understood.reason.startswith(NOTHING):
        return understood
    said = case.said.lower()
    slots = [(number, slot) for number in range(len(case.calls)) for slot in case.slots(number)]
    own = {word for _, slot in slots for label in slot.labels for word in label.split()}
    places = [(number, slot.name) for number, slot in slots if re.search(rf"\b{re.escape(slot.label)}\b", said)]
    asks = said.rstrip().endswith("?") and not (_POLITE.search(said) or _DOUBTS.search(said))
    only = complains(said, own) and not segments(said)[0] and not asks
    if len({name for _, name in places}) == 1 and (brief or only or understood.kind == "unclear"):
        return replace(understood, kind="blame", blamed=tuple(places))
    return replace(understood, kind="wrong") if slots and only and not places else understood
