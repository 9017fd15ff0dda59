"""Spans of OpenTelemetry for samples, turns, model calls, tool calls and corrections, under the GenAI names.

    toolmend.sample > toolmend.turn | toolmend.correct > chat {model}, execute_tool {tool}

On where OTEL_EXPORTER_OTLP_ENDPOINT or OTEL_TRACES_EXPORTER is set, or after `enable()`; else nothing is imported and a
span costs a function call. docs/tracing.md tells what is recorded. Knows values, and nothing of sessions or runs.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any

from toolmend.base.errors import MissingExtra
from toolmend.base.messages import Call, CallResult, Message, Reply, Request

CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
_CAPTURING = {"true", "span_only", "span_and_event"}
_PROVIDERS = {"gemini": "gcp.gemini", "mistral": "mistral_ai"}
_UNASKED: Any = object()

_tracer: Any = _UNASKED  # None when off
_capture = False


@dataclass(frozen=True, slots=True)
class Span:
    """A span of OpenTelemetry, None where tracing is off."""

    span: Any = None

    def replied(self, reply: Reply) -> None:
        """What a model answered."""
        self._set(
            {
                "gen_ai.response.finish_reasons": [reply.finish],
                "gen_ai.usage.input_tokens": reply.usage.input_tokens,
                "gen_ai.usage.output_tokens": reply.usage.output_tokens,
                "toolmend.cached": reply.cached or None,
                "gen_ai.output.messages": _captured([Message("assistant", reply.text)], reply.finish),
            }
        )

    def ran(self, result: CallResult) -> None:
        """What a tool did."""
        if self.span is not None and result.error is not None:
            from opentelemetry.trace import Status, StatusCode

            self._set({"error.type": "ToolError"})
            self.span.set_status(Status(StatusCode.ERROR, result.error if _capture else None))
        elif _capture:
            self._set({"gen_ai.tool.call.result": _json(result.value)})

    def ended(self, undone: tuple[str, ...], redone: bool, stopped: str) -> None:
        """How a turn ended: calls it took back, whether they were put back, the guard that stopped it."""
        self._set({"toolmend.undone": undone, "toolmend.redone": redone or None, "toolmend.stopped": stopped})

    def _set(self, attributes: Mapping[str, Any]) -> None:
        if self.span is not None:
            self.span.set_attributes(_known(attributes))


def sample(case: str, model: str, strategy: str, attempt: int) -> AbstractContextManager[Span]:
    """The span of a sample: everything that happens in it is below."""
    about = {"toolmend.case": case, "toolmend.model": model, "toolmend.strategy": strategy, "toolmend.attempt": attempt}
    return _begun("toolmend.sample", about)


def turn(number: int, amends: int | None, level: int | None) -> AbstractContextManager[Span]:
    """The span of a turn; where it amends another it is a correction, of that level if it was graded."""
    about = {"toolmend.turn": number, "toolmend.amends": amends, "toolmend.level": level}
    return _begun("toolmend.turn" if amends is None else "toolmend.correct", about)


def chat(model: str, request: Request, role: str) -> AbstractContextManager[Span]:
    """The span of one request to a model. `role` is the strategy's name for it."""
    provider, name = _names(model)
    options = request.options
    about = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": provider,
        "gen_ai.request.model": name,
        "gen_ai.request.temperature": options.temperature,
        "gen_ai.request.max_tokens": options.max_tokens,
        "gen_ai.request.seed": options.seed,
        "gen_ai.request.stop_sequences": options.stop,
        "gen_ai.input.messages": _captured(request.messages),
        "toolmend.role": role,
    }
    return _begun(f"chat {name}", about, "CLIENT")


def execute_tool(call: Call) -> AbstractContextManager[Span]:
    """The span of one call of a tool."""
    about = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": call.tool,
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": call.id,
        "gen_ai.tool.call.arguments": _json(dict(call.arguments)) if _capture else None,
        "toolmend.amends_call": call.amends,
    }
    return _begun(f"execute_tool {call.tool}", about)


@contextmanager
def _begun(name: str, attributes: Mapping[str, Any], kind: str = "INTERNAL") -> Iterator[Span]:
    """The span while something goes on; what raises inside is its error."""
    if _tracer is _UNASKED:
        _ask_environment()
    if _tracer is None:
        yield Span()
        return
    from opentelemetry.trace import SpanKind

    about = {"kind": SpanKind[kind], "attributes": _known(attributes), "record_exception": False}
    with _tracer.start_as_current_span(name, **about) as span:
        try:
            yield Span(span)
        except BaseException as error:
            span.set_attribute("error.type", type(error).__qualname__)
            raise


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


def _captured(messages: Any, finish: str | None = None) -> str | None:
    """Messages as the conventions want them in an attribute, where content is captured."""
    if not _capture:
        return None
    end = {"finish_reason": finish} if finish else {}
    return _json(
        [{"role": message.role, "parts": [{"type": "text", "content": message.content}], **end} for message in messages]
    )


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
