"""The exam's figures for a taught model: exact shares with Wilson intervals, by tool, by argument and for corrections.

Knows the exam's answers (training/exam.py) and nothing of nets.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from toolmend.messages import Call, ToolSpec
from toolmend.reading import read_python
from toolmend.stats import wilson

Counts = dict[str, list[int]]


class Answer(Protocol):
    """One reply of the exam, as exam.Answer."""

    @property
    def part(self) -> str:
        """`same` or `held_out`."""

    @property
    def op(self) -> str:
        """The kind of request."""

    @property
    def due(self) -> str:
        """The right reply."""

    @property
    def got(self) -> str:
        """The model's."""


def figures(answers: Sequence[Answer], specs: Sequence[ToolSpec]) -> dict[str, Any]:
    """Shares of exact replies: on what is like training, held out, after one correction; and where it fails."""
    held = [each for each in answers if each.part == "held_out"]
    fixes = [each for each in held if each.op.startswith("fix")]
    first = [each for each in held if not each.op.startswith("fix")]
    levels = {level: [each for each in fixes if each.op.startswith(f"fix {level}")] for level in range(4)}
    return {
        "same": share(each.due == each.got for each in answers if each.part == "same"),
        "held_out": share(each.due == each.got for each in held),
        "requests": share(each.due == each.got for each in first),
        "fix": share(each.due == each.got for each in fixes),
        "fix_by_level": {str(level): share(e.due == e.got for e in found) for level, found in levels.items()},
        "by_kind": _table(("fix" if e.op.startswith("fix") else e.op, e.due == e.got) for e in held),
        "by_argument": _table(pair for each in held for pair in _arguments(each, specs)),
    }


def share(hits: Iterable[bool]) -> dict[str, float]:
    """`k` of `n`, their share, and its 95 % interval (Wilson)."""
    found = list(hits)
    low, high = wilson(sum(found), len(found))
    rounded = (round(each, 4) for each in (sum(found) / max(1, len(found)), low, high))
    return dict(zip(("k", "n", "share", "low", "high"), (sum(found), len(found), *rounded), strict=True))


def _table(pairs: Iterable[tuple[str, bool]]) -> dict[str, str]:
    counts: Counts = defaultdict(lambda: [0, 0])
    for name, hit in pairs:
        counts[name][0] += hit
        counts[name][1] += 1
    return {name: f"{k}/{n}" for name, (k, n) in sorted(counts.items())}


def _arguments(answer: Answer, specs: Sequence[ToolSpec]) -> Iterable[tuple[str, bool]]:
    """For each argument due whether the answer has it right; a reply that is no such call has none."""
    due = _calls(answer.due, specs)
    got = _calls(answer.got, specs) if answer.got != answer.due else due
    for place, call in enumerate(due):
        found = got[place] if place < len(got) and got[place].tool == call.tool else None
        for name, value in call.arguments.items():
            yield f"{call.tool} {name}", found is not None and found.arguments.get(name) == value


def _calls(text: str, specs: Sequence[ToolSpec]) -> tuple[Call, ...]:
    return read_python(text, specs).calls
