"""Somebody's own tools as made-up ones, so that the same talks can be played over them: wordings, those held out, and
what is said as it stands. Everything that is wrong with tools or examples is said here, before anything is trained.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from toolmend.base.errors import BadFile, BadOption
from toolmend.base.messages import ToolSpec
from toolmend.language.resolve.said import Said
from toolmend.language.resolve.standing import stands_for
from toolmend.reading.render import render
from toolmend.reading.spoken import write_spoken
from toolmend.strategies.spoken_signature import spoken_spec
from toolmend.tools import Toolbox
from toolmend.training.teach.examples import Example, missing
from toolmend.training.teach.signature import parameters_of, texts_for, wordings_of
from toolmend.training.teach.slots import Aligned, Leaf, aligned, leaves
from toolmend.training.teach.tool_requests import Offered, folded
from toolmend.training.teach.toolkits import MadeTool, ValueKind

_TOPIC = "somebody's own"
_IMPLIED = re.compile(r"\{\w+=[^{}]*\}")
_HELD = 5  # one wording of so many is held out
_PROPOSED = 0.25  # share of wordings made of the signature, beside the person's own


@dataclass(frozen=True, slots=True)
class Kit:
    """The tools as the notation shows them, with wordings to learn from (`tools`) and those held out (`held`);
    sentences with the reply due, as they stand (`fixed`); second thoughts by tool, as (slot, wording); notes."""

    specs: tuple[ToolSpec, ...]
    tools: tuple[MadeTool, ...]
    held: tuple[MadeTool, ...]
    fixed: tuple[tuple[str, str], ...] = ()
    changes: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def offered(self, random: Random, *, held_out: bool) -> list[Offered]:
        """All the tools, or a few of them, under their own names."""
        tools = list(zip(self.specs, self.held if held_out else self.tools, strict=True))
        if len(tools) > 3 and random.random() < 0.4:
            places = sorted(random.sample(range(len(tools)), random.randint(2, len(tools) - 1)))
            tools = [tools[place] for place in places]
        return [Offered(tool, spec, {slot: slot for slot in tool.parameters}) for spec, tool in tools]


@dataclass(slots=True)
class _Told:
    """What the examples say of one tool."""

    wordings: list[str] = field(default_factory=list)
    seen: dict[str, list[Any]] = field(default_factory=lambda: defaultdict(list))


def shown_specs(box: Toolbox) -> tuple[ToolSpec, ...]:
    """The tools as the notation shows them. Raises BadOption for one whose parameter stands for several arguments."""
    for spec in box.specs:
        for parameter in box.named.get(spec.name, {}):
            if parameter not in spec.properties:
                several = ", ".join(stands_for(spec, parameter, box.named[spec.name]))
                raise BadOption(f"{spec.full_name}: {parameter} stands for {several}, which examples cannot teach")
    return tuple(spoken_spec(spec, {spec.full_name: box.named.get(spec.name, {})}) for spec in box.specs)


def kit_of(box: Toolbox, examples: Sequence[Example], path: object) -> Kit:
    """The kit of a toolbox and the examples in a file. Raises BadOption for too few, BadFile for contradicting ones."""
    specs, shown = box.specs, shown_specs(box)
    if wanting := missing(examples, box):
        raise BadOption(f"{path}: too few examples: {'; '.join(wanting)}")
    by_name = {spec.full_name: spec for spec in specs}
    told, notes, fixed = {spec.full_name: _Told() for spec in specs}, list[str](), list[tuple[str, str]]()
    changes: dict[str, list[tuple[str, str]]] = defaultdict(list)
    meanings: dict[tuple[str, int], tuple[str, int]] = {}
    for example in examples:
        one = aligned(example.said, example.calls, by_name)
        _not_otherwise(example, one, meanings, path)
        if example.amends:
            _second_thought(example, one, by_name, changes)
            continue
        for call in example.calls:
            for leaf in leaves(call, by_name[call.tool]):
                told[call.tool].seen[leaf.slot] += [leaf.value, *_as_said(leaf, one)]
        if one.wording:
            told[example.calls[0].tool].wordings.append(one.wording)
        else:
            fixed.append((example.said, example.reply or _reply(example, one, specs)))
        notes += _noted(example, one)
    tools = [_tool(spec, told[spec.full_name], box.named.get(spec.name, {})) for spec in specs]
    learned = tuple(map(_learned, tools, specs))
    held = tuple(replace(tool, wordings=_split(tool)[1]) for tool in tools)
    return Kit(shown, learned, held, tuple(fixed), dict(changes), tuple(notes))


def _as_said(leaf: Leaf, one: Aligned) -> list[Any]:
    """A text as it stood in the sentence: names in small letters, several of a thing."""
    return [one.words[leaf.slot]] if isinstance(leaf.value, str) and leaf.slot in one.words else []


def _not_otherwise(
    example: Example, one: Aligned, meanings: dict[tuple[str, int], tuple[str, int]], path: object
) -> None:
    """Raise BadFile where the same words, but for their values, have meant something else before."""
    told = {example.said: example.reply or " ".join(render(call) for call in example.calls)}
    if one.wording:
        implied = [f"{slot}={one.words[slot]}" for slot in one.unsaid]
        told[_IMPLIED.sub("", one.wording)] = f"{example.calls[0].tool} {implied}"
    for text, means in told.items():
        key = (" ".join(text.casefold().split()), example.amends.line if example.amends else 0)
        before, line = meanings.setdefault(key, (means, example.line))
        if before != means:
            raise BadFile(path, f"{example.said!r} means another thing in line {line}; keep one of them", example.line)


def _second_thought(
    example: Example, one: Aligned, specs: Mapping[str, ToolSpec], into: dict[str, list[tuple[str, str]]]
) -> None:
    """A second thought that changes one argument, in words that stand in it, as a wording for it."""
    assert example.amends is not None
    if (
        len(example.calls) != 1
        or len(example.amends.calls) != 1
        or example.calls[0].tool != example.amends.calls[0].tool
    ):
        return
    call, before = example.calls[0], example.amends.calls[0].arguments
    changed = [name for name, value in call.arguments.items() if before.get(name) != value]
    if len(changed) == 1 and changed[0] in one.words and changed[0] not in one.unsaid and one.wording:
        name = changed[0]
        wording = example.said.replace(one.words[name], f"{{{name}}}", 1)
        into[call.tool].append((name, wording))


def _reply(example: Example, one: Aligned, specs: Iterable[ToolSpec]) -> str:
    """The lines for an example whose sentence has no slots, or several calls."""
    by_name = {spec.full_name: spec for spec in specs}
    lines = []
    for number, call in enumerate(example.calls):
        lead = f"{number}:" if len(example.calls) > 1 else ""
        words = {leaf.slot: one.words[f"{lead}{leaf.slot}"] for leaf in leaves(call, by_name[call.tool])}
        lines.append(Said(call.tool, folded(words, by_name[call.tool])))
    return write_spoken(lines, list(by_name.values()))


def _noted(example: Example, one: Aligned) -> list[str]:
    """What was taken for the meaning of the wording, for the person to check."""
    unsaid = [slot for slot in one.unsaid if one.words[slot] not in ("yes", "no")]
    if not unsaid or not example.calls:
        return []
    values = ", ".join(f"{slot}={one.words[slot]!r}" for slot in unsaid)
    return [f"line {example.line}: no word says {values}; the whole sentence is taken to mean it"]


def _tool(spec: ToolSpec, told: _Told, named: Collection[str]) -> MadeTool:
    """The tool with its wordings, and with those that lack what must be given. What names a thing is a text."""
    parameters = parameters_of(spec, told.seen)
    for name in named:
        parameters[name] = replace(parameters[name], kind=ValueKind("text", texts_for(name, told.seen[name])))
    due = [slot for slot, parameter in parameters.items() if parameter.required and slot in spec.properties]
    lacking = tuple((slot, wording) for slot in due for wording in wordings_of(spec, parameters, without=slot))
    return MadeTool(_TOPIC, spec.name, spec.description, parameters, tuple(dict.fromkeys(told.wordings)), lacking)


def _split(tool: MadeTool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The wordings to learn from and those held out, every fifth; where there is one only it is both."""
    held = tool.wordings[_HELD // 2 :: _HELD] or tool.wordings[-1:]
    return tuple(wording for wording in tool.wordings if wording not in held) or tool.wordings, held


def _learned(tool: MadeTool, spec: ToolSpec) -> MadeTool:
    """The tool with the wordings to learn from, and some made of its signature beside them, a quarter of all."""
    made, wordings = wordings_of(spec, tool.parameters), _split(tool)[0]
    own = wordings * max(1, round(len(made) * (1 - _PROPOSED) / _PROPOSED / max(1, len(wordings))))
    return replace(tool, wordings=(*own, *made))
