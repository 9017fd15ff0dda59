"""Corrections that people gave in stored talks, as lines of an examples file: the request with the calls that were let
stand in the end, and the correction that led there. Knows no training."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from toolmend.reading.render import render
from toolmend.session.mend.asking import picks
from toolmend.tools import Toolbox
from toolmend.training.datasets import sources
from toolmend.training.datasets.talks import LearnedTurn, StoredTalk
from toolmend.training.teach.examples import Example
from toolmend.training.teach.slots import aligned


def corrected(tools: str, runs: Sequence[str], place: str | None, known: Sequence[Example]) -> list[str]:
    """Lines of examples from the stored talks with these tools (all runs where none is named) that are not known yet.

    What a request leaves unsaid it has from the talk before it: such a request is no example. Raises BadFile,
    BadOption, UnknownName.
    """
    box, intake = Toolbox.load(tools), sources.Intake()
    said = {example.said for example in known}
    lines: dict[str, list[str]] = {}
    with ExitStack() as stack:
        found = sources.find(runs, place, stack)
        for talk in sources.talks(found, intake):
            if same_tools(intake.tools[talk.origin.run], tools):
                lines |= {request: told for request, told in _lines(talk, box) if request not in said}
    return [line for told in lines.values() for line in told]


def same_tools(one: str, other: str) -> bool:
    """Whether two names mean the same tools: as they are, or as files."""
    return one == other or (
        one.endswith(".py") and other.endswith(".py") and Path(one).resolve() == Path(other).resolve()
    )


def _lines(talk: StoredTalk, box: Toolbox) -> Iterator[tuple[str, list[str]]]:
    """Each request that was answered wrongly and put right, with its lines."""
    specs = {spec.full_name: spec for spec in box.specs}
    turns = {turn.number: turn for turn in talk.turns}
    for turn in talk.turns:
        first = _request(turn, turns)
        calls = turn.reply.calls
        if first is turn or not turn.reply.right or not calls or any(call.tool not in specs for call in calls):
            continue
        one = aligned(first.user, calls, specs)
        if all(one.words[slot] in ("yes", "no") for slot in one.unsaid) and _plain(first.user):
            due = " => ".join(render(call, specs[call.tool]) for call in calls)
            second = [f"    {turn.user} => {due}"] if _plain(turn.user) and not picks(turn.user) else []
            yield first.user, [f"{first.user} => {due}", *second]


def _plain(text: str) -> bool:
    return "=>" not in text and "\n" not in text and bool(text.strip()) and not text.lstrip().startswith("#")


def _request(turn: LearnedTurn, turns: dict[int, LearnedTurn]) -> LearnedTurn:
    """The request that a correction is about in the end."""
    while turn.amends is not None and turn.amends in turns and turn.amends < turn.number:
        turn = turns[turn.amends]
    return turn
