"""How a reply stands in a line: as the call in one line of Python, or as a native tool call with the tools' answers.

A right reply is written as embedded models write it; a wrong one stays as it came, for that is what was wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from toolmend.errors import BadOption
from toolmend.messages import Call, CallResult, ToolSpec
from toolmend.reading import read_python, render
from toolmend.strategies.history import told
from toolmend.training.datasets.lines import Attempt, Quality, Said
from toolmend.training.datasets.talks import Reply, Turn

As = Literal["oneline", "native"]
UNDONE = "undone again, because the user corrects it"


def answered(reply: Reply, tools: Sequence[ToolSpec], form: As, *, learn: bool = True) -> Said:
    """The reply as one message of the assistant."""
    if form == "native":
        calls = tuple(replace(call, id=call.id or f"c{place}") for place, call in enumerate(reply.calls, 1))
        return Said("assistant", "" if calls else reply.text.strip(), _unlinked(calls), learn=learn)
    return Said("assistant", _line(reply, tools), learn=learn)


def attempted(reply: Reply, tools: Sequence[ToolSpec], form: As, quality: Quality, wrong: str = "") -> Attempt:
    """The reply as one attempt of several."""
    said = answered(reply, tools, form)
    return Attempt(said.content, said.calls, quality, wrong)


def exchanged(turn: Turn, tools: Sequence[ToolSpec], form: As, *, learn: bool) -> list[Said]:
    """A whole turn: the user's words, the reply, and in native form what the tools answered and was said of it."""
    said = [Said("user", turn.user), answered(turn.reply, tools, form, learn=learn)]
    if form == "native" and turn.reply.calls:
        results = {result.call_id: result for result in turn.reply.results}
        for call in said[1].calls:
            said.append(Said("tool", told(_known(turn, results.get(call.id), call)), call_id=call.id))
        if turn.reply.words:
            said.append(Said("assistant", turn.reply.words, learn=learn))
    return said


def _known(turn: Turn, result: CallResult | None, call: Call) -> CallResult:
    """What later turns know of a call: that it was taken back, where it was."""
    if turn.undone:
        return CallResult(call.id, error=UNDONE)
    return result or CallResult(call.id, error="not run")


def _unlinked(calls: Sequence[Call]) -> tuple[Call, ...]:
    return tuple(replace(call, amends=None) for call in calls)


def _line(reply: Reply, tools: Sequence[ToolSpec]) -> str:
    """One line for each call. Right replies that are plain calls, and what Python cannot write, stay as they came."""
    text = reply.text.strip()
    if not reply.calls or (reply.spoken and (not reply.right or _plain(reply, tools))):
        return text
    specs = {spec.full_name: spec for spec in tools}
    try:
        return "\n".join(render(call, specs.get(call.tool)) for call in reply.calls)
    except BadOption:
        return text


def _plain(reply: Reply, tools: Sequence[ToolSpec]) -> bool:
    """Whether the text is the calls and nothing else, strictly read."""
    reading = read_python(reply.text, tools, lenient=False)
    same = [(c.tool, c.arguments) for c in reading.calls] == [(c.tool, c.arguments) for c in reply.calls]
    return same and not reading.rest.strip() and not reading.leniencies and reading.problem is None
