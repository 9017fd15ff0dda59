"""A request as the short talk that a small model can read: the system text without what every prompt says, the tools as
signatures, results beside requests; and the calls that its answer in one line of Python stands for.

Which sentences every prompt has is told by the preset (`prompts` in toolmend.json). Knows no strategy and no weights.
"""

from __future__ import annotations

import ast
import json
import re
import threading
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolmend.errors import BadFile
from toolmend.messages import Call, Message, Request, ToolSpec

Turns = list[tuple[str, str]]

TOOLS = "[native]"
"""Stands before tools that are sent along with a request."""
LONGEST_RESULT = 200
"""Characters of a tool's result that are read."""
_FORMATS = {"date": '"YYYY-MM-DD"', "time": '"HH:MM"', "date-time": '"YYYY-MM-DDTHH:MM"'}
_QUIET = threading.Lock()  # catch_warnings is not safe in threads
_KEYS = {"phrases", "skipped"}


@dataclass(frozen=True)
class Brief:
    """`phrases` are what stands in every prompt, each with the tag that it becomes (mostly ""); what follows one of
    `skipped` up to an empty line is left out."""

    phrases: Mapping[str, str]
    skipped: Sequence[str] = ()

    @classmethod
    def of(cls, about: Mapping[str, Any], path: Path) -> Brief | None:
        """What toolmend.json says of prompts; None where it says nothing. Raises BadFile."""
        if "prompts" not in about:
            return None
        given = about["prompts"]
        if not isinstance(given, dict) or set(given) != _KEYS:
            raise BadFile(path, f"prompts should be an object with {' and '.join(sorted(_KEYS))}")
        phrases, skipped = given["phrases"], given["skipped"]
        if not isinstance(phrases, dict) or not all(k and isinstance(v, str) for k, v in phrases.items()):
            raise BadFile(path, f"prompts: phrases should be texts with their tags, not {phrases!r:.60}")
        if not isinstance(skipped, list) or not all(isinstance(each, str) and each for each in skipped):
            raise BadFile(path, f"prompts: skipped should be a list of texts, not {skipped!r:.60}")
        return cls(phrases, tuple(skipped))

    def read(self, request: Request) -> tuple[str, Turns]:
        """What stands before the talk (system text and tools), and the talk: user and assistant by turns."""
        system = "\n\n".join(message.content for message in request.messages if message.role == "system")
        tools = [TOOLS, *map(signature, request.tools)] if request.tools else []
        lines = [self.shortened(system), *tools]
        return "\n".join(filter(None, lines)), _by_turns(request.messages, request.tools)

    def shortened(self, text: str) -> str:
        """A system text without what every prompt says."""
        for opening in self.skipped:
            text = re.sub(rf"{re.escape(opening)}\n.*?(?=\n\n|\Z)", "", text, flags=re.DOTALL)
        for phrase in sorted(self.phrases, key=len, reverse=True):
            text = text.replace(phrase, self.phrases[phrase])
        return "\n".join(line for each in text.splitlines() if (line := each.strip()))


def headed(head: str, turns: Sequence[tuple[str, str]]) -> Turns:
    """The talk with what stands before it, as the beginning of its first turn."""
    if not head:
        return list(turns)
    if not turns or turns[0][0] != "user":
        return [("user", head), *turns]
    return [("user", f"{head}\n{turns[0][1]}"), *turns[1:]]


def _by_turns(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Turns:
    """Messages of one side after one another are one turn; results stand on the user's side."""
    made: Turns = []
    for message in messages:
        if message.role == "system":
            continue
        role, text = "user" if message.role == "tool" else message.role, message.content
        if message.role == "tool":
            text = f"-> {text[:LONGEST_RESULT]}"
        elif message.calls:
            text = "\n".join(filter(None, (text, *(written(call, tools) for call in message.calls))))
        if made and made[-1][0] == role:
            made[-1] = (role, f"{made[-1][1]}\n{text}")
        else:
            made.append((role, text))
    return made


def written(call: Call, tools: Sequence[ToolSpec]) -> str:
    """A call as one line of Python: the first argument of the signature without its name, as everywhere in toolmend."""
    spec = _named(call.tool, tools)
    order = list(spec.properties) if spec else []
    given = {name: call.arguments[name] for name in sorted(call.arguments, key=lambda name: _place(name, order))}
    parts = [_literal(given.pop(name)) for name in order[:1] if name in given]
    return f"{call.tool}({', '.join([*parts, *(f'{name}={_literal(value)}' for name, value in given.items())])})"


def calls_of(text: str, tools: Sequence[ToolSpec]) -> tuple[Call, ...]:
    """The calls of an answer that is nothing but calls, a line each; () for any other answer."""
    found = [_call(line, tools) for line in text.splitlines() if line.strip()]
    calls = tuple(call for call in found if call)
    return calls if len(calls) == len(found) else ()


def _call(line: str, tools: Sequence[ToolSpec]) -> Call | None:
    try:
        with _QUIET, warnings.catch_warnings(action="ignore"):  # of odd escapes in what a model wrote
            node = ast.parse(line.strip(), mode="eval").body
        if not isinstance(node, ast.Call):
            return None
        spec = _named(ast.unparse(node.func), tools)
        arguments = {each.arg: ast.literal_eval(each.value) for each in node.keywords if each.arg}
        places = list(spec.properties) if spec else []
        names = [*places, *(f"*{n}" for n in range(len(places) + 1, len(node.args) + 1))]
        bound = {name: ast.literal_eval(value) for name, value in zip(names, node.args, strict=False)}
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        return None
    return Call(spec.full_name, bound | arguments) if spec else None


def signature(spec: ToolSpec) -> str:
    """A tool in one line: `rooms.book(room, date="YYYY-MM-DD", kind='big'|'small', people=2) -- Book a room.`"""
    shown = ", ".join(_parameter(name, schema, name in spec.required) for name, schema in spec.properties.items())
    said = spec.description.strip().partition("\n")[0].strip()
    return f"{spec.full_name}({shown})" + (f"  -- {said}" if said else "")


def _parameter(name: str, schema: Any, required: bool) -> str:
    schema = schema if isinstance(schema, Mapping) else {}
    shape = next(_shapes(schema), "")
    if not required and not shape and "default" in schema:
        return f"{name}={schema['default']!r}"
    return f"{name}={shape}" if shape else name


def _shapes(schema: Mapping[str, Any]) -> Iterator[str]:
    for part in (schema, *schema.get("anyOf", ())):
        if part.get("enum"):
            yield "|".join(map(repr, part["enum"]))
        elif part.get("format") in _FORMATS:
            yield _FORMATS[part["format"]]
        elif part.get("type") == "array":
            yield "[...]"
        elif part.get("type") == "object":
            yield "{" + ", ".join(f'"{key}": ...' for key in part.get("properties", {})) + "}"


def _named(name: str, tools: Sequence[ToolSpec]) -> ToolSpec | None:
    return next((spec for spec in tools if name in (spec.full_name, spec.name)), None)


def _place(name: str, order: Sequence[str]) -> int:
    return order.index(name) if name in order else len(order)


def _literal(value: Any) -> str:
    """The value in Python, texts in double quotes."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_literal(key)}: {_literal(item)}" for key, item in value.items()) + "}"
    return repr(value)
