"""Spans of OpenTelemetry for samples, turns, model calls, tool calls and corrections, under the GenAI names.

    toolmend.sample > toolmend.turn | toolmend.correct > chat {model}, execute_tool {tool}

On where OTEL_EXPORTER_OTLP_ENDPOINT or OTEL_TRACES_EXPORTER is set, or after `enable()`; else nothing is imported and a
span costs a function call. docs/tracing.md tells what is recorded. Knows values, and nothing of sessions or runs.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Mapping
from typing import Any

from toolmend.errors import MissingExtra
from toolmend.messages import Call, CallResult, Message, Reply, Request

# The GenAI conventions have no Python package that is stable; these are all of their names that are used here.
OPERATION, PROVIDER, MODEL = "gen_ai.operation.name", "gen_ai.provider.name", "gen_ai.request.model"
TEMPERATURE, MAX_TOKENS = "gen_ai.request.temperature", "gen_ai.request.max_tokens"
SEED, STOP = "gen_ai.request.seed", "gen_ai.request.stop_sequences"
FINISH = "gen_ai.response.finish_reasons"
INPUT_TOKENS, OUTPUT_TOKENS = "gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens"
INPUT, OUTPUT = "gen_ai.input.messages", "gen_ai.output.messages"
TOOL, TOOL_TYPE, CALL_ID = "gen_ai.tool.name", "gen_ai.tool.type", "gen_ai.tool.call.id"
ARGUMENTS, RESULT = "gen_ai.tool.call.arguments", "gen_ai.tool.call.result"
ERROR = "error.type"

CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
_CAPTURING = {"true", "span_only", "span_and_event"}
_PROVIDERS = {"gemini": "gcp.gemini", "mistral": "mistral_ai"}
_UNASKED: Any = object()

_tracer: Any = _UNASKED  # None when off
_capture = False


class Span:
    """A span, or nothing at all where tracing is off. Use it as a context; what raises inside is its error."""

    __slots__ = ("_manager", "_span")

    def __init__(self, manager: Any = None) -> None:
        self._manager: Any = manager
        self._span: Any = None

    def __enter__(self) -> Span:
        """Begin."""
        if self._manager is not None:
            self._span = self._manager.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: Any) -> None:
        """End."""
        if self._manager is not None:
            if kind is not None and self._span is not None:
                self._span.set_attribute(ERROR, kind.__qualname__)
            self._manager.__exit__(kind, error, trace)

    def replied(self, reply: Reply) -> None:
        """What a model answered."""
        if self._span is None:
            return
        self._set(
            {
                FINISH: [reply.finish],
                INPUT_TOKENS: reply.usage.input_tokens,
                OUTPUT_TOKENS: reply.usage.output_tokens,
                "toolmend.cached": reply.cached or None,
                OUTPUT: _messages([Message("assistant", reply.text)], reply.finish) if _capture else None,
            }
        )

    def ran(self, result: CallResult) -> None:
        """What a tool did."""
        if self._span is None:
            return
        if result.error is not None:
            from opentelemetry.trace import Status, StatusCode

            self._set({ERROR: "ToolError"})
            self._span.set_status(Status(StatusCode.ERROR, result.error if _capture else None))
        elif _capture:
            self._set({RESULT: _json(result.value)})

    def ended(self, undone: tuple[str, ...], redone: bool, stopped: str) -> None:
        """How a turn ended: calls it took back, whether they were put back, the guard that stopped it."""
        if self._span is not None:
            self._set({"toolmend.undone": undone, "toolmend.redone": redone or None, "toolmend.stopped": stopped})

    def _set(self, attributes: Mapping[str, Any]) -> None:
        self._span.set_attributes(_known(attributes))


OFF = Span()


def sample(case: str, model: str, strategy: str, attempt: int) -> Span:
    """The span of a sample: everything that happens in it is below."""
    if _off():
        return OFF
    about = {"toolmend.case": case, "toolmend.model": model, "toolmend.strategy": strategy, "toolmend.attempt": attempt}
    return _span("toolmend.sample", about)


def turn(number: int, amends: int | None, level: int | None) -> Span:
    """The span of a turn; where it amends another it is a correction, of that level if it was graded."""
    if _off():
        return OFF
    about = {"toolmend.turn": number, "toolmend.amends": amends, "toolmend.level": level}
    return _span("toolmend.turn" if amends is None else "toolmend.correct", about)


def chat(model: str, request: Request, role: str) -> Span:
    """The span of one request to a model. `role` is the strategy's name for it."""
    if _off():
        return OFF
    provider, name = _names(model)
    options = request.options
    about = {
        OPERATION: "chat",
        PROVIDER: provider,
        MODEL: name,
        TEMPERATURE: options.temperature,
        MAX_TOKENS: options.max_tokens,
        SEED: options.seed,
        STOP: options.stop,
        INPUT: _messages(request.messages) if _capture else None,
        "toolmend.role": role,
    }
    return _span(f"chat {name}", about, client=True)


def execute_tool(call: Call) -> Span:
    """The span of one call of a tool."""
    if _off():
        return OFF
    about = {OPERATION: "execute_tool", TOOL: call.tool, TOOL_TYPE: "function", CALL_ID: call.id}
    arguments = _json(dict(call.arguments)) if _capture else None
    return _span(f"execute_tool {call.tool}", {**about, ARGUMENTS: arguments, "toolmend.amends_call": call.amends})


def enable(provider: Any = None) -> None:
    """Begin to trace: with a TracerProvider, else the process's own, else one that the OTEL_ variables describe.

    Raises MissingExtra where OpenTelemetry is not installed.
    """
    global _tracer, _capture
    from toolmend import __version__

    try:
        _tracer = (provider or _provider()).get_tracer("toolmend", __version__)
    except ImportError as error:
        raise MissingExtra("tracing", "otel") from error
    _capture = os.environ.get(CAPTURE, "").lower() in _CAPTURING


def disable() -> None:
    """Trace nothing from now on."""
    global _tracer
    _tracer = None


def _off() -> bool:
    """Whether nothing is to be recorded; the environment is asked once."""
    if _tracer is _UNASKED:
        _ask_environment()
    return _tracer is None


def _ask_environment() -> None:
    exporter = os.environ.get("OTEL_TRACES_EXPORTER", "")
    wanted = exporter or os.environ.get("OTEL_EXPORTER_OTLP_ENDPOINT")
    disable()
    if not wanted or exporter == "none" or os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return
    try:
        enable()
    except MissingExtra as error:  # asked for by a variable that other programs read, too: say so, and go on
        logging.getLogger(__name__).warning("no spans: %s", error)


def _provider() -> Any:
    """The process's provider if it has one, else one of our own that exports as the OTEL_ variables say."""
    import sys

    from opentelemetry import trace
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor, ConsoleSpanExporter

    found = trace.get_tracer_provider()
    if isinstance(found, TracerProvider):
        return found
    named = os.environ.get("OTEL_SERVICE_NAME") or "service.name" in os.environ.get("OTEL_RESOURCE_ATTRIBUTES", "")
    made = TracerProvider(resource=Resource.create({} if named else {"service.name": "toolmend"}))
    if os.environ.get("OTEL_TRACES_EXPORTER") == "console":
        made.add_span_processor(BatchSpanProcessor(ConsoleSpanExporter(out=sys.stderr)))
    else:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

        made.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return made


def _span(name: str, attributes: Mapping[str, Any], *, client: bool = False) -> Span:
    from opentelemetry.trace import SpanKind

    kind = SpanKind.CLIENT if client else SpanKind.INTERNAL
    known = _known(attributes)
    return Span(_tracer.start_as_current_span(name, kind=kind, attributes=known, record_exception=False))


def _known(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Without what is not known or empty."""
    return {name: value for name, value in attributes.items() if value is not None and value not in ("", ())}


def _names(model: str) -> tuple[str, str]:
    """Provider and model of a name: ("gcp.gemini", "gemini-2.0-flash"); options are no part of it."""
    bare = model.partition("?")[0]
    if bare.startswith((".", "/", "~")):
        return "builtin", bare
    family, _, rest = bare.partition("/")
    return _PROVIDERS.get(family, family), rest or family


def _messages(messages: Any, finish: str | None = None) -> str:
    """Messages as the conventions want them in an attribute."""
    end = {"finish_reason": finish} if finish else {}
    return _json(
        [{"role": each.role, "parts": [{"type": "text", "content": each.content}], **end} for each in messages]
    )


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
