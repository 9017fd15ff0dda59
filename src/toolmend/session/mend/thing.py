"""Which thing was meant: of a call that names a thing as a whole the one that has what was said; of a change another
thing that stands, or one that is new. Asks no model, and puts nothing right that the sentence does not speak of.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from toolmend.base.messages import Call
from toolmend.language.corrections.texts import shares
from toolmend.session.mend.candidates import like
from toolmend.session.mend.case import Edits, MendCase, folded
from toolmend.session.mend.grounds import removes
from toolmend.session.mend.support import support
from toolmend.session.mend.titles import named_in


def of_the_thing(case: MendCase, edits: Edits) -> Edits:
    """The edits; of a call that takes a thing away, all that tells the thing that has what was said."""
    whole = {number: _whole(case, number, changes) for number, changes in edits.items()}
    return whole if case.is_new(whole) else edits


def _whole(case: MendCase, number: int, changes: Mapping[str, Any]) -> Mapping[str, Any]:
    """The changes of a call that names a thing as a whole: all that tells the thing that has what was said."""
    call = case.calls[number]
    things, values = like(case, number), dict(call.arguments)
    if not (removes(call.tool) or values in things) or {**values, **changes} in things:
        return changes
    fits = [thing for thing in things if folded(changes).items() <= folded(thing).items()]
    ranked = sorted(fits, key=lambda thing: len(thing.items() & values.items()))
    clearly = ranked[-1:] if len({len(thing.items() & values.items()) for thing in ranked[-2:]}) != 1 else ranked
    return clearly[0] if len(clearly) == 1 else changes


def meant_instead(case: MendCase, edits: Edits) -> tuple[Call, tuple[str, ...]] | None:
    """The call that was meant where another one was changed, and the ids of what then stands again: what was said is
    of another thing that stands, which is changed as that was; or of none there is, but of the request: it is new."""
    if len(case.calls) != 1 or len(case.replaced) != 1 or set(edits) != {0}:
        return None
    call, old, told = case.calls[0], case.replaced[0], edits[0]
    if any(call.arguments.get(name) != old.arguments.get(name) for name in told):
        return None  # what the change itself made is corrected
    changed = {name: value for name, value in call.arguments.items() if value != old.arguments.get(name)}
    others = [one for one in case.world.calls if one.tool == call.tool and one.id != old.id]
    others = [one for one in others if folded(told).items() <= folded(one.arguments).items()]
    if len(others) == 1 and changed:
        values = {**others[0].arguments, **changed}
        return replace(call, arguments=values, amends=others[0].id), (old.id,)
    named = [(slot, str(told[slot.name])) for slot in case.slots(0) if slot.kind == "text" and slot.name in told]
    slots, heard = case.slots(0), case.latest.casefold()
    due = [slot for slot in slots if slot.required and slot.kind != "text"]
    whole = all(slot.name in changed or support(slot, slots, case.heard).phrases for slot in due)
    new = [
        text
        for slot, text in named
        if text.casefold() in heard
        and (not shares(old_text := str(slot.old), text) or (whole and old_text.casefold() not in heard))
    ]
    if not new or len(new) != len(named) or named_in(case.latest):
        return None
    needed = {slot.name for slot in slots if slot.required} | set(changed)
    values = {name: value for name, value in call.arguments.items() if name in needed}
    return Call(call.tool, {**values, **told}, call.id, said=call.said), (old.id,)
