"""Example sentences of a toolbox: plain lines, JSON Lines or YAML, read strictly, every error with its line.

    Where is order 4711? => shop.order_status("4711")
        No, 4712 => shop.order_status("4712")          # indented: corrects the example above
    Thanks a lot! => "You're welcome."                  # a reply without a call

Calls are read by the reader of suites' expected calls. Knows nothing of templates.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolmend.errors import BadFile, ToolmendError
from toolmend.evals.suites import yaml12
from toolmend.messages import Call
from toolmend.reading import read_python
from toolmend.tools import Toolbox

LEAST = 5
_ARROW = "=>"
_KEYS = ("say", "call", "reply", "amends")


@dataclass(frozen=True)
class Example:
    """What somebody says, and the calls due for it; without a call, the words of the reply.

    `amends` is the example that this one corrects, said right after it. `line` is where it stands in its file.
    """

    said: str
    calls: tuple[Call, ...] = ()
    reply: str = ""
    amends: Example | None = None
    line: int = 0


def read_examples(path: Path, box: Toolbox) -> tuple[Example, ...]:
    """The examples of a file (.jsonl, .yaml, .yml, or plain lines). Raises BadFile with the line."""
    rows = {".jsonl": _json_rows, ".yaml": _yaml_rows, ".yml": _yaml_rows}.get(path.suffix, _plain_rows)
    made: list[Example] = []
    for line, row in rows(path):
        made.append(_example(path, line, row, made[-1] if made else None, box))
    return tuple(made)


def missing(examples: Sequence[Example], box: Toolbox, least: int = LEAST) -> list[str]:
    """`stock: 3 of 5 examples` for each tool that has too few."""
    counts = {spec.full_name: 0 for spec in box.specs}
    for each in examples:
        for name in {call.tool for call in each.calls}:
            counts[name] += 1
    return [f"{name}: {count} of {least} examples" for name, count in counts.items() if count < least]


def _example(path: Path, line: int, row: dict[str, Any], before: Example | None, box: Toolbox) -> Example:
    unknown = [key for key in row if key not in _KEYS]
    if unknown:
        raise BadFile(path, f"unknown key {unknown[0]!r}; known: {', '.join(_KEYS)}", line)
    said, amends = row.get("say"), row.get("amends", False)
    if not isinstance(said, str) or not said.strip():
        raise BadFile(path, "say: what somebody says is missing", line)
    if type(amends) is not bool or (amends and before is None):
        raise BadFile(path, "amends: true is for an example that follows another one", line)
    if ("call" in row) == ("reply" in row):
        raise BadFile(path, "give a call, or a reply in words if none is due", line)
    if "reply" in row:
        if not isinstance(row["reply"], str) or not row["reply"].strip():
            raise BadFile(path, f"reply: should be words, not {row['reply']!r}", line)
        return Example(said.strip(), reply=row["reply"].strip(), amends=before if amends else None, line=line)
    texts = row["call"] if isinstance(row["call"], list) else [row["call"]]
    calls = tuple(_call(path, line, text, box) for text in texts)
    return Example(said.strip(), calls, amends=before if amends else None, line=line)


def _call(path: Path, line: int, text: Any, box: Toolbox) -> Call:
    reading = read_python(text, box.specs, lenient=False) if isinstance(text, str) else None
    if reading is None or reading.problem or len(reading.calls) != 1 or reading.rest or reading.leniencies:
        why = (reading.detail or reading.rest) if reading else ""
        raise BadFile(path, f"{text!r} is not one plain call{f' ({why})' if why else ''}", line)
    call = reading.calls[0]
    try:
        _, coerced = box.tool(call.tool).validate(call.arguments)
    except ToolmendError as error:
        raise BadFile(path, f"{text!r}: {error}", line) from error
    if coerced:
        raise BadFile(path, f"{text!r} has a value of another type: {', '.join(coerced)}", line)
    return call


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(path, f"cannot be read ({error})") from error


def _plain_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """`sentence => call [=> call]`, or `sentence => "words"`; indented lines amend, # begins a line of comment."""
    for number, line in enumerate(_text(path).splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        said, *due = (part.strip() for part in line.split(_ARROW))
        if not due or not all(due):
            raise BadFile(path, f"should be `what somebody says {_ARROW} the call`", number)
        row: dict[str, Any] = {"say": said, "amends": line[0].isspace()}
        yield number, row | ({"reply": _words(path, number, due[0])} if due[0][0] in "\"'" else {"call": due})


def _words(path: Path, number: int, text: str) -> str:
    try:
        return str(ast.literal_eval(text))
    except (SyntaxError, ValueError) as error:
        raise BadFile(path, f"{text!r} is no quoted text", number) from error


def _json_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(_text(path).splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise BadFile(path, f"not JSON: {error}", number) from error
        if not isinstance(row, dict):
            raise BadFile(path, f"should be an object with {', '.join(_KEYS)}", number)
        yield number, row


def _yaml_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    loaded = yaml12.load(path)
    if not isinstance(loaded, list):
        raise BadFile(path, f"should be a list of mappings with {', '.join(_KEYS)}")
    for row in loaded:
        if not isinstance(row, yaml12.Located):
            raise BadFile(path, f"{row!r:.60} should be a mapping with {', '.join(_KEYS)}")
        yield row.line, dict(row)
