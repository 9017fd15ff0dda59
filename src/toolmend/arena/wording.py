"""Mistakes in words for a screen, and the corrections one may send with a click. Knows mistakes, and no talk."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from toolmend.corrections import correction_for, headline_level, name_first, wordings
from toolmend.messages import ToolSpec
from toolmend.mistakes import Correction, Kind, Mistake

_KINDS = {
    Kind.NO_CALL: "no call where one was due",
    Kind.CHATTER: "words beside the call",
    Kind.SYNTAX: "cannot be read as a call",
    Kind.UNKNOWN_TOOL: "there is no such tool",
    Kind.WRONG_TOOL: "the wrong tool",
    Kind.MISSING_CALL: "a call is missing",
    Kind.EXTRA_CALL: "a call too many",
    Kind.REPEATED_CALL: "the same call again",
    Kind.UNWANTED_CALL: "a call where none was due",
    Kind.MISSING_ARGUMENT: "is missing",
    Kind.UNKNOWN_ARGUMENT: "is no argument of it",
    Kind.WRONG_VALUE: "has the wrong value",
    Kind.WRONG_FORMAT: "is written in the wrong way",
    Kind.WRONG_TYPE: "has the wrong type",
    Kind.WRONG_STATE: "is not as it should be",
}
_LONGEST = 120


def in_words(mistake: Mistake) -> str:
    """`time has the wrong value: 12:00 instead of 13:00`."""
    what = _KINDS[mistake.kind]
    head = f"{mistake.argument} {what}" if mistake.argument else what
    got, due = (_shown(value) for value in (mistake.got, mistake.expected))
    if got and due:
        return f"{head}: {got} instead of {due}"
    return f"{head}: {got}" if got else f"{head}: {due} was expected" if due else head


def suggested(
    mistakes: Sequence[Mistake], specs: Sequence[ToolSpec], seed: int, errors: Sequence[str] = ()
) -> list[Correction]:
    """What a person might say: about the first mistake at the headline level, then with more said, then with less.

    `errors` are what tools answered: their own words are the last thing suggested. [] where nothing is wrong.
    """
    first = name_first(mistakes)
    if first is None:
        return []
    spec = next((each for each in specs if each.full_name == first.tool), None)
    level = headline_level(first, recoverable=True)
    found: dict[str, Correction] = {}
    for each in dict.fromkeys((level, 3, 2, 1)):
        if wordings(first, each, spec=spec):
            correction = correction_for(first, each, seed, spec=spec)
            found.setdefault(correction.text, correction)
    for error in errors[:1]:
        text = f"That was refused: {error.rstrip('.')}."
        found.setdefault(text, Correction(text, 2, first))
    return list(found.values())


def _shown(value: Any) -> str:
    if value is None or value == "":
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
