"""A reply against what was expected: read it, pair its calls, name the mistakes, mark it. docs/measures.md is the law.

Pure: knows no model, no conversation and no storage.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from toolmend.errors import BadOption
from toolmend.grading.compare import Table, Target, table_of
from toolmend.grading.expected import Expected
from toolmend.grading.marks import is_junk, marks_of
from toolmend.grading.pairing import pair
from toolmend.messages import Call, Reply, ToolSpec
from toolmend.mistakes import Kind, Mark, Mistake
from toolmend.reading import Reading, read_python
from toolmend.reading.reading import MENDED, NOISE

_SHOWN = 300
_WRONG_TOOL, _OTHER_NAME, _RECEIVER, _ARGUMENT, _PLACE = 1_000.0, 600.0, 5.0, 10.0, 1e-3


@dataclass(frozen=True, slots=True)
class Grade:
    """What is wrong with a reply and how it is marked by itself. `valid_call`: a recognisable call was made."""

    mistakes: tuple[Mistake, ...] = ()
    valid_call: bool = True
    marks: tuple[Mark, ...] = (Mark.CORRECT,)
    leniencies: tuple[str, ...] = ()

    @property
    def correct(self) -> bool:
        """Whether there is no mistake."""
        return not self.mistakes


_CORRECT = Grade()


def grade(
    reply: str | Reading | Reply | Call | Sequence[Call],
    expected: Expected,
    tools: Sequence[ToolSpec],
    *,
    lenience: str = "default",
) -> Grade:
    """The grade of a reply: text (read as Python notation), a reading, a model's reply, or calls.

    A model's native calls may leave out receivers. `lenience="none"` makes mistakes of what is otherwise forgiven.
    Raises UnknownName if an expected tool is not among `tools`, BadOption for an unknown lenience.
    """
    if lenience not in ("default", "none"):
        raise BadOption(f"lenience: {lenience!r} is unknown; known: default, none")
    table = table_of(tools)
    native = False
    if isinstance(reply, str):
        reading = read_python(reply, tools)
    elif isinstance(reply, Reading):
        reading = reply
    elif isinstance(reply, Reply):
        native = bool(reply.calls)
        reading = Reading(reply.calls, reply.text.strip()) if native else read_python(reply.text, tools)
    else:
        calls = (reply,) if isinstance(reply, Call) else reply
        if len(calls) == 1 and len(expected.calls) == 1:
            found = table.mistakes(calls[0], table.target(expected.calls[0]))
            return Grade(tuple(found), True, marks_of(found, True)) if found else _CORRECT
        reading = Reading(tuple(calls), problem=None if calls else "no_call")
    return _graded(reading, expected, table, native, lenience == "none")


def _graded(reading: Reading, expected: Expected, table: Table, native: bool, strict: bool) -> Grade:
    valid = bool(reading.calls)
    if expected.free:
        mistakes = _free(reading, expected)
    else:
        mistakes = (
            _mistakes(reading, expected, table, native, strict) if expected.calls else _without(reading, expected)
        )
    junk = bool(mistakes) and is_junk(mistakes, reading.rest)
    return Grade(tuple(mistakes), valid, marks_of(mistakes, valid, junk), reading.leniencies)


def _mistakes(reading: Reading, expected: Expected, table: Table, native: bool, strict: bool) -> list[Mistake]:
    broken = reading.problem == "syntax" or (strict and not MENDED.isdisjoint(reading.leniencies))
    syntax = Mistake(Kind.SYNTAX, got=(reading.detail or ", ".join(reading.leniencies))[:_SHOWN])
    if not reading.calls:
        due = table.target(expected.calls[0]).name
        return [syntax if broken else Mistake(Kind.NO_CALL, None, due, due, reading.rest[:_SHOWN])]
    found = [syntax] if broken else []
    found += compare_calls(reading.calls, expected, table, native)
    if expected.bare and (reading.rest or (strict and not NOISE.isdisjoint(reading.leniencies))):
        found.append(Mistake(Kind.CHATTER, got=(reading.rest or ", ".join(reading.leniencies))[:_SHOWN]))
    return found


def _without(reading: Reading, expected: Expected) -> list[Mistake]:
    """A step that expects no call, or a question."""
    if reading.calls:
        return [Mistake(Kind.UNWANTED_CALL, got=call.tool) for call in reading.calls]
    if reading.problem == "syntax":
        return [Mistake(Kind.UNWANTED_CALL, got=reading.detail[:_SHOWN])]
    if not expected.asks or "?" in reading.rest or "\uff1f" in reading.rest:  # the second is the full-width one
        return []
    asked = ", ".join(expected.asks)
    return [Mistake(Kind.CHATTER if reading.rest else Kind.NO_CALL, expected=asked, got=reading.rest[:_SHOWN])]


def _free(reading: Reading, expected: Expected) -> list[Mistake]:
    """A step that looks at the world and not at the calls: only what is wrong with any reply is wrong here."""
    if reading.problem == "syntax":
        return [Mistake(Kind.SYNTAX, got=reading.detail[:_SHOWN])]
    if expected.bare and reading.calls and reading.rest:
        return [Mistake(Kind.CHATTER, got=reading.rest[:_SHOWN])]
    return []


def compare_calls(calls: Sequence[Call], expected: Expected, table: Table, native: bool = False) -> list[Mistake]:
    """The mistakes of several calls, paired with the expected ones at least total cost."""
    targets = [table.target(call) for call in expected.calls]
    if len(calls) == len(targets) and _all_right(calls, targets, table, native, expected.ordered):
        return []
    found = [[table.mistakes(call, target, native) for call in calls] for target in targets]
    costs = [
        [_cost(mistakes, target) + _PLACE * abs(row - column) for column, mistakes in enumerate(line)]
        for row, (line, target) in enumerate(zip(found, targets, strict=True))
    ]
    pairs = dict(pair(costs, expected.ordered))
    mistakes: list[Mistake] = []
    for row, target in enumerate(targets):
        if row in pairs:
            mistakes += found[row][pairs[row]]
        else:
            mistakes.append(Mistake(Kind.MISSING_CALL, None, target.name, target.name))
    if len(calls) > len(pairs):
        mistakes += _surplus(calls, set(pairs.values()), table)
    return mistakes


def _all_right(calls: Sequence[Call], targets: list[Target], table: Table, native: bool, ordered: bool) -> bool:
    """Whether every call is right for a target of its own: the common case, found without a table of costs."""
    waiting = list(targets)
    for call in calls:
        for place, target in enumerate(waiting[:1] if ordered else waiting):
            if not table.mistakes(call, target, native):
                del waiting[place]
                break
        else:
            return False
    return True


def _cost(mistakes: Sequence[Mistake], target: Target) -> float:
    cost = 0.0
    for mistake in mistakes:
        if mistake.kind is Kind.WRONG_TOOL:
            cost += _WRONG_TOOL
        elif mistake.kind is Kind.UNKNOWN_TOOL:
            cost += _RECEIVER if str(mistake.got).rpartition(".")[2] == target.bare else _OTHER_NAME
        else:
            cost += _ARGUMENT
    return cost


def _surplus(calls: Sequence[Call], paired: set[int], table: Table) -> list[Mistake]:
    """Calls that answer nothing: repeated if equal to a paired call or to one before, else extra."""
    keys = [table.key(call) for call in calls]
    made = {keys[column] for column in paired}
    mistakes = []
    for column, call in enumerate(calls):
        if column not in paired:
            kind = Kind.REPEATED_CALL if keys[column] in made else Kind.EXTRA_CALL
            mistakes.append(Mistake(kind, got=call.tool))
            made.add(keys[column])
    return mistakes
