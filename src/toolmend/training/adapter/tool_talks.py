"""Lessons over made-up tools: talks in which every reply that is learned is computed back to the calls that are due.

What is asked: one call, several, none, one that lacks something; then slips, complaints, changes, groundless doubts.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

from toolmend.messages import Call
from toolmend.reading.spoken import SpokenReading, read_spoken, write_spoken
from toolmend.resolve.background import Background, Computed, Open
from toolmend.resolve.calls import compute
from toolmend.resolve.said import AGAIN, CHANGE, UNDO, Said
from toolmend.strategies.spoken_signature import spoken_system
from toolmend.training.adapter.talks import Own, Turn
from toolmend.training.adapter.tool_names import content_words, words_of
from toolmend.training.adapter.tool_own import own_tool_slip
from toolmend.training.adapter.tool_person import Person
from toolmend.training.adapter.tool_requests import Asking, Offered, ToolAsk, offer
from toolmend.training.adapter.tool_slips import ToolSlip, complaint_about, tool_slip
from toolmend.training.adapter.tool_values import HOURS, SaidValue, retold, shifted
from toolmend.training.adapter.toolkits import MadeTool, toolkits
from toolmend.training.phrases import Phrases

OPS = {"call": 60, "several": 16, "outside": 13, "lacking": 7, "change": 20, "again": 5, "undo": 2}
_AFTER = ("change", "again", "undo")  # these need a call that stands
_TRIES, SLIPS, DOUBTS = 8, 0.2, 0.06
_Due = list[tuple[str, dict[str, Any]]]


@cache
def _phrases(held_out: bool) -> Phrases:
    return Phrases("tool_talks.txt", 1.0 if held_out else 0.0)


def tool_lessons(seed: int, *, held_out: bool = False) -> tuple[str, list[Turn]]:
    """The system text and the turns of one talk. `held_out`: of the fields and wordings that are never trained on."""
    talk = ToolTalk(seed, held_out=held_out)
    return talk.system, talk.play()


class ToolTalk:
    """One talk by its seed; with `own`, requests are answered by a model, and its mistakes complained about (talks.py).
    `dropped` counts turns that were not computed to what was meant, by their kind."""

    def __init__(self, seed: int, *, held_out: bool = False, own: Own | None = None) -> None:
        self.random = random = Random(seed * 2 + held_out)
        self.own = own
        self.phrases, self.kits = _phrases(held_out), toolkits(held_out=held_out)
        self.tools, describe = self._offers()
        self.specs = [offered.spec for offered in self.tools]
        self.system = spoken_system(self.specs, {}, describe=describe)
        self.now = dt.datetime(2024, 1, 1, 9) + dt.timedelta(hours=random.randrange(3 * 365 * 24))
        self.asking = Asking(random, self.now, lower=random.random() < 0.15)
        self.person = Person(random, self.phrases, lower=self.asking.lower)
        self.ops, self.wanted, self.count = OPS, random.randint(2, 7), 0
        self.calls: list[Call] = []
        self.open: Open | None = None
        self.alone: Call | None = None  # the call of a reply that made one
        self.turns: list[Turn] = []
        self.against = Background()  # the words of the last reply were computed against it
        self.tried, self.dropped = Counter[str](), Counter[str]()

    def _offers(self) -> tuple[list[Offered], bool]:
        return offer(self.random, self.kits)

    def play(self) -> list[Turn]:
        """The turns: about as many as were wanted."""
        for _ in range(_TRIES * self.wanted):
            if len(self.turns) >= self.wanted:
                break
            ops = [op for op in self.ops if self.calls or op not in _AFTER]
            op = self.random.choices(ops, [self.ops[op] for op in ops])[0]
            self.tried[op] += 1
            before = len(self.turns)
            if getattr(self, f"_{op}")() is False:
                del self.turns[before:]
                self.open = None
                self.dropped[op] += 1
            elif self.alone and self.alone.said and self.random.random() < DOUBTS:
                self._doubt(self.alone)
            self.alone = None
        return self.turns

    # asking ----------------------------------------------------------------------------------------------------

    def _call(self) -> bool | None:
        return self._asked("call", [self.asking.ask(self.random.choice(self.tools))])

    def _several(self) -> bool | None:
        random = self.random
        if random.random() < 0.4:
            pair = self.asking.pair(random.choice(self.tools))
            return self._asked("several", list(pair)) if pair else None
        asks = [self.asking.ask(random.choice(self.tools)) for _ in range(random.choice((2, 2, 2, 3)))]
        if len({ask.sentence for ask in asks}) < len(asks):
            return None
        *first, last = asks
        one = ", ".join(self._inner(ask, opening=place == 0) for place, ask in enumerate(first))
        joined = random.choice(self.phrases.lines["joined"][0])
        sentence = joined.replace("{one}", one).replace("{two}", self._inner(last, opening=". {two}" in joined).strip())
        return self._asked("several", [replace(asks[0], sentence=sentence), *asks[1:]], sentence)

    def _inner(self, ask: ToolAsk, *, opening: bool) -> str:
        """A request as part of a sentence."""
        text = ask.sentence.rstrip(".?!")
        own = any(text.startswith(told.words) for told in ask.told.values()) or text.split(" ")[0].startswith("I")
        return text if own or opening else text[:1].lower() + text[1:]

    def _asked(self, op: str, asks: list[ToolAsk], sentence: str = "") -> bool | None:
        """A request, answered rightly, or wrongly at first."""
        said = self.person.types(sentence or asks[0].sentence, asks)
        lines = [ask.line() for ask in asks]
        due: _Due = [(ask.offered.spec.full_name, ask.values()) for ask in asks]
        computed = self._computed(lines, said)
        if not _is(computed, due):
            return False
        if self.own:
            slip = own_tool_slip(self.own(self.turns, said), asks, due, self._computed_reply)
            if slip and self._slipped(op, said, asks, due, slip):
                return None
        elif self.random.random() < SLIPS and any(self._made_slip(op, said, asks, due) for _ in range(_TRIES)):
            return None
        self.open = None
        self._reply(said, lines, op, computed)
        return None

    def _doubt(self, call: Call) -> None:
        """A doubt about a right reply."""
        named = self._offered(call).called(self.random.choice(list(call.said)), self.random)
        against = Background(tuple(self.calls), now=self.now, hours=HOURS)
        self.turns.append(Turn(self.person.say("doubt", argument=named), "change()", True, "groundless", against))

    def _outside(self) -> bool | None:
        """What none of the tools can do, or no request at all."""
        random = self.random
        shape = random.random()
        if shape < 0.3:
            said, _, reply = self.person.say("small talk").partition(" => ")
            self.turns.append(Turn(said, reply, True, "small talk"))
            return None
        reply, said = (
            self.phrases.lines["outside"][0][0],
            self.person.say("elsewhere") if shape < 0.5 else self._foreign(),
        )
        if not said:
            return None
        if random.random() < SLIPS / 2:
            wrong = self.asking.ask(random.choice(self.tools)).line()
            self.turns.append(Turn(said, write_spoken([wrong], self.specs), False, "outside"))
            self.turns.append(Turn(self.person.say("not due"), reply, True, "fix not due"))
        else:
            self.turns.append(Turn(said, reply, True, "outside"))
        return None

    def _foreign(self) -> str:
        """A request for a tool that is not offered, and is not like one that is; "" where none was found."""
        near = self.random.random() < 0.5 and self.tools[0].tool.field in self.kits
        fields = sorted({one.tool.field for one in self.tools} if near else self.kits)
        offered = {word for one in self.tools for word in _telling(one.tool)}
        for _ in range(_TRIES):
            tool = self.random.choice(self.kits[self.random.choice(fields)])
            same = {name: name for name in tool.parameters}
            other = Offered(tool, tool.spec(tool.name, same), same)
            if not _telling(tool) & offered:
                ask = self.asking.ask(other)
                return self.person.types(ask.sentence, [ask])
        return ""

    def _lacking(self) -> bool | None:
        """A request without an argument that must be given; then its answer."""
        able = [offered for offered in self.tools if offered.tool.lacking]
        if not able:
            return None
        ask = self.asking.ask(self.random.choice(able), lacks=True)
        said = self.person.types(ask.sentence, [ask])
        computed = self._computed([ask.line()], said)
        if computed.question is None or computed.question.argument != ask.lacks:
            return False
        self._reply(said, [ask.line()], "lacking", computed)
        told = self.asking.say(ask.offered.parameter(ask.lacks).kind)
        answer = self.person.say("answer", value=told.words, argument=ask.offered.called(ask.lacks, self.random))
        line = Said(CHANGE, {ask.lacks: told.words})
        computed = self._computed([line], answer)
        if not _is(computed, [(ask.offered.spec.full_name, {**ask.values(), ask.lacks: told.value})]):
            return False
        self._reply(answer, [line], "answer", computed)
        return None

    # going on --------------------------------------------------------------------------------------------------

    def _change(self) -> bool | None:
        """Another value for an argument of the last call, or of an earlier one."""
        random = self.random
        if (shape := random.random()) < 0.2:
            return self._change_two() if shape < 0.12 else self._change_both()
        old = self.calls[-1] if len(self.calls) < 2 or random.random() < 0.7 else random.choice(self.calls[:-1])
        of = "" if old is self.calls[-1] else self._words_for(old)
        if not of and old is not self.calls[-1]:
            return None
        offered = self._offered(old)
        name, told, section = self._other(offered, old, relative=not of)
        if not name:
            return None
        if of:
            section = "change of" if offered.alone(name) else "change of named"
        said = self.person.say(section, value=told.words, argument=offered.called(name, random), of=of)
        line = Said(CHANGE, {name: told.words}, of)
        computed = self._computed([line], said)
        if not _is(computed, [(old.tool, {**old.arguments, name: told.value})]) or computed.calls[0].amends != old.id:
            return False
        self._reply(said, [line], "change", computed)
        return None

    def _change_two(self) -> bool | None:
        """Other values for two arguments of the last call."""
        old = self.calls[-1]
        offered = self._offered(old)
        (one, first, _), (two, second, _) = self._other(offered, old), self._other(offered, old)
        if not one or not two or one == two:
            return None
        called = {"argument": offered.called(one, self.random), "other": offered.called(two, self.random)}
        said = self.person.say("change two", value=first.words, another=second.words, **called)
        line = Said(CHANGE, {one: first.words, two: second.words})
        computed = self._computed([line], said)
        if not _is(computed, [(old.tool, {**old.arguments, one: first.value, two: second.value})]):
            return False
        self._reply(said, [line], "change", computed)
        return None

    def _change_both(self) -> bool | None:
        """The same argument of the last two calls, which are of one tool."""
        pair = self.calls[-2:]
        if len({call.tool for call in pair}) != 1 or len(pair) != 2:
            return None
        offered = self._offered(pair[0])
        name, told, section = self._other(offered, pair[1])
        if not name or section == "add named":
            return None
        of = self.random.choice(("both", "both of them", "both", "these two"))
        said = self.person.say("change both", value=told.words, argument=offered.called(name, self.random), of=of)
        line = Said(CHANGE, {name: told.words}, of)
        computed = self._computed([line], said)
        if not _is(computed, [(call.tool, {**call.arguments, name: told.value}) for call in pair]):
            return False
        self._reply(said, [line], "change", computed)
        return None

    def _other(self, offered: Offered, old: Call, *, relative: bool = False) -> tuple[str, SaidValue, str]:
        """An argument, other words for it, and how that is said; no name where nothing fits."""
        random = self.random
        names = [name for name in offered.arguments if offered.parameter(name).kind.name != "yes|no"]
        if not names:
            return "", SaidValue("", None), ""
        name = random.choice(names)
        kind, value = offered.parameter(name).kind, old.arguments.get(name)
        told = shifted(kind, value, random) if relative and value is not None and random.random() < 0.4 else None
        if told:
            return name, told, "change shifted"
        told = self.asking.say(kind)
        if told.value == value:
            return "", told, ""
        if value is None:
            return name, told, "add named"
        return name, told, "change" if offered.alone(name) and random.random() < 0.7 else "change named"

    def _words_for(self, old: Call) -> str:
        """Words that only mean this call among those that stand."""
        own = [words for name, words in old.said.items() if isinstance(old.arguments[name], str)]
        ways = [way for words in own for way in (f"the {words} one", f"the one for {words}", f"the one with {words}")]
        ways += ["the first one"] * (old is self.calls[0]) + ["the other one"] * (len(self.calls) == 2)
        self.random.shuffle(ways)
        for of in ways[:_TRIES]:
            computed = self._computed([Said(CHANGE, {}, of)], "")
            if [call.amends for call in computed.calls] == [old.id]:
                return of
        return ""

    def _again(self) -> bool | None:
        """The last call once more, with another argument or without."""
        old = self.calls[-1]
        offered = self._offered(old)
        name, told, section = self._other(offered, old)
        if not name or self.random.random() < 0.2:
            words: dict[str, str] = {}
            said, due = self.person.say("again"), dict(old.arguments)
        else:
            words, due = {name: told.words}, {**old.arguments, name: told.value}
            section = "again with" if section == "change" else "again named"
            said = self.person.say(section, value=told.words, argument=offered.called(name, self.random))
        computed = self._computed([Said(AGAIN, words)], said)
        if not _is(computed, [(old.tool, due)]):
            return False
        self._reply(said, [Said(AGAIN, words)], "again", computed)
        return None

    def _undo(self) -> bool | None:
        """A call taken back."""
        old = self.calls[-1] if self.random.random() < 0.6 else self.random.choice(self.calls)
        of = "" if old is self.calls[-1] else self._words_for(old)
        if not of and old is not self.calls[-1]:
            return None
        said = self.person.say("undo of" if of else "undo", of=of)
        computed = self._computed([Said(UNDO, of=of)], said)
        if computed.undo != (old.id,):
            return False
        self._reply(said, [Said(UNDO, of=of)], "undo", computed)
        return None

    # slips -----------------------------------------------------------------------------------------------------

    def _made_slip(self, op: str, said: str, asks: list[ToolAsk], due: _Due) -> bool:
        """A slip that is made up."""
        before = [words for call in self.calls[-3:] for words in call.said.values()]
        slip = tool_slip(asks, self.asking, self.tools, before, self.phrases)
        return slip is not None and self._slipped(op, said, asks, due, slip)

    def _computed_reply(self, reply: str) -> tuple[SpokenReading, Computed]:
        """A model's reply as it is read, and what it comes to."""
        said = read_spoken(reply, self.specs)
        background = Background(tuple(self.calls), open=self.open, now=self.now, hours=HOURS)
        return said, Computed() if said.broken else compute(said.lines, self.specs, background)

    def _slipped(self, op: str, said: str, asks: list[ToolAsk], due: _Due, slip: ToolSlip) -> bool:
        """A wrong reply, a complaint, the reply that mends it."""
        wrong = self._computed(slip.lines, said) if slip.lines else Computed()
        if slip.words is not None and not self.own and not self._one_wrong(slip, wrong, due):
            return False
        if _is(wrong, due):
            return False
        ask, words = asks[-1], dict(slip.words or {})
        if len(words) == 1 and self.random.random() < 0.5:
            words[slip.argument] = retold(
                ask.offered.parameter(slip.argument).kind, ask.told[slip.argument], self.random
            ).words
        level, text = complaint_about(slip, ask, words.get(slip.argument, ""), self.random, self.phrases)
        if level < 3 or len(words) > 1:
            words = dict(slip.words or {})
        mended = [Said(CHANGE, words)] if words else [ask.line() for ask in asks]
        amended = [replace(call, id=f"w{place}") for place, call in enumerate(wrong.calls)]
        self.open = wrong.open
        computed = self._computed(mended, text, amended)
        if not _is(computed, due):
            return False
        self.turns.append(Turn(said, slip.text or write_spoken(slip.lines, self.specs), False, op))
        self._reply(self.person.mannered(text), mended, f"fix {level} {slip.topic}", computed)
        return True

    def _one_wrong(self, slip: ToolSlip, wrong: Computed, due: _Due) -> bool:
        """Whether the wrong reply differs from what is due in what is mended, and in nothing else."""
        if slip.topic == "asked needlessly":
            return wrong.question is not None and wrong.question.argument == slip.argument
        if len(wrong.calls) != len(due):
            return False
        names = [name for call, (_, values) in zip(wrong.calls, due, strict=True)
                 for name in {*call.arguments, *values} if call.arguments.get(name) != values.get(name)]  # fmt: skip
        return set(names) == set(slip.words or ())

    # saying and computing --------------------------------------------------------------------------------------

    def _offered(self, call: Call) -> Offered:
        return next(offered for offered in self.tools if offered.spec.full_name == call.tool)

    def _computed(self, lines: Sequence[Said], said: str, amended: Sequence[Call] = ()) -> Computed:
        calls = tuple(self.calls)
        self.against = Background(calls, tuple(amended), text=said, open=self.open, now=self.now, hours=HOURS)
        return compute(lines, self.specs, self.against)

    def _reply(self, said: str, lines: Sequence[Said], op: str, computed: Computed) -> None:
        """The reply that is due, and what comes of it."""
        self.turns.append(Turn(said, write_spoken(lines, self.specs), True, op, self.against))
        self.open = computed.open
        self.alone = computed.calls[0] if len(computed.calls) == 1 else None
        gone = {*computed.undo, *(call.amends for call in computed.calls)}
        self.calls = [call for call in self.calls if call.id not in gone]
        for call in computed.calls:
            self.count += 1
            self.calls.append(replace(call, id=f"c{self.count}", amends=None))


def _telling(tool: MadeTool) -> set[str]:
    """The words by which a tool could be taken for another."""
    return {word.rstrip("s") for word in (*words_of(tool.name), *content_words(tool.about))}


def _is(computed: Computed, due: _Due) -> bool:
    """Whether the calls are those that are due."""
    return not computed.undo and [(call.tool, dict(call.arguments)) for call in computed.calls] == due
