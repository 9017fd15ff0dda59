"""The values of one tool in all the shapes that models write."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolmend.base.messages import ToolSpec
from toolmend.reading import Reading
from toolmend.reading.values import read_values

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "hp": {"type": "integer"},
        "side": {"$ref": "#/$defs/side"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "box": {"type": "object", "properties": {"w": {"type": "integer"}}},
        "note": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
        "dodge": {"type": "number"},
    },
    "required": ["name", "hp"],
    "$defs": {"side": {"enum": ["north", "south"], "type": "string"}},
}
TOOL = ToolSpec("add_enemy", parameters=SCHEMA, receiver="d")
GOBLIN = {"name": "Goblin", "hp": 5}


def values(text: str) -> list[dict[str, Any]]:
    reading = read_values(text, TOOL)
    assert {call.tool for call in reading.calls} <= {"d.add_enemy", "add_enemy"}
    return [dict(call.arguments) for call in reading.calls]


@pytest.mark.parametrize(
    "text",
    [
        "- name: Goblin\n- hp: 5",
        "* name: Goblin\n* hp: 5",
        "1. name: Goblin\n2) hp: 5",
        "name: Goblin\nhp: 5",
        "Name: Goblin\nHP: 5",
        "name = Goblin\nhp = 5",
        "- **name**: Goblin\n- `hp`: 5",
        "- name (text): Goblin\n- hp (whole number, 1 to 20): 5",
        '- "name": "Goblin"\n- "hp": 5',
        "Here you are:\n\n- name: Goblin\n\n- hp: 5\n\nI hope that helps!",
        "<think>hp: 9</think>\n- name: Goblin\n- hp: 5",
        "```\n- name: Goblin\n- hp: 5\n```",
        '{"name": "Goblin", "hp": 5}',
        "{'name': 'Goblin', 'hp': 5}",
        '{name: "Goblin", hp: 5}',
        '```json\n{\n  "name": "Goblin",\n  "hp": 5\n}\n```',
        '{"name": "add_enemy", "arguments": {"name": "Goblin", "hp": 5}}',
        '{"add_enemy": {"name": "Goblin", "hp": 5}}',
        '<tool_call>{"name": "add_enemy", "arguments": {"name": "Goblin", "hp": 5}}</tool_call>',
        "add_enemy('Goblin', hp=5)",
        "d.add_enemy(name='Goblin', hp=5)",
        "name='Goblin', hp=5",
        "- name: Goblin\n- hp: 5\n- note: none\n- side: N/A",
    ],
)
def test_shapes(text):
    assert values(text) == [GOBLIN]


@pytest.mark.parametrize(
    ("text", "value", "note"),
    [
        ("5", 5, None),
        ("-1", -1, None),
        ("5 HP", 5, "unit"),
        ("5hp", 5, "unit"),
        ("1,000", 1000, "comment"),
        ("5 (weak)", 5, "comment"),
        ("**5**", 5, "comment"),
        ("five", "five", None),
        ("5 or 6", "5 or 6", None),
        ("50%", "50%", None),
        ("2*3", 6, None),
    ],
)
def test_numbers(text, value, note):
    reading = read_values(f"- name: x\n- hp: {text}", TOOL)
    assert (reading.calls[0].arguments["hp"], note in (*reading.leniencies, None)) == (value, True)


@pytest.mark.parametrize(
    ("text", "value"),
    [("north", "north"), ("north (up)", "north"), ("`south`", "south"), ("North", "North"), ("west", "west")],
)
def test_choices(text, value):
    assert values(f"- side: {text}\n- name: x") == [{"side": value, "name": "x"}]


@pytest.mark.parametrize("text", ["Fred's: 17:00", "- a dash -", "'Fred's'", "a\tb", "50 HP", "“quoted”", "x (y)"])
def test_text_is_kept_as_it_is(text):
    assert values(f"- name: {text}\n- hp: 1") == [{"name": text.strip("'") if text[0] == "'" else text, "hp": 1}]


def test_a_value_goes_on_over_indented_lines():
    assert values("- name: a very\n  long\n  name\n- hp: 5") == [{"name": "a very long name", "hp": 5}]


@pytest.mark.parametrize("tags", ['["a", "b"]', "\n  - a\n  - b", "\n    * a\n    * b", "\n  1. a\n  2. b"])
def test_lists(tags):
    assert values(f"- tags: {tags}\n- hp: 5") == [{"tags": ["a", "b"], "hp": 5}]


@pytest.mark.parametrize("box", ['{"w": 5}', "\n  w: 5", "\n  - w: 5", "\n    - **w**: 5"])
def test_objects(box):
    assert values(f"- name: x\n- box: {box}") == [{"name": "x", "box": {"w": 5}}]


def test_where_the_first_parameter_comes_again_the_next_call_begins():
    assert values("- name: a\n- hp: 1\n\n- name: b\n- hp: 2") == [{"name": "a", "hp": 1}, {"name": "b", "hp": 2}]
    assert values('[{"name": "a"}, {"name": "b"}]') == [{"name": "a"}, {"name": "b"}]


def test_another_parameter_that_comes_again_does_not_count():
    reading = read_values("- name: a\n- hp: 1\n- hp: 2", TOOL)
    assert (dict(reading.calls[0].arguments), reading.rest) == ({"name": "a", "hp": 1}, "hp: 2")


def test_a_parameter_that_there_is_not_is_left_for_the_tool_to_refuse():
    assert values("- name: a\n- colour: red") == [{"name": "a", "colour": "red"}]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no_call"),
        ("SKIP", "no_call"),
        ("I do not know that.", "no_call"),
        ("- Monday: rain\n- Tuesday: sun", "no_call"),
        ('{"name": "Goblin", "hp": 5', "syntax"),
        ('{"name": 17:00}', "syntax"),
        ('{"colour": "red"}', "syntax"),
        ("[" * 100, "syntax"),
    ],
)
def test_what_is_no_list_of_values(text, problem):
    reading = read_values(text, TOOL)
    assert (reading.calls, reading.problem) == ((), problem)


def test_what_stands_around_the_values_is_the_rest():
    assert read_values("Here:\n- name: a\nBye", TOOL).rest == "Here:\nBye"


PIECES = [
    "- name: ",
    "name",
    "hp",
    ": ",
    " = ",
    "5",
    "Goblin",
    "\n",
    "\n  ",
    "- ",
    "{",
    "}",
    '"',
    "```",
    "[",
    "]",
    "(",
    ")",
]
texts = st.one_of(
    st.text(st.characters(exclude_categories=()), max_size=200),
    st.lists(st.sampled_from([*PIECES, "<tool_call>", "add_enemy(", "\ud800", "tags:", "box:"]), max_size=50).map(
        "".join
    ),
)


@given(texts)
@settings(deadline=None, max_examples=500)
def test_no_text_raises(text):
    reading = read_values(text, TOOL)
    assert isinstance(reading, Reading)
    assert reading.calls or reading.problem


@pytest.mark.parametrize(
    "piece", ["(", "[", "{", "- name: ", "- name: x\n", " (", "tags:\n  - a\n", "x=1, ", '{"name":']
)
def test_no_monster_raises(piece):
    assert isinstance(read_values(piece * 10_000, TOOL), Reading)
    assert isinstance(read_values(f"- name: {piece * 10_000}", TOOL), Reading)
