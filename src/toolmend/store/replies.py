"""From a sample's events to one flat row per reply: what reports count. Pure; knows no database.

derive(events) -> [{"position": 0, "turn": 0, "step": 0, "marks": '["mistake"]', ...}, ...]
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from toolmend.events import Asked, Corrected, Event, Marked, Replied
from toolmend.mistakes import Correction
from toolmend.store.values import storable

COLUMNS = (
    *("position", "turn", "step", "role", "marks", "mistakes", "valid_call", "amends", "level", "named"),
    *("input_tokens", "output_tokens", "seconds", "text"),
)


def derive(events: Sequence[Event]) -> list[dict[str, Any]]:
    """One row per Replied, in order, with the columns `COLUMNS`.

    The marks of a turn (the last given: history may mark again) stand on its last reply; a turn that was marked
    without a reply, as when the suite itself supplies the words, gets a row with the role "".
    """
    replies: list[tuple[int, Replied | None]] = []
    amends: dict[int, int | None] = {}
    corrections: dict[int, Correction] = {}
    marked: dict[int, Marked] = {}
    for event in events:
        if isinstance(event, Replied):
            replies.append((event.turn, event))
        elif isinstance(event, Asked):
            amends[event.turn] = event.amends if event.amends is not None else amends.get(event.turn)
        elif isinstance(event, Corrected):
            amends[event.turn] = event.amends
            corrections[event.turn] = event.correction
        elif isinstance(event, Marked):
            marked[event.turn] = event
    answered = {turn for turn, _ in replies}
    replies += [(turn, None) for turn in marked if turn not in answered]
    replies.sort(key=lambda item: item[0])
    last = {turn: position for position, (turn, _) in enumerate(replies)}
    steps = _steps([*amends, *last], amends)
    return [
        _row(position, turn, reply, marked.get(turn) if last[turn] == position else None)
        | _place(turn, steps, amends, corrections.get(turn))
        for position, (turn, reply) in enumerate(replies)
    ]


def _steps(turns: Sequence[int], amends: dict[int, int | None]) -> dict[int, int]:
    """The step of each turn: a turn that amends belongs to the step it amends, any other opens the next."""
    steps: dict[int, int] = {}
    opened = -1
    for turn in sorted(set(turns)):
        amended = amends.get(turn)
        if amended is None:
            opened += 1
        steps[turn] = max(opened, 0) if amended is None else steps.get(amended, max(opened, 0))
    return steps


def _row(position: int, turn: int, reply: Replied | None, marked: Marked | None) -> dict[str, Any]:
    row: dict[str, Any] = {"position": position, "turn": turn, "marks": "[]", "mistakes": "[]", "valid_call": None}
    if marked is not None:
        row["marks"] = as_list(marked.marks)
        row["mistakes"] = as_list([str(mistake) for mistake in marked.mistakes])
        row["valid_call"] = marked.valid_call
    if reply is None:
        return row | {"role": "", "input_tokens": 0, "output_tokens": 0, "seconds": 0.0, "text": ""}
    usage = reply.usage
    return row | {
        "role": storable(reply.role),
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "seconds": usage.seconds,
        "text": storable(reply.text),
    }


def _place(
    turn: int, steps: dict[int, int], amends: dict[int, int | None], correction: Correction | None
) -> dict[str, Any]:
    named = str(correction.mistake) if correction is not None and correction.mistake is not None else ""
    return {
        "step": steps[turn],
        "amends": amends.get(turn),
        "level": correction.level if correction is not None else None,
        "named": storable(named),
    }


def as_list(words: Sequence[str]) -> str:
    """Words as a JSON list without blanks, so that a search for `"word"` finds a whole word."""
    return json.dumps(words, separators=(",", ":")) if words else "[]"
