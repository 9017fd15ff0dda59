"""What is usual, by rule: a sentence that says so ("meetings are 45 minutes") as a default for an argument, and calls
filled in with the defaults that a person confirmed, where nothing else was said. Knows no stream and asks no model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from toolmend.base.messages import Call, ToolSpec
from toolmend.extras.knowledge.search.words import content
from toolmend.language.corrections.slots import Slot, slots_of
from toolmend.language.corrections.values import Surroundings
from toolmend.language.resolve import Resolved, resolve
from toolmend.session.mend.grounds import WISHED, Heard, grounds, removes
from toolmend.session.mend.support import support

_OFTEN = r"usually|always|normally|generally|by default"
_HABIT = re.compile(
    rf"(?i)(?:please )?(?:remember(?: that)?:? |(?P<first>from now on|{_OFTEN}),? )*"
    rf"(?:(?:all|my|our) )*(?P<about>(?!the |th[eo]se |they |it |i )[^\W\d_][^\W\d_ '’-]*(?: [^\W\d_'’-]+)??)"
    rf" (?:(?P<before>{_OFTEN}) )?(?P<verb>are|last|take|run|is|lasts|takes|runs)(?: for)?"
    rf"(?: (?P<after>{_OFTEN}))?(?: for)? (?P<value>[^,.;]+?)(?: long)?"
    rf"(?:,? (?P<last>from now on|{_OFTEN}|unless (?:i|we) say otherwise))?[.!]*"
)
_NOT_COMPUTED = ("text", "truth", "list", "object")


@dataclass(frozen=True, slots=True)
class Usual:
    """That an argument of a tool has this value by default, where it is about `when`, "" for always."""

    tool: str
    argument: str
    value: Any
    when: str = ""


def usual(text: str, specs: Sequence[ToolSpec]) -> Usual | None:
    """The default that a sentence tells, of one argument alone; None for a sentence about one thing, and for any other.

    "Meetings are 45 minutes", "lunch always lasts an hour", "bedrooms are 19 degrees from now on".
    """
    match = _HABIT.fullmatch(" ".join(text.split()))
    if match is None:
        return None
    many = match["verb"].lower() in ("are", "last", "take", "run") and match["about"].lower().endswith("s")
    if not (many or any(match[name] for name in ("first", "before", "after", "last"))):
        return None
    places = list(_places(match["value"], [spec for spec in specs if not removes(spec.name)]))
    if len(places) != 1:
        return None
    [(spec, slot, value)] = places
    own = match["about"].lower() in slot.labels
    return Usual(spec.full_name, slot.name, value, "" if own else match["about"].lower())


def _places(words: str, specs: Sequence[ToolSpec]) -> Iterable[tuple[ToolSpec, Slot, Any]]:
    """The arguments that all of these words are a value of."""
    for spec in specs:
        for slot in slots_of(Call(spec.full_name, {}), [spec]):
            if slot.kind in _NOT_COMPUTED:
                continue
            value = words.rpartition(" ")[0] if words.rpartition(" ")[2].lower() in slot.labels else words
            result = resolve(value, slot.schema)
            if isinstance(result, Resolved) and result.span == (0, len(value)):
                yield spec, slot, result.value


def filled(call: Call, wishes: Iterable[tuple[str, Mapping[str, Any]]], spec: ToolSpec | None, heard: Heard) -> Call:
    """The call with what is usual where nothing else was said and the value is none, or the tool's own default.

    `wishes` are ids and data of confirmed preferences, the later ones first in force.
    """
    if spec is None:
        return call
    slots = {slot.name: slot for slot in slots_of(call, [spec])}
    values, rules = dict[str, Any](), dict[str, str]()
    said = Surroundings(heard.text, heard.now, heard.hours)
    for name, wish in wishes:
        slot = slots.get(str(wish.get("argument")))
        if wish.get("tool") != call.tool or slot is None or not _about(str(wish.get("when", "")), call, heard):
            continue
        own = slot.name in call.arguments and slot.old not in (slot.schema.get("default"), wish["now"])
        if (own and not slot.required) or _said(slot, tuple(slots.values()), call, spec, heard, said):
            continue
        values[slot.name], rules[slot.name] = wish["now"], f"{WISHED} ({name})"
    if not values:
        return call
    return replace(call, arguments={**call.arguments, **values}, rules={**call.rules, **rules})


def _about(when: str, call: Call, heard: Heard) -> bool:
    """Whether a call, or what was said for it, has all of these words."""
    texts = [heard.text, *(str(value) for value in call.arguments.values())]
    return set(content(when)) <= {stem for text in texts for stem in content(text)}


def _said(slot: Slot, slots: tuple[Slot, ...], call: Call, spec: ToolSpec, heard: Heard, said: Surroundings) -> bool:
    """Whether any words give the argument a value."""
    if slot.kind not in _NOT_COMPUTED:
        return bool(support(slot, slots, said).phrases)
    return any(one.words or one.against for one in grounds(call, spec, heard) if one.name == slot.name)
