"""Higher-level memories that cite what they were made of: by rule from repeated corrections, by a model if given.

The model is asked as published (Park et al. 2023, section 4.2): insights with the numbers of their evidence. An insight
that cites nothing it was shown is dropped, and what rests on a stranger's words is a stranger's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolmend.errors import ToolmendError
from toolmend.memory.marks import line, marked
from toolmend.memory.memory import Memory
from toolmend.memory.stream import Stream
from toolmend.memory.which import Which
from toolmend.messages import Message, Request
from toolmend.models import Model, load_model
from toolmend.portal import run_sync

_SHOWN = 60
_TASK = (
    "Below are notes of earlier talks with one user. Write up to five things that follow from several of them and are "
    "worth knowing later. One line each, ending with the ids it follows from, like this:\n"
    "The user keeps Mondays free. (m3, m7)\nWrite nothing else. If nothing follows, write: none"
)
_INSIGHT = re.compile(
    r"^\W{0,4}(?:\d+[.)]\s*)?(?P<text>.+?)\s*[(\[](?:because of )?(?P<ids>m?\d+(?:[,\s]+(?:and )?m?\d+)*)[)\]]\.?\s*$"
)


def reflect(stream: Stream, model: str | Model | None = None, *, enough: int = 2) -> list[Memory]:
    """New reflections of a stream; none is made twice. Raises ModelError without an answer."""
    made = by_rule(stream, enough)
    if model is not None:
        made += run_sync(by_model, stream, load_model(model))
    return made


def by_rule(stream: Stream, enough: int = 2) -> list[Memory]:
    """One reflection for each argument that was corrected at least so often: how often, and to what."""
    groups: dict[tuple[str, str], list[Memory]] = {}
    for each in stream.memories(Which(kind="correction")):
        if "argument" in each.data:
            groups.setdefault((each.data["tool"], each.data["argument"]), []).append(each)
    made = []
    for (tool, argument), corrections in groups.items():
        if len(corrections) >= enough:
            made += _corrected(stream, tool, argument, corrections)
    return made


def _corrected(stream: Stream, tool: str, argument: str, corrections: Sequence[Memory]) -> list[Memory]:
    """The reflection on corrections of one argument, in place of an earlier one on fewer of them."""
    numbers = [each.number for each in corrections]
    values = list(dict.fromkeys(str(each.data["now"])[:80] for each in corrections))
    became = f"always to {values[0]}" if len(values) == 1 else f"to {', '.join(values[:5])}"
    text = f"{argument} of {tool} was corrected {len(corrections)} times, {became}"
    about = {"tool": tool, "argument": argument}
    old = [each for each in stream.memories(Which(kind="reflection")) if dict(each.data) == about]
    if old and set(old[-1].cites) == set(numbers):
        return []
    earlier = old[-1].number if old else None
    return [stream.remember(text, who="reflection", kind="reflection", cites=numbers, data=about, supersedes=earlier)]


async def by_model(stream: Stream, model: Model) -> list[Memory]:
    """What a model makes of the latest memories that are no reflections."""
    shown = [each for each in stream.memories() if each.kind != "reflection"][-_SHOWN:]
    if len(shown) < 2:
        return []
    request = Request((Message("system", _TASK), Message("user", marked(shown))))
    reply = await model.reply(request)
    known = {each.number: each for each in shown}
    made = []
    for said, cited in insights(reply.text):
        evidence = [known[number] for number in cited if number in known]
        if not evidence or said in {line(each) for each in shown}:
            continue
        try:
            foreign = any(each.foreign for each in evidence)
            numbers = [each.number for each in evidence]
            memory = stream.remember(said, who="reflection", kind="reflection", cites=numbers, foreign=foreign)
        except ToolmendError:  # not fit to be kept, forgotten meanwhile
            continue
        made.append(memory)
    return made


def insights(text: str) -> list[tuple[str, tuple[int, ...]]]:
    """The lines of a reply that cite something: their words, and the numbers."""
    found = [_INSIGHT.match(each.strip()) for each in text.splitlines()]
    return [(each["text"], tuple(map(int, re.findall(r"\d+", each["ids"])))) for each in found if each]
