"""Simulated dialogues of the calendar as lines of a data folder: so that a model does not forget while it learns.

A dialogue gives one chat, and a pair and a sequence of hindsight for every wrong reply in it that was mended. Knows no
file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from toolmend.messages import ToolSpec
from toolmend.reading import read_python
from toolmend.tools import Toolbox
from toolmend.training.datasets.lines import Attempt, Chat, Hindsight, Pair, Said
from toolmend.training.datasets.phrasing import As
from toolmend.training.meaning import Exchange
from toolmend.training.simulate import simulate

TOOLBOX = "calendar"
SEED = 7_000_000_000  # apart from training's dialogues and the exam's
TURNS = (1, 5)  # short, so that they fit every window
Dialogue = Callable[[int, bool], Sequence[Exchange]]


@dataclass(frozen=True)
class Simulated:
    """Lines by number. `system` is the text above each, "" for none; `form` how calls are written."""

    system: str = ""
    form: As = "oneline"
    dialogue: Dialogue = lambda number, held_out: simulate(number, held_out=held_out, turns=TURNS)

    def chats(self, start: int, count: int, *, held_out: bool = False) -> list[Chat]:
        """So many chats, from that dialogue on."""
        return [self.chat(SEED + number, held_out) for number in range(start, start + count)]

    def complaints(self, start: int, count: int, *, held_out: bool = False) -> Iterator[tuple[Pair, Hindsight]]:
        """So many pairs with their sequences, from that dialogue on."""
        number, left = SEED + start, count
        while left > 0:
            found = list(self.complained(number, held_out))[:left]
            yield from found
            number, left = number + 1, left - len(found)

    def chat(self, number: int, held_out: bool) -> Chat:
        """A whole dialogue; wrong replies are history only."""
        made = self._before([])
        for exchange in self.dialogue(number, held_out):
            made += self._said(exchange)
        return Chat(f"simulated {number}", _tools(), tuple(made), self._source(number, held_out))

    def complained(self, number: int, held_out: bool) -> Iterator[tuple[Pair, Hindsight]]:
        """A pair and a sequence for every wrong reply that was mended in the end."""
        exchanges = list(self.dialogue(number, held_out))
        for start, end in chains(exchanges):
            first, *told = exchanges[start : end + 1]
            prompt = (*self._before(exchanges[:start]), Said("user", first.user))
            wrongs = [first, *told[:-1]]
            good, head = self._reply(told[-1]), (f"simulated {number} {start}", _tools())
            bad = [
                Attempt(each.content, each.calls, "bad", after.user)
                for each, after in zip(map(self._reply, wrongs), told, strict=True)
            ]
            source = self._source(number, held_out)
            worse = self._reply(wrongs[-1])
            yield (
                Pair(*head, prompt, (good,), (worse,), told[-1].user, source),
                Hindsight(*head, prompt, (*bad, Attempt(good.content, good.calls)), source),
            )

    def _before(self, exchanges: Sequence[Exchange]) -> list[Said]:
        made = [Said("system", self.system)] if self.system else []
        for exchange in exchanges:
            made += self._said(exchange)
        return made

    def _said(self, exchange: Exchange) -> list[Said]:
        return [Said("user", exchange.user), self._reply(exchange)]

    def _reply(self, exchange: Exchange) -> Said:
        if self.form == "native" and (calls := read_python(exchange.reply, _tools()).calls):
            return Said("assistant", "", calls, learn=exchange.gold)
        return Said("assistant", exchange.reply, learn=exchange.gold)

    def _source(self, number: int, held_out: bool) -> dict[str, object]:
        return {"talk": f"simulated {number}", "simulated": number, "held_out": held_out}


@cache
def _tools() -> tuple[ToolSpec, ...]:
    return Toolbox.load(TOOLBOX).specs


def chains(exchanges: Sequence[Exchange]) -> Iterator[tuple[int, int]]:
    """First and last place of every run of replies to one request: wrong ones, complained about, and the right one."""
    start: int | None = None
    for place, exchange in enumerate(exchanges):
        if not exchange.op.startswith("fix"):
            start = None if exchange.gold else place
        elif exchange.gold and start is not None:
            yield start, place
            start = None
