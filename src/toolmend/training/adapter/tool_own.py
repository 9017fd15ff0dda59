"""A model's own reply to a request for made-up tools beside what was due, as the slip that it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from toolmend.reading.spoken import SpokenReading
from toolmend.resolve.background import Computed
from toolmend.training.adapter.tool_requests import ToolAsk
from toolmend.training.adapter.tool_slips import ToolSlip


def own_tool_slip(
    reply: str,
    asks: Sequence[ToolAsk],
    due: Sequence[tuple[str, Mapping[str, Any]]],
    computed: Callable[[str], tuple[SpokenReading, Computed]],
) -> ToolSlip | None:
    """What is wrong with a reply where the calls in `due` are; None for one that is right or taken for it."""
    if not reply:
        return None
    said, wrong = computed(reply)
    calls = [(call.tool, dict(call.arguments)) for call in wrong.calls]
    if not said.lines or said.broken:
        return ToolSlip((), "chatter", reply)
    if wrong.question and len(due) == 1:
        name = wrong.question.argument
        told = asks[0].told.get(name)
        words = {name: told.words} if told else None
        return ToolSlip(said.lines, "asked needlessly" if told else "chatter", reply, name if told else "", words)
    if [tool for tool, _ in calls] != [tool for tool, _ in due]:
        topic = "too little" if len(calls) < len(due) else "too much" if len(calls) > len(due) else "wrong tool"
        return ToolSlip(said.lines, topic, reply)
    differing = [
        (place, name)
        for place, ((_, values), (_, wanted)) in enumerate(zip(calls, due, strict=True))
        for name in {**values, **wanted}
        if values.get(name) != wanted.get(name)
    ]
    if not differing:
        return None
    place, name = differing[-1]
    ask = asks[place]
    if name not in ask.told:
        return ToolSlip(said.lines, "invented", reply, name)
    if len(differing) > 1 or place != len(asks) - 1:
        return ToolSlip(said.lines, "wrong", reply, name)
    topic = "wrong" if name in calls[place][1] else "forgotten"
    return ToolSlip(said.lines, topic, reply, name, {name: ask.told[name].words})
