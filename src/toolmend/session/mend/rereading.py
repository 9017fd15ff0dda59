"""The request read once more by code alone: what else it can ask for, as whole calls.

A new thing, a change of what was there, a removal. Each is complete, or it is not given. Source: the words of the
request, the calls that stand, the things of the world; asks no model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from toolmend.base.messages import Call, ToolSpec
from toolmend.language.corrections import edited
from toolmend.language.corrections.slots import slots_of
from toolmend.language.resolve.background import Background, Computed, Open
from toolmend.language.resolve.calls import compute
from toolmend.language.resolve.references import Referred, refer
from toolmend.language.resolve.said import Said
from toolmend.language.resolve.standing import stands_for
from toolmend.session.mend.case import MendCase, same
from toolmend.session.mend.grounds import AWAY
from toolmend.session.mend.support import support
from toolmend.session.mend.titles import renamed, texts_in

_AWAY = re.compile(rf"(?i)\b(?:{AWAY}|kill|bin|ditch|(?:has to|can|must) go(?! to\b))")
_AGAIN = re.compile(r"(?i)\b(?:again|same|another|back|once more|repeat)\b")
_AS_LONG = re.compile(r"(?i)\b(?:(?:just )?as long|same (?:length|duration|time)|equally long)\b")
_SEVERAL = re.compile(r"(?i)\b(?:all|both|every|everything|two|three|four|those|these)\b")
_TEXTS = 3  # of a request that are tried as what a thing is called


@dataclass(frozen=True, slots=True)
class Reread:
    """Calls that the request can mean; `back` are the ids of calls that stood before and stand again with them."""

    calls: tuple[Call, ...]
    back: tuple[str, ...] = ()


def rereadings(case: MendCase, tool: str = "") -> tuple[Reread, ...]:
    """What the request can ask for, the likeliest first; nothing that was tried, and of `tool` alone where one is
    named."""
    ranked: list[Reread] = []
    for reread in _all(case):
        tried = all(any(same(call, old) for old in (*case.tried, *case.calls)) for call in reread.calls)
        fits = not tool or all(call.tool == tool for call in reread.calls)
        if reread.calls and not tried and fits and not any(_equal(reread, other) for other in ranked):
            ranked.append(reread)
    return tuple(ranked)


def _equal(one: Reread, other: Reread) -> bool:
    return one.back == other.back and [str(call.arguments) for call in one.calls] == [
        str(call.arguments) for call in other.calls
    ]


def _all(case: MendCase) -> Iterator[Reread]:
    away = bool(_AWAY.search(case.latest))
    if away or _AWAY.search(case.request):
        yield from _removals(case)
    if _AGAIN.search(case.latest):
        yield from _again(case)
    yield from _changes(case)
    if not away:
        yield from _new(case)


def _removals(case: MendCase) -> Iterator[Reread]:
    """What the sentence names, taken away."""
    for spec, parameter, kind in _taking(case):
        things = (*case.world.things.get(kind, ()), *(call.arguments for call in case.replaced))
        meant = refer(case.latest, things, now=case.now) if things else None
        places: tuple[int, ...] = meant.places if meant else ()
        if places and not isinstance(meant, Referred):
            places = places[:1]
        names = stands_for(spec, parameter, case.world.named[spec.full_name])
        if places and all(name in things[place] for place in places for name in names):
            if len(places) == 1 and _SEVERAL.search(case.latest):
                name = things[places[0]][names[0]]
                places = tuple(place for place, thing in enumerate(things) if thing[names[0]] == name)
            gone = tuple(Call(spec.full_name, {name: things[at][name] for name in names}) for at in places)
            yield Reread(gone, tuple(call.id for call in case.replaced))


def _taking(case: MendCase) -> Iterator[tuple[ToolSpec, str, str]]:
    """The tools that take a thing as a whole, each with the parameter that names it and its kind."""
    for spec in case.specs:
        for parameter, kind in case.world.named.get(spec.full_name, {}).items():
            if parameter not in spec.properties:
                yield spec, parameter, kind


def _changes(case: MendCase) -> Iterator[Reread]:
    """What was there, with what the sentence says of it."""
    before = case.replaced or (case.calls if case.words else ()) or case.world.calls[-1:]
    for call in (*before, *_named(case)):
        understood = case.as_change(call)
        changed = edited(call, understood.edits.get(0, {})) if understood.kind == "edit" else call
        if changed.arguments != call.arguments:
            words = {name: said for (_, name), said in understood.words.items()}
            yield Reread((replace(changed, said={**changed.said, **words}),))
        for slot in slots_of(call, case.specs):
            if slot.kind == "text" and isinstance(slot.old, str) and (text := renamed(case.latest, slot.old)):
                yield Reread((edited(call, {slot.name: text}),))


def _named(case: MendCase) -> Iterator[Call]:
    """The calls that stand and that the sentence names."""
    calls = case.world.calls
    named = refer(case.latest, [call.arguments for call in calls], now=case.now) if calls else None
    if isinstance(named, Referred) and named.by == "its words":
        yield from (calls[place] for place in named.places)


def _again(case: MendCase) -> Iterator[Reread]:
    """A thing that is or was there, once more, with what the sentence says of it."""
    known = (*case.world.gone, *case.world.calls)
    meant = refer(case.latest, [call.arguments for call in known], now=case.now) if known else None
    for place in meant.places[-1:] if isinstance(meant, Referred) else ():
        call = known[place]
        understood = case.as_change(call)
        edits = understood.edits.get(0, {}) if understood.kind == "edit" else {}
        days = [slot for slot in slots_of(call, case.specs) if slot.kind == "date"]
        told = support(days[0], days, case.heard).phrases if len(days) == 1 else ()
        if len(told) > 1:
            copies = (edited(call, {days[0].name: phrase.values[0]}) for phrase in told if phrase.values)
            yield Reread(tuple(replace(copy, amends=None) for copy in copies))
        elif edits or call in case.world.gone:
            yield Reread((replace(edited(call, edits), amends=None),))


def asked_of(case: MendCase) -> Open | None:
    """The question that the request itself would have raised, as one for something new; None where it raises none."""
    return next((computed.open for computed in _computed(case, guessing=False) if computed.open), None)


def _new(case: MendCase) -> Iterator[Reread]:
    """Another call of a tool that gives: every value the sentence has in its place, the text from what is left."""
    for call in case.calls if case.replaced and len(case.calls) == 1 else ():
        yield from _not_changed(case, call)
    for computed in _computed(case, guessing=True):
        if computed.question is None and computed.calls:
            yield Reread(computed.calls, tuple(call.id for call in case.replaced))


def _not_changed(case: MendCase, call: Call) -> Iterator[Reread]:
    """What was made of an earlier call as one of its own: with a text of its own, and without what that call had and
    nobody spoke of."""
    slots, old = case.slots(0), case.replaced[0].arguments
    carried = {
        slot.name
        for slot in slots
        if not slot.required
        and slot.old is not None
        and old.get(slot.name) == slot.old
        and not _AS_LONG.search(case.latest)
    }
    texts = [slot for slot in slots if slot.kind == "text" and slot.required]
    for text in texts_in(case.latest, str(texts[0].old))[:_TEXTS] if len(texts) == 1 else ():
        values = {name: value for name, value in call.arguments.items() if name not in carried} | {texts[0].name: text}
        yield Reread(
            (Call(call.tool, values, said={**call.said, texts[0].name: text}),), tuple(one.id for one in case.replaced)
        )


def _computed(case: MendCase, *, guessing: bool) -> Iterator[Computed]:
    """What something new comes to, tool by tool; `guessing` takes the last day where none was said."""
    taking = {spec.full_name for spec, _, _ in _taking(case)}
    stood = tuple(call for call in case.replaced if call.id not in {other.id for other in case.world.calls})
    background = replace(case.world, calls=(*case.world.calls, *stood), amended=(), text=case.latest, open=None)
    for spec in case.specs:
        if spec.full_name not in taking:
            yield from _calls_of(case, spec, background, guessing)


def _calls_of(case: MendCase, spec: ToolSpec, background: Background, guessing: bool) -> Iterator[Computed]:
    slots = slots_of(Call(spec.full_name), case.specs)
    words: dict[str, str] = {}
    for slot in slots:
        phrases = support(slot, slots, case.heard).phrases if slot.kind != "text" else ()
        told = [phrase.words for phrase in phrases if slot.kind != "length" or re.search(r"[^\W\d]", phrase.words)]
        told = [said for said in told if said not in words.values()]  # "19h15" is the time, and no length
        if told:
            words[slot.name] = told[0]
    texts = [slot for slot in slots if slot.kind == "text" and slot.required]
    if len(texts) > 1 or not words:
        return
    days = [slot.name for slot in slots if slot.kind == "date" and slot.required and slot.name not in words]
    last = [call.arguments["date"] for call in background.calls if "date" in call.arguments]
    if days and last and guessing:
        words[days[0]] = str(last[-1])
    for text in texts_in(case.latest)[:_TEXTS] if texts else ("",):
        said = {texts[0].name: text, **words} if texts else words
        yield compute((Said(spec.full_name, said),), case.specs, background)


def kept_of(case: MendCase) -> Sequence[int]:
    """The calls, by their places, that the request speaks of, where those are fewer than were made."""
    meant = refer(case.latest, [call.arguments for call in case.calls], now=case.now)
    return meant.places if isinstance(meant, Referred) and len(meant.places) < len(case.calls) else ()
