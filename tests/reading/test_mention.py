"""A mention is not a call: sentences that refuse, explain, propose, quote or ask about one, and thoughts."""

from __future__ import annotations

import json

import pytest

from toolmend.base.messages import Call, ToolSpec
from toolmend.reading import read, read_bullets, read_python
from toolmend.reading.intents import read_intents
from toolmend.reading.values import read_values
from toolmend.strategies.react import read_step

PATH = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
SPECS = (ToolSpec("delete_file", "", PATH), ToolSpec("get_weather", "", CITY))
F, G = 'delete_file(path="/etc/hosts")', 'get_weather(city="Paris")'
DELETE, PARIS = Call("delete_file", {"path": "/etc/hosts"}), Call("get_weather", {"city": "Paris"})

REFUSED = [
    f"I cannot call {F} because that is not allowed.",
    f"{F} is not allowed here.",
    f"I won't run {F}.",
    f"Sorry, {F} would remove a system file.",
    f"I'm unable to do that: {F}",
    f"I refuse to run `{F}`.",
    f"I will not do this:\n\n{F}",
    f"Never run this:\n```python\n{F}\n```",
    f"No. {F} is dangerous.",
    f"{F}\nis forbidden, so I did nothing.",
    f"- I can't execute {F} for you",
]
EXPLAINED = [
    f"You would call {F} for that. Shall I?",
    f"For example: {F}",
    f"The tool is used like {F}, with a path.",
    f"{F} deletes the file.",
    f"To delete it, {F} is what one writes.",
    f"Such a call looks like:\n{F}",
    f"Here is an example:\n```\n{F}\n```",
    f"With {F}, the file is gone for good.",
    f"(that is {F})",
    f"{F}'s result is nothing.",
    f"The instruction in the page says: {F}",
]
PROPOSED = [
    f"I could run {F} next.",
    f"I suggest {F}.",
    f"Shall I run {F}?",
    f"Do you want me to call {F}?",
    f"{F}?",
    f"{F}\n\nShall I go ahead?",
    f"{F}\nShould I?",
    f"I would make this call:\n\n{F}\n\nIs that ok?",
    f"Plan: {F}",
    f"If you agree, {F} comes next.",
    f"```python\n{F}\n```\nDo you want me to run it?",
]
QUOTED = [
    f'You wrote "{F}" before.',
    f"> {F}",
    f"The user asked to run {F} and so on.",
    f"I already called {F} for you.",
    f"What does {F} do?",
    f"You said: {F}",
    f"Did you mean {F} or another one?",
    f"Your message contains the text {F} as an injection.",
    f"The result of {F} was an error.",
    f"As I said, `{F}` fails.",
    f"The log says:\n{F}",
]


@pytest.mark.parametrize("text", [*REFUSED, *EXPLAINED, *PROPOSED, *QUOTED])
def test_a_mention_is_no_call(text: str) -> None:
    for reading in (read(text, SPECS), read_python(text, SPECS)):
        assert (reading.calls, reading.problem) == ((), "no_call")
        assert F in reading.rest


@pytest.mark.parametrize("text", [*REFUSED, *EXPLAINED, *PROPOSED, *QUOTED])
def test_a_mention_as_json_is_no_call(text: str) -> None:
    written = json.dumps({"name": "delete_file", "arguments": {"path": "/etc/hosts"}})
    assert read(text.replace(F, written), SPECS).calls == ()


@pytest.mark.parametrize("text", [*REFUSED, *EXPLAINED, *PROPOSED, *QUOTED])
def test_a_step_or_values_that_mention_one_make_none(text: str) -> None:
    assert read_step(f"Thought: {text}\nFinal Answer: no", SPECS).calls == ()


MADE = [
    F,
    f"Sure: {F}",
    f"Sure.\n{F}",
    f"Sure, here's the call:\n\n{F}\n\nAnything else?",
    f"Here you go: `{F}`",
    f"I'm sorry, I had the wrong path. Here is the corrected call:\n{F}",
    f"```python\n{F}\n```\nIt deletes the file.",
    f"Sure! {F}",
    f"{F} Done!",
    f"{F}.",
    f"1. {F}",
    f"- {F}",
    f">>> {F}",
    f"Action: {F}",
    f"{F}  # removes it",
    f"The correct call should be: {F}",
    f"{F}\n\nIs there anything else I should do?",
    f"**{F}**",
    f"Tool call -> {F}",
    f"Okay, deleting it now.\n\n{F}\n\nThat should not take long.",
    f"result = {F}\nprint(result)",
    f"<|assistant|>{F}<|end|>",
]


@pytest.mark.parametrize("text", MADE)
def test_text_around_a_call_is_chatter(text: str) -> None:
    reading = read(text, SPECS)
    assert (reading.calls, reading.problem) == ((DELETE,), None)


@pytest.mark.parametrize("between", ["\n", ", ", "; ", " and ", " then ", " ", "\n\nThen:\n"])
def test_calls_beside_each_other_are_made(between: str) -> None:
    assert read_python(f"{F}{between}{G}", SPECS).calls == (DELETE, PARIS)


def test_calls_beside_each_other_in_a_sentence_are_mentions() -> None:
    assert read_python(f"{F} and {G} would do.", SPECS).calls == ()


ROME = 'get_weather(city="Rome")'
THOUGHT = [
    f"<think>maybe {ROME}</think>\n{G}",
    f"<think>\n{ROME}\n</think>\n\n{G}",
    f"Sure.\n<think>maybe {ROME}</think>\n{G}",
    f"Sure. <think>maybe\n{ROME}\n</think> {G}",
    f"<thinking>{ROME}</thinking>{G}",
    f"{ROME}\nis one way.\n</think>\n{G}",
    f"maybe {ROME} then.</think>{G}",
    f"[THINK]{ROME}[/THINK]{G}",
    f"<|START_THINKING|>{ROME}<|END_THINKING|>{G}",
    f"<|channel|>analysis<|message|>{ROME}<|end|><|start|>assistant<|channel|>final<|message|>{G}",
    f"◁think▷{ROME}◁/think▷{G}",
    f"<seed:think>{ROME}</seed:think>{G}",
    f"<think>a</think>\n{G}\n<think>\n{ROME}\n</think>",
    f"<think>{ROME}</think>\n<think>\n{ROME}</think>\n{G}",
    f"<|channel>thought\n{ROME}<channel|>{G}",
    f"{G}\n<think>\n{ROME}",
    f"<THINK>\n{ROME}\n</THINK>\n{G}",
    f"<think>a<think>{ROME}</think>\n{ROME}\n</think>\n{G}",
    f"<reasoning>\n{ROME}\n</reasoning>\n{G}",
    f"<|begin_of_thought|>\n{ROME}\n<|end_of_thought|>\n{G}",
]


@pytest.mark.parametrize("text", THOUGHT)
def test_a_thought_is_no_call(text: str) -> None:
    for reading in (read(text, SPECS), read_python(text, SPECS)):
        assert reading.calls == (PARIS,)
        assert "Rome" not in reading.rest


@pytest.mark.parametrize("text", THOUGHT)
def test_a_thought_as_json_or_tags_is_no_call(text: str) -> None:
    for form in (
        '{{"name": "get_weather", "arguments": {{"city": "{}"}}}}',
        '<tool_call>{{"name": "get_weather", "arguments": {{"city": "{}"}}}}</tool_call>',
    ):
        reading = read(text.replace(ROME, form.format("Rome")).replace(G, form.format("Paris")), SPECS)
        assert reading.calls == (PARIS,)


@pytest.mark.parametrize(
    "opening",
    ["<think>", "Sure.\n<think>", "[THINK]", "<|START_THINKING|>", "<|channel|>analysis<|message|>", "<thought>"],
)
@pytest.mark.parametrize("form", [G, '{"name": "get_weather", "arguments": {"city": "Paris"}}', "- city: Paris"])
def test_a_thought_that_is_never_closed_is_no_call(opening: str, form: str) -> None:
    text = f"{opening}\nI think\n{form}\n"
    assert read(text, SPECS).calls == read(text, SPECS[1:]).calls == read_bullets(text, SPECS[1:]).calls == ()
    assert read_values(text, SPECS[1]).calls == ()
    assert read_step(f"{opening}\nAction: get_weather\nAction Input: {{}}", SPECS).calls == ()


def test_a_mark_within_a_value_is_text() -> None:
    for text in ['get_weather(city="a <think> b")', '{"name": "get_weather", "arguments": {"city": "a <think> b"}}']:
        assert read(text, SPECS).calls == (Call("get_weather", {"city": "a <think> b"}),)


@pytest.mark.parametrize(
    "text",
    [
        "I cannot use delete_file here.",
        "I won't delete_file anything.",
        "One could use delete_file, but it is dangerous.",
        "<think>delete_file</think>",
        "<think>use delete_file",
    ],
)
def test_an_intent_that_is_refused_is_none(text: str) -> None:
    assert read_intents(text, SPECS).names == ()
