"""A turn taken up again after somebody else ran its calls: the strategy gets them as if its model had just made them.

A strategy is a generator that nobody can keep between two requests, so it starts anew: what it asks is answered from
the record, written as its model would have written it, until the record is used up and the model is asked again. Pure.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from toolmend.base.messages import Call, CallResult, Reply, ToolSpec
from toolmend.reading.intents import read_intents
from toolmend.strategies.retries import SPENT
from toolmend.strategies.strategy import Ask, Flag

_FAILED = re.compile(r"\s*(?:\w*error|exception|traceback|failed)\b\s*[:(]\s*(?P<why>.*)", re.IGNORECASE | re.DOTALL)


class Diverged(Exception):
    """The strategy does something else than what is recorded: it cannot go on from there."""


@dataclass(frozen=True, slots=True)
class Round:
    """An assistant message with calls, and the results that were sent for them, in the order of the calls."""

    text: str
    calls: tuple[Call, ...]
    results: tuple[CallResult, ...]


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


class RoundsRecord(Record):
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
        results = tuple(replace(result, foreign=False) for result in self._left[0].results)
        return _same(calls, self._left.pop(0).calls, results)


class StepsRecord(Record):
    """A step for each call: its thought, action and input, then the observation."""

    def __init__(self, rounds: Sequence[Round]) -> None:
        self._left = [
            (last.text, call, result) for last in rounds for call, result in zip(last.calls, last.results, strict=True)
        ]

    def reply(self, ask: Ask) -> Reply | None:
        """Thought, action and its input."""
        if not self._left:
            return None
        text, call, _ = self._left[0]
        thought = f"Thought: {' '.join(text.split())}\n" if text.strip() else ""
        return Reply(f"{thought}Action: {call.tool}\nAction Input: {as_object(call)}")

    def results(self, calls: Sequence[Call]) -> tuple[CallResult, ...] | None:
        """The observation of that step."""
        if not self._left:
            return None
        _, call, result = self._left.pop(0)
        return _same(calls, (call,), (result,))


class IntentsRecord(Record):
    """The intents that the calls show, and the values of each, one after the other.

    A call of a tool that failed in an earlier round is another try of the same intent. `whole` tells whether all
    intents were made in one round; else the model is asked again what else is wanted.
    """

    def __init__(self, rounds: Sequence[Round], tools: Sequence[ToolSpec], *, whole: bool) -> None:
        self._tools, self._whole, self._place = tools, whole, 0
        self._intents = _intents(rounds)

    def reply(self, ask: Ask) -> Reply | None:
        """The list of names, or the values of the next call."""
        if ask.role == "intent" and self._intents and self._whole:
            return Reply(", ".join(self._names))
        if ask.role == "params" and (left := self._attempts):
            return Reply(self.written(left[0][0]))
        return None

    def written(self, call: Call) -> str:
        """The values of a call, as its model wrote them."""
        return as_object(call)

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
        results = _same(calls, (call,), (result,))
        if result.ok:
            self._place += 1
        return results

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


def _intents(rounds: Sequence[Round]) -> list[tuple[str, list[tuple[Call, CallResult]]]]:
    """Names with their tries, in the order in which they were first made."""
    intents: list[tuple[str, list[tuple[Call, CallResult]]]] = []
    for made in rounds:
        again = [intent for intent in intents if not intent[1][-1][1].ok]  # failed in a round before this one
        for call, answer in zip(made.calls, made.results, strict=True):
            same = next((intent for intent in again if intent[0] == call.tool), None)
            if same is None:
                intents.append((call.tool, [(call, failed(answer))]))
            else:
                again.remove(same)
                same[1].append((call, failed(answer)))
    return intents


def failed(result: CallResult) -> CallResult:
    """The result as an error, if its text says that it is one: `Error: …`, or a JSON object with an error in it.

    Where somebody else runs the calls there is no other sign for it.
    """
    text = str(result.value)
    if match := _FAILED.match(text):
        return replace(result, value=None, error=match["why"].strip() or text.strip(), fault="refused")
    if text.lstrip().startswith("{"):
        try:
            why = json.loads(text).get("error")
        except (ValueError, RecursionError):
            return result
        if why:
            return replace(result, value=None, error=why if isinstance(why, str) else json.dumps(why), fault="refused")
    return result


def as_object(call: Call) -> str:
    """The arguments as a JSON object."""
    return json.dumps(dict(call.arguments), ensure_ascii=False)


def _same(calls: Sequence[Call], then: Sequence[Call], results: Sequence[CallResult]) -> tuple[CallResult, ...]:
    """The results, if these are the same tools in the same order."""
    if [call.tool for call in calls] != [call.tool for call in then]:
        raise Diverged
    return tuple(results)
