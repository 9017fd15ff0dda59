"""A reply against what was expected: read it, pair its calls, name the mistakes, mark it. docs/measures.md is the law.

Pure: knows no model, no conversation and no storage.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from toolmend.base.errors import BadOption
from toolmend.base.messages import RAW, Call, Reply, ToolSpec
from toolmend.base.mistakes import Kind, Mark, Mistake, glyphs
from toolmend.base.plots import table_html
from toolmend.grading.bfcl import BfclTarget, read_bfcl
from toolmend.grading.compare import GradedTools, Target, table_of
from toolmend.grading.expected import RULES_OF, Expected
from toolmend.grading.marks import is_junk, marks_of
from toolmend.reading import Reading, read_native, read_python
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

    def _repr_html_(self) -> str:
        rows = [(mistake.kind, mistake.argument, mistake.expected, mistake.got) for mistake in self.mistakes]
        return f"<p>{glyphs(self.marks)}</p>{table_html(('mistake', 'argument', 'should be', 'is'), rows)}"


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
    Under BFCL's rules nothing beside the calls counts, and a text is read as BFCL decodes it.
    Raises UnknownName if an expected tool is not among `tools`, BadOption for an unknown lenience or unknown rules.
    """
    if lenience not in ("default", "none"):
        raise BadOption(f"lenience: {lenience!r} is unknown; known: default, none")
    if expected.rules not in RULES_OF:
        raise BadOption(f"rules: {expected.rules!r} are unknown; known: {', '.join(RULES_OF)}")
    theirs = expected.rules == "bfcl"
    table = table_of(tools, BfclTarget if theirs else Target)
    native = False
    if isinstance(reply, str):
        reading = _read(reply, tools, theirs)
    elif isinstance(reply, Reading):
        reading = reply
    elif isinstance(reply, Reply):
        native = bool(reply.calls)
        offered = replace(reply, calls=tuple(map(table.as_offered, reply.calls)))
        reading = _readable(read_native(offered, tools)) if native else _read(reply.text, tools, theirs)
    else:
        calls = (reply,) if isinstance(reply, Call) else tuple(reply)
        if len(calls) == 1 and len(expected.calls) == 1:
            found = table.mistakes(calls[0], table.target(expected.calls[0]))
            return Grade(tuple(found), True, marks_of(found, True)) if found else _CORRECT
        reading = Reading(calls, problem=None if calls else "no_call")
    as_calls = native or not isinstance(reply, (str, Reading, Reply))
    return _graded(reading, expected, table, native, lenience == "none", as_calls)


def _read(text: str, tools: Sequence[ToolSpec], theirs: bool) -> Reading:
    return read_bfcl(text) if theirs else read_python(text, tools)


def _readable(reading: Reading) -> Reading:
    """The reading without calls whose arguments cannot be read: they are its syntax problem already."""
    if not reading.problem:
        return reading
    return replace(reading, calls=tuple(call for call in reading.calls if RAW not in call.arguments))


def _graded(
    reading: Reading, expected: Expected, table: GradedTools, native: bool, strict: bool, as_calls: bool = False
) -> Grade:
    """`as_calls`: the calls were made as such, and not found in a text."""
    valid = bool(reading.calls)
    if expected.rules == "bfcl":
        reading = Reading(reading.calls, problem=None if valid else "no_call")
    if expected.free:
        mistakes = _free(reading, expected)
    elif expected.any_call:
        mistakes = _any(reading, expected, table)
    elif expected.calls:
        mistakes = _mistakes(reading, expected, table, native, strict)
    else:
        mistakes = _without(reading, expected, None if as_calls and valid else table)
    junk = bool(mistakes) and is_junk(mistakes, reading.rest)
    return Grade(tuple(mistakes), valid, marks_of(mistakes, valid, junk), reading.leniencies)


def _mistakes(reading: Reading, expected: Expected, table: GradedTools, native: bool, strict: bool) -> list[Mistake]:
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


def _without(reading: Reading, expected: Expected, table: GradedTools | None) -> list[Mistake]:
    """A step that expects no call, or a question. What is nothing but calls is calls, whatever their names and whether
    made as such or written; program text that names no tool of the table is words, too.
    """
    alone = not reading.rest and "assignment" not in reading.leniencies
    every = table is None or expected.rules == "bfcl" or alone
    unwanted = [call for call in reading.calls if every or (table and table.offers(call.tool))]
    if unwanted:
        return [Mistake(Kind.UNWANTED_CALL, got=call.tool) for call in unwanted]
    if reading.problem == "syntax" and not reading.calls:
        return [Mistake(Kind.UNWANTED_CALL, got=reading.detail[:_SHOWN])]
    if not expected.asks or "?" in reading.rest or "\uff1f" in reading.rest:  # the second is the full-width one
        return []
    asked = ", ".join(expected.asks)
    return [Mistake(Kind.CHATTER if reading.rest else Kind.NO_CALL, expected=asked, got=reading.rest[:_SHOWN])]


def _any(reading: Reading, expected: Expected, table: GradedTools) -> list[Mistake]:
    """A step that expects a call of whichever tool is offered; BFCL takes any name."""
    if not reading.calls:
        broken = reading.problem == "syntax"
        return [Mistake(Kind.SYNTAX if broken else Kind.NO_CALL, got=(reading.detail or reading.rest)[:_SHOWN])]
    if expected.rules == "bfcl":
        return []
    return [Mistake(Kind.UNKNOWN_TOOL, got=call.tool) for call in reading.calls if not table.offers(call.tool)]


def _free(reading: Reading, expected: Expected) -> list[Mistake]:
    """A step that looks at the world and not at the calls: only what is wrong with any reply is wrong here."""
    if reading.problem == "syntax":
        return [Mistake(Kind.SYNTAX, got=reading.detail[:_SHOWN])]
    if expected.bare and reading.calls and reading.rest:
        return [Mistake(Kind.CHATTER, got=reading.rest[:_SHOWN])]
    return []


def compare_calls(calls: Sequence[Call], expected: Expected, table: GradedTools, native: bool = False) -> list[Mistake]:
    """The mistakes of several calls, paired with the expected ones at least total cost."""
    if len(calls) == len(expected.calls) == 1:
        return table.mistakes(calls[0], table.target(expected.calls[0]), native)
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


def _all_right(calls: Sequence[Call], targets: list[Target], table: GradedTools, native: bool, ordered: bool) -> bool:
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


def _surplus(calls: Sequence[Call], paired: set[int], table: GradedTools) -> list[Mistake]:
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


# pairing -------------------------------------------------------------------------------------------------------------


Costs = Sequence[Sequence[float]]
"""A row per expected call, a column per call made."""


def pair(costs: Costs, ordered: bool) -> list[tuple[int, int]]:
    """Pairs (row, column) of least total cost, as many as the smaller side has; increasing if `ordered`."""
    rows, columns = len(costs), len(costs[0]) if costs else 0
    if not rows or not columns:
        return []
    if rows > columns:
        turned = [[costs[row][column] for row in range(rows)] for column in range(columns)]
        return sorted((row, column) for column, row in pair(turned, ordered))
    return _in_order(costs) if ordered else _any_order(costs)


def _in_order(costs: Costs) -> list[tuple[int, int]]:
    """Every row takes a column, columns increasing: the cheapest way by dynamic programming."""
    rows, columns = len(costs), len(costs[0])
    best: list[list[float]] = [[0.0] * (columns + 1)]
    for row in range(rows):
        line = [float("inf")] * (columns + 1)
        for column in range(row, columns):
            line[column + 1] = min(line[column], best[row][column] + costs[row][column])
        best.append(line)
    pairs, column = [], columns
    for row in range(rows, 0, -1):
        while best[row][column - 1] <= best[row][column]:
            column -= 1
        pairs.append((row - 1, column - 1))
        column -= 1
    return pairs[::-1]


def _any_order(costs: Costs) -> list[tuple[int, int]]:
    """The Hungarian method with shortest augmenting paths, for no more rows than columns."""
    rows, columns = len(costs), len(costs[0])
    row_price, column_price = [0.0] * (rows + 1), [0.0] * (columns + 1)
    owner = [0] * (columns + 1)  # the row (from 1) that has a column (from 1); column 0 is where a path starts
    for row in range(1, rows + 1):
        owner[0] = row
        _augment(costs, owner, row_price, column_price)
    return sorted((owner[column] - 1, column - 1) for column in range(1, columns + 1) if owner[column])


def _augment(costs: Costs, owner: list[int], row_price: list[float], column_price: list[float]) -> None:
    columns = len(owner) - 1
    nearest = [float("inf")] * (columns + 1)
    came_from = [0] * (columns + 1)
    visited = [False] * (columns + 1)
    column = 0
    while owner[column]:
        visited[column] = True
        row, step, following = owner[column], float("inf"), 0
        for other in range(1, columns + 1):
            if visited[other]:
                continue
            reduced = costs[row - 1][other - 1] - row_price[row] - column_price[other]
            if reduced < nearest[other]:
                nearest[other], came_from[other] = reduced, column
            if nearest[other] < step:
                step, following = nearest[other], other
        for other in range(columns + 1):
            if visited[other]:
                row_price[owner[other]] += step
                column_price[other] -= step
            else:
                nearest[other] -= step
        column = following
    while column:
        owner[column] = owner[came_from[column]]
        column = came_from[column]
