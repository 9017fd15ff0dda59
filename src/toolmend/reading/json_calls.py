"""JSON calls in a text: `{"name": …, "arguments": {…}}` in the spellings that models use, bare, in lists, in prose.

Values come from json_values' ladder; nothing else is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from toolmend.base.messages import Call, ToolSpec
from toolmend.reading.json_values import DecodedValue, decode_at, decode_string, mended, too_deep, values
from toolmend.reading.mention import mentioned
from toolmend.reading.reading import Names, Problem, Reading, bind
from toolmend.reading.scan import Leftover, scan
from toolmend.reading.thoughts import blanked, thoughts

_NAMES = ("name", "tool", "tool_name", "function", "function_name", "action", "call", "method")
_ARGUMENTS = ("arguments", "parameters", "args", "params", "kwargs", "input", "tool_input", "action_input")
_WRAPPERS = ("tool_calls", "tool_call", "function_call", "function", "calls", "call", "action")
_MAX_NESTING = 4


def read_json(text: str, specs: Sequence[ToolSpec]) -> Reading:
    """The calls in a text of JSON notation."""
    names = Names(specs)
    hidden, thinks = thoughts(text)
    left = Leftover(text, hidden)
    text = blanked(text, hidden)
    notes: list[str] = ["reasoning"] if thinks else []
    calls: list[Call] = []
    detail = spoken_of = ""
    if not too_deep(text):
        for first, stop, decoded in values(text):
            found = None if decoded.problem else calls_of(decoded.value, names, notes)
            detail = detail or decoded.problem
            if found and mentioned(text, first, stop, left.end):
                spoken_of = spoken_of or f"only spoken of: {text[first:stop]:.60}"
            elif found is not None:
                calls += found
                left.take(first, stop)
        if not calls and not spoken_of:
            calls, detail = _second_try(text, names, notes, left, detail)
    rest, more, _ = left.finish(bool(calls))
    problem: Problem | None = "syntax" if detail else None if calls else "no_call"
    told = detail or ("" if calls else spoken_of)
    return Reading(tuple(calls), rest, tuple(dict.fromkeys([*notes, *more])), problem, told)


def _second_try(text: str, names: Names, notes: list[str], left: Leftover, detail: str) -> tuple[list[Call], str]:
    """Mend the first object that looks like a call; only its problem counts if mending would change a value."""
    opening = re.compile(r"[\[{]").search(text)
    if opening is None:
        return [], detail
    first = opening.start()
    closing = max(text.rfind("}"), text.rfind("]")) + 1
    stop = closing if closing > first else len(text.rstrip().rstrip("`"))
    decoded: DecodedValue | None = mended(text[first:stop])
    if decoded is None:
        named = any(f'"{name}"' in text or f"'{name}'" in text for name in (*names.full, *names.bare))
        return [], detail or ("cannot be read as JSON" if named else "")
    trial: list[str] = []
    found = calls_of(decoded.value, names, trial)
    if found is None or mentioned(text, first, stop):
        return [], detail
    left.take(first, stop)
    if "repaired" in decoded.notes and _cut(text[first:]):
        return [], detail or "the JSON is cut"
    if decoded.problem or detail:
        return [], detail or decoded.problem
    notes += [*decoded.notes, *trial]
    return found, ""


def _cut(text: str) -> bool:
    """Whether a text of JSON ends within it; one that only lacks closing brackets does not."""
    stop, missing = scan(text, 0, len(text))
    if missing is None:
        return stop == len(text)
    return bool(missing) and decode_at(text.rstrip().rstrip("`") + missing, 0)[1] is None


def calls_of(value: Any, names: Names, notes: list[str], nesting: int = 0) -> list[Call] | None:
    """The calls that a JSON value spells, None if it is none. Adds what was unusual to `notes`."""
    if nesting > _MAX_NESTING:
        return None
    if isinstance(value, list):
        found = [calls_of(item, names, notes, nesting + 1) for item in value]
        lists = [calls for calls in found if calls is not None]
        return [call for calls in lists for call in calls] if lists and len(lists) == len(found) else None
    if not isinstance(value, dict):
        return None
    named = _named(value, names, notes)
    if named is not None:
        return [named]
    for key in _WRAPPERS:
        if isinstance(value.get(key), (dict, list)):
            inner = calls_of(value[key], names, notes, nesting + 1)
            if inner is not None:
                # {"type": "function", "function": {…}} and {"tool_calls": […]} are the usual envelopes
                if not set(value) <= {key, "type", "id", "index"}:
                    notes.append("wrapped")
                return inner
    return _keyed(value, names, notes)


def _named(value: Mapping[str, Any], names: Names, notes: list[str]) -> Call | None:
    candidates = [key for key in _NAMES if isinstance(value.get(key), str)]
    if not candidates:
        return None
    name_key = next((key for key in candidates if names.find(value[key])), candidates[0])
    tool = value[name_key]
    arguments_key = next((key for key in _ARGUMENTS if key in value), None)
    spec = names.find(tool)
    if arguments_key is None:
        if spec is None:
            return None
        given = {key: item for key, item in value.items() if key not in (name_key, "type", "id")}
        if given:
            notes.append("flat")
        return Call(tool, given)
    arguments = arguments_of(value[arguments_key], spec, notes)
    return None if arguments is None else Call(tool, arguments)


def arguments_of(value: Any, spec: ToolSpec | None, notes: list[str]) -> dict[str, Any] | None:
    """The arguments that a JSON value is: an object, one written as text (once or twice), null, or positional ones."""
    for _ in range(2):
        if not isinstance(value, str):
            break
        try:
            value = decode_string(value) if value.strip() else None
        except ValueError:
            return None
        notes.append("string_arguments")
    if value is None:
        return {}
    if isinstance(value, dict):
        return value
    return bind(value, {}, spec) if isinstance(value, list) else None


def _keyed(value: Mapping[str, Any], names: Names, notes: list[str]) -> list[Call] | None:
    """`{"add_calendar_entry": {…}}`."""
    if len(value) != 1:
        return None
    ((tool, given),) = value.items()
    if names.find(tool) is None or not isinstance(given, (dict, list)):
        return None
    notes.append("keyed")
    return [Call(tool, given if isinstance(given, dict) else bind(given, {}, names.find(tool)))]
