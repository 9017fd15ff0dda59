"""A reply that only speaks of a call, or thinks of one, changes nothing, whatever the strategy."""

from __future__ import annotations

from typing import Any

import pytest

from toolmend.base.messages import Call
from toolmend.strategies import load_strategy

F = 'action.remove_calendar_entry(title="Tea", date="2024-05-03", time="12:00")'
TEA = Call("action.add_calendar_entry", {"title": "Tea", "date": "2024-05-03", "time": "12:00"})
SPOKEN_OF = [
    f"I cannot call {F} because that is not allowed.",
    f"You would call {F} for that. Shall I?",
    f"{F}\n\nShall I go ahead?",
    f"<think>maybe {F}</think>",
    f"<think>\n{F}",
    f"[THINK]\n{F}\n[/THINK]",
    f"<|channel|>analysis<|message|>{F}<|end|>",
    f"For example:\n```python\n{F}\n```",
    "I will not use remove_calendar_entry.",
    "<think>\nAction: remove_calendar_entry\nAction Input: {}\n",
]


@pytest.mark.parametrize("strategy", ["oneline", "native", "react", "spoken", "freyr", "freyr_paper", "auto"])
@pytest.mark.parametrize("text", SPOKEN_OF)
def test_nothing_is_done(talk: Any, strategy: str, text: str) -> None:
    chat, _ = talk(text, strategy=load_strategy(strategy))
    chat.tools.run_sync(TEA)
    before = chat.tools.state()
    assert chat.request("Take the tea away").calls == ()
    assert chat.tools.state() == before
