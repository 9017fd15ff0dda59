"""One reply after a history that is given, nothing executed: the shortest way to see what a model would do."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from toolmend.base.errors import BadOption, ToolmendError
from toolmend.base.messages import Message, Options, Reply
from toolmend.base.portal import run_sync
from toolmend.models import Model
from toolmend.session.session import Session
from toolmend.strategies import Act, Ask, Flag, Flow, Say, Strategy
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
    """One reply to `say` after a history of (role, text) pairs, nothing executed. `options` are those of Options.

    `str()` of the reply is the raw text; with a strategy that computes calls from words (`spoken`) the calls in full,
    or the question. Raises ModelError without an answer, BadOption for an unknown option.
    """
    known = {field.name for field in dataclasses.fields(Options)}
    if unknown := set(options) - known:
        raise BadOption(f"unknown option {', '.join(sorted(unknown))}; known: {', '.join(sorted(known))}")
    session = Session(model, tools, strategy, system=system, options=Options(**options))
    for role, text in history:
        if role not in ("user", "assistant", "system"):
            raise BadOption(f"history has the role {role!r}; known: user, assistant, system")
        if role == "system":
            session.system = text
        else:
            session.messages.append(Message(role, text))  # type: ignore[arg-type]
    flow = session.strategy.turn(session._talk(Message("user", say)))
    step = flow.send(None)
    while isinstance(step, Flag):
        step = flow.send(None)
    if not isinstance(step, Ask):
        raise ToolmendError(f"strategy '{session.strategy.name}' acts before it asks")
    reply = run_sync(session._ask, "", step, None)
    return _computed(flow, reply) if getattr(session.strategy, "computes", False) else reply


def _computed(flow: Flow, reply: Reply) -> Reply:
    """The reply as the strategy understood it: the calls in full, or the words for a person."""
    step = flow.send(reply)
    while not isinstance(step, Act):
        reply = replace(reply, text=step.text) if isinstance(step, Say) else reply
        step = flow.send(None)
    return replace(reply, calls=step.calls)
