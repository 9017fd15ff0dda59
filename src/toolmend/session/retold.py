"""A talk that was had before, told to a session again, so that it can be gone on with. No model and no person is asked.

In a world with a state the calls are made again; other tools are only taken as called: what they did is done.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any

from toolmend.base.errors import BadOption
from toolmend.base.portal import run_sync
from toolmend.reading.render import render
from toolmend.session.session import Session


@dataclass(frozen=True, slots=True)
class Told:
    """One turn: what was said, what came of it (calls as lines of Python, or words), the turn it amends, -1 where the
    session is to find out; `values` are what the calls returned."""

    text: str
    reply: str
    amends: int | None = None
    values: tuple[Any, ...] = ()


def told_of(session: Session) -> list[Told]:
    """The turns of a talk that stand."""
    specs = {spec.full_name: spec for spec in session.tools.specs}
    told = []
    for answer, message in zip(session.answers, session.messages[::2], strict=True):
        values = tuple(result.value for result in answer.results if result.ok)
        try:
            reply = "\n".join(render(call, specs.get(call.tool)) for call in answer.standing) or answer.text
        except BadOption:  # a call that Python cannot write
            reply, values = answer.text, ()
        told.append(Told(message.content, reply, answer.amends, values))
    return told


def retell(session: Session, turns: Sequence[Told], *, harmless: bool = False) -> None:
    """Tell a session that has said nothing yet what was said before, before anybody is asked to approve its calls.
    `harmless` tools do nothing, and are called again."""
    values = (value for turn in turns for value in turn.values)
    box = session.tools
    with nullcontext() if harmless or box.state() is not None else box.pretending(values):
        for turn in turns:
            place = turn.amends
            if place == -1:
                place = len(session.answers) - 1 if session.answers and session.verdict(turn.text).amends else None
            amends = None if place is None else session.answers[place]
            run_sync(partial(session.play, turn.text, amends, reply=turn.reply))
