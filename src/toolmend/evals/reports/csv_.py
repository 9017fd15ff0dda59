"""A run as CSV, one row for each reply, branches too: for spreadsheets, pandas and R. Reads samples one by one.

    run,suite,case,model,…,arm,step,turn,role,said,text,marks,…      docs/report.md names every column

A cell of text that a spreadsheet would take for a formula (it begins with = + - @, a tab or a line's end) has an
apostrophe in front. Numbers never have.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from typing import Any, TextIO, TypeGuard

from toolmend.events import Asked, Event, Replied, Tried
from toolmend.store import Run, Sample
from toolmend.store.replies import derive

COLUMNS = (
    *("run", "suite", "case", "model", "strategy", "attempt", "seed", "arm", "step", "turn", "role", "said", "text"),
    *("marks", "mistakes", "valid_call", "amends", "level", "named", "input_tokens", "output_tokens", "seconds"),
    *("exchange", "status", "detail"),
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def write_csv(file: TextIO, run: Run, samples: Iterable[Sample]) -> None:
    """Write a heading and a row for each reply. `file` is to be opened with newline=""."""
    writer = csv.DictWriter(file, COLUMNS, restval="", extrasaction="ignore")
    writer.writeheader()
    for sample in samples:
        head: dict[str, Any] = {"run": run.id, "suite": run.config.suite, "case": sample.case, "model": sample.model}
        head |= {"strategy": sample.strategy, "attempt": sample.attempt, "seed": sample.seed, "arm": sample.arm}
        head |= {"status": sample.status, "detail": sample.detail}
        for row in _rows(sample):
            writer.writerow({name: _safe(value) for name, value in (head | row).items()})


def _rows(sample: Sample) -> Iterator[dict[str, Any]]:
    """The replies of a sample, each turn followed by its branches; an empty row for one that could not be run."""
    if sample.status == "error":
        yield {}
        return
    said = {event.turn: event.text for event in sample.events if isinstance(event, Asked)}
    replied = sorted((event for event in sample.events if isinstance(event, Replied)), key=lambda event: event.turn)
    replies, answered = iter(replied), {event.turn for event in replied}
    derived = derive(sample.events)
    last = {row["turn"]: row["position"] for row in derived}
    for row in derived:
        exchange = next(replies).exchange if row["turn"] in answered else ""
        words = {name: " ".join(json.loads(row[name])) for name in ("marks", "mistakes")}
        yield {**row, **words, "said": said.get(row["turn"], ""), "exchange": exchange}
        if row["position"] == last[row["turn"]]:
            yield from (_branch(event, row["step"]) for event in sample.events if _is_branch(event, row["turn"]))


def _is_branch(event: Event, turn: int) -> TypeGuard[Tried]:
    return isinstance(event, Tried) and event.turn == turn


def _branch(event: Tried, step: int) -> dict[str, Any]:
    """What another sentence after the same reply came to. `arm` names the branch, `amends` the turn it was said to."""
    correction, usage = event.correction, event.usage
    return {
        "arm": event.arm,
        "step": step,
        "turn": event.turn,
        "role": "branch",
        "said": correction.text,
        "text": event.text,
        "marks": " ".join(event.marks),
        "mistakes": " ".join(map(str, event.mistakes)),
        "valid_call": event.valid_call,
        "amends": event.turn,
        "level": correction.level,
        "named": str(correction.mistake) if correction.mistake else "",
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "seconds": usage.seconds,
    }


def _safe(value: Any) -> Any:
    if isinstance(value, str) and value.startswith(_FORMULA):
        return f"'{value}"
    return "" if value is None else value
