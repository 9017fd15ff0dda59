"""What a perfect small model answers when a strategy asks: the calls that are due, in that strategy's notation.

Each strategy asks in its own way and gets its own kind of reply; the words around calls are the same few everywhere.
Knows no dialogue and no net.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from toolmend.messages import Call, CallResult, Reply, ToolSpec
from toolmend.models.builtin.brief import written
from toolmend.strategies import Ask

DONE, FAILED = "Done.", "That did not work."
FAILING = 0.06
_ERRORS = (
    "there is no such entry",
    "it is already there",
    "that is not possible",
    "not found",
    "it is not allowed now",
    "there is another one of that name",
)


@dataclass
class Oracle:
    """Answers for one turn: `due` calls, or `words` where none is due. `fails`: the first call will be refused."""

    specs: Sequence[ToolSpec]
    due: tuple[Call, ...]
    words: str
    random: Random
    fails: bool = False
    asked: int = 0
    failed: bool = False
    made: list[tuple[Call, CallResult]] = field(default_factory=list)

    def results(self, calls: Sequence[Call]) -> tuple[CallResult, ...]:
        """What becomes of calls."""
        found = tuple(map(self._result, calls))
        self.made += zip(calls, found, strict=True)
        return found

    def _result(self, call: Call) -> CallResult:
        number = f"c{self.random.randrange(10**6)}"
        if self.fails and call == self.due[0]:
            self.failed = True
            return CallResult(number, error=self.random.choice(_ERRORS), fault="refused")
        texts = [value for value in call.arguments.values() if isinstance(value, str)]
        value = self.random.choice((None, None, f"{(texts or ['It'])[0]}: done", dict(call.arguments)))
        return CallResult(number, value)

    def reply(self, strategy: str, ask: Ask) -> tuple[Reply, str]:
        """The reply to the strategy, and the same as the net is to write it."""
        if strategy == "native":
            return self._native()
        if strategy == "react":
            text = self._react()
        elif strategy.startswith("freyr"):
            text = self._freyr(strategy, ask)
        else:
            text = "\n".join(written(call, self.specs) for call in self.due) or self.words
        return Reply(text), text

    @property
    def closing(self) -> str:
        """The words at the end of the turn."""
        return FAILED if self.failed else self.words or DONE

    def _native(self) -> tuple[Reply, str]:
        self.asked += 1
        if self.due and self.asked == 1:
            return Reply("", self.due), "\n".join(written(call, self.specs) for call in self.due)
        return Reply(self.closing), self.closing

    def _react(self) -> str:
        if self.asked < len(self.due) and not self.failed:
            call = self.due[self.asked]
            self.asked += 1
            given = json.dumps(dict(call.arguments), ensure_ascii=False)
            return f"Thought: a tool fits\nAction: {call.tool}\nAction Input: {given}"
        thought = "all is done" if self.due and not self.failed else "no tool helps"
        return f"Thought: {thought}\nFinal Answer: {self.closing}"

    def _freyr(self, strategy: str, ask: Ask) -> str:
        if ask.role == "intent":
            return ", ".join(call.tool for call in self.due) or ("talk" if strategy == "freyr" else "conversation")
        if ask.role != "params":
            return self.closing if ask.role == "summary" else self.words
        last = ask.messages[-1].content
        if last.startswith(("Error:", "The operation failed:")):
            return "SKIP" if strategy == "freyr" else "OpError"
        call = self.due[self.asked]
        self.asked += 1
        return "\n".join(f"- {name}: {_shown(value)}" for name, value in call.arguments.items())


def _shown(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
