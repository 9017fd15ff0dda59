"""Freyr: what is wanted, then the values of each, then a summary; or plain words (Gallotta, Liapis, Yannakakis 2025,
"Freyr: A Framework for Recognizing and Executing Your Requests", section 3 and algorithm 1).

A short list of intents instead of all schemas, one tool's parameters at a time, a model per role: `intent`, `params`,
`summary`, `chat`. What the published code loses is mended here (readers, retries by class, repeated intents, failures
told); `freyr_paper` keeps the published rules.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Any

from toolmend.messages import Call, CallResult, Message, Reply, ToolSpec
from toolmend.reading import Reading, read, read_bullets
from toolmend.reading.intents import TALK, Intents, read_intents
from toolmend.strategies.history import brief, reported
from toolmend.strategies.parameters import parameters
from toolmend.strategies.prompt import digest, render
from toolmend.strategies.retries import DEFAULT_RETRIES, UNREADABLE, Retries
from toolmend.strategies.strategy import Act, Ask, Flag, Flow, Say, TakeBack, Talk

GIVE_UP = "SKIP"
_PROMPTS = ("freyr_intent", "freyr_params", "freyr_summary", "freyr_chat")
_ADMITS = ("not", "n't", "fail", "unable", "refus", "error", "unfortunately", "impossible", "cannot", "without")


@dataclass
class _Done:
    """What a turn has done so far."""

    calls: list[Call] = field(default_factory=list)
    results: list[CallResult] = field(default_factory=list)
    given_up: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        made = [brief(call, result) for call, result in zip(self.calls, self.results, strict=True)]
        return [*made, *(f"{name}: not done" for name in self.given_up)]

    @property
    def failed(self) -> bool:
        return bool(self.given_up) or any(not result.ok for result in self.results)


@dataclass(frozen=True)
class Freyr:
    """`most` intents a turn; `retries` per class of error and intent; `atomic`: a turn is done wholly or not at all;
    `summary`: by a `model`, by a `template`, or `none`; `explain`: a reason for each intent, kept in the reading."""

    most: int = 10
    retries: int = DEFAULT_RETRIES
    atomic: bool = False
    summary: str = "model"
    explain: bool = False

    name = "freyr"
    bare = False

    @property
    def prompt_hash(self) -> str:
        """That of all four prompt files."""
        return digest(*_PROMPTS)

    def turn(self, talk: Talk) -> Flow:
        """Intents, then each one's values, then the summary; or an answer in words."""
        intents = yield from self._intents(talk)
        if not intents.names:
            yield Ask(self._prompt("freyr_chat", talk), role="chat")
            return
        names, done = list(intents.names), _Done()
        if len(names) > self.most:
            yield Flag("too_many_intents", f"{len(names)}, the first {self.most} are done")
            names = names[: self.most]
        specs = {spec.full_name: spec for spec in talk.tools}
        for place, name in enumerate(names):
            nth = (names[:place].count(name) + 1, names.count(name))
            fine = yield from self._perform(specs[name], nth, talk, done, _reason(intents, place))
            if not fine and self.atomic:
                yield TakeBack()
                done.given_up = [f"everything, because {name} could not be done"]
                done.calls, done.results = [], []
                break
        yield from self._summarise(talk, done)

    def system_text(self, talk: Talk) -> str:
        """The prompt of the first role, the intents."""
        return self._prompt("freyr_intent", talk)[0].content

    # the roles -------------------------------------------------------------------------------------------------

    def _intents(self, talk: Talk) -> Generator[Any, Any, Intents]:
        messages, budget = list(self._prompt("freyr_intent", talk)), Retries(self.retries)
        while True:
            reply: Reply = yield Ask(tuple(messages), role="intent")
            found = read_intents(reply.text, talk.tools)
            if found.names or (found.talk and not found.unknown) or not budget.spend(UNREADABLE):
                return found
            wrong = f"There is no operation {', '.join(map(repr, found.unknown[:3]))}. " if found.unknown else ""
            again = f"{wrong}Write only names from the list, or {TALK}."
            messages += [Message("assistant", reply.text), Message("user", again)]

    def _perform(
        self, spec: ToolSpec, nth: tuple[int, int], talk: Talk, done: _Done, reason: str
    ) -> Generator[Any, Any, bool]:
        """One intent: values, call, and again with what was wrong while the budget lasts. Whether it was done."""
        messages = list(self._prompt("freyr_params", talk, spec=spec, nth=nth, done=done.lines()))
        budget = Retries(self.retries)
        while True:
            if spec.properties:
                reply: Reply = yield Ask(tuple(messages), role="params")
                reading = self._values(reply.text, spec)
            else:
                reply, reading = Reply(""), Reading((Call(spec.full_name),))
            if reply.text.strip().strip(".*`\"'").upper() == GIVE_UP:
                done.given_up.append(spec.full_name)
                return False
            if reading.calls:
                call = reading.calls[0]
                results: Sequence[CallResult] = yield Act((call,), Reading((call,), reason, reading.leniencies))
                result = results[0] if results else CallResult("", error="not run", fault="refused")
                if result.ok:
                    done.calls.append(call)
                    done.results.append(result)
                    return True
                fault, wrong = str(result.fault or "refused"), str(result.error)
            else:
                fault, wrong = UNREADABLE, "no list of values could be read"
            if not budget.spend(fault):
                done.given_up.append(f"{spec.full_name} ({wrong})")
                return False
            again = (
                f"That did not work: {wrong}. Write the whole list again with this put right, or {GIVE_UP} to leave it."
            )
            messages += [Message("assistant", reply.text), Message("user", again)]

    def _values(self, text: str, spec: ToolSpec) -> Reading:
        """The call of these values: bullet lines, or whatever notation the model wrote instead."""
        reading = read_bullets(text, [spec])
        if reading.calls:
            merged = {name: value for call in reading.calls for name, value in call.arguments.items()}
            return Reading((Call(spec.full_name, merged),), reading.rest, reading.leniencies)
        other = read(text, [spec])
        return other if other.calls else reading

    def _summarise(self, talk: Talk, done: _Done) -> Generator[Any, Any, None]:
        plain = _template(done)
        if self.summary == "none":
            yield Say("")
        elif self.summary == "template":
            yield Say(plain)
        else:
            reply: Reply = yield Ask(self._prompt("freyr_summary", talk, done=done.lines()), role="summary")
            text = reply.text.strip()
            if not text:
                yield Say(plain)
            elif done.failed and not any(word in text.lower() for word in _ADMITS):
                yield Say(f"{text}\n{_failures(done)}")

    def _prompt(self, name: str, talk: Talk, **values: Any) -> tuple[Message, ...]:
        text = render(
            name, system=talk.system, world=talk.view(), operations=_operations(talk.tools), **self._values_of(values)
        )
        if name == "freyr_summary":
            return (Message("system", text), Message("user", talk.messages[-1].content))
        return (Message("system", text), *reported(talk.messages))

    def _values_of(self, values: dict[str, Any]) -> dict[str, Any]:
        spec = values.pop("spec", None)
        made = {"talk": TALK, "give_up": GIVE_UP, "explain": self.explain, **values}
        return made | ({"operation": spec, "parameters": parameters(spec)} if spec else {})


def _operations(tools: Sequence[ToolSpec]) -> list[tuple[str, str]]:
    """The short list: each name with the first sentence of its description."""
    return [(spec.full_name, " ".join(spec.description.split()).partition(". ")[0].rstrip(".")) for spec in tools]


def _reason(intents: Intents, place: int) -> str:
    return intents.reasons[place] if place < len(intents.reasons) else ""


def _template(done: _Done) -> str:
    made = [call.tool for call, result in zip(done.calls, done.results, strict=True) if result.ok]
    said = f"Done: {', '.join(made)}." if made else "Nothing was done."
    return f"{said} {_failures(done)}".strip()


def _failures(done: _Done) -> str:
    return f"Not done: {'; '.join(done.given_up)}." if done.given_up else ""
