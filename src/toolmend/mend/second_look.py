"""A second look at calls that were wrong in one thing: another thing was meant, or the request says more otherwise.

Only what the words leave no doubt of is changed beside what was said. Asks no model.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from toolmend.corrections import edited_calls
from toolmend.corrections.slots import Slot
from toolmend.corrections.texts import shares
from toolmend.corrections.understood import Place
from toolmend.mend.candidates import Candidate, candidates, clear, given, like
from toolmend.mend.case import Edits, MendCase, folded
from toolmend.mend.grounds import removes
from toolmend.mend.support import support
from toolmend.mend.titles import named_in
from toolmend.messages import Call
from toolmend.resolve.words import Words

SURE = frozenset(
    {
        "what the sentence calls it",
        "the words give another value",
        "the request read once more",
        "its words to their edges",
    }
)
"""Why a value is taken beside the one that was spoken of."""


def looked_again(case: MendCase, edits: Edits, praised: Sequence[Place] = ()) -> Edits:
    """The edits, and what else of the same calls the request clearly says otherwise. A call about a thing there is
    becomes one about the thing that has what was said."""
    more = {number: _whole(case, number, changes) for number, changes in edits.items()}
    fresh = not (case.replaced or case.earlier)
    for _ in range(2):  # words that one argument had by mistake are another one's
        now = replace(case, calls=_edited(case.calls, more), tried=())
        for number in more:
            for slot in () if removes(now.calls[number].tool) else now.slots(number):
                if slot.name in more[number] or (number, slot.name) in praised or _told(now, number, slot, fresh):
                    continue
                best = clear(candidates(replace(now, request=case.latest), [(number, slot.name)]))
                if best is not None and _is_sure(best, slot, fresh):
                    more[number] = {**more[number], **best.edits[number]}
    return more if case.is_new(more) else edits


def _edited(calls: Sequence[Call], edits: Edits) -> tuple[Call, ...]:
    """The calls as edited, without the words of what is other now."""
    return tuple(
        replace(new, said={name: words for name, words in new.said.items() if name not in edits.get(number, {})})
        for number, new in enumerate(edited_calls(calls, edits))
    )


def _is_sure(other: Candidate, slot: Slot, fresh: bool) -> bool:
    """Whether nothing speaks against it: of a text only values go, and no time is a mere number."""
    new, old = str(other.edits[min(other.edits)][slot.name]), str(slot.old or "")
    if other.why == "its words to their edges":
        return old.lower() in new.lower() or bool(re.search(r"\d", old.replace(new, "")))
    if slot.kind == "time" and re.fullmatch(r"\d{1,2}", Words(other.words).text):
        return False
    return other.why in SURE or (fresh and other.why == "what is left of the sentence")


def _told(case: MendCase, number: int, slot: Slot, fresh: bool) -> bool:
    """Whether the value stays: it is from words that were said, and no other argument's; a change keeps its texts."""
    said = case.calls[number].said.get(slot.name, "")
    heard = f"{case.latest if not fresh else ''}\n{case.since}".casefold()
    own = bool(said) and said.casefold() in heard and not given(case, number, slot, said)
    there = (call.arguments.get(slot.name) for call in (*case.world.calls, *case.world.gone))
    return own or (slot.kind == "text" and (not fresh or slot.old in there))


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
