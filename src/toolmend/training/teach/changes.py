"""Second thoughts about a call that was right: `No, make it three`, `Not the pan, the kettle`, `103 as well`.

Rules over arguments that fit any tool; what the examples themselves say next is requests.after's. Knows no dialogue.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from toolmend.messages import Call, ToolSpec
from toolmend.training.phrases import expand
from toolmend.training.teach.arguments import Kind, Path, kind_of, leaves, value_at, with_values
from toolmend.training.teach.fresh import Values
from toolmend.training.teach.spoken import Form, say

_BARE = (
    "(No|Sorry|Actually|Oh|Wait|Hm), (make it|make that|I meant|I mean|it's|it should be|better|rather) {new}",
    "(Make it|Make that|I meant|Better|Rather) {new}[ please]",
    "(No|Sorry|Oh no), {new}",
    "{new} instead[, please]",
    "On second thought, {new}",
)
_HELD_BARE = ("Let it be {new} after all", "Correction: {new}", "I said it wrong, {new} is what I want")
_NAMED = (
    "(No, the|The|Sorry, the|Actually the) {label} (is|should be|must be|has to be) {new}",
    "(Change|Set|Correct) the {label} to {new}[, please]",
    "[Sorry, ](wrong {label}|the {label} was wrong), (it's|make it|I meant) {new}",
    "{label}: {new}",
    "(With|Use) {new} as the {label}",
)
_HELD_NAMED = ("As for the {label}, take {new}", "Let the {label} be {new}")
_NOT_BUT = (
    "(No, not|Not) {old}(, but|,) {new}",
    "{new}, not {old}",
    "I (said|meant) {new}, not {old}",
    "Replace {old} by {new}",
)
_HELD_NOT_BUT = ("It was {new} rather than {old}",)
_MORE = (
    "(And|Also) {new}[, please]",
    "{new} (as well|too)[, please]",
    "Add {new} (to that|as well|to the list)",
    "I forgot {new}",
)
_HELD_MORE = ("Don't leave out {new}",)
_SAID = {"integer", "number", "length", "date", "time", "choice", "text"}


def change(call: Call, spec: ToolSpec, values: Values, random: Random) -> tuple[str, Call] | None:
    """What somebody says to change one argument of a call, and the call that is then due; None if nothing can be."""
    found = [(path, value, kind_of(spec, path, value)) for path, value in leaves(call.arguments)]
    found = [leaf for leaf in found if leaf[2].name in _SAID]
    if not found:
        return None
    path, value, kind = random.choice(found)
    if isinstance(path[-1], int) and random.random() < 0.5:
        return _more(call, path, kind, values, random)
    new = values.draw(kind, random, (value,))
    if new == value:
        return None
    alone = sum(other.name == kind.name for _, _, other in found) == 1
    lines = _lines(random.random(), alone, values.held_out)
    form = Form(lower=kind.name == "text" and random.random() < 0.15)
    slots = {"new": say(new, kind, form, random), "old": say(value, kind, form, random), "label": _label(path, kind)}
    return _filled(lines, slots, random), Call(call.tool, with_values(call.arguments, {path: new}))


def _lines(chance: float, alone: bool, held_out: bool) -> Sequence[str]:
    if alone and chance < 0.4:
        return _HELD_BARE if held_out else _BARE
    if chance < 0.65:
        return _HELD_NOT_BUT if held_out else _NOT_BUT
    return _HELD_NAMED if held_out else _NAMED


def _more(call: Call, path: Path, kind: Kind, values: Values, random: Random) -> tuple[str, Call]:
    """One more item of a list of plain values."""
    held: Any = value_at(call.arguments, path[:-1])
    new = values.draw(kind, random, held)
    said = _filled(_HELD_MORE if values.held_out else _MORE, {"new": say(new, kind, Form(), random)}, random)
    return said, Call(call.tool, with_values(call.arguments, {(*path[:-1], len(held)): new}))


def _label(path: Path, kind: Kind) -> str:
    return kind.label.rstrip("s") if isinstance(path[-1], int) else kind.label


def _filled(lines: Sequence[str], slots: dict[str, str], random: Random) -> str:
    said = expand(random.choice(lines), random).strip()
    for name, text in slots.items():
        said = said.replace(f"{{{name}}}", text)
    return said[:1].upper() + said[1:] if random.random() < 0.85 else said
