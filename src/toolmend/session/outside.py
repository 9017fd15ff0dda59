"""What a model sees in a talk and nobody in it said: results of tools, names of things, documents, descriptions.

Each with a label fit to be shown, so that a call that came of one can be put to a person with its source.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from toolmend.base.messages import Call, CallResult

if TYPE_CHECKING:
    from toolmend.session.session import Session

_WORDS = 3  # so many are more than "done"


def outside(session: Session) -> tuple[tuple[str, str], ...]:
    """Label and text of each, the newest results first."""
    return (*_results(session), *_shown(session), *_things(session), *_descriptions(session))


def _results(session: Session) -> Iterator[tuple[str, str]]:
    told = [pair for message in session.messages for pair in zip(message.calls, message.results, strict=False)]
    for call, result in reversed([*told, *session.under_way]):
        yield answered(call), _beyond(call, result)


def answered(call: Call) -> str:
    """How the result of a call is named."""
    return f"what {call.tool.rpartition('.')[2]} answered"


def tells(session: Session, call: Call, result: CallResult) -> bool:
    """Whether a result says more than that the call was made: it was read, it is somebody else's, or it is a text."""
    tool = next((spec for spec in session.tools.specs if spec.full_name == call.tool), None)
    if tool is None or tool.effect == "read" or result.foreign:
        return True
    return isinstance(result.value, str) and len(_beyond(call, result).split()) >= _WORDS


def _shown(session: Session) -> Iterator[tuple[str, str]]:
    """What a memory or documents put beside the talk in this turn."""
    if session.beside.text:
        yield f"what is known from {', '.join(session.beside.origins) or 'outside'}", session.beside.text


def _things(session: Session) -> Iterator[tuple[str, str]]:
    """What the world holds and this talk did not put there."""
    own = [call.arguments.items() for call in session.standing]
    for kind, things in session.tools.things().items():
        for thing in things:
            if any(given <= thing.items() for given in own):
                continue
            name = next((value for value in thing.values() if isinstance(value, str)), "")
            yield f"the {kind} “{_short(name)}”", json.dumps(dict(thing), ensure_ascii=False, default=str)


def _descriptions(session: Session) -> Iterator[tuple[str, str]]:
    for spec in session.tools.specs:
        if session.tools.tool(spec.full_name).foreign:
            schema = json.dumps(dict(spec.parameters), ensure_ascii=False, default=str)
            yield f"the description of {spec.name}", f"{spec.description}\n{schema}"


def _beyond(call: Call, result: CallResult) -> str:
    """What a model was told, as plain text, without what the call itself had said."""
    told: Any = result.error if result.error is not None else result.value
    text = told if isinstance(told, str) else json.dumps(told, ensure_ascii=False, default=str)
    for value in sorted(map(str, call.arguments.values()), key=len, reverse=True):
        text = text.replace(value, "") if value else text
    return text


def _short(text: str, most: int = 40) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= most else f"{plain[:most]}…"
