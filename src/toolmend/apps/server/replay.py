"""The calls that a client made for a request so far, given to a strategy again as if its model had just made them.

A strategy is a generator that nobody can keep between two requests, so it starts anew: what it asks is answered from
the record, written as its model would have written it, until the record is used up and the model is asked again. Pure.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from toolmend.apps.server.history import Round, failed, unmarked
from toolmend.messages import Call, CallResult, Reply, ToolSpec
from toolmend.reading.intents import read_intents
from toolmend.strategies import Ask, Flag, Strategy
from toolmend.strategies.freyr import Freyr
from toolmend.strategies.freyr_paper import FreyrPaper
from toolmend.strategies.native import Native
from toolmend.strategies.react import React
from toolmend.strategies.retries import SPENT


class Diverged(Exception):
    """The strategy does something else than what is recorded: it cannot go on from there."""


class Record:
    """A record without anything in it, and what records have in common."""

    def reply(self, ask: Ask) -> Reply | None:
        """What the model said then; None where it has to be asked now."""
        return None

    def adjusted(self, ask: Ask, reply: Reply) -> Reply:
        """A reply of now, with what is known from then."""
        return reply

    def results(self, calls: Sequence[Call]) -> tuple[CallResult, ...] | None:
        """What the calls came to then; None for calls of now. Raises Diverged."""
        return None

    def heard(self, flag: Flag) -> None:
        """A strategy says that it did something of its own accord."""


class NativeRecord(Record):
    """Rounds as they were. Results are told as they are: what counts as an error is for the model to see."""

    def __init__(self, rounds: Sequence[Round]) -> None:
        self._left = list(rounds)

    def reply(self, ask: Ask) -> Reply | None:
        """The text and the calls of the next round."""
        return Reply(self._left[0].text, self._left[0].calls) if self._left else None

    def results(self, calls: Sequence[Call]) -> tuple[CallResult, ...] | None:
        """Those of that round."""
        if not self._left:
            return None
        return _same(calls, self._left[0].calls, tuple(map(unmarked, self._left.pop(0).results)))


class ReactRecord(Record):
    """A step for each call."""

    def __init__(self, rounds: Sequence[Round]) -> None:
        self._left = [
            (each.text, call, result) for each in rounds for call, result in zip(each.calls, each.results, strict=True)
        ]

    def reply(self, ask: Ask) -> Reply | None:
        """Thought, action and its input."""
        if not self._left:
            return None
        text, call, _ = self._left[0]
        thought = f"Thought: {' '.join(text.split())}\n" if text.strip() else ""
        return Reply(f"{thought}Action: {call.tool}\nAction Input: {_json(call)}")

    def results(self, calls: Sequence[Call]) -> tuple[CallResult, ...] | None:
        """The observation of that step."""
        if not self._left:
            return None
        _, call, result = self._left.pop(0)
        return _same(calls, (call,), (result,))


class FreyrRecord(Record):
    """The intents that the calls show, and the values of each, one after the other.

    A call of a tool that failed in an earlier round is another try of the same intent. `whole` tells whether all
    intents were made in one round; else the model is asked again what else is wanted.
    """

    def __init__(self, rounds: Sequence[Round], tools: Sequence[ToolSpec], *, whole: bool, paper: bool) -> None:
        self._tools, self._whole, self._paper, self._place = tools, whole, paper, 0
        self._intents = _intents(rounds)

    def reply(self, ask: Ask) -> Reply | None:
        """The list of names, or the values of the next call."""
        if ask.role == "intent" and self._intents and self._whole:
            return Reply(", ".join(self._names))
        if ask.role == "params" and (left := self._attempts):
            return Reply(_lines(left[0][0]) if self._paper else _json(left[0][0]))
        return None

    def adjusted(self, ask: Ask, reply: Reply) -> Reply:
        """Of the intents that are read now those count that were not made yet; they come after those that were."""
        if ask.role != "intent" or not self._intents:
            return reply
        return replace(reply, text=", ".join([*self._names, *self._unmade(reply)]))

    def results(self, calls: Sequence[Call]) -> tuple[CallResult, ...] | None:
        """What the next call of the intent came to."""
        left = self._attempts
        if not left:
            return None
        call, result = left.pop(0)
        found = _same(calls, (call,), (result,))
        if result.ok:
            self._place += 1
        return found

    def heard(self, flag: Flag) -> None:
        """An intent was given up: the next one follows."""
        if flag.name == SPENT:
            self._place += 1

    @property
    def _names(self) -> list[str]:
        return [name for name, _ in self._intents]

    @property
    def _attempts(self) -> list[tuple[Call, CallResult]]:
        """The calls of the intent whose turn it is that were not told yet."""
        return self._intents[self._place][1] if self._place < len(self._intents) else []

    def _unmade(self, reply: Reply) -> list[str]:
        """The names in a list of intents, without as many of each as were made."""
        made, left = list(self._names), []
        for name in read_intents(reply.text, self._tools).names:
            if name in made:
                made.remove(name)
            else:
                left.append(name)
        return left


def record_of(
    strategy: Strategy, rounds: Sequence[Round], tools: Sequence[ToolSpec], *, parallel: bool
) -> Record | None:
    """The record for a strategy; None for one that nobody here knows how to take up again."""
    if not rounds:
        return Record()
    if isinstance(strategy, Native):
        return NativeRecord(rounds)
    if isinstance(strategy, React):
        return ReactRecord(rounds)
    if isinstance(strategy, (Freyr, FreyrPaper)):
        return FreyrRecord(rounds, tools, whole=parallel, paper=isinstance(strategy, FreyrPaper))
    return None


def _intents(rounds: Sequence[Round]) -> list[tuple[str, list[tuple[Call, CallResult]]]]:
    """Names with their tries, in the order in which they were first made."""
    intents: list[tuple[str, list[tuple[Call, CallResult]]]] = []
    for each in rounds:
        again = [intent for intent in intents if not intent[1][-1][1].ok]  # failed in a round before this one
        for call, answer in zip(each.calls, each.results, strict=True):
            same = next((intent for intent in again if intent[0] == call.tool), None)
            if same is None:
                intents.append((call.tool, [(call, failed(answer))]))
            else:
                again.remove(same)
                same[1].append((call, failed(answer)))
    return intents


def _same(calls: Sequence[Call], then: Sequence[Call], results: Sequence[CallResult]) -> tuple[CallResult, ...]:
    """The results, if these are the same tools in the same order."""
    if [call.tool for call in calls] != [call.tool for call in then]:
        raise Diverged
    return tuple(results)


def _json(call: Call) -> str:
    return json.dumps(dict(call.arguments), ensure_ascii=False)


def _lines(call: Call) -> str:
    return "\n".join(f"- {name}: {_line(value)}" for name, value in call.arguments.items())


def _line(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
