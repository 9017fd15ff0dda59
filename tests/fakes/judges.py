"""Judges that are functions of what they see, and matches for them."""

from __future__ import annotations

import re
from collections.abc import Callable

from toolmend.base.messages import Request
from toolmend.extras.arena.judges.matches import JudgedPair
from toolmend.models.scripted import Scripted

Answers = Callable[[str, str], str]

_SHOWN = re.compile(r"^(----\w{12}----)\n(.*?)\n\1$", re.MULTILINE | re.DOTALL)


def seen(request: Request) -> tuple[str, str]:
    """The two answers as the judge was shown them."""
    (_, first), (_, second) = _SHOWN.findall(request.messages[-1].content)
    return first, second


def scripted(answers: Answers) -> Scripted:
    """A judge that is a function of the first and the second answer."""
    return Scripted(lambda request: answers(*seen(request)), "scripted/judge")


def match(number: int, shown_a: str = "", shown_b: str = "") -> JudgedPair:
    """A match of x against y on a prompt of its own."""
    texts = shown_a or f"x {number}", shown_b or f"y {number}"
    return JudgedPair(f"m{number}", "x", "y", f"request {number}", *texts, prompt=f"p{number}")
