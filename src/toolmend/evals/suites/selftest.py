"""Is a suite judged as it should be? Right replies must be accepted, and what does not bring its worlds about refused.

Calls: every acceptable value in its turn. Worlds: tried in the world itself, where each reply is read, run, judged and
taken back, in the state that the right replies before it have led to. That wrong calls are seen is the grader's matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from toolmend.base.messages import Call
from toolmend.base.portal import run_sync
from toolmend.evals.suites.oracle import right_reply, right_words
from toolmend.evals.suites.suite import Case, Step, Suite
from toolmend.grading import Expected, grade
from toolmend.grading.compare import GradedTools, table_of
from toolmend.grading.references import references, without_example
from toolmend.grading.worlds import ExpectedWorld, Seen
from toolmend.models.scripted import Scripted
from toolmend.reading import read_python, render
from toolmend.session import Answer, Session
from toolmend.tools import Toolbox

PLAIN = "Something plain"


@dataclass(frozen=True, slots=True)
class SuiteTrial:
    """One reply that was judged: the step it belongs to (`T1/7, step 1`), what it is, what is wrong ("": nothing)."""

    place: str
    name: str
    argument: str | None = None
    problem: str = ""

    @property
    def ok(self) -> bool:
        """Whether it was judged as it should be."""
        return not self.problem

    def __str__(self) -> str:
        """`T1/7, step 1: world: changed argument (name): accepted: …`."""
        return f"{self.place}: {self.name}{f' ({self.argument})' if self.argument else ''}: {self.problem}"


def test_suite(suite: Suite) -> list[SuiteTrial]:
    """Every right reply to every different step, and every wrong one that is tried in a world."""
    return [*_calls(suite), *run_sync(_worlds, suite)]


test_suite.__test__ = False  # type: ignore[attr-defined]  # no test of pytest's


def _calls(suite: Suite) -> Iterator[SuiteTrial]:
    """Every different expectation of calls, once, under the name of the step where it is first."""
    steps: dict[str, tuple[str, Expected, GradedTools]] = {}
    own = None if any(case.tools for case in suite.cases().values()) else table_of(Toolbox.load(suite.tools).specs)
    for experiment in suite.experiments:
        for case in experiment.cases:
            for number, step in enumerate(case.steps, 1):
                place = f"{case.id}, step {number}"
                if not step.expected.free:
                    key = repr((step.expected, place if case.tools else ""))
                    steps.setdefault(key, (place, step.expected, own or table_of(case.tools)))
    for place, expected, table in steps.values():
        if blind := without_example(expected):
            problem = f"the pattern of {', '.join(blind)} has no example; add one to let it be tested"
            yield SuiteTrial(place, "reference", blind[0], problem)
            continue
        for right in references(expected, table):
            wrong = ", ".join(map(str, grade(right.text, expected, table.specs).mistakes))
            yield SuiteTrial(place, right.name, right.argument, wrong and f"refused: {wrong}: {right.text}")


async def _worlds(suite: Suite) -> list[SuiteTrial]:
    """Every step that looks at the world, in the dialogues where it is first."""
    found: list[SuiteTrial] = []
    seen = set[str]()
    surplus = [line for case in suite.cases().values() for step in case.steps for line in step.reference.splitlines()]
    for case in suite.cases().values():
        key = repr([(step.say, step.reference, step.world, step.start) for step in case.steps])
        if key not in seen and any(step.world for step in case.steps):
            seen.add(key)
            found += await _Trier(suite, case, list(dict.fromkeys(surplus))).all()
    return found


class _Trier:
    """Plays one dialogue rightly, and before each right reply every wrong one, taken back at once."""

    def __init__(self, suite: Suite, case: Case, surplus: Sequence[str]) -> None:
        self.case, self.surplus = case, surplus
        self.session = Session(Scripted([""]), suite.toolbox(case), "oneline", mend=False)
        self.specs = self.session.tools.specs
        self.found: list[SuiteTrial] = []
        self.finals: list[Answer] = []

    async def all(self) -> list[SuiteTrial]:
        """What came of every step."""
        for number, step in enumerate(self.case.steps):
            before = self.session.tools.state()
            if step.world is not None:
                await self._step(number, step, before)
            target = None if step.amends is None else self.finals[step.amends]
            self.finals.append(await self.session.play(step.say, target, reply=right_reply(step)))
        return self.found

    async def _step(self, number: int, step: Step, before: Any) -> None:
        right = await self._try(number, step, before, "world: reference", right_reply(step), right=True)
        if step.attempt:
            await self._try(
                number, step, before, "world: attempt refused", f"{step.attempt}\n{right_words(step)}", right=True
            )
        calls = read_python(step.reference, self.specs).calls
        for name, argument, mutant in mutated(calls, step.open, before):
            text = "\n".join([*(render(call) for call in mutant), step.words]).strip()
            await self._try(number, step, before, name, text, argument)
        if step.world is not None and step.world.wordy:
            await self._try(number, step, before, "world: words left out", step.reference or step.attempt)
        tools = {call.tool for call in calls}
        for line in self.surplus:
            if line.partition("(")[0] in tools:
                continue
            text = "\n".join(part for part in (step.reference, line, step.words) if part)
            if await self._try(number, step, before, "world: surplus call", text, beyond=right):
                break

    async def _try(
        self,
        number: int,
        step: Step,
        before: Any,
        name: str,
        text: str,
        argument: str | None = None,
        *,
        right: bool = False,
        beyond: Any = None,
    ) -> Any:
        """One reply, judged and taken back; the state that it led to. None, and no trial, where that is `beyond`: what
        was to be more than the right reply changed nothing more."""
        target = None if step.amends is None else self.finals[step.amends]
        answer = await self.session.play(step.say, target, reply=text)
        wrong, now = self.judged(step, before, answer), self.session.tools.state()
        await self.session.aundo()
        assert step.world is not None
        if beyond is not None and not ExpectedWorld(aside=step.world.aside).mistakes(Seen(beyond, now)):
            return None
        problem = "" if right is (not wrong) else f"refused: {', '.join(wrong)}" if right else f"accepted: {text}"
        self.found.append(SuiteTrial(f"{self.case.id}, step {number + 1}", name, argument, problem))
        return now

    def judged(self, step: Step, before: Any, answer: Answer) -> list[str]:
        """What is wrong with the world after an answer."""
        assert step.world is not None
        words = answer.reading.rest if answer.reading.calls else answer.text
        seen = Seen(before, self.session.tools.state(), words)
        return [f"{mistake} ({mistake.got})" for mistake in step.world.mistakes(seen)]


def mutated(calls: Sequence[Call], kept: Sequence[str], state: Any) -> Iterator[tuple[str, str | None, list[Call]]]:
    """Wrong versions of right calls: one left out, or one argument changed that is not among `kept`."""
    for place, call in enumerate(calls):
        rest = [*calls[:place], *calls[place + 1 :]]
        yield ("world: dropped call" if rest else "world: nothing done"), None, rest
        for name, value in call.arguments.items():
            if name not in kept:
                for other in changed(value, state):
                    mutant = replace(call, arguments={**call.arguments, name: other})
                    yield "world: changed argument", name, [*calls[:place], mutant, *calls[place + 1 :]]


def changed(value: Any, state: Any) -> list[Any]:
    """Other values in the place of one: another number; for a name that the world knows another one that it knows, and
    for any text one that means nothing."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, (int, float)):
        return [value + 1 if value != -1 else 1]
    if not isinstance(value, str):
        return []
    known = list(dict.fromkeys(_names(state)))
    others = [name for name in known if name != value] if value in known else []
    return [*others[:1], PLAIN]


def _names(state: Any) -> Iterator[str]:
    """What things in a world are called."""
    if isinstance(state, Mapping):
        if isinstance(state.get("name"), str):
            yield state["name"]
        for thing in state.values():
            yield from _names(thing)
    elif isinstance(state, (list, tuple)):
        for thing in state:
            yield from _names(thing)
