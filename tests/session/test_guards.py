"""Turns that lead nowhere end by name, and what was done stands."""

from __future__ import annotations

from typing import Any

from toolmend.base.events import Guarded
from toolmend.base.messages import Call
from toolmend.reading import Reading
from toolmend.session import Limits
from toolmend.strategies import Act, Ask, Flag


class Flow:
    """A strategy that is one generator."""

    name, prompt_hash, bare, roles = "flow", "", True, ("intent", "summary")

    def __init__(self, flow: Any) -> None:
        self.turn = flow

    def system_text(self, talk: Any) -> str:
        return ""


def entry(title: str) -> Call:
    return Call("action.add_calendar_entry", {"title": title, "date": "2024-05-03", "time": "12:00"})


def act(*calls: Call) -> Act:
    return Act(calls, Reading(calls))


def test_a_strategy_that_never_ends_is_stopped(talk):
    def flow(talk: Any) -> Any:
        while True:
            yield Ask(talk.messages)

    chat, events = talk("Fred", strategy=Flow(flow), limits=Limits(rounds=5))
    answer = chat.request("Add Fred")
    assert (answer.stopped, len(chat.model.requests)) == ("endless_rounds", 5)
    assert events[-1] == Guarded(0, "endless_rounds")


def test_rounds_of_asking_and_of_acting_are_counted_apart(talk):
    def flow(talk: Any) -> Any:
        for number in range(5):
            yield Ask(talk.messages)
            yield Flag("here")
            yield act(entry(f"Lunch {number}"))

    chat, _ = talk("x", strategy=Flow(flow), limits=Limits(rounds=5))
    assert (chat.request("Five lunches").stopped, len(chat.standing)) == ("", 5)


def test_the_same_call_with_the_same_result_gets_a_hint_and_then_the_end(talk):
    heard = []

    def flow(talk: Any) -> Any:
        while True:
            (result,) = yield act(Call("action.remove_calendar_entry", {"title": "X"}))
            heard.append(result.error)

    chat, _ = talk("", strategy=Flow(flow))
    assert chat.request("Remove X").stopped == "repeated_call"
    assert [error.startswith("This very call was made before") for error in heard] == [False, False, True]


def test_the_same_call_with_another_result_is_no_repetition(talk):
    def flow(talk: Any) -> Any:
        for number in range(6):
            yield act(entry(f"Lunch {number}"))

    chat, _ = talk("", strategy=Flow(flow))
    assert (chat.request("Six lunches").stopped, len(chat.standing)) == ("", 6)


def test_a_reply_with_too_many_calls_runs_none_of_them(talk):
    def flow(talk: Any) -> Any:
        yield act(*(entry(f"Lunch {number}") for number in range(4)))

    chat, events = talk("", strategy=Flow(flow), limits=Limits(calls=3))
    assert (chat.request("Lunches").stopped, chat.standing) == ("too_many_calls", [])
    assert events[-1] == Guarded(0, "too_many_calls")


def test_what_counts_is_what_took_effect_and_the_last_reply(talk):
    def flow(talk: Any) -> Any:
        yield act(entry("Lunch"))
        yield act(Call("action.add_calendar_entry", {"title": "No date"}))
        yield act(entry("Dinner"))

    chat, _ = talk("", strategy=Flow(flow))
    reading = chat.request("Lunch and dinner").reading
    assert [call.arguments["title"] for call in reading.calls] == ["Lunch", "Dinner"]


def test_every_role_may_have_a_model_of_its_own(talk):
    from toolmend.models.scripted import Scripted

    def flow(talk: Any) -> Any:
        yield Ask(talk.messages, role="intent")
        yield Ask(talk.messages, role="summary")

    other = Scripted(["add"], "scripted/intent")
    chat, events = talk("done", strategy=Flow(flow), roles={"intent": other})
    assert str(chat.request("Add Fred")) == "done"
    assert [(e.role, e.text) for e in events if type(e).__name__ == "Replied"] == [
        ("intent", "add"),
        ("summary", "done"),
    ]


def test_a_strategy_sees_the_world_as_it_is_at_that_moment(talk):
    from toolmend.tools.toolboxes import Calendar

    class Shown(Calendar):
        def view(self) -> str:
            return f"{len(self.snapshot())} entries"

    seen = []

    def flow(talk: Any) -> Any:
        seen.append(talk.view())
        yield act(entry("Lunch"))
        seen.append(talk.view())

    chat, _ = talk("", tools=Shown(), strategy=Flow(flow))
    chat.request("Add lunch")
    assert seen == ["0 entries", "1 entries"]
