"""A talk as plain data, and a session that goes on with it: nobody is asked, and no model.

In a world with a state the calls are made again, so that they can be undone; other tools are only taken as called: what
they did is done. Calls that the world no longer takes stay told and do not stand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict
from functools import partial
from typing import Any

from toolmend.base.messages import Call, CallResult, Message
from toolmend.base.portal import run_sync
from toolmend.language.resolve.background import Open, Question
from toolmend.language.resolve.said import Said
from toolmend.reading import Reading
from toolmend.session.answer import Answer
from toolmend.session.session import Session

_KEPT = ("undone", "kept", "restored", "reverts")
_CALL = ("id", "tool", "arguments", "amends", "said", "rules")
_RESULT = ("value", "error", "fault")


def recorded(session: Session) -> list[dict[str, Any]]:
    """The turns that stand, oldest first."""
    turns = []
    for answer, asked, told in zip(session.answers, session.messages[::2], session.messages[1::2], strict=True):
        calls = [
            {name: getattr(call, name) for name in _CALL} | {name: getattr(result, name) for name in _RESULT}
            for call, result in zip(answer.calls, answer.results, strict=True)
        ]
        turn = {"text": asked.content, "reply": answer.text, "own": told.own, "amends": answer.amends, "calls": calls}
        turn |= {name: list(getattr(answer, name)) for name in _KEPT}
        turn |= {"redone": answer.redone, "problem": answer.reading.problem}
        turns.append(turn | {"open": asdict(answer.open) if answer.open else None})
    return turns


def resume(session: Session, turns: Sequence[Mapping[str, Any]]) -> None:
    """Bring a session that has said nothing yet to where that talk was; its world is as that talk began. Raises
    KeyError, TypeError or ValueError for what `recorded` never gave."""
    box = session.tools
    values = (call["value"] for turn in turns for call in turn["calls"] if call["error"] is None)
    with nullcontext() if box.state() is not None else box.pretending(values):
        for turn in turns:
            run_sync(partial(_again, session, turn))


async def _again(session: Session, turn: Mapping[str, Any]) -> None:
    standing, number = session._standing, len(session.answers)
    if not turn["redone"]:
        await standing.take_back(number, standing.standing(turn["undone"]))
    calls = tuple(Call(**{name: call[name] for name in _CALL}) for call in turn["calls"])
    results = tuple(CallResult(call["id"], **{name: call[name] for name in _RESULT}) for call in turn["calls"])
    for call, result in zip(calls, results, strict=True):
        await standing.made_before(call, result)
    await standing.put_back(number, turn["restored"])
    waiting = _open(turn["open"]) if turn["open"] else None
    session.answers.append(
        Answer(
            number,
            turn["reply"],
            Reading(calls, problem=turn["problem"]),
            calls,
            results,
            amends=turn["amends"],
            redone=turn["redone"],
            open=waiting,
            undone=tuple(turn["undone"]),
            kept=tuple(turn["kept"]),
            restored=tuple(turn["restored"]),
            reverts=tuple(turn["reverts"]),
        )
    )
    session.messages += [
        Message("user", turn["text"]),
        Message("assistant", turn["reply"], calls, results=results, own=turn["own"]),
    ]
    session._questions.append(session.mender.state if session.mender else None)


def _open(kept: Mapping[str, Any]) -> Open:
    asked = kept["question"]
    question = Question(asked["tool"], asked["argument"], tuple(asked["candidates"]), asked["reason"])
    lines = {name: tuple(Said(**line) for line in kept[name]) for name in ("before", "after")}
    return Open(Said(**kept["line"]), question, **lines)
