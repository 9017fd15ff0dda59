"""Talks over made-up tools: one call asked for, several, none, one that lacks something; then changes, the same again,
undoing."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import replace

from toolmend.base.messages import Call
from toolmend.language.resolve.said import AGAIN, CHANGE, UNDO, Said
from toolmend.reading.spoken import write_spoken
from toolmend.strategies.spoken_signature import spoken_system
from toolmend.training.adapter.turn import Turn
from toolmend.training.teach.person import Person
from toolmend.training.teach.simulated_talk import TRIES, SimulatedTalk
from toolmend.training.teach.tool_names import content_words, words_of
from toolmend.training.teach.tool_requests import Asking, Offered, ToolAsk, offer
from toolmend.training.teach.tool_values import SaidValue, shifted
from toolmend.training.teach.toolkits import MadeTool, toolkits

OPS = {"call": 60, "several": 16, "outside": 13, "lacking": 7, "change": 20, "again": 5, "undo": 2}
_AFTER = ("change", "again", "undo")  # these need a call that stands


class ToolTalk(SimulatedTalk):
    """One talk by its seed, over one to twelve tools."""

    def __init__(self, seed: int, *, held_out: bool = False) -> None:
        super().__init__(seed, "tool_talks.txt", held_out=held_out)
        random = self.random
        self.tools, describe = self._offers()
        self.specs = [offered.spec for offered in self.tools]
        self.system = spoken_system(self.specs, {}, describe=describe)
        self.now = dt.datetime(2024, 1, 1, 9) + dt.timedelta(hours=random.randrange(3 * 365 * 24))
        self.asking = Asking(random, self.now, lower=random.random() < 0.15)
        self.person = Person(random, self.phrases, lower=self.asking.lower)
        self.wanted = random.randint(2, 7)

    def _offers(self) -> tuple[list[Offered], bool]:
        return offer(self.random, toolkits(held_out=self.held_out))

    def ops(self) -> Mapping[str, float]:
        """Any that makes sense now."""
        return {op: weight for op, weight in OPS.items() if self.calls or op not in _AFTER}

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
        if random.random() < self.slips / 2:
            wrong = self.asking.ask(random.choice(self.tools)).line()
            self.turns.append(Turn(said, write_spoken([wrong], self.specs), False, "outside"))
            self.turns.append(Turn(self.person.say("not due"), reply, True, "fix not due"))
        else:
            self.turns.append(Turn(said, reply, True, "outside"))
        return None

    def _foreign(self) -> str:
        """A request for a tool that is not offered, and is not like one that is; "" where none was found."""
        near = self.random.random() < 0.5 and self.tools[0].tool.field in toolkits(held_out=self.held_out)
        fields = sorted({one.tool.field for one in self.tools} if near else toolkits(held_out=self.held_out))
        offered = {word for one in self.tools for word in _telling(one.tool)}
        for _ in range(TRIES):
            tool = self.random.choice(toolkits(held_out=self.held_out)[self.random.choice(fields)])
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
        (lacks,) = ask.lacks
        if not self._asks_back("lacking", said, ask.line(), lacks):
            return False
        told = self.asking.say(ask.offered.parameter(lacks).kind)
        answer = self.person.say("answer", value=told.words, argument=ask.offered.called(lacks, self.random))
        due = [(ask.offered.spec.full_name, {**ask.values(), lacks: told.value})]
        return self._comes_to("answer", answer, [Said(CHANGE, {lacks: told.words})], due)

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
        due = [(old.tool, {**old.arguments, name: told.value})]
        return self._comes_to("change", said, [Said(CHANGE, {name: told.words}, of)], due)

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
        due = [(old.tool, {**old.arguments, one: first.value, two: second.value})]
        return self._comes_to("change", said, [line], due)

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
        due = [(call.tool, {**call.arguments, name: told.value}) for call in pair]
        return self._comes_to("change", said, [Said(CHANGE, {name: told.words}, of)], due)

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
        for of in ways[:TRIES]:
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
            said, due = self.person.say("again"), old.arguments
        else:
            words, due = {name: told.words}, {**old.arguments, name: told.value}
            section = "again with" if section == "change" else "again named"
            said = self.person.say(section, value=told.words, argument=offered.called(name, self.random))
        return self._comes_to("again", said, [Said(AGAIN, words)], [(old.tool, dict(due))])

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


def _telling(tool: MadeTool) -> set[str]:
    """The words by which a tool could be taken for another."""
    return {word.rstrip("s") for word in (*words_of(tool.name), *content_words(tool.about))}
