"""A call as one line of Python, which reads back equal; where its values came from, for people.

Knows nothing of models or prompts.
"""

from __future__ import annotations

import json
import keyword
import math
import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from toolmend.base.errors import BadOption
from toolmend.base.messages import Call, ToolSpec

_PLACE = re.compile(r"\*[1-9][0-9]{0,5}")
_WORD = re.compile(r"[^\W\d]\w*")
_SURROGATE = re.compile("[\ud800-\udfff]")


def render(call: Call, spec: ToolSpec | None = None) -> str:
    """The call in Python notation.

    With its spec the arguments stand in the order of the signature and the first one is positional, as in
    `action.add_calendar_entry("Fred", date="2024-11-11")`. Raises BadOption for a value that is not JSON-able, and for
    a name that Python cannot write.
    """
    arguments = {name: _plain(value, name) for name, value in _in_order(call.arguments, spec).items()}
    if not all(_is_name(part) and _WORD.fullmatch(part) for part in call.tool.split(".")):
        raise BadOption(f"tool {call.tool!r:.80} cannot be written as Python")
    parts = [_literal(arguments.pop(name)) for name in _positional(arguments, spec)]
    parts += [f"{name}={_literal(arguments.pop(name))}" for name in list(arguments) if _is_name(name)]
    if arguments:
        parts.append(f"**{_literal(arguments)}")
    return f"{call.tool}({', '.join(parts)})"


def as_json(value: Any) -> str:
    """JSON on one line, characters as they are but lone surrogates escaped."""
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(value, ensure_ascii=False))


def _in_order(arguments: Mapping[str, Any], spec: ToolSpec | None) -> dict[str, Any]:
    if spec is None:
        return dict(arguments)
    known = [name for name in spec.properties if name in arguments]
    return {name: arguments[name] for name in [*known, *(name for name in arguments if name not in known)]}


def _plain(value: Any, name: str) -> Any:
    """The value with tuples and sets as lists. Raises BadOption for what JSON cannot say."""
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, (list, tuple)):
        return [_plain(item, name) for item in value]
    if isinstance(value, (set, frozenset)):
        return [_plain(item, name) for item in sorted(value, key=repr)]
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return {key: _plain(item, name) for key, item in value.items()}
    raise BadOption(f"argument {name}: {value!r:.80} cannot be written in a call; give a JSON value")


def _positional(arguments: Mapping[str, Any], spec: ToolSpec | None) -> list[str]:
    """Names of the arguments that are written without their name."""
    order = list(spec.properties) if spec else []
    surplus = sorted((name for name in arguments if _PLACE.fullmatch(name)), key=lambda name: int(name[1:]))
    if surplus:
        return [*(name for name in order[: int(surplus[0][1:]) - 1] if name in arguments), *surplus]
    return order[:1] if order and order[0] in arguments else []


def _is_name(text: str) -> bool:
    # the parser normalises identifiers to NFKC: any other spelling would read back as another name
    return text.isidentifier() and not keyword.iskeyword(text) and unicodedata.normalize("NFKC", text) == text


def _literal(value: Any) -> str:
    if value is None or isinstance(value, (bool, int, float)):
        return repr(value)
    if isinstance(value, str):
        return as_json(value)
    if isinstance(value, list):
        return f"[{', '.join(_literal(item) for item in value)}]"
    return "{" + ", ".join(f"{_literal(key)}: {_literal(item)}" for key, item in value.items()) + "}"
