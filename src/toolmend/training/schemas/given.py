"""System texts as applications give them: a sentence about the assistant, or an API with what to do with it.

Every strategy sends such a text along; `oneline` sends nothing else. Knows no dialogue.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from toolmend.messages import ToolSpec
from toolmend.strategies.signature import signature

PERSONAS = (
    "You are a friendly helper.",
    "You are the assistant of a small company.",
    "You help people on their phone.",
    "Be brief and exact.",
    "You work for a family and do what they ask.",
    "You are an assistant in a car. Keep answers short.",
    "Today is a normal day. Help the user.",
    "You are a careful operator of machines and lists.",
)
_OPENINGS = (
    "You turn what people say into code. This is the Python API:",
    "You are an assistant that calls functions. These can be called:",
    "Translate requests to calls of this API:",
    "You are a voice assistant on a device with the following Python functions:",
)
_CLOSINGS = (
    "Answer with one line of Python and nothing else.",
    "Write only the call, in one line of code.",
    "Always respond with a single line of executable code.",
    "For each request give one call. Take the defaults where nothing is said.",
)


def given(specs: Sequence[ToolSpec], random: Random, *, api: bool) -> str | None:
    """A system text, for one talk in three; with the tools in it where `api`, for one in two."""
    if random.random() > (0.35 if api else 0.3):
        return None
    if not api and random.random() < 0.6:
        return random.choice(PERSONAS)
    lines = "\n".join(map(signature, specs))
    return f"{random.choice(_OPENINGS)}\n\n{lines}\n\n{random.choice(_CLOSINGS)}"
