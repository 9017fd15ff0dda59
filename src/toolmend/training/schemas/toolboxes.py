"""Small toolboxes at random: tools under other names, arguments renamed and in another order, words about them changed.

    dress(specs, kits, Random(3)) -> Dressed: the specs as the model sees them, and calls under their new names

So nothing about a tool can be known but what its prompt says. Knows no dialogue.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from toolmend.messages import Call, ToolSpec

_RECEIVERS = ("app", "api", "tools", "home", "my", "action", "assistant", "office", "do", "world")
Names = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Wardrobe:
    """What a tool may be called, how it may be described, and what its arguments may be called."""

    names: tuple[str, ...]
    abouts: tuple[str, ...]
    arguments: Names


@dataclass(frozen=True)
class Dressed:
    """Tools under other names. `renamed` is the new full name by the old one, `arguments` the new ones by the old."""

    specs: tuple[ToolSpec, ...]
    renamed: Mapping[str, str]
    arguments: Mapping[str, Mapping[str, str]]

    def call(self, call: Call) -> Call:
        """A call under the new names; one of no tool stays as it is."""
        names = self.arguments.get(call.tool, {})
        given = {names.get(name, name): value for name, value in call.arguments.items()}
        order = next(
            (list(spec.properties) for spec in self.specs if spec.full_name == self.renamed.get(call.tool)), []
        )
        placed = sorted(given, key=lambda name: order.index(name) if name in order else len(order))
        return Call(self.renamed.get(call.tool, call.tool), {name: given[name] for name in placed})

    def text(self, text: str) -> str:
        """A text with the tools' new names."""
        for old, new in self.renamed.items():
            text = re.sub(rf"\b{re.escape(old)}\b", new, text)
        return text


def dress(specs: Sequence[ToolSpec], wardrobes: Mapping[str, Wardrobe], random: Random) -> Dressed:
    """The tools as one dialogue has them; one dialogue in four has them as they are."""
    plain = random.random() < 0.25
    camel, receiver = random.random() < 0.15, random.choice(_RECEIVERS) if random.random() < 0.35 else ""
    made, renamed, arguments = [], {}, {}
    for spec in specs:
        robe = wardrobes[spec.full_name]
        if plain:
            names = {name: name for name in spec.properties}
            new = spec
        else:
            names = {name: _styled(random.choice(robe.arguments[name]), camel) for name in spec.properties}
            if len(set(names.values())) < len(names):
                names = {name: name for name in spec.properties}
            about = random.choice(robe.abouts) if random.random() < 0.85 else ""
            name = _styled(random.choice(robe.names), camel)
            new = replace(
                spec, name=name, description=about, receiver=receiver, parameters=_schema(spec, names, random)
            )
        made.append(new)
        renamed[spec.full_name], arguments[spec.full_name] = new.full_name, names
    random.shuffle(made)
    return Dressed(tuple(made), renamed, arguments)


def _schema(spec: ToolSpec, names: Mapping[str, str], random: Random) -> dict[str, Any]:
    """The parameters under their new names; required ones first, in any order."""
    order = sorted(spec.properties, key=lambda name: (name not in spec.required, random.random()))
    if random.random() < 0.5:
        order = list(spec.properties)
    properties = {names[name]: _described(spec.properties[name], random) for name in order}
    required = [names[name] for name in order if name in spec.required]
    return {**spec.parameters, "properties": properties, "required": required}


def _described(schema: Mapping[str, Any], random: Random) -> dict[str, Any]:
    """A parameter's schema, at times without words about it."""
    return {key: value for key, value in schema.items() if key != "description" or random.random() < 0.7}


def _styled(name: str, camel: bool) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others) if camel else name
