"""Spans: their names, parents and attributes, what is captured only when asked for, and nothing at all when off."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from toolmend.base import tracing
from toolmend.base.errors import MissingExtra, ModelError
from toolmend.base.messages import Options, Reply, Request, Usage
from toolmend.base.mistakes import Correction
from toolmend.evals.running.plan import Plan
from toolmend.evals.running.runner import run
from toolmend.evals.store import Store
from toolmend.evals.suites.suite import load_suite, select
from toolmend.models.scripted import Scripted
from toolmend.session import Session

sdk = pytest.importorskip("opentelemetry.sdk.trace")

LATE = 'action.add_calendar_entry("Lunch", date="2024-05-03", time="13:00")'
RIGHT = 'action.add_calendar_entry("Lunch", date="2024-05-03", time="12:00")'


class Traced:
    """Tracing into memory."""

    def __init__(self) -> None:
        from opentelemetry.sdk.trace.export import SimpleSpanProcessor
        from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

        self._exporter, self.provider = InMemorySpanExporter(), sdk.TracerProvider()
        self.provider.add_span_processor(SimpleSpanProcessor(self._exporter))
        tracing.enable(self.provider)

    @property
    def spans(self) -> list[Any]:
        """The finished spans, in the order of their beginnings."""
        return sorted(self._exporter.get_finished_spans(), key=lambda span: span.start_time)

    @property
    def names(self) -> list[str]:
        return [span.name for span in self.spans]

    @property
    def texts(self) -> str:
        """All attributes and descriptions."""
        return "\n".join(f"{json.dumps(dict(span.attributes))} {span.status.description}" for span in self.spans)

    def one(self, name: str) -> Any:
        (found,) = [span for span in self.spans if span.name == name]
        return found


@pytest.fixture
def traced(monkeypatch: pytest.MonkeyPatch) -> Iterator[Traced]:
    monkeypatch.delenv(tracing.CAPTURE, raising=False)
    yield Traced()
    tracing.disable()


def test_a_talk_with_a_correction(traced: Traced) -> None:
    chat = Session(Scripted([LATE, RIGHT], "a/b"), "calendar", mend=False)
    chat.request("Lunch on May 3 2024 at noon")
    chat.correct(Correction("It starts at noon.", 3))
    called = "execute_tool action.add_calendar_entry"
    assert traced.names == ["toolmend.turn", "chat b", called, "toolmend.correct", "chat b", called]
    first, asked, ran, second, _, again = traced.spans
    assert first.parent is None
    assert asked.parent.span_id == ran.parent.span_id == first.context.span_id
    assert again.parent.span_id == second.context.span_id
    assert dict(first.attributes) == {"toolmend.turn": 0}
    assert dict(second.attributes) == {
        "toolmend.turn": 1,
        "toolmend.amends": 0,
        "toolmend.level": 3,
        "toolmend.undone": ("c1",),
    }
    assert again.attributes["toolmend.amends_call"] == "c1"


def test_what_was_put_back_is_said(traced: Traced) -> None:
    chat = Session(Scripted([LATE, "I cannot."], "a/b"), "calendar", mend=False)
    chat.request("Lunch")
    chat.correct("No.")
    assert traced.one("toolmend.correct").attributes["toolmend.redone"] is True


def test_a_model_call_has_the_names_of_the_conventions(traced: Traced) -> None:
    reply = Reply("", usage=Usage(30, 5, 0.1), finish="length", cached=True)
    options = Options(temperature=0.5, seed=7, max_tokens=64, stop=("\n",))
    model = Scripted([reply], "gemini/gemini-2.0-flash?timeout=3")
    Session(model, "calendar", options=options).request("Hello")
    asked = traced.one("chat gemini-2.0-flash")
    assert asked.kind.name == "CLIENT"
    assert dict(asked.attributes) == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "gcp.gemini",
        "gen_ai.request.model": "gemini-2.0-flash",
        "gen_ai.request.temperature": 0.5,
        "gen_ai.request.max_tokens": 64,
        "gen_ai.request.seed": 7,
        "gen_ai.request.stop_sequences": ("\n",),
        "gen_ai.response.finish_reasons": ("length",),
        "gen_ai.usage.input_tokens": 30,
        "gen_ai.usage.output_tokens": 5,
        "toolmend.role": "main",
        "toolmend.cached": True,
    }


def test_a_tool_call_has_the_names_of_the_conventions(traced: Traced) -> None:
    Session(Scripted([RIGHT], "a/b"), "calendar").request("Hello")
    assert dict(traced.one("execute_tool action.add_calendar_entry").attributes) == {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "action.add_calendar_entry",
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": "c1",
    }


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("builtin/small", ("builtin", "small")),
        ("mistral/large", ("mistral_ai", "large")),
        ("openrouter/meta/llama?a=b", ("openrouter", "meta/llama")),
        ("./presets/mine", ("builtin", "./presets/mine")),
        ("odd", ("odd", "odd")),
    ],
)
def test_provider_and_model_of_a_name(name: str, expected: tuple[str, str]) -> None:
    assert tracing._names(name) == expected


def test_no_content_unless_it_is_asked_for(traced: Traced) -> None:
    for reply in (RIGHT, "action.add_calendar_entry('secret', 'secret', 'secret')"):
        Session(Scripted([reply], "a/b"), "calendar", system="secret").request("secret")
    assert "secret" not in traced.texts
    assert "Lunch" not in traced.texts


def test_content_that_is_asked_for(traced: Traced, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(tracing.CAPTURE, "SPAN_ONLY")
    tracing.enable(traced.provider)
    Session(Scripted([RIGHT], "a/b"), "calendar", system="Be brief.").request("Lunch")
    asked, called = traced.one("chat b"), traced.one("execute_tool action.add_calendar_entry")
    assert json.loads(asked.attributes["gen_ai.input.messages"]) == [
        {"role": "system", "parts": [{"type": "text", "content": "Be brief."}]},
        {"role": "user", "parts": [{"type": "text", "content": "Lunch"}]},
    ]
    assert json.loads(asked.attributes["gen_ai.output.messages"]) == [
        {"role": "assistant", "parts": [{"type": "text", "content": RIGHT}], "finish_reason": "stop"}
    ]
    arguments = json.loads(called.attributes["gen_ai.tool.call.arguments"])
    assert arguments == {"title": "Lunch", "date": "2024-05-03", "time": "12:00"}
    assert "gen_ai.tool.call.result" in called.attributes


def test_a_model_that_cannot_answer(traced: Traced) -> None:
    def fails(request: Request) -> Reply:
        raise ModelError("the server is down")

    with pytest.raises(ModelError):
        Session(Scripted(fails, "a/b"), "calendar").request("Hello")
    for name in ("chat b", "toolmend.turn"):
        span = traced.one(name)
        assert (span.attributes["error.type"], span.status.status_code.name) == ("ModelError", "ERROR")
        assert span.events == ()


def test_a_tool_that_refuses(traced: Traced) -> None:
    Session(Scripted(["action.add_calendar_entry('Lunch', 'nonsense', 'x')"], "a/b"), "calendar").request("Hello")
    span = traced.one("execute_tool action.add_calendar_entry")
    assert (span.attributes["error.type"], span.status.status_code.name) == ("ToolError", "ERROR")


def test_a_sample_is_above_its_turns(traced: Traced, tmp_path: Path) -> None:
    suite = select(load_suite("calendar"), ["reliability"])
    plan = Plan.make(suite, [Scripted([RIGHT] * 3, "a/b")], ["oneline"], attempts=3, temperature=0.7)
    with Store(tmp_path / "runs.db") as store:
        anyio.run(run, plan, store)
    samples = [span for span in traced.spans if span.name == "toolmend.sample"]
    turns = [span for span in traced.spans if span.name == "toolmend.turn"]
    assert [span.attributes["toolmend.attempt"] for span in samples] == [0, 1, 2]
    assert {turn.parent.span_id for turn in turns} == {sample.context.span_id for sample in samples}
    (case,) = {span.attributes["toolmend.case"] for span in samples}
    assert case.startswith("reliability/")


def test_a_span_of_the_caller_is_the_parent(traced: Traced) -> None:
    with traced.provider.get_tracer("mine").start_as_current_span("mine"):
        Session(Scripted([RIGHT], "a/b"), "calendar").request("Hello")
    assert traced.one("toolmend.turn").parent.span_id == traced.one("mine").context.span_id


def ran(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A program in which a talk takes place."""
    talk = (
        "from toolmend.models.scripted import Scripted\n"
        "from toolmend.session import Session\n"
        f"Session(Scripted([{RIGHT!r}], 'a/b'), 'calendar').request('Lunch')\n"
    )
    bare = {name: value for name, value in os.environ.items() if not name.startswith("OTEL_")}
    path = os.pathsep.join(each for each in sys.path if each)
    return subprocess.run(
        [sys.executable, "-c", code.replace("TALK", talk)],
        capture_output=True,
        text=True,
        timeout=60,
        env={**bare, "PYTHONPATH": path, **environment},
    )


@pytest.mark.parametrize("environment", [{}, {"OTEL_TRACES_EXPORTER": "none"}, {"OTEL_SDK_DISABLED": "true"}])
def test_off_imports_nothing(environment: dict[str, str]) -> None:
    if "OTEL_SDK_DISABLED" in environment:
        environment = {**environment, "OTEL_TRACES_EXPORTER": "otlp"}
    code = "import sys\nTALKprint(*[name for name in sys.modules if name.startswith('opentelemetry')])"
    done = ran(code, **environment)
    assert (done.stdout, done.stderr) == ("\n", "")


def test_the_environment_turns_it_on() -> None:
    done = ran("TALK", OTEL_TRACES_EXPORTER="console")
    assert done.returncode == 0
    assert done.stdout == ""
    assert '"name": "chat b"' in done.stderr
    assert '"service.name": "toolmend"' in done.stderr


def test_one_line_where_it_is_asked_for_and_not_installed() -> None:
    done = ran("import sys\nsys.modules['opentelemetry'] = None\nTALKTALK", OTEL_EXPORTER_OTLP_ENDPOINT="x")
    assert done.returncode == 0
    assert re.fullmatch(r"no spans: tracing needs the extra 'otel': .* -m pip install .*\[otel\]'\n", done.stderr)


def test_asking_in_code_for_what_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    with pytest.raises(MissingExtra, match="tracing needs the extra 'otel'"):
        tracing.enable()
