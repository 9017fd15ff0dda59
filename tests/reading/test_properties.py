"""What holds for all texts and all calls: nothing raises, nothing is slow, everything rendered reads back equal."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolmend.base.errors import BadOption
from toolmend.base.messages import Call, ToolSpec
from toolmend.reading import Reading, read, read_python, render

FORMS = ["auto", "python", "json", "bullets", "tags"]
PIECES = [
    "action.add_calendar_entry(",
    "add_calendar_entry",
    "action.",
    'title="Fred"',
    "date=",
    "2024-11-11",
    "print(",
    "x = ",
    "await ",
    "```",
    "```python\n",
    "<think>",
    "</think>",
    "<tool_call>",
    "</tool_call>",
    "<function=add_calendar_entry>",
    "</function>",
    "<parameter=title>",
    "</parameter>",
    '{"name": "add_calendar_entry", "arguments": {',
    '"arguments": ',
    "- title: ",
    "tool: ",
    "“",
    "\u2019",
    "\\",
    "\x00",
    "\ud800",
    "9**9**9",
    *"()[]{}\"'`#;,:=*.\n\r\t -1x",
]
texts = st.one_of(
    st.text(st.characters(exclude_categories=()), max_size=200),
    st.lists(st.sampled_from(PIECES), max_size=60).map("".join),
)


@given(texts, st.sampled_from(FORMS))
@settings(deadline=None, max_examples=600)
def test_no_text_raises(tools: tuple[ToolSpec, ...], text: str, form: str) -> None:
    reading = read(text, tools, form)
    assert isinstance(reading, Reading)
    assert reading.calls or reading.problem


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "text",
    [
        "(" * 10_000,
        "[" * 10_000,
        "{" * 10_000,
        '{"a":' * 10_000,
        "add_calendar_entry(" * 10_000,
        "add_calendar_entry(" + "-" * 10_000 + "1)",
        "add_calendar_entry(" + "not " * 3_000 + "1)",
        "add_calendar_entry(" + "1+" * 3_000 + "1)",
        "add_calendar_entry(" + "[" * 39 + "]" * 39 + ")",
        "add_calendar_entry(" + "9" * 6_000 + ")",
        "add_calendar_entry(0x" + "f" * 6_000 + ")",
        '{"name": "add_calendar_entry", "arguments": {"title": ' + "9" * 6_000 + "}}",
        "<tool_call><function=add_calendar_entry></function>" * 500,
        "<tool_call>{" * 1_000 + "</tool_call>",
    ],
    ids=range(14),
)
def test_no_monster_raises(tools: tuple[ToolSpec, ...], text: str, form: str) -> None:
    assert isinstance(read(text, tools, form), Reading)


scalars = st.none() | st.booleans() | st.integers(-(2**200), 2**200) | st.floats(allow_nan=False, allow_infinity=False)
strings = st.text(st.characters(exclude_categories=()), max_size=30)
values = st.recursive(
    scalars | strings | st.sampled_from(["None", "30", "2024-11-11", " x ", "'a'", '"', "true", "n/a", "60*3", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(strings, inner, max_size=3),
    max_leaves=8,
)
names = st.sampled_from(["a", "b", "c", "from", "class", "größe", "x1"])
schemas = st.sampled_from(
    [{}, {"type": "string"}, {"type": "integer"}, {"type": ["string", "null"]}, {"type": "array"}, {"type": "object"}]
)


@given(
    arguments=st.dictionaries(names, values, max_size=4),
    properties=st.dictionaries(names, schemas, max_size=5),
    required=st.booleans(),
    receiver=st.sampled_from(["", "action", "a.b"]),
)
@settings(deadline=None, max_examples=500)
def test_every_rendered_call_reads_back_equal(
    arguments: dict[str, Any], properties: dict[str, Any], required: bool, receiver: str
) -> None:
    schema = {"type": "object", "properties": properties, "required": list(properties) if required else []}
    spec = ToolSpec("do_it", parameters=schema, receiver=receiver)
    call = Call(spec.full_name, arguments)
    reading = read_python(render(call, spec), (spec,))
    assert reading == Reading(calls=(call,))
    assert same_types(reading.calls[0].arguments, arguments)


def same_types(left: Any, right: Any) -> bool:
    if isinstance(left, dict):
        return all(same_types(left[key], right[key]) for key in left)
    if isinstance(left, list):
        return all(map(same_types, left, right))
    return type(left) is type(right)


@given(st.dictionaries(names, values, max_size=4))
@settings(deadline=None, max_examples=150)
def test_without_its_spec_too(arguments: dict[str, Any]) -> None:
    call = Call("somewhere.do_it", arguments)
    assert read_python(render(call), ()).calls == (call,)


def test_unknown_form(tools: tuple[ToolSpec, ...]) -> None:
    with pytest.raises(BadOption, match="known: auto, bullets"):
        read("x", tools, "xml")
