"""Freyr: what is wanted, then the values of each, then a summary; or plain words (Gallotta, Liapis, Yannakakis 2025,
"Freyr: A Framework for Recognizing and Executing Your Requests", section 3 and algorithm 1).

A short list of intents instead of all schemas, one tool's parameters at a time, a model per role: `intent`, `params`,
`summary`, `chat`. What the published code loses is mended here (readers, retries by class, repeated intents, failures
told); `freyr_paper` keeps the published rules.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from toolmend.base.messages import Call, CallResult, Message, Reply, ToolSpec
from toolmend.reading import Reading
from toolmend.reading.intents import TALK, Intents, read_intents
from toolmend.reading.values import read_values
from toolmend.strategies.constraints import names, values, without_nulls
from toolmend.strategies.history import BRIEF, MAX_RESULT, became, reported
from toolmend.strategies.prompt import digest, render
from toolmend.strategies.resuming import IntentsRecord, Record, Round
from toolmend.strategies.retries import (
    EMPTY,
    REPEATED,
    UNREADABLE,
    Retries,
    RetryCause,
    faults,
    retries_option,
    rounds_option,
)
from toolmend.strategies.shortlist import shortened, tools_option
from toolmend.strategies.signature import parameters
from toolmend.strategies.strategy import Act, Ask, Flag, Flow, Say, Step, Talk

GIVE_UP = "SKIP"
TOO_MANY = "too_many_intents"
_PROMPTS = ("freyr_intent", "freyr_params", "freyr_summary", "freyr_chat")
_CLAUSE = re.compile(r"\.(?: |$)|[;:] ")
ADMITS = re.compile(
    r"\b(?:not|cannot|\w+n['’]t|fail\w*|unable|refus\w*|an error|unfortunately|impossible|skipped|left out)\b", re.I
)
"""Words that say that something was not done."""


@dataclass
class Freyr:
    """`most` intents a turn; `retries` per class of error, for the list and for each intent.

    `summary` by the `model`, by a `template`, or `none`; `explain`: a reason for each intent, told as a flag `intent`;
    `tools`: how many are in the list of intents, those that fit best (shortlist.py), 0 for all; `structured`: intents
    and values as JSON, by a schema (constraints.py).
    """

    most: int = rounds_option(10)
    retries: int = retries_option()
    summary: Literal["model", "template", "none"] = "model"
    explain: bool = False
    tools: int = tools_option()
    structured: bool = False

    name = "freyr"
    bare = False
    roles = ("intent", "params", "summary", "chat")

    @property
    def prompt_hash(self) -> str:
        """That of all four prompt files."""
        return digest(*_PROMPTS, *(("freyr_json",) if self.structured else ()))

    def turn(self, talk: Talk) -> Flow:
        """Intents, then each one's values, then the summary; or an answer in words."""
        return _Turn(self, shortened(talk, self.tools)).flow()

    def system_text(self, talk: Talk) -> str:
        """The prompt of the first role, the intents."""
        return _Turn(self, shortened(talk, self.tools)).prompt("freyr_intent")

    def resume(self, rounds: Sequence[Round], tools: Sequence[ToolSpec], *, whole: bool) -> Record:
        """The calls as intents, each with its values."""
        return IntentsRecord(rounds, tools, whole=whole)


@dataclass(frozen=True, slots=True)
class _Left:
    """What was not done, and why: as a person reads it, and as a model is told."""

    text: str
    told: str


@dataclass
class _Turn:
    """One turn: what it was asked, and what it has done."""

    way: Freyr
    talk: Talk
    calls: list[Call] = field(default_factory=list)
    results: list[CallResult] = field(default_factory=list)
    given_up: list[_Left] = field(default_factory=list)
    refused: list[tuple[Call, RetryCause]] = field(default_factory=list)

    def flow(self) -> Flow:
        """The whole turn."""
        intents = yield from self._intents()
        if not intents.names:
            yield Ask(self._messages("freyr_chat"), role="chat")
            return
        names, most = intents.names, self.way.most
        if len(names) > most:
            yield Flag(TOO_MANY, f"{len(names)}, of which the first {most} are done")
            names = names[:most]
        specs = {spec.full_name: spec for spec in self.talk.tools}
        for place, name in enumerate(names):
            if self.way.explain:
                yield Flag("intent", f"{name}: {intents.reasons[place] or 'no reason given'}")
            nth = (names[:place].count(name) + 1, names.count(name))
            yield from self._perform(specs[name], nth, intents.leniencies if place == 0 else ())
        yield from self._summarise()

    def _intents(self) -> Generator[Step, Any, Intents]:
        """What is wanted. Unknown names are asked about again; in the end those that are known count."""
        messages, budget = list(self._messages("freyr_intent")), Retries(self.way.retries)
        known = [*(spec.full_name for spec in self.talk.tools), TALK]
        constraint = names(known, self.way.most, reasons=self.way.explain) if self.way.structured else None
        while True:
            reply: Reply = yield Ask(tuple(messages), role="intent", constraint=constraint)
            found = read_intents(reply.text, self.talk.tools)
            if not found.unknown and (found.names or found.talk):
                return found
            wrong = _unknown(found) if found.unknown else RetryCause(UNREADABLE, "no operation could be read")
            if not budget.spend([wrong]):
                yield Retries.gave_up([wrong])
                return found
            again = f"Error: {wrong.text}. Write only names from the list, or {TALK}."
            messages += [Message("assistant", reply.text), Message("user", again)]

    def _perform(self, spec: ToolSpec, nth: tuple[int, int], leniencies: tuple[str, ...]) -> Flow:
        """One intent. Where the model wrote the values of several things for it, each of them is one."""
        reply, reading = yield from self._values(self._messages("freyr_params", spec, nth), spec)
        reading = replace(reading, leniencies=(*leniencies, *reading.leniencies))
        lists = [call for place, call in enumerate(reading.calls) if call not in reading.calls[:place]]
        if nth != (1, 1) or len(lists) < 2:
            yield from self._try(spec, nth, reply, reading)
            return
        if len(lists) > self.way.most:
            yield Flag(TOO_MANY, f"{len(lists)} times {spec.full_name}, of which the first {self.way.most} are done")
        lists = lists[: self.way.most]
        for number, call in enumerate(lists, 1):
            yield from self._try(spec, (number, len(lists)), reply, replace(reading, calls=(call,)))

    def _try(self, spec: ToolSpec, nth: tuple[int, int], reply: Reply, reading: Reading) -> Flow:
        """The call, and again with what was wrong while the budget lasts."""
        messages = list(self._messages("freyr_params", spec, nth))
        budget = Retries(self.way.retries if spec.properties else 0)
        while True:
            if reply.text.strip(" \n.*`\"'").upper() == GIVE_UP:
                self._give_up(f"{spec.full_name} (left out)")
                return
            wrong = yield from self._run(reply, _nth(reading, nth))
            if wrong is None:
                return
            if not budget.spend([wrong]):
                yield Retries.gave_up([wrong])
                self._give_up(f"{spec.full_name} ({wrong.text})", f"{spec.full_name} ({wrong.told})")
                return
            again = (
                f"Error: {wrong.told}\nWrite the whole list again with this put right, or {GIVE_UP} to leave it out."
            )
            messages += [Message("assistant", reply.text), Message("user", again)]
            reply, reading = yield from self._values(messages, spec)

    def _values(self, messages: Sequence[Message], spec: ToolSpec) -> Generator[Step, Any, tuple[Reply, Reading]]:
        """What the model writes for the parameters, and its calls. Nobody is asked where there are none."""
        if not spec.properties:
            return Reply(""), Reading((Call(spec.full_name),))
        constraint = values(spec) if self.way.structured else None
        reply: Reply = yield Ask(tuple(messages), role="params", constraint=constraint)
        reading = read_values(reply.text, spec)
        if constraint:
            reading = replace(reading, calls=tuple(without_nulls(call, spec) for call in reading.calls))
        return reply, reading

    def _run(self, reply: Reply, reading: Reading) -> Generator[Step, Any, RetryCause | None]:
        """Make the call, if there is one; what was wrong. One that was refused before, and nothing was done since, is
        not made again."""
        before = [wrong for call, wrong in self.refused if (call,) == reading.calls]
        if before:
            return replace(before[0], kind=REPEATED, text=f"these very values failed before: {before[0].text}")
        results: tuple[CallResult, ...] = yield Act(reading.calls, reading)
        if not results:
            what = f"no values could be read{': ' + reading.detail if reading.detail else ''}"
            return RetryCause(UNREADABLE, what) if reply.text.strip() else RetryCause(EMPTY, "the reply was empty")
        (call,), (result,) = reading.calls, results
        if result.ok:
            self.calls.append(call)
            self.results.append(result)
            self.refused.clear()
            return None
        (wrong,) = faults(results)
        self.refused.append((call, wrong))
        return wrong

    def _give_up(self, text: str, told: str = "") -> None:
        self.given_up.append(_Left(text, told or text))

    def _summarise(self) -> Flow:
        """The words at the end. They must tell failures: if they do not, a sentence that does is added."""
        plain = f"{_made(self.calls)} {_not_made(self.given_up)}".strip()
        if self.way.summary != "model":
            yield Say(plain if self.way.summary == "template" else "")
            return
        reply: Reply = yield Ask(self._messages("freyr_summary"), role="summary")
        if not reply.text.strip():
            yield Say(plain)
        elif self.given_up and not ADMITS.search(reply.text):
            yield Say(f"{reply.text.strip()}\n{_not_made(self.given_up)}")

    # prompts ---------------------------------------------------------------------------------------------------

    def prompt(self, name: str, spec: ToolSpec | None = None, nth: tuple[int, int] = (1, 1)) -> str:
        """The system text of a role: first what is the same in every talk, so that a server has it in its cache, then
        the world as it is now, for the roles that need it. That is the intents only if they alone say how often."""
        seeing = ("freyr_params", "freyr_chat", *(("freyr_intent",) if self.way.structured else ()))
        text = render(
            name,
            system=self.talk.system,
            world=self.talk.view() if name in seeing else "",
            structured=self.way.structured,
            operations=_operations(self.talk.tools),
            talk=TALK,
            explain=self.way.explain,
            operation=spec,
            parameters=parameters(spec) if spec else "",
            nth=nth,
            done=self._done(MAX_RESULT if name == "freyr_summary" else BRIEF),
        )
        written = self.way.structured and name in ("freyr_intent", "freyr_params")
        return f"{text}\n\n{render('freyr_json', role=name, explain=self.way.explain)}" if written else text

    def _messages(self, name: str, spec: ToolSpec | None = None, nth: tuple[int, int] = (1, 1)) -> tuple[Message, ...]:
        said = self.talk.messages[-1:] if name == "freyr_summary" else self.talk.messages
        return (Message("system", self.prompt(name, spec, nth)), *reported(said, self.talk.tools))

    def _done(self, most: int) -> list[str]:
        """What became of the intents so far, a line each."""
        specs, pairs = {spec.full_name: spec for spec in self.talk.tools}, zip(self.calls, self.results, strict=True)
        made = [became(call, result, specs.get(call.tool), most) for call, result in pairs]
        return [*made, *(f"{left.told}: not done" for left in self.given_up)]


def _operations(tools: Sequence[ToolSpec]) -> list[tuple[str, str]]:
    """The short list: each name with the first clause of its description."""
    return [(spec.full_name, _CLAUSE.split(" ".join(spec.description.split()), maxsplit=1)[0]) for spec in tools]


def _nth(reading: Reading, nth: tuple[int, int]) -> Reading:
    """The call of these values; where all that are wanted came at once, the one whose turn it is."""
    if len(reading.calls) < 2:
        return reading
    place = nth[0] - 1 if len(reading.calls) == nth[1] else 0
    return replace(reading, calls=(reading.calls[place],), leniencies=(*reading.leniencies, "several"))


def _unknown(found: Intents) -> RetryCause:
    return RetryCause("unknown_tool", f"there is no operation {', '.join(map(repr, found.unknown[:3]))}")


def _made(calls: Sequence[Call]) -> str:
    return f"Done: {', '.join(call.tool for call in calls)}." if calls else "Nothing was done."


def _not_made(given_up: Sequence[_Left]) -> str:
    return f"Not done: {'; '.join(left.text for left in given_up)}." if given_up else ""
