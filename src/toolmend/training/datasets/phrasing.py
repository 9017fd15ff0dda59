"""How a reply stands in a line: a right one as its calls in lines of Python, a wrong one as it came: that was wrong."""

from __future__ import annotations

from collections.abc import Sequence

from toolmend.errors import BadOption
from toolmend.messages import ToolSpec
from toolmend.reading import read_python, render
from toolmend.training.datasets.lines import Attempt, Quality, Said
from toolmend.training.datasets.talks import Reply, Turn


def answered(reply: Reply, tools: Sequence[ToolSpec], *, learn: bool = True) -> Said:
    """The reply as one message of the assistant."""
    return Said("assistant", _line(reply, tools), learn)


def attempted(reply: Reply, tools: Sequence[ToolSpec], quality: Quality, wrong: str = "") -> Attempt:
    """The reply as one attempt of several."""
    return Attempt(_line(reply, tools), quality, wrong)


def exchanged(turn: Turn, tools: Sequence[ToolSpec], *, learn: bool) -> list[Said]:
    """A whole turn: the user's words and the reply."""
    return [Said("user", turn.user), answered(turn.reply, tools, learn=learn)]


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
