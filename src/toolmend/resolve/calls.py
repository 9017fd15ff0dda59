"""From the lines of a reply, in the words that were used, to full calls: values computed, things and earlier calls found.

Or to one question, where something was not said or two readings are left. Knows tools as specs and earlier calls as values;
no model, no session, no world.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from toolmend.messages import Call, ToolSpec
from toolmend.resolve.arguments import Asked, Values, value_of
from toolmend.resolve.references import Undecided, refer
from toolmend.resolve.said import AGAIN, CHANGE, MISSING, UNDO, Said

_MANY = 5  # answers that are offered to a question


@dataclass(frozen=True, slots=True)
class Background:
    """What the words are said against.

    `calls` stand, oldest first; `amended` are those that the person is correcting, if any (they do not stand now); `gone`
    those whose thing was removed by a later call.
    `things` are what the world holds, by kind, each as its values; `named` tells per tool which parameter of the spoken
    signature names a thing: {tool: {parameter: kind}}. `text` is what the person just said. `open` is a call that waits
    for an answer. `hours` decide between morning and evening ("07-19"), `locale` between 3/4 and 4/3.
    """

    calls: tuple[Call, ...] = ()
    amended: tuple[Call, ...] = ()
    gone: tuple[Call, ...] = ()
    things: Mapping[str, tuple[Values, ...]] = field(default_factory=dict)
    named: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    text: str = ""
    open: Open | None = None
    now: dt.datetime | None = None
    hours: str | None = None
    locale: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """What has to be asked before anything is done: about an argument (or "of", which call; or a thing), with the
    answers that could be offered."""

    tool: str
    argument: str
    candidates: tuple[Any, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Open:
    """A call that waits for an answer: the line, and what it is about."""

    line: Said
    question: Question


@dataclass(frozen=True, slots=True)
class Computed:
    """The full calls (an edit as the call that amends, with the id of the old one), or the question; ids to undo."""

    calls: tuple[Call, ...] = ()
    question: Question | None = None
    open: Open | None = None
    undo: tuple[str, ...] = ()


def compute(
    lines: Sequence[Said], specs: Sequence[ToolSpec], background: Background, *, whole: bool = True
) -> Computed:
    """The calls that the lines mean. All or none: one question stops them all. Never raises on what was said.

    `whole` asks for what a call must have and was not said; without it such a call is given as far as it goes.
    """
    named = {spec.full_name: spec for spec in specs} | {spec.name: spec for spec in specs}
    computing = _Computing(named, background, whole)
    for line in lines:
        if question := computing.take(line):
            return Computed(question=question, open=Open(line, question))
    return Computed(tuple(computing.finished()), undo=tuple(computing.undo))


class _Computing:
    def __init__(self, specs: Mapping[str, ToolSpec], background: Background, whole: bool) -> None:
        self.specs, self.background, self.whole = specs, background, whole
        self.calls: list[Call] = []
        self.undo: list[str] = []
        self.replaced: set[str] = set()

    def take(self, line: Said) -> Question | None:
        """Compute one line; the question it raises, if any."""
        waiting = self.background.open
        if waiting and line.tool == CHANGE and (not line.of or waiting.question.argument == "of"):
            return self.take_open(line, waiting)
        if line.tool in (CHANGE, AGAIN):
            return self.change(line)
        if line.tool == UNDO:
            return self.take_back(line)
        return self.call(line)

    def take_open(self, answer: Said, waiting: Open) -> Question | None:
        """An answer to the question that was asked: the waiting line, completed."""
        line = waiting.line
        words = {**line.words, **answer.words}
        self.background = replace(self.background, open=None)
        return self.take(Said(line.tool, words, answer.of or line.of))

    def call(self, line: Said) -> Question | None:
        spec = self.specs.get(line.tool)
        if spec is None:
            self.calls.append(Call(line.tool, dict(line.words)))
            return None
        values: dict[str, Any] = {}
        said: dict[str, str] = {}
        named = self.background.named.get(spec.full_name, {})
        for name, words in line.words.items():
            if kind := named.get(name):
                thing = self.thing(spec, name, kind, str(words))
                if isinstance(thing, Question):
                    return thing
                values |= {key: value for key, value in thing.items() if key in spec.properties}
                said |= dict.fromkeys((key for key in thing if key in spec.properties), str(words))
            elif question := self.argument(spec, name, words, values, said, self.last_values()):
                return question
        missing = [name for name in spec.required if name not in values]
        if missing and self.whole:
            return Question(spec.full_name, missing[0], reason="it was not said")
        ordered = {name: values[name] for name in (*spec.properties, *values) if name in values}
        self.calls.append(Call(spec.full_name, ordered, said=said))
        return None

    def argument(
        self, spec: ToolSpec, name: str, words: Any, values: dict[str, Any], said: dict[str, str], like: Values, *, new: bool = True
    ) -> Question | None:
        """One argument into `values` (a range of time also gives the duration), its words into `said`."""
        if words == MISSING:
            return Question(spec.full_name, name, reason="it was not said")
        result = value_of(spec, name, words, values, like, self.background, self.known(), new=new)
        if isinstance(result, Asked):
            return Question(spec.full_name, name, result.candidates, result.reason)
        values |= result
        if isinstance(words, str):
            said |= dict.fromkeys(result, words)
        return None

    def change(self, line: Said) -> Question | None:
        """Earlier calls with other arguments: in their place, or, said `again`, beside them."""
        targets = self.targets(line.of, self.known())
        if isinstance(targets, Question):
            return targets
        for old in targets:
            spec = self.specs.get(old.tool)
            if spec is None:
                return Question(old.tool, "of", reason="nothing here can be changed")
            values, said = dict(old.arguments), dict(old.said)
            for name, words in line.words.items():
                if kind := self.background.named.get(spec.full_name, {}).get(name):
                    thing = self.thing(spec, name, kind, str(words), besides=(old.arguments,))
                    if isinstance(thing, Question):
                        return thing
                    values |= {key: value for key, value in thing.items() if key in spec.properties}
                elif name not in spec.properties:
                    return Question(spec.full_name, name, reason=f"{spec.full_name} has no {name}")
                elif question := self.argument(spec, name, words, values, said, old.arguments, new=False):
                    return question
            if line.tool == AGAIN:
                self.calls.append(Call(old.tool, values, said=said))
            else:
                self.replaced.add(old.id)
                self.calls.append(Call(old.tool, values, said=said, amends=old.id or None))
        return None

    def take_back(self, line: Said) -> Question | None:
        """A call is undone; a removal by making the call anew whose thing was removed."""
        removals = [call for call in self.known() if call.tool in self.background.named]
        for pool in (removals, self.known()) if line.of or self.known()[-1:] == removals[-1:] else (self.known(),):
            targets = self.targets(line.of, pool)
            if not isinstance(targets, Question):
                break
        if isinstance(targets, Question):
            return targets
        for call in targets:
            removed = next((old for old in reversed(self.background.gone) if _holds(old.arguments, call.arguments)), None)
            if call in removals and removed:
                self.calls.append(Call(removed.tool, removed.arguments, said=removed.said))
            else:
                self.undo.append(call.id)
        return None

    def targets(self, of: str, pool: Sequence[Call]) -> Question | tuple[Call, ...]:
        """The calls that are meant: those that are being corrected come first."""
        if not pool:
            return Question("", "of", reason="there is nothing to change yet")
        if not of:
            return (self.background.amended or pool)[-1:]
        for calls in (self.background.amended, tuple(pool)):
            found = refer(of, [call.arguments for call in calls], now=self.background.now) if calls else Undecided(())
            if not isinstance(found, Undecided):
                return tuple(calls[place] for place in found.places)
        assert isinstance(found, Undecided)
        offered = tuple(dict(pool[place].arguments) for place in found.places[:_MANY])
        return Question("", "of", offered, f"{of!r} could be several" if offered else f"nothing here is called {of!r}")

    def thing(
        self, spec: ToolSpec, name: str, kind: str, words: str, besides: tuple[Values, ...] = ()
    ) -> Question | Values:
        """The thing that is meant; of several all but the last are taken at once. `besides` is not what is meant."""
        things = [
            thing
            for thing in self.background.things.get(kind, ())
            if not any(_holds(thing, other) for other in besides)
        ]
        if words == MISSING:
            return Question(spec.full_name, name, tuple(things[-_MANY:]), "it was not said")
        taken = [call.arguments for call in self.calls if call.tool == spec.full_name]
        left = [thing for thing in things if not any(_holds(thing, other) for other in taken)]
        found = refer(words, left, now=self.background.now)
        if isinstance(found, Undecided):
            offered = tuple(left[place] for place in found.places[:_MANY])
            reason = f"{words!r} could be several" if offered else f"there is no {kind} like {words!r}"
            return Question(spec.full_name, name, offered, reason)
        for place in found.places[:-1]:
            values = {key: value for key, value in left[place].items() if key in spec.properties}
            self.calls.append(Call(spec.full_name, values, said=dict.fromkeys(values, words)))
        return left[found.places[-1]]

    def known(self) -> tuple[Call, ...]:
        """The earlier calls, those that are being corrected last, then those of this reply."""
        return (*self.background.calls, *self.background.amended, *self.calls)

    def last_values(self) -> Values:
        """The arguments of the call made last, which a new one may be said against."""
        known = self.known()
        return known[-1].arguments if known else {}

    def finished(self) -> list[Call]:
        """The calls, with those that were corrected together with a changed one and stay as they are, in their order."""
        if not self.replaced or len(self.background.amended) < 2:
            return self.calls
        by_old = {call.amends: call for call in self.calls if call.amends}
        kept = [by_old.pop(old.id, None) or replace(old, id="", amends=old.id) for old in self.background.amended]
        return [*kept, *(call for call in self.calls if call not in kept)]


def _holds(thing: Values, arguments: Values) -> bool:
    return all(str(thing.get(name)).casefold() == str(value).casefold() for name, value in arguments.items())
