"""A generated world with 5, 20, 80 or 320 tools, to see what a strategy costs as tools become many.

The five tools of the smaller worlds are in all bigger ones, too; where they stand among the others is drawn once, by
seed. A call changes nothing but the list of what was done. The words are in growth.json: eight kinds of things, five of
each, eight deeds for each: a name, a description, parameters (one that ends in `?` may be left out), an effect.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from importlib.resources import files
from typing import Any

from toolmend.base.errors import BadFile, BadOption
from toolmend.base.messages import ToolSpec
from toolmend.tools import Tool, foreign
from toolmend.tools.toolboxes.valued import ValueBox

SIZES = (5, 20, 80, 320)
SEED = 1
Record = tuple[str, dict[str, Any]]


class Growth(ValueBox):
    """So many tools of everyday life, the same for the same seed. Raises BadOption for a size that there is not.

    >>> [spec.name for spec in Growth(5).specs]
    ['send_invoice', 'search_train', 'book_table', 'rent_bicycle', 'set_heater_level']
    """

    kept = ("done",)

    def __init__(self, size: int = SIZES[0], seed: int = SEED) -> None:
        if size not in SIZES:
            raise BadOption(f"a growth world has {', '.join(map(str, SIZES))} tools, not {size}")
        self.done: tuple[Record, ...] = ()
        self._given = tuple(
            replace(template, function=partial(self._do, template.spec)) for template in _tools(size, seed)
        )

    def state(self) -> dict[str, Any]:
        """What was done, in order, as JSON-able data."""
        return {"done": [{"tool": name, "arguments": arguments} for name, arguments in self.done]}

    def set_state(self, data: Mapping[str, Any]) -> None:
        """Become what `state` gave. Raises BadFile."""
        try:
            self.done = tuple((str(call["tool"]), dict(call["arguments"])) for call in data.get("done", ()))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BadFile(
                "growth JSON", f"done: should be a list of objects with tool and arguments ({error})"
            ) from error

    def _do(self, spec: ToolSpec, **arguments: Any) -> str:
        if spec.effect == "read":
            return "nothing special"
        self.done = (*self.done, (spec.name, arguments))
        return "done"


growth_5, growth_20, growth_80, growth_320 = (partial(Growth, size) for size in SIZES)


@cache
def chosen(size: int, seed: int) -> tuple[ToolSpec, ...]:
    """The tools of one size. Those of a smaller size of the same seed are among them, in the same order."""
    everything = list(_specs())
    drawn = random.Random(seed)
    drawn.shuffle(everything)
    core = _words()["core"]
    others = [spec for spec in everything if spec.name not in core]
    kept = {*core, *(spec.name for spec in drawn.sample(others, len(others))[: size - len(core)])}
    return tuple(spec for spec in everything if spec.name in kept)


@cache
def _tools(size: int, seed: int) -> tuple[Tool, ...]:
    """The tools with the checks of their arguments, which take long to make; what they do is not in them."""
    return tuple(foreign(spec, dict) for spec in chosen(size, seed))


def _specs() -> Iterator[ToolSpec]:
    known = _words()["parameters"]
    for kind in _words()["kinds"]:
        for thing in kind["things"].split():
            words = {"thing": thing, "a": f"{'an' if thing[0] in 'aeiou' else 'a'} {thing}"}
            for name, about, parameters, effect in kind["deeds"]:
                names = [parameter.rstrip("?") for parameter in parameters.split()]
                schema = {
                    "type": "object",
                    "properties": {parameter: known[parameter] for parameter in names},
                    "required": [parameter for parameter in parameters.split() if not parameter.endswith("?")],
                    "additionalProperties": False,
                }
                yield ToolSpec(name.format(**words), about.format(**words), schema, effect=effect)


@cache
def _words() -> dict[str, Any]:
    words: dict[str, Any] = json.loads(files(__package__).joinpath("growth.json").read_text(encoding="utf-8"))
    return words
