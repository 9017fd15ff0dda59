"""What a validator found, as one sentence for a model; each part names the argument. Knows pydantic's details only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from toolmend.tools.texts import shown

_EXPECTED = "Input should be "
_UNKNOWN = ("extra_forbidden", "unexpected_keyword_argument")
_MISSING = ("missing", "missing_argument")


def refusals(
    details: Sequence[Mapping[str, Any]], arguments: Mapping[str, Any], names: Sequence[str], found: Sequence[str] = ()
) -> str:
    """Pydantic's `errors()` in words. `names` are the parameters; `found` are sentences that are known already."""
    known = {sentence.partition(": ")[0] for sentence in found}
    sentences = list(found)
    expected: dict[str, list[str]] = {}
    got: dict[str, Any] = {}
    for detail in details:
        path = _path(detail, arguments)
        if f"argument {path!r}" in known:
            continue
        if detail["type"] in _MISSING:
            sentences.append(f"argument {path!r} is missing")
        elif detail["type"] in _UNKNOWN:
            sentences.append(unknown_argument(path, detail["input"], names))
        else:
            expected.setdefault(path, []).append(str(detail["msg"]))
            got[path] = detail["input"]
    for path, wanted in expected.items():
        where = f"argument {path!r}" if path else "the arguments"
        sentences.append(f"{where}: {_together(wanted)}, got {shown(got[path])}")
    return "; ".join(sentences)


def unknown_argument(path: str, value: Any, names: Sequence[str]) -> str:
    """The sentence for an argument nobody asked for; `*N` is a positional one too many."""
    takes = f"it takes {', '.join(names)}" if names else "it takes none"
    if path.startswith("*"):
        return f"one positional argument too many: {shown(value)} ({takes})"
    return f"there is no argument {path!r} ({takes})" if "." not in path else f"argument {path!r} is not known"


def _together(messages: Sequence[str]) -> str:
    """What the branches of a union expect, as one clause."""
    if all(message.startswith(_EXPECTED) for message in messages):
        return f"should be {' or '.join(dict.fromkeys(message.removeprefix(_EXPECTED) for message in messages))}"
    return " or ".join(dict.fromkeys(message[:1].lower() + message[1:] for message in messages))


def _path(detail: Mapping[str, Any], arguments: Mapping[str, Any]) -> str:
    """Where it is, following the value itself: pydantic also names the branch of a union, which nobody wrote."""
    value: Any = arguments
    text = ""
    location = detail["loc"]
    for index, step in enumerate(location):
        last_of_missing = index == len(location) - 1 and detail["type"] in _MISSING
        if isinstance(value, Mapping) and (step in value or last_of_missing):
            text += f".{step}" if text else str(step)
            value = value.get(step)
        elif isinstance(value, (list, tuple)) and isinstance(step, int) and step < len(value):
            text += f"[{step}]"
            value = value[step]
    return text
