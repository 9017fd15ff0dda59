"""An answer to a question: the call that waited for it, completed by what the person says; no model is asked.

"At what time?" – "It's at five." Where the answer gives no value, the request may: then it was said before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from toolmend.base.messages import Call
from toolmend.language.corrections.clauses import cores, tidy
from toolmend.language.corrections.complaining import complains
from toolmend.language.corrections.slots import slots_of
from toolmend.language.resolve.background import Computed, Open
from toolmend.language.resolve.calls import compute
from toolmend.language.resolve.said import CHANGE, Said
from toolmend.session.mend.case import MendCase
from toolmend.session.mend.support import AWAKE, support

_TITLE = 5
"""So many words of an answer can be a text; more are rather a sentence about it."""


def completed(case: MendCase, waiting: Open) -> Computed | None:
    """What the calls come to with what the sentence says, or the next question; None where it answers nothing."""
    for answer in _answers(case, waiting):
        computed = _computed(case, waiting, answer)
        if _answered(computed, waiting):
            return computed
    return None


def said_before(case: MendCase, waiting: Open, *, guessing: bool = True) -> Computed | None:
    """The same by the words of the request; where it has two readings, by the one that people mean more often. The
    last day that was spoken of is a guess."""
    asked = waiting.question
    slot = next((slot for slot in slots_of(Call(asked.tool), case.specs) if slot.name == asked.argument), None)
    values: tuple[Any, ...] = ()
    if slot is not None:
        phrases = support(slot, slots_of(Call(asked.tool), case.specs), case.background).phrases
        values = phrases[0].values if len({phrase.values for phrase in phrases}) == 1 else ()
        values = values or tuple(value for value in asked.candidates if not isinstance(value, Mapping))
        if slot.kind == "time" and len(values) > 1:
            values = tuple(value for value in values if AWAKE[0] <= value <= AWAKE[1]) or values
        values = values or _day_before(case) if slot.kind == "date" and guessing else values
    if len(values) != 1:
        return None
    computed = _computed(case, waiting, Said(CHANGE, {asked.argument: values[0]}))
    if computed.open is not None and computed.open.question.argument != asked.argument:
        return said_before(case, computed.open, guessing=guessing) or computed
    return computed if _answered(computed, waiting) else None


def _day_before(case: MendCase) -> tuple[Any, ...]:
    """The day that was spoken of last."""
    days = [call.arguments["date"] for call in case.world.calls if "date" in call.arguments]
    return tuple(days[-1:])


def _computed(case: MendCase, waiting: Open, answer: Said) -> Computed:
    return compute((answer,), case.specs, replace(case.world, open=waiting, text=case.said))


def _answered(computed: Computed, waiting: Open) -> bool:
    """Whether something is to be done, or another question is left."""
    if computed.question is None:
        return bool(computed.calls or computed.undo)
    return computed.question.argument != waiting.question.argument


def _answers(case: MendCase, waiting: Open) -> Iterator[Said]:
    """What the sentence can say as an answer, the surest first: values it gives, then its words as they are."""
    asked = waiting.question
    read = [
        replace(case, calls=(Call(asked.tool or "the one", given),)).understood() for given in _given(case, waiting)
    ]
    understood = next((way for way in read if way.kind == "edit"), read[0])
    edits = understood.edits.get(0, {}) if understood.kind == "edit" else {}
    values = {name: understood.words.get((0, name), value) for name, value in edits.items() if value is not None}
    if asked.argument in values:
        yield Said(CHANGE, values)
        yield Said(CHANGE, edits)
    slot = next((slot for slot in slots_of(Call(asked.tool), case.specs) if slot.name == asked.argument), None)
    if slot is not None and (values or understood.kind in ("blame", "wrong", "back") or complains(case.said)):
        return
    said = list(reversed(list(cores(tidy(case.said)))))
    said += [f"the one on {words}" for words in values.values()]  # its day, or its name, tells which thing is meant
    for words in said if slot is None or slot.kind != "text" else said[:1]:
        if slot is None or slot.kind != "text" or len(words.split()) <= _TITLE:
            yield Said(CHANGE, of=words) if asked.argument == "of" else Said(CHANGE, {asked.argument: words})


def _given(case: MendCase, waiting: Open) -> Sequence[Mapping[str, Any]]:
    """The arguments that the waiting line gives already, or those of each thing that could be meant."""
    if things := [thing for thing in waiting.question.candidates if isinstance(thing, Mapping)]:
        return things
    line = replace(waiting.line, words={name: said for name, said in waiting.line.words.items() if said != "?"})
    computed = compute((line,), case.specs, case.world, whole=False)
    return [computed.calls[-1].arguments if computed.calls else {}]
