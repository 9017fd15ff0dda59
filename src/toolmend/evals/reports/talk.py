"""One stored conversation as small plain data: what the HTML report carries of it. Knows no format but JSON.

    {"turns": [{"turn": 0, "lines": [["said", "Lunch at noon"], ["reply", "add(…)", {…}]], "marks": ["correct"]}]}

Lines stand in the order in which things happened. What the default would say is left out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from toolmend.base.events import (
    Asked,
    Called,
    Corrected,
    Event,
    Finished,
    Marked,
    Read,
    Refused,
    Replied,
    Tried,
    Undone,
    to_json,
)
from toolmend.base.messages import Call
from toolmend.base.mistakes import Mistake
from toolmend.evals.store import Sample
from toolmend.reading.origins import origins

Line = list[Any]


def talk(sample: Sample) -> dict[str, Any]:
    """Everything a reader may want to see of a sample, its raw exchanges left out (their keys are there)."""
    turns = {turn: _Turn(turn) for turn in sorted({e.turn for e in sample.events if not isinstance(e, Finished)})}
    calls: dict[str, Call] = {}
    made: dict[str, Any] = {}
    for event in sample.events:
        if isinstance(event, Finished):
            made |= {"end": event.reason} if event.reason != "done" else {}
            made |= {"why": event.detail} if event.detail else {}
            continue
        if isinstance(event, Called):
            calls[event.call.id] = event.call
        turns[event.turn].add(event, calls)
    made["turns"] = [turn.data for turn in turns.values()]
    about = {
        "seed": sample.seed,
        "started": sample.started,
        "seconds": round(sample.seconds, 3),
        "error": sample.detail,
    }
    return made | {name: value for name, value in about.items() if value not in (None, "", 0.0)}


def words(sample: Sample) -> str:
    """Everything said, replied, reasoned and found wrong in a sample, its branches included; page.js does the same."""
    data = talk(sample)
    texts = [data.get("error", "")]
    for turn in data["turns"]:
        for line in turn["lines"]:
            texts += [line[1], line[2].get("reasoning", "") if len(line) > 2 else ""]
        texts += [text for tried in turn.get("tried", ()) for text in (tried["said"], tried["text"])]
        texts += [text for mistake in turn.get("mistakes", ()) for text in mistake]
    return "\n".join(filter(None, texts))


class _Turn:
    """A turn as it is put together."""

    def __init__(self, turn: int) -> None:
        self.lines: list[Line] = []
        self.data: dict[str, Any] = {"turn": turn, "lines": self.lines}

    def add(self, event: Event, calls: dict[str, Call]) -> None:
        """Put an event where it belongs."""
        if isinstance(event, Asked):
            self.lines.append(["said", event.text])
            self.data |= {} if event.amends is None else {"amends": event.amends}
        elif isinstance(event, Corrected):
            level, named = event.correction.level, event.correction.mistake
            self.data |= {"amends": event.amends} | ({} if level is None else {"level": level})
            self.data |= {} if named is None else {"named": str(named)}
        elif isinstance(event, Marked):
            self.data |= {"marks": list(event.marks)} | _mistakes(event.mistakes)
        elif isinstance(event, Tried):
            self.data.setdefault("tried", []).append(_tried(event))
        elif isinstance(event, Undone):
            named_calls = [_call(calls[call_id]) if call_id in calls else call_id for call_id in event.call_ids]
            self.lines.append(["redone" if event.redone else "undone", "\n".join(named_calls)])
        elif (line := _LINES.get(type(event), _other)(event)) is not None:
            self.lines.append(line)


def _reply(event: Replied) -> Line:
    usage = event.usage
    about: dict[str, Any] = {"by": event.model, "tokens": [usage.input_tokens, usage.output_tokens]}
    about |= {"seconds": round(usage.seconds, 3), "role": "" if event.role == "main" else event.role}
    about |= {"reasoning": event.reasoning, "exchange": event.exchange}
    notes = [
        *([f"ended: {event.finish}"] if event.finish != "stop" else []),
        *(["the request was cut to fit"] if event.truncated else []),
        *(["from the cache"] if event.cached else []),
        *(f"not honoured: {option}" for option in event.unmet),
    ]
    about["notes"] = notes
    return ["reply", event.text, {name: value for name, value in about.items() if value not in ("", [], 0.0, [0, 0])}]


def _read(event: Read) -> Line | None:
    words = [line for call in event.calls if call.said for line in (_call(call), *origins(call))]
    words += [f"told: {event.told}"] if event.told and not event.calls else []
    words += [*([f"leniently: {', '.join(event.leniencies)}"] if event.leniencies else [])]
    words += [f"no call: {event.problem}"] if event.problem else []
    return ["read", "; ".join(words)] if words else None


def _called(event: Called) -> Line:
    if event.result.error:
        return ["error", event.result.error]
    coerced = f" ({'; '.join(event.result.coerced)})" if event.result.coerced else ""
    return ["ran", event.call.tool + coerced]


def _refused(event: Refused) -> Line:
    return ["error", f"refused: {_call(event.call)}: {event.reason}"]


def _other(event: Event) -> Line:
    """What this file does not know by name is told by name and values."""
    data = {name: value for name, value in to_json(event).items() if name not in ("event", "turn")}
    return ["note", f"{type(event).__name__.lower()}: " + ", ".join(f"{n}={_json(value)}" for n, value in data.items())]


_LINES: dict[type[Any], Callable[[Any], Line | None]] = {
    Replied: _reply,
    Read: _read,
    Called: _called,
    Refused: _refused,
}


def _tried(event: Tried) -> dict[str, Any]:
    said = {"arm": event.arm, "said": event.correction.text, "text": event.text, "marks": list(event.marks)}
    return said | _mistakes(event.mistakes)


def _mistakes(mistakes: Sequence[Mistake]) -> dict[str, Any]:
    """`[["wrong_value(time)", "'12:00'", "'13:00'"]]`: what, what should be, what is."""
    if not mistakes:
        return {}
    shown = [[str(m), *(None if value is None else repr(value) for value in (m.expected, m.got))] for m in mistakes]
    return {"mistakes": shown}


def _call(call: Call) -> str:
    return f"{call.tool}({', '.join(f'{name}={_json(value)}' for name, value in call.arguments.items())})"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=repr)
