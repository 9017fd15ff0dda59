"""One reply after a history that is given, nothing left done: the shortest way to see what a model would do."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from toolmend.base.errors import BadOption, ToolmendError
from toolmend.base.messages import Message, Options, Reply
from toolmend.base.portal import run_sync
from toolmend.language.resolve.said import unquoted
from toolmend.models import Model
from toolmend.models.scripted import Scripted
from toolmend.session.session import Session
from toolmend.strategies import Act, Ask, Say, Strategy
from toolmend.tools import Toolbox


def ask_once(
    say: str,
    *,
    model: str | Model,
    tools: str | Toolbox,
    history: Sequence[tuple[str, str]] = (),
    strategy: str | Strategy | None = None,
    system: str | None = None,
    **options: Any,
) -> Reply:
    """One reply to `say` after a history of (role, text) pairs, nothing of which stays done.

    In a world that can be set back the replies of the history are made for as long as the model is asked, so that
    "Scrap the dentist" finds it. `options` are those of Options. `str()` of the reply is the raw text; with a strategy
    that computes calls from words (`spoken`) the calls in full, or the question. Raises ModelError without an answer,
    BadOption for an unknown option or role.
    """
    known = {field.name for field in dataclasses.fields(Options)}
    if unknown := set(options) - known:
        raise BadOption(f"unknown option {', '.join(sorted(unknown))}; known: {', '.join(sorted(known))}")
    session = Session(model, tools, strategy, system=system, options=Options(**options), mend=False)
    try:
        _play(session, history)
        return run_sync(partial(_asked, session, say))
    finally:
        while session.answers:
            session.undo()


def _play(session: Session, history: Sequence[tuple[str, str]]) -> None:
    """The history, told, and done where it can be undone."""
    waiting: str | None = None
    for role, text in history:
        if role not in ("user", "assistant", "system"):
            raise BadOption(f"history has the role {role!r}; known: user, assistant, system")
        if role == "system":
            session.system = text
        elif role == "user":
            _tell(session, "user", waiting)
            waiting = text
        elif waiting is not None and session.tools.has_snapshots:
            run_sync(partial(_played, session, waiting, text))
            waiting = None
        else:
            _tell(session, "user", waiting)
            _tell(session, "assistant", text)
            waiting = None
    _tell(session, "user", waiting)


def _tell(session: Session, role: Any, text: str | None) -> None:
    if text is not None:
        session.messages.append(Message(role, text))


async def _played(session: Session, said: str, reply: str) -> None:
    """One turn with a reply that is given, read as the strategy reads what the model says."""
    if not getattr(session.strategy, "computes", False):
        await session.play(said, reply=reply)
        return
    model, session.model = session.model, Scripted([reply], session.model.name)
    try:
        await session.play(said)
    finally:
        session.model = model


async def _asked(session: Session, say: str) -> Reply:
    """The reply, as a strategy that computes understood it: the calls in full, or the words for a person."""
    flow = session.strategy.turn(session._talk(Message("user", unquoted(say))))
    computes = getattr(session.strategy, "computes", False)
    reply, sent = None, None
    while True:
        try:
            step = flow.send(sent)
        except StopIteration:
            break
        sent = None
        if isinstance(step, Ask):
            reply = sent = await session._ask("", step, None)
            if not computes:
                break
        elif reply is None and isinstance(step, Act):
            raise ToolmendError(f"strategy '{session.strategy.name}' acts before it asks")
        elif reply is not None and isinstance(step, Say):
            reply = replace(reply, text=step.text)
        elif reply is not None and isinstance(step, Act):
            reply = replace(reply, calls=step.calls)
            break
    if reply is None:
        raise ToolmendError(f"strategy '{session.strategy.name}' ends before it asks")
    flow.close()
    return reply
