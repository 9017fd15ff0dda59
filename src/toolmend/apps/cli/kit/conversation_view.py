"""One stored conversation on a screen: who said what, marks and mistakes, branches tried. Computes nothing.

fixing/wrong time/concert in the morning · builtin/small · oneline · attempt 1
  you    I'm going to a rock concert …
  given  action.add_calendar_entry("Rock Concert", date="2024-11-11", time="08:00", duration=30)
         🍄  wrong_value(time): should be '20:00', is '08:00'
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from toolmend.apps.cli.kit.screen import difference, hang, plain
from toolmend.base.events import (
    Asked,
    Called,
    Corrected,
    Event,
    Finished,
    Guarded,
    Marked,
    Read,
    Refused,
    Replied,
    Tried,
    Undone,
)
from toolmend.base.events import to_json as event_to_json
from toolmend.base.mistakes import glyphs
from toolmend.evals.store import Sample
from toolmend.reading.origins import origins

_ARMS = {"level 0": "“Try again.”", "false": "a groundless complaint"}


def to_json(sample: Sample) -> dict[str, Any]:
    """A sample as plain data, its events as they are stored."""
    return {
        "case": sample.case,
        "model": sample.model,
        "strategy": sample.strategy,
        "attempt": sample.attempt,
        "seed": sample.seed,
        "status": sample.status,
        "detail": sample.detail,
        "seconds": sample.seconds,
        "events": [event_to_json(event) for event in sample.events],
    }


def print_sample(sample: Sample, console: Console) -> None:
    """Print one conversation and an empty line."""
    title = f"{sample.case} · {sample.model} · {sample.strategy} · attempt {sample.attempt + 1}"
    console.print(Text(plain(title), style="bold"))
    if sample.status == "error":
        _row(console, "error", sample.detail, "red")
    for turn in sorted({event.turn for event in sample.events if not isinstance(event, Finished)}):
        _turn(console, [event for event in sample.events if not isinstance(event, Finished) and event.turn == turn])
    ending = next((event for event in sample.events if isinstance(event, Finished)), Finished())
    if ending.reason != "done":
        _row(console, "end", ending.reason.replace("_", " "), "dim")
    console.print()


def _turn(console: Console, events: Sequence[Event]) -> None:
    correction = next((event.correction for event in events if isinstance(event, Corrected)), None)
    for event in events:
        if isinstance(event, Asked):
            level = correction.level if correction else None
            _row(console, "you", event.text + ("" if level is None else f" (correction of level {level})"))
        elif isinstance(event, Replied):
            asked = "model" if event.role == "main" else event.role
            _row(console, "given" if event.model == "given" else asked, event.text or "(nothing)", "cyan")
        elif isinstance(event, Read):
            if event.told:
                _row(console, "told", event.told)
            for line in (line for call in event.calls for line in origins(call)):
                _row(console, "", line, "dim")
        elif isinstance(event, Called) and event.result.error:
            _row(console, "", f"tool error: {event.result.error}", "red")
        elif isinstance(event, Refused):
            _row(console, "", f"refused: {event.reason}", "red")
        elif isinstance(event, Guarded):
            _row(console, "", f"{event.guard.replace('_', ' ')}{': ' + event.detail if event.detail else ''}", "dim")
        elif isinstance(event, Undone) and event.redone:
            _row(console, "", "no call came back: what was undone stands again", "dim")
    for event in events:
        if isinstance(event, Marked):
            _row(console, "", "  ".join([glyphs(event.marks), "; ".join(map(difference, event.mistakes))]).strip())
    tried = [f"{_ARMS.get(event.arm, event.arm)} {glyphs(event.marks)}" for event in events if isinstance(event, Tried)]
    if tried:
        _row(console, "", f"tried and undone: {' · '.join(tried)}", "dim")


def _row(console: Console, who: str, text: str, style: str = "") -> None:
    hang(console, f"  {who}", text, style, indent=7)
