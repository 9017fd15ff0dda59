"""Mistakes where nothing says what was expected: what the tools refused, and replies that could not be read.

That a tool took a call does not make it right: such a reply has no mark. Knows readings and results only.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from toolmend.grading import Grade
from toolmend.grading.marks import marks_of
from toolmend.messages import Call, CallResult
from toolmend.mistakes import Kind, Mistake
from toolmend.session import Answer

_MISSING = re.compile(r"argument '([^']+)' is missing")
_UNKNOWN = re.compile(r"(?:there is no argument|argument) '([^']+)'(?: is not known| \(it takes)")
_WRONG = re.compile(r"argument '([^'.\[]+)[^']*': ")
_NAMED = re.compile(r"([A-Za-z_]\w*): ")


def graded(answer: Answer, *, bare: bool, not_run: Collection[str] = ()) -> Grade:
    """The grade of an answer by what its calls came to. `bare`: a reply without a call is a mistake.

    `not_run` are the ids of calls that were not allowed to run: that is nobody's mistake.
    """
    mistakes = list(_mistakes(answer, bare, not_run))
    return Grade(tuple(mistakes), bool(answer.calls), marks_of(mistakes, bool(answer.calls)))


def _mistakes(answer: Answer, bare: bool, not_run: Collection[str]) -> Iterator[Mistake]:
    reading = answer.reading
    if not answer.calls and reading.problem == "syntax":
        yield Mistake(Kind.SYNTAX, got=reading.detail[:300])
    elif not answer.calls and bare:
        yield Mistake(Kind.NO_CALL, got=reading.rest[:300])
    pairs = list(zip(answer.calls, answer.results, strict=True))
    done = {call.tool for call, result in pairs if result.ok}
    # What a strategy tried again within the turn counts once, and not at all where it came right.
    wrong = [(call, result) for call, result in pairs if not result.ok and call.id not in not_run]
    failed = {call.tool: (call, result) for call, result in wrong if call.tool not in done}
    for call, result in failed.values():
        yield from _refused(call, result)


def _refused(call: Call, result: CallResult) -> Iterator[Mistake]:
    """What a tool found wrong with a call: one mistake for each argument that it names."""
    error = result.error or ""
    if result.fault == "unknown_tool":
        yield Mistake(Kind.UNKNOWN_TOOL, got=call.tool)
        return
    found = [Mistake(Kind.MISSING_ARGUMENT, name, call.tool) for name in _MISSING.findall(error)]
    found += [Mistake(Kind.UNKNOWN_ARGUMENT, name, call.tool, got=name) for name in _UNKNOWN.findall(error)]
    found += [
        Mistake(Kind.WRONG_FORMAT, name, call.tool, got=call.arguments.get(name))
        for name in dict.fromkeys(_WRONG.findall(error))
    ]
    if "one positional argument too many" in error:
        found.append(Mistake(Kind.UNKNOWN_ARGUMENT, "*1", call.tool))
    if not found:
        named = _NAMED.match(error)
        argument = named[1] if named and named[1] in call.arguments else None
        got = call.arguments.get(argument) if argument else error[:300]
        found = [Mistake(Kind.WRONG_VALUE, argument, call.tool, got=got)]
    yield from found
