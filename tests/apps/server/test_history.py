"""Messages of the API as a talk: what is request, what is past, which calls belong to the request."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatting import ENEMY, WEATHER, called, result, user
from toolmend.apps.server.body import MessageBody, ToolBody
from toolmend.apps.server.client_tools import ClientTools, judged
from toolmend.apps.server.history import History, read_history
from toolmend.base.messages import RAW, Call, CallResult, Message
from toolmend.models.scripted import Scripted
from toolmend.strategies import Ask
from toolmend.strategies.resuming import Diverged, IntentsRecord, StepsRecord, failed

MODEL = Scripted(["x"])
TOOLS = ClientTools([ToolBody.model_validate(each) for each in (ENEMY, WEATHER)], MODEL)
ORC = called(("c1", "add_enemy", {"name": "Orc", "hp": 5}))


def read(*messages: dict[str, Any]) -> History:
    return read_history([MessageBody.model_validate(each) for each in messages], TOOLS)


def test_a_request_alone() -> None:
    assert read(user("Hi")) == History(None, (Message("user", "Hi"),), ())


def test_system_texts_at_the_beginning_are_one() -> None:
    history = read({"role": "system", "content": "One."}, {"role": "developer", "content": "Two."}, user("Hi"))
    assert history.system == "One.\n\nTwo."
    assert [each.role for each in history.messages] == ["user"]


def test_a_later_system_text_stays_where_it_is() -> None:
    history = read(user("Hi"), {"role": "developer", "content": "Be brief."}, user("Well?"))
    assert [each.role for each in history.messages] == ["user", "system", "user"]


def test_calls_after_the_request_are_rounds_of_it() -> None:
    history = read(user("An orc"), ORC, result("c1", "added"))
    assert history.messages == (Message("user", "An orc"),)
    (only,) = history.rounds
    assert only.calls == (Call("add_enemy", {"name": "Orc", "hp": 5}, "c1"),)
    assert only.results == (CallResult("c1", "added", foreign=True),)


def test_calls_before_it_are_past_with_their_results() -> None:
    history = read(user("An orc"), ORC, result("c1", "added"), {"role": "assistant", "content": "Done."}, user("Hi"))
    assert history.rounds == ()
    assert [each.role for each in history.messages] == ["user", "assistant", "assistant", "user"]
    assert history.messages[1].results == (CallResult("c1", "added", foreign=True),)


def test_results_come_in_the_order_of_the_calls() -> None:
    both = called(("a", "add_enemy", {}), ("b", "get_weather", {}))
    (only,) = read(user("Both"), both, result("b", "two"), result("a", "one")).rounds
    assert [each.value for each in only.results] == ["one", "two"]


def test_arguments_that_are_no_json_are_kept_as_they_are() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "add_enemy", "arguments": "{oops"}}
    (only,) = read(user("?"), {"role": "assistant", "tool_calls": [call]}, result("c1", "x")).rounds
    assert only.calls[0].arguments == {RAW: "{oops"}


def test_parts_of_text_are_one_text() -> None:
    parts = [{"type": "text", "text": "One "}, {"type": "text", "text": "two"}]
    assert read({"role": "user", "content": parts}).messages[0].content == "One two"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Error: no such city", "no such city"),
        ("ValueError: bad", "bad"),
        ('{"error": "no such city"}', "no such city"),
        ('{"error": {"code": 7}}', '{"code": 7}'),
    ],
)
def test_a_result_may_say_that_it_failed(text: str, why: str) -> None:
    found = failed(CallResult("c1", text))
    assert (found.ok, found.error, found.fault) == (False, why, "refused")


@pytest.mark.parametrize("text", ["fine", "An error was fixed", '{"error": null, "a": 1}', "{", "[]", "", "terror"])
def test_any_other_result_is_none(text: str) -> None:
    assert failed(CallResult("c1", text)) == CallResult("c1", text)


def test_react_is_told_its_steps_again() -> None:
    record = StepsRecord(read(user("An orc"), ORC, result("c1", "added")).rounds)
    reply = record.reply(Ask(()))
    assert reply is not None
    assert reply.text == 'Action: add_enemy\nAction Input: {"name": "Orc", "hp": 5}'
    assert record.results((Call("add_enemy", {"name": "Orc", "hp": 5}),)) == (CallResult("c1", "added", foreign=True),)
    assert record.reply(Ask(())) is None


def test_another_call_than_the_recorded_one_ends_the_replay() -> None:
    record = StepsRecord(read(user("An orc"), ORC, result("c1", "added")).rounds)
    with pytest.raises(Diverged):
        record.results((Call("get_weather"),))


def test_two_calls_of_one_tool_in_a_round_are_two_intents_and_a_later_one_is_another_try() -> None:
    both = called(("a", "add_enemy", {"hp": 1}), ("b", "add_enemy", {"hp": 2}))
    again = called(("c", "add_enemy", {"hp": 3}))
    rounds = read(user("?"), both, result("a", "Error: no"), result("b", "ok"), again, result("c", "ok")).rounds
    record = IntentsRecord(rounds, TOOLS.specs, whole=True)
    intents = record.reply(Ask((), role="intent"))
    assert intents is not None and intents.text == "add_enemy, add_enemy"
    tried = []
    for _ in range(3):
        reply = record.reply(Ask((), role="params"))
        assert reply is not None
        tried.append(json.loads(reply.text)["hp"])
        record.results((Call("add_enemy"),))
    assert tried == [1, 3, 2]


def test_calls_are_fitted_or_all_refused() -> None:
    right, wrong = Call("add_enemy", {"name": "Orc", "hp": "5"}), Call("get_weather", {"town": "Rome"})
    assert judged([right], TOOLS.specs) == ((Call("add_enemy", {"name": "Orc", "hp": 5}),), ())
    _, results = judged([right, wrong], TOOLS.specs)
    assert [each.fault for each in results] == ["arguments", "arguments"]
    assert "make this one again" in str(results[0].error)


ROUND = st.lists(st.sampled_from(["ok", "Error: no"]), min_size=1, max_size=3)


@given(st.lists(ROUND, min_size=1, max_size=4))
def test_every_call_of_a_request_is_replayed_once(rounds: list[list[str]]) -> None:
    messages, number = [user("?")], 0
    for outcomes in rounds:
        names = [f"c{number + place}" for place in range(len(outcomes))]
        number += len(outcomes)
        messages.append(called(*((name, "add_enemy", {"hp": int(name[1:])}) for name in names)))
        messages += [result(name, text) for name, text in zip(names, outcomes, strict=True)]
    history = read(*messages)
    record = IntentsRecord(history.rounds, TOOLS.specs, whole=True)
    made = [call.id for _, tries in record._intents for call, _ in tries]
    assert sorted(made) == sorted(f"c{each}" for each in range(number))
