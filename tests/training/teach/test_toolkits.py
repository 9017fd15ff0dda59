"""Files of made-up tools: what is read of them, and what is said where they are wrong."""

from __future__ import annotations

import keyword
import re
from random import Random

import pytest

from toolmend.base.errors import BadFile
from toolmend.training.phrases import expand
from toolmend.training.teach.toolkits import SLOT, MadeTool, is_held_out, read_toolkit, toolkits

GARDEN = """field: garden
tool: water_zone — Water one zone of the garden.
  zone: front|back|roof terrace — which part
  minutes: minutes = 10 — for how long
  at: time ? — when to begin
> water the {zone} for {minutes}
> (run|start) the sprinklers on the {zone}[, starting at {at}]
missing zone: > the plants need water, {minutes} please
"""


def wrong(line: str) -> str:
    with pytest.raises(BadFile) as caught:
        read_toolkit(f"{GARDEN}{line}\n", "garden.txt")
    return str(caught.value)


def test_a_tool_is_read_with_its_schema() -> None:
    (tool,) = read_toolkit(GARDEN, "garden.txt")
    names = {name: name for name in tool.parameters}
    assert tool.spec("water_zone", names).parameters == {
        "type": "object",
        "properties": {
            "zone": {"type": "string", "enum": ["front", "back", "roof terrace"], "description": "which part"},
            "minutes": {"type": "integer", "x-unit": "minutes", "description": "for how long", "default": 10},
            "at": {"type": "string", "format": "time", "description": "when to begin"},
        },
        "required": ["zone"],
    }


def test_wordings_and_what_they_lack_are_kept() -> None:
    (tool,) = read_toolkit(GARDEN, "garden.txt")
    assert tool.wordings[0] == "water the {zone} for {minutes}"
    assert tool.lacking == (("zone", "the plants need water, {minutes} please"),)


def test_a_default_may_have_its_unit() -> None:
    (tool,) = read_toolkit(GARDEN.replace("= 10", "= half an hour"), "garden.txt")
    assert tool.parameters["minutes"].default == 30


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("  rows: banana — how many", "garden.txt:9: 'banana' is no type"),
        ("  fast: yes|no = maybe — how", "garden.txt:9: 'yes|no = maybe' is no type with a default (maybe)"),
        ("what is this", "garden.txt:9: should be `  name: TYPE"),
        ("tool: nothing", "garden.txt:9: should be `  name: TYPE"),
    ],
)
def test_an_error_says_where_it_is(line: str, told: str) -> None:
    assert wrong(line).startswith(told)


def everything() -> list[MadeTool]:
    return [tool for held in (False, True) for kit in toolkits(held_out=held).values() for tool in kit]


def test_every_wording_says_what_must_be_given_and_nothing_else() -> None:
    for tool in everything():
        due = {name for name, parameter in tool.parameters.items() if parameter.required}
        for lacks, wording in [*(("", one) for one in tool.wordings), *tool.lacking]:
            said = {match[1]: match[2] for match in SLOT.finditer(wording)}
            assert said.keys() <= tool.parameters.keys(), (tool.name, wording)
            assert lacks not in said, (tool.name, wording)
            for seed in range(4):
                least = {match[1] for match in SLOT.finditer(expand(wording, Random(seed)))}
                assert due - {lacks} <= least, (tool.name, wording)
            for name, value in said.items():
                assert value is None or tool.parameters[name].kind.read(value) is not None
            assert not re.search(r"[\[\]|{}]", SLOT.sub("", expand(wording, Random(1)))), (tool.name, wording)


def test_every_parameter_can_be_named_and_said() -> None:
    for tool in everything():
        for name, parameter in tool.parameters.items():
            item = parameter.kind.item or parameter.kind
            assert name.isidentifier() and not keyword.iskeyword(name) and name != "of"
            assert item.item is None and (item.name != "text" or len(item.members) >= 4), (tool.name, name)


def test_there_are_many_tools() -> None:
    assert len(everything()) >= 800


def test_every_tool_has_at_least_five_wordings() -> None:
    assert [tool.name for tool in everything() if len(tool.wordings) < 5] == []


def test_a_field_is_either_trained_on_or_held_out() -> None:
    trained, held_out = toolkits(), toolkits(held_out=True)
    assert not trained.keys() & held_out.keys()
    assert 0.05 < len(held_out) / (len(trained) + len(held_out)) < 0.15


def test_which_fields_are_held_out_does_not_change() -> None:
    assert [topic for topic in ("garden", "ferry", "kitchen", "shopping and clothes") if is_held_out(topic)] == [
        "ferry",
        "shopping and clothes",
    ]
