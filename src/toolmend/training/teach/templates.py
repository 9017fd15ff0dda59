"""Examples as templates: which words of a sentence say which argument, and the sentence with others in their place.

    Order 102 gets {items/0/quantity} {items/0/product}      an argument that no word says is fixed: it is what the
                                                             rest of the sentence means

A list said as a list ("10 pans, 5 kettles and 2 towels") is one part with several items. Knows no dialogue.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any

from toolmend.messages import Call, ToolSpec
from toolmend.training.teach.arguments import Kind, Path, kind_of, leaves, value_at, with_values
from toolmend.training.teach.examples import Example
from toolmend.training.teach.fresh import Values
from toolmend.training.teach.spoken import Form, find, say

_BETWEEN = re.compile(r"\s*(?:,? and|,? plus|,? as well as|,|&|\+)\s*(?:also |then )?", re.IGNORECASE)
_MOST_ITEMS = 4


@dataclass(frozen=True)
class Slot:
    """Words that say the value at `path` of call number `call`; `kept` if an amended call had it before."""

    call: int
    path: Path
    kind: Kind
    form: Form
    kept: bool = False


@dataclass(frozen=True)
class Several:
    """Words that say a list: each item is said like one of `items` (its place in the example, and its parts, whose
    slots have paths below an item)."""

    call: int
    path: Path
    items: tuple[tuple[int, tuple[str | Slot, ...]], ...]


Part = str | Slot | Several
Spoken = tuple[tuple[str, bool], ...]
"""A sentence in pieces; True for those that say a value and must stay as they are."""


@dataclass(frozen=True)
class Template:
    """One example taken apart. `base` is the template of the example that it amends; `name` tells templates apart."""

    name: str
    parts: tuple[Part, ...]
    calls: tuple[Call, ...]
    reply: str = ""
    base: Template | None = None

    @property
    def tool(self) -> str:
        """The tool of its first call; "" if none is due."""
        return self.calls[0].tool if self.calls else ""

    @property
    def fixed(self) -> tuple[str, ...]:
        """Arguments that the wording itself decides, as `cause='broken'`."""
        said = {(part.call, part.path[0]) for part in self.parts if isinstance(part, Slot | Several)}
        before = self.base.calls if self.base else ()
        return tuple(
            f"{name}={value!r}"
            for number, call in enumerate(self.calls)
            for name, value in call.arguments.items()
            if (number, name) not in said and not (number < len(before) and before[number].arguments.get(name) == value)
        )


def template_of(example: Example, specs: Mapping[str, ToolSpec], base: Template | None = None) -> Template:
    """The example with its values found in the sentence."""
    spans: list[tuple[int, int, Slot]] = []
    for number, call in enumerate(example.calls):
        before = base.calls[number].arguments if base and number < len(base.calls) else {}
        for path, value, kept in _findable(call, before):
            kind = kind_of(specs[call.tool], path, value)
            if kept and kind.name not in ("text", "choice"):
                continue
            for start, end, form in find(value, kind, example.said):
                if all(end <= other_start or start >= other_end for other_start, other_end, _ in spans):
                    spans.append((start, end, Slot(number, path, kind, form, kept)))
                    break
    parts = _joined(_parts(example.said, sorted(spans, key=lambda span: span[0])), base)
    return Template(f"line {example.line}", parts, example.calls, example.reply, base)


def _findable(call: Call, before: Mapping[str, Any]) -> list[tuple[Path, Any, bool]]:
    """The leaves to look for, and whether they were there before: what changed first; long texts first, so that a
    short one is not found inside them."""
    found = [(path, value, bool(before) and value_at(before, path) == value) for path, value in leaves(call.arguments)]
    order = {"str": 0, "float": 1, "int": 2}
    return sorted(found, key=lambda leaf: (leaf[2], order.get(type(leaf[1]).__name__, 3), -len(str(leaf[1]))))


def _parts(sentence: str, spans: Sequence[tuple[int, int, Slot]]) -> list[str | Slot]:
    parts: list[str | Slot] = []
    at = 0
    for start, end, slot in spans:
        parts += [sentence[at:start], slot] if start > at else [slot]
        at = end
    return [*parts, sentence[at:]] if at < len(sentence) else parts


def _joined(parts: list[str | Slot], base: Template | None) -> tuple[Part, ...]:
    """Parts with neighbouring items of one list put together; where a call is amended those that are added to it."""
    made: list[Part] = []
    place = 0
    while place < len(parts):
        several, after = _several(parts, place) if base is None else (None, place)
        made.append(several or parts[place])
        place = after if several else place + 1
    lists = {(part.call, part.path) for part in made if isinstance(part, Several)}
    strays = [item for part in made if isinstance(part, Slot) and (item := _item(part))]
    once = len(lists) == sum(isinstance(part, Several) for part in made)
    whole = once and all((call, path[:-1]) not in lists for call, path in strays)
    return tuple(made) if whole else tuple(parts)


def _item(part: str | Slot) -> tuple[int, Path] | None:
    """Call and path of the list item that a slot belongs to."""
    if isinstance(part, str):
        return None
    deepest = max((place for place, step in enumerate(part.path) if isinstance(step, int)), default=-1)
    return (part.call, part.path[: deepest + 1]) if deepest >= 0 else None


def _several(parts: list[str | Slot], first: int) -> tuple[Several | None, int]:
    """The list that begins at a part, and the place after it; None if there is none."""
    item = _item(parts[first])
    if item is None:
        return None, first
    call, path = item
    number, after = path[-1], first + 1
    items: list[tuple[Any, list[str | Slot]]] = [(number, [parts[first]])]
    for place in range(first + 1, len(parts)):
        found = _item(parts[place])
        if isinstance(parts[place], str):
            continue
        text = "".join(str(part) for part in parts[after:place] if isinstance(part, str))
        if found == (call, (*path[:-1], number)) and len(text) < 12:
            items[-1][1].extend([text, parts[place]] if text else [parts[place]])
        elif found and found[0] == call and found[1][:-1] == path[:-1] and _BETWEEN.fullmatch(text):
            number = found[1][-1]
            items.append((number, [parts[place]]))
        else:
            break
        after = place + 1
    below = tuple((number, tuple(_below(part, len(path)) for part in each)) for number, each in items)
    return Several(call, path[:-1], below), after


def _below(part: str | Slot, depth: int) -> str | Slot:
    return part if isinstance(part, str) else Slot(part.call, part.path[depth:], part.kind, part.form)


def goes_after(template: Template, calls: Sequence[Call]) -> bool:
    """Whether these calls have what the template changes: a list may be too short for it."""
    for part in template.parts:
        if isinstance(part, Slot) and template.base and part.call < min(len(calls), len(template.base.calls)):
            known = value_at(template.base.calls[part.call].arguments, part.path) is not None
            if known and value_at(calls[part.call].arguments, part.path) is None:
                return False
    return True


class Filling:
    """Fills one template with fresh values: `said` is the sentence, `calls` what is then due.

    `before` are the calls that a template with a base amends, already filled.
    """

    def __init__(self, template: Template, values: Values, random: Random, before: Sequence[Call] = ()) -> None:
        self._values, self._random = values, random
        self._changes: list[dict[Path, Any]] = [{} for _ in template.calls]
        self._lists: list[dict[Path, int]] = [{} for _ in template.calls]
        self._bases = [self._base(template, number, before) for number in range(len(template.calls))]
        pieces = [piece for place, part in enumerate(template.parts) for piece in self._said(template, place, part)]
        self.said: Spoken = tuple(piece for piece in pieces if piece[0])
        self.calls = tuple(
            Call(call.tool, with_values(base, changes))
            for call, base, changes in zip(template.calls, self._bases, self._changes, strict=True)
        )

    def _base(self, template: Template, number: int, before: Sequence[Call]) -> dict[str, Any]:
        """What the call has beside the slots: of an amended call all that the example left as it was."""
        made = dict(template.calls[number].arguments)
        if template.base is None or number >= min(len(before), len(template.base.calls)):
            return made
        own, old = template.base.calls[number].arguments, before[number].arguments
        for name, value in made.items():
            if name in old and (own.get(name) == value or isinstance(value, list | dict)):
                made[name] = old[name]  # changes of what it holds are made by the slots
        return made

    def _said(self, template: Template, place: int, part: Part) -> Iterable[tuple[str, bool]]:
        if isinstance(part, str):
            yield part, False
        elif isinstance(part, Slot):
            counted = _counted(template.parts, place)
            yield self._slot(part, self._moved(template, part), counted), True
        else:
            yield from self._list(part)

    def _moved(self, template: Template, part: Slot) -> Path:
        """Where the slot's value goes: an item that the example appended goes to the end of the list as it is now."""
        item = _item(part)
        if template.base is None or item is None:
            return part.path
        _, path = item
        held = value_at(self._bases[part.call], path[:-1])
        own = (
            value_at(template.base.calls[part.call].arguments, path[:-1])
            if part.call < len(template.base.calls)
            else None
        )
        appended = isinstance(own, list) and isinstance(held, list) and path[-1] == len(own)
        return (*path[:-1], len(held), *part.path[len(path) :]) if appended else part.path

    def _slot(self, slot: Slot, path: Path, number: Path | None) -> str:
        """The words of a slot, its value drawn; `number` is the path of the number that counts it."""
        changes = self._changes[slot.call]
        if slot.kept:
            changes[path] = value_at(self._bases[slot.call], path)
        if path not in changes:
            taken = [value for other, value in changes.items() if other[:-1] == path[:-1] and isinstance(path[-1], int)]
            changes[path] = self._values.draw(slot.kind, self._random, taken)
            if slot.kind.name == "date" and not slot.form.dated:
                changes[path] = self._in_year(slot, changes[path])
        plural = None if number is None else changes[number] != 1
        return say(changes[path], slot.kind, slot.form, self._random, plural=plural)

    def _in_year(self, slot: Slot, drawn: str) -> str:
        """The day in the year that the example took for granted."""
        year = str(value_at(self._bases[slot.call], slot.path))[:4]
        return f"{year}{drawn[4:]}" if drawn[5:] != "02-29" else f"{year}-02-28"

    def _list(self, part: Several) -> Iterable[tuple[str, bool]]:
        count = min(_MOST_ITEMS, self._random.choice((1, 1, 2, 2, 3, len(part.items))))
        chosen = [self._random.choice(part.items) for _ in range(count)]
        example = value_at(self._bases[part.call], part.path)
        blank = [deepcopy(example[min(number, len(example) - 1)]) for number, _ in chosen]
        self._bases[part.call] = with_values(self._bases[part.call], {part.path: blank})
        last = self._random.choice((" and ", " and ", ", and ", " plus ", " & "))
        for place, (_, parts) in enumerate(chosen):
            if place:
                yield (last if place == count - 1 else ", "), False
            for at, piece in enumerate(parts):
                if isinstance(piece, str):
                    yield piece, False
                    continue
                counting = _counted(parts, at)
                number = (*part.path, place, *counting) if counting else None
                yield self._slot(piece, (*part.path, place, *piece.path), number), True


def _counted(parts: Sequence[Part], place: int) -> Path | None:
    """The path of the number right before a text in the plural, as in `3 blankets`: it decides."""
    if place < 2 or parts[place - 1] != " ":
        return None
    number, text = parts[place - 2], parts[place]
    if (
        isinstance(number, Slot)
        and isinstance(text, Slot)
        and number.kind.name == "integer"
        and text.kind.name == "text"
    ):
        return number.path
    return None
