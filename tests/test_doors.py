"""Doors by protocol: a part from outside is one file and one line, and works wherever a part of its kind is used.

Each test brings a throw-away part and registers it as another package would by an entry point.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import anyio
import click
import pytest
import sqlalchemy as sa
from click.testing import CliRunner, Result

from toolmend import registry
from toolmend.apps.cli import door
from toolmend.base import events
from toolmend.base.db import open_engine
from toolmend.base.errors import UnknownName
from toolmend.base.messages import Call, CallResult, Message, Reply, Request, ToolSpec
from toolmend.evals.store import Sample, Store
from toolmend.extras.arena import Arena, Contestant
from toolmend.extras.arena.judges.ways import JudgeVerdict
from toolmend.models import Abilities
from toolmend.reading import read_python
from toolmend.strategies import Act, Ask, Flow, Say, Talk
from toolmend.strategies.resuming import Record, Round

LUNCH = 'action.add_calendar_entry("Lunch", date="2024-05-03", time="12:00")'
SAID = "Add a lunch on May 3 2024 at noon."
SUITE = f"""\
suite: tiny
tools: calendar
cases:
  lunch:
    - steps:
        - say: {SAID}
          expect: {LUNCH}
"""
TOOL = {
    "type": "function",
    "function": {
        "name": "add_calendar_entry",
        "parameters": {
            "type": "object",
            "properties": {name: {"type": "string"} for name in ("title", "date", "time")},
            "required": ["title", "date", "time"],
        },
    },
}
Add = Callable[[registry.Registry[Any], str, Any], None]


class Parrot:
    """A provider: says one line of Python, or nothing but "noon" to whoever shouts."""

    abilities = Abilities(streaming=True)

    def __init__(self, name: str) -> None:
        self.name = f"parrot/{name}"

    async def reply(self, request: Request, *, on_delta: Callable[[str], None] | None = None) -> Reply:
        shown = request.messages[0].content
        line = LUNCH if "action." in shown or shown == SAID else LUNCH.removeprefix("action.")
        return Reply("noon" if shown == "WHEN?" else line, model=self.name)


class Shout:
    """A strategy: asks for a time of day alone, and makes a lunch of it."""

    name = "shout"
    bare = True
    prompt_hash = "0" * 12

    def turn(self, talk: Talk) -> Flow:
        reply: Reply = yield Ask((Message("system", "WHEN?"), talk.messages[-1]))
        add = next(spec.full_name for spec in talk.tools if spec.name == "add_calendar_entry")
        reading = read_python(f'{add}("Lunch", "2024-05-03", "12:00")' if reply.text == "noon" else "", talk.tools)
        yield Act(reading.calls, reading)

    def system_text(self, talk: Talk) -> str:
        return "WHEN?"


class Resumed(Record):
    """What the model of `Shout` said before its call, and what came of that."""

    def __init__(self, rounds: Sequence[Round]) -> None:
        self.left = list(rounds)

    def reply(self, ask: Ask) -> Reply | None:
        return Reply("noon") if self.left else None

    def results(self, calls: Sequence[Call]) -> tuple[CallResult, ...] | None:
        return self.left.pop().results if self.left else None


class Patient(Shout):
    """One that goes on after a client ran its call."""

    name = "patient"

    def turn(self, talk: Talk) -> Flow:
        yield from super().turn(talk)
        yield Say("It is noon, then.")

    def resume(self, rounds: Sequence[Round], tools: Sequence[ToolSpec], *, whole: bool) -> Record:
        return Resumed(rounds)


@pytest.fixture
def add(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Add:
    """Register a part until the test ends; the store, the home and the folder are the test's own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOOLMEND_STORE", str(tmp_path / "store.db"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "tiny.yaml").write_text(SUITE)
    return lambda kind, name, part: monkeypatch.setitem(kind._table, name, part)


def invoke(*words: str, said: str = "") -> Result:
    """A command in this process; fails unless it went well."""
    result = CliRunner().invoke(door.cli, [*words], input=said, prog_name="toolmend")
    assert result.exit_code == 0, result.output
    return result


def answered(model: str, *further: dict[str, Any]) -> Any:
    """The message that a client of the server gets."""
    httpx2 = pytest.importorskip("httpx2")
    from toolmend.apps.server.app import create_app
    from toolmend.apps.server.settings import ServerSettings

    async def asked() -> Any:
        app = create_app(ServerSettings(models=(model,)))
        async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://localhost") as client:
            body = {"model": model, "messages": [{"role": "user", "content": SAID}, *further], "tools": [TOOL]}
            return (await client.post("/v1/chat/completions", json=body)).json()

    return anyio.run(asked)["choices"][0]["message"]


def over_mcp(model: str, strategy: str) -> str:
    """What a client of the MCP server is told when it asks in English."""
    mcp = pytest.importorskip("mcp")
    from toolmend.apps.mcp import McpSettings, create_server

    async def asked() -> Any:
        async with mcp.Client(create_server(McpSettings(("calendar",), model, strategy))) as client:
            return await client.call_tool("ask", {"text": SAID})

    return str(anyio.run(asked).content[0].text)


def in_arena(model: str, strategy: str) -> str:
    """The call that stands at a desk of the arena."""

    async def sat() -> str:
        arena = Arena("arena.db", [Contestant(model, strategy)] * 2, mend=False)
        desk = await arena.open("ann")
        await desk.send("left", SAID)
        [turn] = desk.view().left.turns
        arena.close()
        return str(turn.calls)

    return anyio.run(sat)


def everywhere(model: str, strategy: str) -> None:
    """The lunch stands after one request through each of the doors, and the report names who made it."""
    invoke("run", "tiny.yaml", "--model", model, "--strategy", strategy)
    report = json.loads(invoke("show", "--format", "json").stdout)
    assert [(row["model"], row["strategy"], row["first_right"]["value"]) for row in report["contestants"]] == [
        (model, strategy, 1.0)
    ]
    assert '"Lunch"' in invoke("chat", "--model", model, "--strategy", strategy, said=f"{SAID}\ny\n").output
    assert "Lunch" in answered(f"{strategy}:{model}")["tool_calls"][0]["function"]["arguments"]
    assert "Lunch" in over_mcp(model, strategy)
    assert "Lunch" in in_arena(model, strategy)


def test_a_strategy(add: Add) -> None:
    add(registry.models, "parrot", Parrot)
    add(registry.strategies, "shout", Shout)
    everywhere("parrot/grey", "shout")


def test_a_strategy_goes_on_after_a_client_ran_its_call(add: Add) -> None:
    add(registry.models, "parrot", Parrot)
    add(registry.strategies, "patient", Patient)
    called = answered("patient:parrot/grey")
    result = {"role": "tool", "tool_call_id": called["tool_calls"][0]["id"], "content": "entry 7"}
    assert answered("patient:parrot/grey", called, result)["content"] == "It is noon, then."


def test_a_provider(add: Add) -> None:
    add(registry.models, "parrot", Parrot)
    everywhere("parrot/grey", "oneline")


def test_a_type_of_event(add: Add, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "_TYPES", dict(events._TYPES))

    @events.event
    @dataclass(frozen=True, slots=True)
    class Yawned:
        turn: int
        marks: tuple[events.Mark, ...] = ()

    yawn: Any = Yawned(0, (events.Mark.CORRECT,))
    assert events.from_json(json.loads(json.dumps(events.to_json(yawn)))) == yawn
    add(registry.models, "parrot", Parrot)
    invoke("run", "tiny.yaml", "--model", "parrot/grey", "--strategy", "oneline")
    with Store() as store:
        [run] = store.runs()
        [sample] = store.samples(run.id)
        config = {**run.config.to_json(), "suite": "yawned"}
        other = store.open_run(type(run.config).from_json(config))
        store.commit(other, Sample(**{**vars_of(sample), "events": (*sample.events, yawn)}))
        store.finish(other)
        [kept] = store.samples(other)
    assert kept.events[-1] == yawn
    for form in ("text", "markdown", "html", "json"):
        assert "parrot/grey" in invoke("show", other, "--format", form).stdout
    assert SAID in invoke("show", other, "--case", "lunch").stdout


def vars_of(value: Any) -> dict[str, Any]:
    """The fields of a dataclass, as they are."""
    return {name: getattr(value, name) for name in value.__dataclass_fields__ if not name.startswith("_")}


def test_a_store(add: Add, tmp_path: Path) -> None:
    def box(place: str, create: bool) -> sa.Engine:
        return open_engine(tmp_path / f"{place.removeprefix('box://')}.boxed", create=create)

    add(registry.stores, "box", box)
    add(registry.models, "parrot", Parrot)
    invoke("run", "tiny.yaml", "--model", "parrot/grey", "--strategy", "oneline", "--store", "box://one")
    assert "parrot/grey" in invoke("show", "--store", "box://one").stdout
    talk = ("chat", "--model", "parrot/grey", "--strategy", "oneline", "--keep", "--store", "box://one")
    assert '"Lunch"' in invoke(*talk, said=f"{SAID}\ny\n").output
    with Store("box://one") as store:
        assert len(store.runs()) == 2
    assert (tmp_path / "one.boxed").exists() and not (tmp_path / "store.db").exists()


def test_a_way_of_judging(add: Add, tmp_path: Path) -> None:
    class Coin:
        name = "coin"

        def read(self, text: str, *, band: bool = False) -> JudgeVerdict:
            return JudgeVerdict("first" if "Lunch" in text else None)

    add(registry.judges, "coin", Coin)
    add(registry.models, "parrot", Parrot)
    (tmp_path / "coin.md").write_text("{{ request }} {{ first }} {{ second }}")
    sides = {side: {"contestant": side, "reply": side} for side in ("left", "right")}
    (tmp_path / "pairs.jsonl").write_text(json.dumps({"pair": "1", "request": "Say hello", **sides}))
    words = ("--model", "parrot/grey", "--pairs", "pairs.jsonl", "--by", "coin", "--prompt", "coin.md")
    judged = invoke("judge", "run", *words, "--out", "judged.jsonl", "--format", "json")
    habits = json.loads(judged.stdout)["habits"]
    assert (habits["matches"], habits["first"]["k"]) == (1, 2)


def test_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("yawning")

    @click.command("yawn")
    def yawn() -> None:
        raise UnknownName("yawn", "deep", ["wide"])

    module.yawn = yawn  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "yawning", module)
    monkeypatch.setitem(door.COMMANDS, "yawn", ("yawning", "Yawn."))
    assert "yawn" in invoke("--help").stdout
    result = CliRunner().invoke(door.cli, ["yawn"])
    assert (result.exit_code, result.stderr) == (2, "toolmend: unknown yawn 'deep'; known: wide\n")


def test_a_column_of_the_report(add: Add) -> None:
    add(registry.models, "parrot", Parrot)
    add(registry.columns, "talkativeness", lambda sample: float(len(sample.events)))
    invoke("run", "tiny.yaml", "--model", "parrot/grey", "--strategy", "oneline")
    [row] = json.loads(invoke("show", "--format", "json").stdout)["contestants"]
    assert row["other"]["talkativeness"] > 3
    for form in ("text", "markdown", "html"):
        assert "talkativeness" in invoke("show", "--format", form).stdout
