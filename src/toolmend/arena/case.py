"""What a loaded case says next and expects: which step of a suite a message is, and how its reply is graded.

Without a case only the tools can refuse: `graded`. Knows suites and grading; asks no model.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from typing import Any

from toolmend.arena.views import CaseView
from toolmend.errors import BadOption, ToolmendError, UnknownName
from toolmend.evals.running.play import judge
from toolmend.evals.suites.suite import Case, Step, Suite, load_suite, shipped
from toolmend.grading import Grade
from toolmend.grading.marks import marks_of
from toolmend.grading.worlds import Seen
from toolmend.messages import Call, CallResult
from toolmend.mistakes import Kind, Mistake
from toolmend.reading import read
from toolmend.session import Answer, Session
from toolmend.tools import Toolbox


class Loaded:
    """A case of a suite, ready to be played by hand."""

    def __init__(self, suite: Suite, case: Case) -> None:
        self.suite, self.case = suite, case

    @property
    def steps(self) -> tuple[Step, ...]:
        """Its requests, in order."""
        return self.case.steps

    def toolbox(self) -> Toolbox:
        """A new toolbox in the state in which the case begins."""
        return self.suite.toolbox(self.case)

    def step_of(self, text: str, done: Sequence[int | None]) -> int | None:
        """The number of the step that this text is, if it is the next one; `done` are the steps of the turns so far."""
        number = self.following(done)
        if number is not None and _same(text, self.steps[number].say):
            return number
        return None

    def following(self, done: Sequence[int | None]) -> int | None:
        """The number of the step that comes next; None after the last."""
        number = max((step for step in done if step is not None), default=-1) + 1
        return number if number < len(self.steps) else None

    def looks_at_world(self, number: int) -> bool:
        """Whether a step is judged by what became of the world: that says nothing of a call that was not allowed."""
        return self.steps[number].world is not None

    def grade(self, number: int, answer: Answer, session: Session, before: Any) -> Grade:
        """The reply held against what the step expects. `before` is the state of the world before the request."""
        step = self.steps[number]
        world: Sequence[Mistake] = ()
        if step.world is not None:
            reading = read(answer.text, session.tools.specs)
            words = reading.rest if reading.calls else answer.text
            world = step.world.mistakes(Seen(before, session.tools.state(), words))
        return judge(step, answer.reading, session.tools.specs, world, bare=session.strategy.bare)


def load_case(name: str) -> Loaded:
    """The case `suite:experiment/case`. Raises UnknownName for one that is not there."""
    suite_name, colon, case_name = name.partition(":")
    if not colon:
        raise BadOption(f"case {name!r} is not of the form suite:case; Arena.cases lists them")
    suite = _suite(suite_name)
    cases = suite.cases()
    if case_name not in cases:
        raise UnknownName(f"case of suite '{suite_name}'", case_name, cases)
    return Loaded(suite, cases[case_name])


def case_views(suites: Sequence[str]) -> list[CaseView]:
    """Every case of these suites."""
    return [
        CaseView(f"{name}:{case_name}", suite.tools, tuple(step.say for step in case.steps))
        for name in suites
        for suite in (_suite(name),)
        for case_name, case in suite.cases().items()
    ]


def loadable(suites: Sequence[str] = ()) -> list[str]:
    """The suites asked for, or all that ship and can be read. Raises what is wrong with one that was asked for."""
    for name in suites:
        _suite(name)
    return list(suites) or [name for name in shipped() if _readable(name)]


def _readable(name: str) -> bool:
    try:
        _suite(name)
    except ToolmendError:
        return False
    return True


@cache
def _suite(name: str) -> Suite:
    return load_suite(name)


def _same(said: str, due: str) -> bool:
    return " ".join(said.split()) == " ".join(due.split())


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
