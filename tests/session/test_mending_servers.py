"""What is blamed is asked anew of a server: under a schema where it is known to keep to one, else in plain words."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import anyio
import pytest

from fakes import FakeServer, Received
from toolmend.base.errors import BadOption
from toolmend.models.openai_compat import OpenAICompatible
from toolmend.models.probe import able, probe
from toolmend.session import Session
from toolmend.tools.toolboxes import Calendar

ADD = 'action.add_calendar_entry("Dinner", date="2026-03-06", time="07:00")'


def mended(anew: str | Callable[[Received], str], **options: Any) -> tuple[list[Any], list[dict[str, Any]]]:
    """The calendar after "The time is wrong.", and the bodies that the server was sent."""
    bodies: list[dict[str, Any]] = []

    def script(received: Received) -> str:
        bodies.append(received.body)
        if len(bodies) == 1:
            return ADD
        return anew if isinstance(anew, str) else anew(received)

    async def main() -> list[Any]:
        async with FakeServer(script) as server:
            model = OpenAICompatible("fake", base_url=f"{server.url}/v1", **options)
            chat = Session(model, Calendar(now=dt.datetime(2026, 3, 4, 9)), "oneline")
            await chat.arequest("Dinner on Friday, you know when")
            await chat.acorrect("The time is wrong.")
            entries: list[Any] = chat.tools.state()["entries"]
            return entries

    return anyio.run(main), bodies


def times(entries: list[Any]) -> list[str]:
    return [entry["time"] for entry in entries]


def test_a_server_that_is_known_to_keep_to_a_schema_is_sent_one():
    entries, bodies = mended('{"time": "8 pm"}', can="schema")
    assert times(entries) == ["20:00"]
    assert list(bodies[1]["response_format"]["json_schema"]["schema"]["properties"]) == ["time"]


def test_a_server_that_ignores_the_schema_is_read_all_the_same():
    assert times(mended("It's at 8 pm.", can="schema")[0]) == ["20:00"]


def test_a_server_of_which_nothing_is_known_is_asked_in_plain_words():
    entries, bodies = mended("8 pm")
    assert (times(entries), "response_format" in bodies[1]) == (["20:00"], False)
    assert bodies[1]["messages"][-1]["content"].endswith('The time is not "07:00".\nWhich words give the time?')


def test_an_answer_without_a_value_leads_to_a_question_to_the_person():
    assert times(mended("I do not know.")[0]) == ["07:00"]


def test_what_the_probe_finds_is_used():
    async def main(reply: str) -> bool:
        async with FakeServer(lambda received: reply) as server:
            model = OpenAICompatible("fake", base_url=f"{server.url}/v1")
            return able(model, await probe(model)).abilities.schemas

    assert anyio.run(main, '{"city": "Paris", "inhabitants": 2}')
    assert not anyio.run(main, "Paris is nice.")


def test_what_a_server_cannot_be_said_to_do_is_refused():
    with pytest.raises(BadOption, match="can knows schema; not magic"):
        OpenAICompatible("fake", base_url="http://localhost", can="magic")
