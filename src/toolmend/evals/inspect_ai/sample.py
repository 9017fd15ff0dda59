"""One sample as Inspect AI's logs have it: messages, scores, usage, and its events as Inspect's where there are such.

Model and tool events are Inspect's own; everything else that happened (corrections, undoing, marks, branches) is an
`info` event with ours in it. Knows one sample at a time, and inspect-ai by its published schema only.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from toolmend.evals.metrics.outcomes import outcome
from toolmend.evals.suites.suite import Case
from toolmend.events import Asked, Called, Event, Marked, Read, Replied, Tried, to_json
from toolmend.messages import Call, CallResult, Usage
from toolmend.mistakes import glyphs
from toolmend.store import Sample

SCORES = ("first_right", "fix_at_1", "done")
GIVEN = "given"
STORED = "toolmend"


def scores_of(sample: Sample, limits: Mapping[str, int] | None = None) -> dict[str, float]:
    """The sample's share of right first replies and of mistakes gone after one correction, and whether all was done.

    What it had no occasion for is left out. docs/measures.md tells what each means.
    """
    values = outcome(sample, limits).values
    return {name: sum(values[name].values()) / len(values[name]) for name in SCORES if name in values}


def explained(sample: Sample) -> str:
    """A line for each graded reply: `🍄 wrong_value(time)`."""
    return "\n".join(" ".join([glyphs(each.marks), *map(str, each.mistakes)]) for each in sample.marked)


def to_inspect(sample: Sample, case: Case | None, scores: Mapping[str, float]) -> dict[str, Any]:
    """The sample as JSON-able data of Inspect's schema."""
    teller = _Teller(sample)
    for event in sample.events:
        teller.tell(event)
    answer, explanation = teller.output["completion"], explained(sample)
    scored = {name: {"value": value, "answer": answer, "explanation": explanation} for name, value in scores.items()}
    made = {
        "id": sample.case,
        "epoch": sample.attempt + 1,
        "input": case.steps[0].say if case else teller.first,
        "target": [step.reference for step in case.steps] if case else "",
        "messages": teller.messages,
        "output": teller.output,
        "scores": scored,
        "metadata": {"strategy": sample.strategy, "arm": sample.arm, "seed": sample.seed},
        "store": {STORED: [_clean(to_json(event)) for event in sample.events]},
        "events": [
            *teller.events,
            *(teller.event("score", scorer=name, score=score) for name, score in scored.items()),
        ],
        "events_data": {"messages": teller.messages, "calls": []},
        "model_usage": teller.usage,
        "started_at": teller.stamp(0),
        "completed_at": teller.stamp(sample.seconds),
        "total_time": sample.seconds,
        "working_time": sample.seconds,
        "uuid": sample.key,
    }
    if sample.status == "error":
        made["error"] = {"message": sample.detail, "traceback": sample.detail, "traceback_ansi": sample.detail}
    return made


class _Teller:
    """Tells a sample's events one after the other in Inspect's words."""

    def __init__(self, sample: Sample) -> None:
        self.sample, self.first = sample, ""
        self.messages: list[dict[str, Any]] = []
        self.events: list[dict[str, Any]] = []
        self.usage: dict[str, dict[str, int]] = {}
        self.output: dict[str, Any] = {"model": sample.model, "choices": [], "completion": ""}
        self._clock, self._number = 0.0, 0
        try:
            self._began = datetime.fromisoformat(sample.started)
        except ValueError:  # a sample of no known time
            self._began = datetime.fromtimestamp(0, UTC)

    def tell(self, event: Event) -> None:
        """One event."""
        if isinstance(event, Asked):
            self.first = self.first or event.text
            self._said("user", event.text)
        elif isinstance(event, Replied):
            self._replied(event)
        elif isinstance(event, Called):
            self._called(event.call, event.result)
        elif not isinstance(event, Read):  # whose calls have events of their own
            if isinstance(event, Tried):
                self._used(event.usage)
            self._info(event)

    def event(self, kind: str, **more: Any) -> dict[str, Any]:
        """An event of that kind, in its place."""
        self._number += 1
        head = {"uuid": f"{self.sample.key}|{self._number}", "timestamp": self.stamp(self._clock)}
        return {**head, "working_start": self._clock, "event": kind, **more}

    def stamp(self, seconds: float) -> str:
        """The time so many seconds after the beginning."""
        return (self._began + timedelta(seconds=seconds)).isoformat()

    def _said(self, role: str, content: str, **more: Any) -> dict[str, Any]:
        message = {"id": f"{self.sample.key}|m{len(self.messages)}", "role": role, "content": content, **more}
        self.messages.append(message)
        return message

    def _info(self, event: Event) -> None:
        source = "toolmend: mark" if isinstance(event, Marked) else "toolmend"
        self.events.append(self.event("info", source=source, data=_clean(to_json(event))))

    def _replied(self, event: Replied) -> None:
        before, given = len(self.messages), event.model == GIVEN
        message = self._said("assistant", event.text, source="input" if given else "generate", model=event.model)
        if given:  # the suite's own words: no model was asked
            self._info(event)
            return
        usage = _tokens(event.usage)
        reason = "max_tokens" if event.finish == "length" else "stop"
        self.output = {
            "model": event.model,
            "choices": [{"message": message, "stop_reason": reason}],
            "completion": event.text,
            "usage": usage,
            "time": event.usage.seconds,
        }
        self.events.append(
            self.event(
                "model",
                model=event.model,
                role=event.role,
                input=[],
                input_refs=[[0, before]],  # of events_data: what was said before, once for all requests
                tools=[],
                tool_choice="none",
                config={},
                output=self.output,
                working_time=event.usage.seconds,
            )
        )
        self._used(event.usage)

    def _used(self, spent: Usage) -> None:
        """Tokens and seconds count, those of branches that were tried and undone too."""
        usage = _tokens(spent)
        total = self.usage.setdefault(self.sample.model, dict.fromkeys(usage, 0))
        for name, tokens in usage.items():
            total[name] += tokens
        self._clock += spent.seconds

    def _called(self, call: Call, result: CallResult) -> None:
        what: dict[str, Any] = {"id": call.id, "function": call.tool, "arguments": _clean(dict(call.arguments))}
        what["result"] = result.value if isinstance(result.value, str) else json.dumps(_clean(result.value))
        if result.error is not None:
            what |= {"result": "", "error": {"type": "unknown", "message": result.error}, "failed": True}
        self.events.append(self.event("tool", **what))


def _tokens(usage: Usage) -> dict[str, int]:
    return {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "total_tokens": usage.input_tokens + usage.output_tokens,
    }


def _clean(value: Any) -> Any:
    """JSON-able data without what JSON has no word for."""
    return json.loads(json.dumps(value, default=str), parse_constant=str)
