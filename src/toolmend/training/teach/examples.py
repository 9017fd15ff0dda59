"""Example sentences of a toolbox, a line each, read strictly, every error with its line.

    Where is order 4711? => shop.order_status("4711")
        No, 4712 => shop.order_status("4712")          # indented: corrects the example above
    Thanks a lot! => "You're welcome."                  # a reply without a call

Calls are read by the reader of suites' expected calls. Knows nothing of templates.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from toolmend.base.errors import BadFile, ToolmendError
from toolmend.base.messages import Call
from toolmend.reading import read_python
from toolmend.tools import Toolbox

LEAST = 5
_ARROW = "=>"


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


def examples_file(tools: str) -> Path:
    """The file of examples beside a file of tools, or here, for tools named otherwise."""
    stem = Path(tools).with_suffix("") if tools.endswith(".py") else Path(tools.replace(":", ".").replace("/", "_"))
    return stem.with_name(f"{stem.name}_examples.txt")


def read_examples(path: Path, box: Toolbox) -> tuple[Example, ...]:
    """The examples of a file: `sentence => call [=> call]`, or `sentence => "words"`. Raises BadFile with the line."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(path, f"cannot be read ({error})") from error
    made: list[Example] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        said, *due = (part.strip() for part in line.split(_ARROW))
        if not said or not due or not all(due):
            raise BadFile(path, f"should be `what somebody says {_ARROW} the call`", number)
        if line[0].isspace() and not made:
            raise BadFile(path, "an indented line corrects the example above; there is none", number)
        amends = made[-1] if line[0].isspace() else None
        words = due[0][0] in "\"'"
        calls = () if words else tuple(_call(path, number, call, box) for call in due)
        made.append(Example(said, calls, _words(path, number, due[0]) if words else "", amends, number))
    return tuple(made)


def missing(examples: Sequence[Example], box: Toolbox, least: int = LEAST) -> list[str]:
    """`stock: 3 of 5 examples` for each tool that has too few."""
    counts = {spec.full_name: 0 for spec in box.specs}
    for example in examples:
        for name in {call.tool for call in example.calls}:
            counts[name] += 1
    return [f"{name}: {count} of {least} examples" for name, count in counts.items() if count < least]


def _call(path: Path, line: int, text: str, box: Toolbox) -> Call:
    reading = read_python(text, box.specs, lenient=False)
    if reading.problem or len(reading.calls) != 1 or reading.rest or reading.leniencies:
        why = reading.detail or reading.rest
        raise BadFile(path, f"{text!r} is not one plain call{f' ({why})' if why else ''}", line)
    call = reading.calls[0]
    try:
        _, coerced = box.tool(call.tool).validate(call.arguments)
    except ToolmendError as error:
        raise BadFile(path, f"{text!r}: {error}", line) from error
    if coerced:
        raise BadFile(path, f"{text!r} has a value of another type: {', '.join(coerced)}", line)
    return call


def _words(path: Path, number: int, text: str) -> str:
    try:
        return str(ast.literal_eval(text))
    except (SyntaxError, ValueError) as error:
        raise BadFile(path, f"{text!r} is no quoted text", number) from error
