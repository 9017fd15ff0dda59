"""Files of made-up tools: what is read of them, and what is said where they are wrong."""

from __future__ import annotations

import pytest

from toolmend.errors import BadFile
from toolmend.training.adapter.toolkits import MadeTool, is_held_out, read_toolkit, toolkits

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
        ("  crop: text{a; b} — what", "garden.txt:9: text has 2 examples"),
        ("  zone: date — again", "garden.txt:9: zone cannot be the name"),
        ("  class: date — a word of Python", "garden.txt:9: class cannot be the name"),
        ("  fast: yes|no = maybe — how", "garden.txt:9: 'maybe' is no value of yes|no"),
        ("  plates: [[int{1..3}]] — lists", "garden.txt:9: a list of [int{1..3}] cannot be said"),
        ("> give it water", "garden.txt:9: the wording does not say zone"),
        ("> water the [{zone}]", "garden.txt:9: the wording does not say zone"),
        ("> water {zone} and {lawn}", "garden.txt:9: water_zone has no parameter lawn"),
        ("> water [the {zone}", "garden.txt:9: a bracket is left open"),
        ("> water {zone=moon}", "garden.txt:9: 'moon' is no value of enum"),
        ("missing lawn: > water it", "garden.txt:9: should be `missing PARAMETER"),
        ("missing zone: > water the {zone}", "garden.txt:9: the wording says zone, which should be missing"),
        ("what is this", "garden.txt:9: should be `  name: TYPE"),
        ("tool: nothing", "garden.txt:9: should be `tool: name"),
    ],
)
def test_an_error_says_where_it_is(line: str, told: str) -> None:
    assert wrong(line).startswith(told)


def test_a_tool_needs_a_wording() -> None:
    with pytest.raises(BadFile, match=r"a\.txt:2: all_off has no wording"):
        read_toolkit("field: lamps\ntool: all_off — Switch off.\n", "a.txt")


def test_there_are_many_tools() -> None:
    tools: list[MadeTool] = [tool for held in (False, True) for kit in toolkits(held_out=held).values() for tool in kit]
    assert len(tools) >= 800


def test_every_tool_has_at_least_five_wordings() -> None:
    tools = [tool for held in (False, True) for kit in toolkits(held_out=held).values() for tool in kit]
    assert [tool.name for tool in tools if len(tool.wordings) < 5] == []


def test_a_field_is_either_trained_on_or_held_out() -> None:
    trained, held_out = toolkits(), toolkits(held_out=True)
    assert not trained.keys() & held_out.keys()
    assert 0.05 < len(held_out) / (len(trained) + len(held_out)) < 0.15


def test_which_fields_are_held_out_does_not_change() -> None:
    assert [topic for topic in ("garden", "ferry", "kitchen", "shopping and clothes") if is_held_out(topic)] == [
        "ferry",
        "shopping and clothes",
    ]
