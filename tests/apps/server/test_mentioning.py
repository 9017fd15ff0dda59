"""What a model only speaks of, or thinks of, does not go out as a call."""

from __future__ import annotations

from typing import Any

import pytest

from chatting import WEATHER, calls_of, user

SPOKEN_OF = [
    'I cannot call get_weather(city="Paris") because that is not allowed.',
    'You would call get_weather(city="Paris") for that. Shall I?',
    '<think>maybe get_weather(city="Paris")</think>I do not know.',
    '<think>\n{"name": "get_weather", "arguments": {"city": "Paris"}}',
    '<think>\n<tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</tool_call>',
]


@pytest.mark.parametrize("model", ["canned/native", "canned/text"])
@pytest.mark.parametrize("text", SPOKEN_OF)
def test_a_mention_is_words(serve: Any, model: str, text: str) -> None:
    message = serve([text]).message(model, user("What is the weather in Paris?"), tools=[WEATHER])
    assert calls_of(message) == []


@pytest.mark.parametrize("text", SPOKEN_OF[2:])
def test_a_thought_is_not_said(serve: Any, text: str) -> None:
    message = serve([text]).message("canned/native", user("What is the weather in Paris?"), tools=[WEATHER])
    assert "get_weather" not in (message["content"] or "")
