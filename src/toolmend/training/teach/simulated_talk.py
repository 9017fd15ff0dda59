"""A simulated talk as lessons: turns in which every reply that is learned is computed back to the calls that are due.

What any talk has: requests answered rightly, or wrongly at first, then complained about and mended; groundless doubts.
What is asked for is drawn in tool_talks.py.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from toolmend.base.messages import Call, ToolSpec
from toolmend.language.resolve.background import Background, Computed, Open
from toolmend.language.resolve.calls import compute
from toolmend.language.resolve.said import CHANGE, Said
from toolmend.reading.spoken import write_spoken
from toolmend.training.adapter.turn import Turn
from toolmend.training.phrases import phrases_of
from toolmend.training.teach.person import Person
from toolmend.training.teach.tool_requests import Asking, Offered, ToolAsk
from toolmend.training.teach.tool_slips import ToolSlip, complaint_about, differing, tool_slip
from toolmend.training.teach.tool_values import HOURS, retold

TRIES = 8
Due = Sequence[tuple[str, dict[str, Any]]]
"""The calls that are due: tools by their full names, and arguments."""


class SimulatedTalk:
    """One talk by its seed. `held_out`: of wordings (and fields, and names) that are never trained on.

    The talks below say which `tools` there are, as `specs` and in the `system` text, who the `person` is, and how often
    (`ops`) each of their methods `_NAME` is what is said next."""

    slips, doubts = 0.2, 0.06
    tools: Sequence[Offered]
    specs: Sequence[ToolSpec]
    system: str
    now: dt.datetime
    person: Person
    asking: Asking

    def __init__(self, seed: int, files: str, *, held_out: bool = False) -> None:
        self.random = Random(seed * 2 + held_out)
        self.held_out, self.phrases = held_out, phrases_of(files, held_out)
        self.wanted, self.count = 5, 0
        self.calls: list[Call] = []
        self.open: Open | None = None
        self.alone: Call | None = None  # the call of a reply that made one
        self.turns: list[Turn] = []
        self.against = Background()  # the words of the last reply were computed against it

    def ops(self) -> Mapping[str, float]:
        """How often each kind of request is made, as the talk stands."""
        raise NotImplementedError

    def play(self) -> list[Turn]:
        """The turns: about as many as were wanted."""
        for _ in range(TRIES * self.wanted):
            if len(self.turns) >= self.wanted:
                break
            ops = self.ops()
            op = self.random.choices(list(ops), list(ops.values()))[0]
            before = len(self.turns)
            if getattr(self, f"_{op}")() is False:
                del self.turns[before:]
                self.open = None
            elif self.alone and self.alone.said and self.random.random() < self.doubts:
                self._doubt(self.alone)
            self.alone = None
        return self.turns

    def _asked(self, op: str, asks: Sequence[ToolAsk], sentence: str = "") -> bool | None:
        """A request, answered rightly, or wrongly at first."""
        said = self.person.types(sentence or asks[0].sentence, asks)
        due = [(ask.offered.spec.full_name, ask.values()) for ask in asks]
        lines = [ask.line() for ask in asks]
        computed = self._computed(lines, said)
        if not self._is(computed, due):
            return False
        if self.random.random() < self.slips and any(self._made_slip(op, said, asks, due) for _ in range(TRIES)):
            return None
        self.open = None
        self._reply(said, lines, op, computed)
        return None

    def _comes_to(self, op: str, said: str, lines: Sequence[Said], due: Due) -> bool:
        """What is said is answered rightly; whether the lines come to what is due."""
        computed = self._computed(lines, said)
        if right := self._is(computed, due):
            self._reply(said, lines, op, computed)
        return right

    def _asks_back(self, op: str, said: str, line: Said, argument: str) -> bool:
        """What is said is answered by a question; whether the line asks for that argument."""
        computed = self._computed([line], said)
        if right := computed.question is not None and computed.question.argument == argument:
            self._reply(said, [line], op, computed)
        return right

    def _doubt(self, call: Call) -> None:
        """A doubt about a right reply."""
        name, offered = self.random.choice(list(call.said)), self._offered(call)
        argument = offered.called(name, self.random) if name in offered.spec.properties else name
        said = self.person.say("doubt", argument=argument)
        self.turns.append(Turn(said, "change()", True, "groundless", self._background(said)))

    # slips -----------------------------------------------------------------------------------------------------

    def _made_slip(self, op: str, said: str, asks: Sequence[ToolAsk], due: Due) -> bool:
        """A slip that is made up."""
        before = [words for call in self.calls[-3:] for words in call.said.values()]
        slip = tool_slip(asks, self.asking, self.tools, before, self.phrases)
        return slip is not None and self._slipped(op, said, asks, due, slip)

    def _slipped(self, op: str, said: str, asks: Sequence[ToolAsk], due: Due, slip: ToolSlip) -> bool:
        """A wrong reply, a complaint, the reply that mends it."""
        wrong = self._computed(slip.lines, said) if slip.lines else Computed()
        if slip.words is not None and not self._one_wrong(slip, wrong, due):
            return False
        if self._is(wrong, due):
            return False
        ask, words = asks[-1], dict(slip.words or {})
        if len(words) == 1 and self.random.random() < 0.5:
            words[slip.argument] = retold(
                ask.offered.parameter(slip.argument).kind, ask.told[slip.argument], self.random
            ).words
        level, text = complaint_about(slip, ask, words.get(slip.argument, ""), self.random, self.phrases)
        if level < 3 or len(words) > 1:
            words = dict(slip.words or {})
        text = self.person.mannered(text)
        mended = [Said(CHANGE, words)] if words else [ask.line() for ask in asks]
        amended = [replace(call, id=f"w{place}") for place, call in enumerate(wrong.calls)]
        self.open = wrong.open
        computed = self._computed(mended, text, amended)
        if not self._is(computed, due):
            return False
        self.turns.append(Turn(said, slip.text or write_spoken(slip.lines, self.specs), False, op))
        self._reply(text, mended, f"fix {level} {slip.topic}", computed)
        return True

    def _one_wrong(self, slip: ToolSlip, wrong: Computed, due: Due) -> bool:
        """Whether the wrong reply differs from what is due in what is mended, and in nothing else."""
        if slip.topic == "asked needlessly":
            return wrong.question is not None and wrong.question.argument == slip.argument
        if len(wrong.calls) != len(due):
            return False
        pairs = zip(wrong.calls, due, strict=True)
        names = {name for call, (_, right) in pairs for name in differing(call.arguments, right)}
        return names == set(slip.words or ())

    # saying and computing --------------------------------------------------------------------------------------

    def _offered(self, call: Call) -> Offered:
        return next(offered for offered in self.tools if offered.spec.full_name == call.tool)

    def _background(self, said: str, amended: Sequence[Call] = ()) -> Background:
        """What is known when this is said; `amended` are the calls that it complains about."""
        return Background(tuple(self.calls), tuple(amended), text=said, open=self.open, now=self.now, hours=HOURS)

    def _computed(self, lines: Sequence[Said], said: str, amended: Sequence[Call] = ()) -> Computed:
        self.against = self._background(said, amended)
        return compute(lines, self.specs, self.against)

    def _is(self, computed: Computed, due: Due) -> bool:
        """Whether the calls are those that are due."""
        return not computed.undo and [(call.tool, dict(call.arguments)) for call in computed.calls] == list(due)

    def _reply(self, said: str, lines: Sequence[Said], op: str, computed: Computed) -> None:
        """The reply that is due, and what comes of it."""
        self.turns.append(Turn(said, write_spoken(lines, self.specs), True, op, self.against))
        self.open = computed.open
        self.alone = computed.calls[0] if len(computed.calls) == 1 else None
        changed = {call.id: call.amends for call in self.against.amended}  # what a wrong call was to replace
        gone = {*computed.undo, *(changed.get(str(call.amends), call.amends) for call in computed.calls)}
        self.calls = [call for call in self.calls if call.id not in gone]
        for call in computed.calls:
            self.count += 1
            self.calls.append(replace(call, id=f"c{self.count}", amends=None))
