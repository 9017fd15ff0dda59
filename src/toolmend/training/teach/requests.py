"""Sentences with their calls, without end, from any toolbox's specs and a few examples; deterministic by seed.

    requests = Requests(specs, examples)
    requests.one(Random(7))                       # a sentence as in training, and the calls due for it
    requests.one(Random(7), held_out=True)        # a template and words that training never uses

Knows no reply that is wrong, no dialogue, no tokens.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from toolmend.messages import Call, ToolSpec
from toolmend.reading import render
from toolmend.training.teach.examples import Example
from toolmend.training.teach.fresh import Values, seen_values
from toolmend.training.teach.plain import plain_request
from toolmend.training.teach.style import restyled
from toolmend.training.teach.templates import Filling, Template, goes_after, template_of

HELD_OUT_OF = 7
PLAIN_SHARE = 0.12


@dataclass(frozen=True)
class Said:
    """A sentence, the calls due for it (or the words of the reply), and the template that it came from.

    `tool` is the full name of the first call's tool, "" without one.
    """

    text: str
    calls: tuple[Call, ...]
    reply: str
    template: Template | None
    tool: str


class Requests:
    """The source of sentences. `held_out=True` draws only from templates and words that the other side never uses."""

    def __init__(
        self,
        specs: Sequence[ToolSpec],
        examples: Sequence[Example],
        extra: Sequence[Template] = (),
        held: Collection[str] | None = None,
    ) -> None:
        """`extra` are further templates, for example those a teacher worded; they share the name of their example.

        `held` names the examples to hold out ("line 12") instead of those that are chosen by rule.
        """
        self.specs = {spec.full_name: spec for spec in specs}
        made: dict[int, Template] = {}
        for example in examples:
            base = made.get(id(example.amends)) if example.amends else None
            made[id(example)] = template_of(example, self.specs, base)
        self.templates = (*made.values(), *extra)
        held = held_out_names(self.templates) if held is None else held
        self.held_out = tuple(each for each in self.templates if _root(each).name in held)
        self.training = tuple(each for each in self.templates if _root(each).name not in held)
        calls = [call for each in self.templates for call in each.calls]
        seen = seen_values(self.specs, calls)
        self._values = {side: Values(seen, side) for side in (False, True)}
        self._firsts = {side: self._by_tool(side, amending=False) for side in (False, True)}
        self._afters = {side: self._by_base(side) for side in (False, True)}

    def values(self, held_out: bool = False) -> Values:
        """The source of argument values of one side."""
        return self._values[held_out]

    def one(self, random: Random, *, held_out: bool = False) -> Said:
        """A request: every tool as often as any other, and every template of a tool."""
        if not held_out and random.random() < PLAIN_SHARE:
            spec = random.choice([self.specs[name] for name in self._firsts[False] if name])
            text, call = plain_request(spec, self.values(), random)
            return Said(text, (call,), "", None, call.tool)
        tables = self._firsts[held_out]
        tool = random.choice([name for name in tables if name or random.random() < 0.5] or list(tables))
        return self._said(random.choice(tables[tool]), random, (), held_out)

    def after(self, before: Said, random: Random, *, held_out: bool = False) -> Said | None:
        """What somebody may say next to amend that request, as an example did; None if no example did."""
        found = self._afters[held_out].get(before.template.name if before.template else "", ())
        found = [each for each in found if goes_after(each, before.calls)]
        return self._said(random.choice(found), random, before.calls, held_out) if found else None

    def written(self, calls: Sequence[Call]) -> str:
        """Calls as the model is to write them, a line each."""
        return "\n".join(render(call, self.specs.get(call.tool)) for call in calls)

    def notes(self) -> Iterator[str]:
        """What no word of an example says, so that it is taken for part of the wording: worth a look."""
        for each in self.templates:
            if each.fixed:
                yield f"{each.name}: no word says {', '.join(each.fixed)}; taken as meant by the wording"

    def _said(self, template: Template, random: Random, before: Sequence[Call], held_out: bool) -> Said:
        filled = Filling(template, self.values(held_out), random, before)
        text = restyled(filled.said, random, 0.5 if template.base is None else 0.25)
        return Said(text, filled.calls, template.reply, template, template.tool)

    def _by_tool(self, held_out: bool, *, amending: bool) -> dict[str, list[Template]]:
        tables: dict[str, list[Template]] = {}
        for each in self.held_out if held_out else self.training:
            if (each.base is not None) is amending:
                tables.setdefault(each.tool, []).append(each)
        return tables

    def _by_base(self, held_out: bool) -> dict[str, list[Template]]:
        tables: dict[str, list[Template]] = {}
        for each in self.held_out if held_out else self.training:
            if each.base is not None:
                tables.setdefault(each.base.name, []).append(each)
        return tables


def held_out_names(templates: Sequence[Template]) -> frozenset[str]:
    """The templates that training never sees: one in seven of each tool's, at least one of five or more."""
    by_tool: dict[str, list[str]] = {}
    for each in templates:
        names = by_tool.setdefault(each.tool, [])
        if each.base is None and each.name not in names:
            names.append(each.name)
    held: set[str] = set()
    for tool, names in by_tool.items():
        count = max(len(names) // HELD_OUT_OF, int(len(names) >= 5))
        held.update(sorted(names, key=lambda name: hashlib.sha256(f"{tool} {name}".encode()).digest())[:count])
    return frozenset(held)


def _root(template: Template) -> Template:
    """The template that begins the talk which this one goes on."""
    return _root(template.base) if template.base else template
