"""Simulated calendar talks for tests: what is asked and complained about, and the calls that are due. Nothing is
computed back, so that thousands of them take seconds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from toolmend.messages import Call
from toolmend.resolve.background import Computed
from toolmend.resolve.said import Said
from toolmend.training.adapter.calendar_adding import ADD
from toolmend.training.adapter.calendar_talks import CalendarTalk
from toolmend.training.adapter.talks import Due
from toolmend.training.adapter.tool_requests import ToolAsk
from toolmend.training.phrases import published

CALENDAR_WORDS = ("thanks", "cannot", "question", "idle")
"""The kinds that are answered in words."""
Exchanges = list[tuple[str, str, Due]]
"""The kind of request, what is said, and what is due."""
COMPLAINTS = (
    "wrong 1",
    "which",
    *(f"{name} {level}" for name in ("title", "date", "time", "duration") for level in (2, 3)),
)


class Unanswered(CalendarTalk):
    """A talk in which whatever is due comes about."""

    slips = doubts = 0.0

    def __init__(self, seed: int, *, held_out: bool = False) -> None:
        super().__init__(seed, held_out=held_out)
        self.exchanges: Exchanges = []

    def _asked(self, op: str, asks: Sequence[ToolAsk], sentence: str = "", due: Due = ()) -> bool | None:
        said = self.person.types(sentence, asks)
        if published(said):
            return False
        self._come_about(op, said, due, again=asks[0].as_ != "change")
        if self.random.random() < 0.4:
            told = [one.words for one in asks[0].told.values() if one.words] or ["that"]
            section = self.random.choice(COMPLAINTS)
            wrong = self.person.say(section, argument="title", value=self.random.choice(told))
            self.exchanges.append((f"complaint {section}", wrong, due))
        return None

    def _comes_to(self, op: str, said: str, lines: Sequence[Said], due: Due) -> bool:
        self._come_about(op, said, due, again=op != "answer")
        return True

    def _asks_back(self, op: str, said: str, line: Said, argument: str) -> bool:
        self.exchanges.append((op, said, ()))
        return True

    def _come_about(self, op: str, said: str, due: Due, *, again: bool) -> None:
        self.exchanges.append((op, said, due))
        calls = [] if again else [self._changed_by(dict(values)) for tool, values in due if tool == ADD]
        old = [*calls, *[""] * len(due)]
        made = tuple(Call(tool, values, amends=old[place] or None) for place, (tool, values) in enumerate(due))
        self._reply(said, [], op, Computed(made))

    def _changed_by(self, values: dict[str, Any]) -> str:
        """The call that stands and has the most in common with the values."""
        standing = [call for call in self.calls if call.tool == ADD]
        alike = [sum(call.arguments.get(name) == value for name, value in values.items()) for call in standing]
        return standing[alike.index(max(alike))].id if max(alike, default=0) > 1 else ""


def simulated(seed: int, *, held_out: bool = False) -> Exchanges:
    """A talk by its seed: requests, and after some of them a complaint."""
    talk = Unanswered(seed, held_out=held_out)
    talk.play()
    besides = [(turn.op, turn.said, ()) for turn in talk.turns if turn.op in CALENDAR_WORDS]
    return [*talk.exchanges, *besides]
