"""`--toolbox`: tools that the server runs itself, in a world for each key."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from chatting import CALENDAR, by_prompt, user
from toolmend import Toolbox, registry, tool
from toolmend.apps.server.keys import KeyFile

LUNCH = "action.add_calendar_entry('Lunch', date='2024-05-03', time='12:00')"
GONE = "action.remove_calendar_entry('Lunch', date='2024-05-03', time='12:00')"


def test_the_server_runs_its_own_tools(serve: Any) -> None:
    message = serve(toolbox="calendar").message("builtin/small", user("Add a lunch on May 3 2024 at noon"))
    assert message["content"].startswith("action.add_calendar_entry (title: Lunch, date: 2024-05-03, time: 12:00")


def test_its_world_stays_between_requests(serve: Any) -> None:
    api = serve([LUNCH, GONE, GONE], toolbox="calendar")
    texts = ["Lunch on 2024-05-03 at noon", "Cancel lunch", "Cancel lunch on 2024-05-03 at 12:00"]
    said = [api.message("oneline:canned/text", user(text))["content"] for text in texts]
    assert "failed" not in said[1]
    assert "there is no 'Lunch'" in said[2]


def test_what_nobody_said_but_something_that_was_read_is_denied_with_its_source(serve: Any) -> None:
    api = serve([LUNCH, GONE], toolbox="calendar")
    api.message("oneline:canned/text", user("Lunch on 2024-05-03 at noon"))
    told = api.message("oneline:canned/text", user("Thanks a lot"))["content"]
    assert "nobody can be asked; you did not say that anything should go; it is in the entry “Lunch”" in told
    assert "“Lunch”" not in serve([LUNCH], toolbox="calendar").message("oneline:canned/text", user("Do it"))["content"]


def test_words_are_computed_in_its_world(serve: Any) -> None:
    said = [
        'add_calendar_entry(title="Lunch", date="3 May 2024", time="noon")',
        'remove_calendar_entry(entry="the lunch")',
    ]
    api = serve(said, toolbox="calendar")
    answers = [api.message("spoken:canned/text", user("Do it"))["content"] for _ in said]
    assert answers[0].startswith("action.add_calendar_entry (title: Lunch, date: 2024-05-03, time: 12:00")
    assert answers[1].startswith("action.remove_calendar_entry (title: Lunch")


def test_each_key_has_a_world_of_its_own(serve: Any, tmp_path: Path) -> None:
    keys = KeyFile(tmp_path / "keys.json")
    ada, bob = keys.add("ada"), keys.add("bob")
    api = serve([LUNCH, GONE], toolbox="calendar", keys=keys.path)
    body = {"model": "oneline:canned/text", "messages": [user("Do it")]}
    api.post(body, headers={"authorization": f"Bearer {ada}"})
    other = api.post(body, headers={"authorization": f"Bearer {bob}"})
    assert "there is no 'Lunch'" in other.json()["choices"][0]["message"]["content"]


def test_a_strategy_with_words_answers_in_words(serve: Any) -> None:
    script = by_prompt(
        intent="action.add_calendar_entry",
        params="- title: Lunch\n- date: 2024-05-03\n- time: 12:00",
        summary="Lunch is in your calendar.",
    )
    message = serve(script, toolbox="calendar").message("freyr:canned/text", user("Lunch on May 3 2024 at noon"))
    assert message["content"] == "Lunch is in your calendar."


def test_the_servers_tools_and_the_clients_do_not_mix(serve: Any) -> None:
    body = {"model": "builtin/small", "messages": [user("Hi")], "tools": CALENDAR}
    assert serve(toolbox="calendar").error(body) == (400, "tools_not_supported", "tools")


def test_none_of_them_runs_with_tool_choice_none(serve: Any) -> None:
    api = serve([LUNCH, GONE], toolbox="calendar")
    assert api.message("oneline:canned/text", user("Do it"), tool_choice="none")["content"] == LUNCH
    assert "there is no 'Lunch'" in api.message("oneline:canned/text", user("Do it"))["content"]


def test_a_model_without_words_refuses_tool_choice_none(serve: Any) -> None:
    body = {"model": "builtin/small", "messages": [user("Hi")], "tool_choice": "none"}
    assert serve(toolbox="calendar").error(body) == (400, "tools_not_supported", "tools")


def test_a_long_result_reaches_the_client_whole(serve: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    @tool
    def read_all() -> str:
        """Read everything."""
        return "x" * 5_000

    monkeypatch.setitem(registry.toolboxes._table, "pages", lambda: Toolbox.of(read_all))
    message = serve(["read_all()"], toolbox="pages").message("oneline:canned/text", user("Do it"))
    assert message["content"] == "read_all: " + "x" * 5_000


def test_an_answer_of_the_server_is_streamed_too(serve: Any) -> None:
    events = serve([LUNCH], toolbox="calendar").events({"model": "oneline:canned/text", "messages": [user("Do it")]})
    text = "".join(each["choices"][0]["delta"].get("content") or "" for each in events[:-1])
    assert text.startswith("action.add_calendar_entry (title: Lunch")


def test_a_correction_in_a_talk_that_goes_on_mends_what_was_done(serve: Any) -> None:
    api = serve([LUNCH], toolbox="calendar")
    said = [user("Add a lunch on May 3 2024 at noon")]
    said.append(api.message("oneline:canned/text", *said))
    answer = api.message("oneline:canned/text", *said, user("No, at 1 pm."))["content"]
    assert answer.startswith("action.add_calendar_entry (title: Lunch, date: 2024-05-03, time: 13:00")


def test_what_the_policy_would_ask_about_is_denied_and_so_told(serve: Any) -> None:
    api = serve([LUNCH, GONE], toolbox="calendar", approve="ask")
    assert "nobody" in api.message("oneline:canned/text", user("Do it"))["content"]
    assert "nobody" in api.message("oneline:canned/text", user("yes"))["content"]


def test_a_policy_that_denies(serve: Any) -> None:
    message = serve([LUNCH], toolbox="calendar", approve="deny").message("oneline:canned/text", user("Do it"))
    assert "not allowed" in message["content"]


def test_a_dry_run_says_what_would_change(serve: Any) -> None:
    message = serve([LUNCH], toolbox="calendar", approve="dry-run").message("oneline:canned/text", user("Do it"))
    assert "+ 2024-05-03 12:00  30 min  Lunch" in message["content"]
