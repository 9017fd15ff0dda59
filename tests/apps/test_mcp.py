"""`toolmend mcp`, asked by the SDK's own client: in this process, as a command, and over HTTP."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest

pytest.importorskip("mcp")

from mcp import Client
from mcp.client.stdio import StdioServerParameters

from toolmend import registry
from toolmend.apps.mcp import McpSettings, create_server, run_http
from toolmend.models.scripted import Scripted

SOURCE = str(Path(__file__).parents[2] / "src")
LUNCH = {"title": "Lunch", "date": "2024-05-03", "time": "12:00"}
FRED = "Add a meeting with Fred on Nov 11 2024 at 5PM"


def talk(target: Any, *calls: tuple[str, dict[str, Any]]) -> list[Any]:
    """What these calls came to, one after the other."""

    async def run() -> list[Any]:
        async with Client(target, read_timeout_seconds=60) as client:
            return [await client.call_tool(name, arguments) for name, arguments in calls]

    return anyio.run(run)


def listed(target: Any) -> dict[str, Any]:
    """The tools by name."""

    async def run() -> list[Any]:
        async with Client(target, read_timeout_seconds=60) as client:
            return list((await client.list_tools()).tools)

    return {each.name: each for each in anyio.run(run)}


def text(result: Any) -> str:
    """The words of a result."""
    return "\n".join(block.text for block in result.content)


def test_tools_have_their_schemas_and_effects() -> None:
    tools = listed(create_server(McpSettings(("calendar", "shop"))))
    assert tools["add_calendar_entry"].input_schema["required"] == ["title", "date", "time"]
    effects = {
        name: (each.annotations.read_only_hint, each.annotations.destructive_hint) for name, each in tools.items()
    }
    assert effects["find_products"] == (True, False)
    assert effects["set_price"] == (False, False)
    assert effects["ship_orders"] == (False, True)
    assert effects["ask"] == (False, True)


def test_a_client_names_what_is_offered_and_nothing_is_made_of_another_name(monkeypatch: pytest.MonkeyPatch) -> None:
    server, names = create_server(McpSettings()), list[str]()
    monkeypatch.setattr("toolmend.apps.mcp.load_model", names.append)
    monkeypatch.setattr("toolmend.tools.Toolbox.load", names.append)
    calls = [("ask", {"text": FRED, "toolbox": name}) for name in ("memory", "json:loads", "mcp:touch /nowhere")]
    answers = talk(server, *calls, ("memory.recall", {"question": "soup?"}), ("calendar?x=1", {}))
    assert [answer.is_error for answer in answers] == [True] * 5
    assert names == []


def test_a_call_runs_and_the_world_stays() -> None:
    first, again = talk(create_server(McpSettings()), ("add_calendar_entry", LUNCH), ("remove_calendar_entry", LUNCH))
    assert first.structured_content == {"result": {**LUNCH, "duration": 30}}
    assert not again.is_error


def test_a_mistake_is_an_error_that_says_what_to_do() -> None:
    wrong, unknown = talk(create_server(McpSettings()), ("add_calendar_entry", {"title": "x"}), ("nonesuch", {}))
    assert (wrong.is_error, text(wrong)) == (True, "argument 'date' is missing; argument 'time' is missing")
    assert "there is no tool 'nonesuch'; there are: add_calendar_entry, remove_calendar_entry, ask" in text(unknown)


def test_ask_makes_calls_and_takes_corrections() -> None:
    made, corrected = talk(create_server(McpSettings()), ("ask", {"text": FRED}), ("ask", {"text": "No, at 6PM"}))
    assert made.structured_content["calls"][0]["result"]["time"] == "17:00"
    assert corrected.structured_content["calls"][0]["result"]["time"] == "18:00"
    assert corrected.structured_content["corrects"]
    assert corrected.structured_content["undone"] == ["c1"]


def test_ask_and_direct_calls_share_a_world() -> None:
    fred = {"title": "Meeting with Fred", "date": "2024-11-11", "time": "17:00"}
    _, removed = talk(create_server(McpSettings()), ("ask", {"text": FRED}), ("remove_calendar_entry", fred))
    assert not removed.is_error


@pytest.mark.parametrize("arguments", [{}, {"text": " "}, {"text": 1}, {"text": "x", "toolbox": "nonesuch"}])
def test_ask_needs_something_to_do(arguments: dict[str, Any]) -> None:
    [result] = talk(create_server(McpSettings()), ("ask", arguments))
    assert text(result) == "ask needs a 'text', and a 'toolbox' of: calendar"


def test_without_ask_nobody_is_sent_there() -> None:
    [unknown] = talk(create_server(McpSettings(("growth-5",))), ("nonesuch", {}))
    assert text(unknown).startswith("there is no tool 'nonesuch'; there are: ") and "ask" not in text(unknown)


def test_ask_says_which_toolbox(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Scripted(["find_products()"], "canned/one")
    monkeypatch.setitem(registry.models._table, "canned", lambda name: model)
    server = create_server(McpSettings(("calendar", "shop"), "canned/one", "oneline"))
    assert listed(server)["ask"].input_schema["properties"]["toolbox"]["enum"] == ["calendar", "shop"]


def test_a_policy_holds_for_both_ways() -> None:
    server = create_server(McpSettings(approve="deny"))
    direct, asked = talk(server, ("add_calendar_entry", LUNCH), ("ask", {"text": FRED}))
    assert "it was not allowed" in text(direct)
    assert "it was not allowed" in text(asked)


def test_as_a_command() -> None:
    command = StdioServerParameters(
        command=sys.executable,
        args=["-m", "toolmend.apps.cli", "mcp"],
        env={"PYTHONPATH": SOURCE, "TOOLMEND_CONFIG": "off"},
    )
    made, corrected = talk(command, ("ask", {"text": FRED}), ("ask", {"text": "It should be at 6PM"}))
    assert corrected.structured_content["calls"][0]["result"]["time"] == "18:00"
    assert not made.is_error


def test_whoever_is_told_the_address_can_connect(monkeypatch: pytest.MonkeyPatch) -> None:
    import uvicorn

    told: list[str] = []

    def ready(url: str) -> None:
        parts = httpx2.URL(url)
        socket.create_connection((parts.host, parts.port or 0), 5).close()
        told.append(parts.path)

    monkeypatch.setattr(uvicorn.Server, "run", lambda *_, **__: None)
    run_http(McpSettings(), 0, ready)
    assert told == ["/mcp"]


def test_over_http() -> None:
    def asked(url: str) -> None:
        [result] = talk(url, ("add_calendar_entry", LUNCH))
        assert result.structured_content == {"result": {**LUNCH, "duration": 30}}
        foreign = httpx2.post(url, json={}, headers={"host": "evil.example"})
        assert foreign.status_code == 421
        page = httpx2.post(url, json={}, headers={"origin": "https://evil.example"})
        assert page.status_code == 403

    serving(asked)


def serving(use: Callable[[str], Awaitable[None] | None]) -> None:
    """Run the command on a free port while it is used."""
    command = [sys.executable, "-m", "toolmend.apps.cli", "mcp", "--port", "0"]
    environment = {**os.environ, "PYTHONPATH": SOURCE, "TOOLMEND_CONFIG": "off"}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as server:
        assert server.stderr is not None
        line = server.stderr.readline()
        try:
            use(line.split("listening on ")[1].split()[0])
        finally:
            server.send_signal(signal.SIGTERM)
            server.stderr.read()


DOUBTED = [
    ("Lunch on 2024-05-03", LUNCH, "time '12:00': was not said"),
    ("Lunch at noon", LUNCH, "date '2024-05-03': was not said"),
    ("Brunch on 2024-05-03 at noon", LUNCH, "title 'Lunch': was not said"),
    ("Lunch on 2024-05-03 at noon", {**LUNCH, "duration": 90}, "duration 90: was not said"),
    ("Lunch with Ada at noon on 2024-05-03", {**LUNCH, "title": "Lunch with Bob"}, "title 'Lunch with Bob': was not"),
    ("Put it in at noon", LUNCH, "title 'Lunch': was not said"),
]


def asking(monkeypatch: pytest.MonkeyPatch, *replies: str) -> Any:
    """A server whose model gives these replies."""
    monkeypatch.setitem(registry.models._table, "canned", lambda name: Scripted(list(replies)))
    return create_server(McpSettings(model="canned/text", strategy="oneline"))


@pytest.mark.parametrize(("said", "values", "doubt"), DOUBTED, ids=[row[0] for row in DOUBTED])
def test_a_doubtful_call_waits_for_a_yes_and_its_doubts_are_told(
    monkeypatch: pytest.MonkeyPatch, said: str, values: dict[str, Any], doubt: str
) -> None:
    given = ", ".join(f"{name}={value!r}" for name, value in values.items())
    server = asking(monkeypatch, f"action.add_calendar_entry({given})")
    first, yes, again = talk(server, ("ask", {"text": said}), ("ask", {"text": "yes"}), ("ask", {"text": "yes"}))
    assert f"action.add_calendar_entry: not run yet\n? {doubt}" in text(first)
    assert first.structured_content["doubts"][0][0].startswith(doubt)
    assert yes.structured_content["calls"][0]["result"]["title"] == values["title"]
    assert "result" not in str(again.structured_content["calls"])


def test_what_was_said_runs_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    server = asking(monkeypatch, 'action.add_calendar_entry("Lunch", "2024-05-03", "12:00")')
    [done] = talk(server, ("ask", {"text": "Lunch on 2024-05-03 at noon"}))
    assert (done.structured_content["doubts"], done.structured_content["calls"][0]["result"]["time"]) == ([], "12:00")


def test_other_words_than_yes_run_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    server = asking(monkeypatch, 'action.add_calendar_entry("Lunch", "2024-05-03", "12:00")', "Hm.")
    _, no, yes = talk(server, *(("ask", {"text": said}) for said in ("Lunch at noon", "no, thanks", "yes")))
    assert "result" not in str(no.structured_content) + str(yes.structured_content["calls"])


def test_a_policy_that_allows_asks_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(
        registry.models._table,
        "canned",
        lambda name: Scripted(['action.add_calendar_entry("Lunch", "2024-05-03", "12:00")']),
    )
    server = create_server(McpSettings(model="canned/text", strategy="oneline", approve="allow"))
    [done] = talk(server, ("ask", {"text": "Lunch at noon"}))
    assert done.structured_content["calls"][0]["result"]["date"] == "2024-05-03"
