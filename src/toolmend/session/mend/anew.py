"""The strategy asked anew for what a person complains of: with less before its eyes, and of its answer only a part.

Without I/O. Knows no ladder and asks nobody itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from toolmend.base.messages import Call
from toolmend.language.corrections.complaining import no_value
from toolmend.language.corrections.understood import Place
from toolmend.session.mend.case import MendCase
from toolmend.strategies import Ask, Flow

_EXCHANGE = ("user", "assistant", "user")  # the request, what was made of it, the complaint


def calls_only(case: MendCase, flow: Flow) -> Flow:
    """The strategy's own turn, in which a model is left nothing but calls."""
    return _asking(flow, lambda step: replace(step, constraint=case.calling) if case.calling else step)


def last_exchange(flow: Flow) -> Flow:
    """The strategy's own turn, in which a model that says words, and computes nothing, is shown the request, its reply
    and the complaint alone: the words are in these."""
    return _asking(flow, _shortened)


def _asking(flow: Flow, changed: Callable[[Ask], Ask]) -> Flow:
    sent: Any = None
    while True:
        try:
            step = flow.send(sent)
        except StopIteration:
            return
        sent = yield changed(step) if isinstance(step, Ask) else step


def _shortened(step: Ask) -> Ask:
    if tuple(message.role for message in step.messages[-3:]) != _EXCHANGE:
        return step
    told = tuple(message for message in step.messages[:-3] if message.role == "system")
    return replace(step, messages=(*told, *step.messages[-3:]))


def held(case: MendCase, calls: Sequence[Call], blamed: Sequence[Place]) -> tuple[Call, ...] | None:
    """The old calls with what is blamed as in the new ones; the new ones where nothing is; None if they are others."""
    if not blamed:
        return tuple(calls)
    if len(calls) != len(case.calls) or any(new.tool != old.tool for new, old in zip(calls, case.calls, strict=True)):
        return None
    whole = []
    for number, (new, old) in enumerate(zip(calls, case.calls, strict=True)):
        names = {name for at, name in blamed if at == number}
        told = {name: words.casefold() for name, words in old.said.items() if name in names}
        if told and all(new.said.get(name, "").casefold() == words for name, words in told.items()):
            return None  # the words that it was from: what it meant by them it has said
        if any(no_value(new.arguments.get(name), old.arguments.get(name), case.request) for name in names):
            return None
        values = {**old.arguments, **{name: new.arguments.get(name) for name in names}}
        kept = {name: value for name, value in values.items() if value is not None}
        whole.append(
            replace(
                new, arguments=kept, said={**old.said, **{name: new.said[name] for name in names if name in new.said}}
            )
        )
    return tuple(whole)
