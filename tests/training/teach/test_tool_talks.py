"""Talks over tools: every learned reply means calls or a question."""

from __future__ import annotations

import datetime as dt
import re
from random import Random

import pytest

from toolmend.base.messages import Call
from toolmend.language.resolve.background import Background
from toolmend.language.resolve.calls import compute
from toolmend.language.resolve.said import AGAIN, CHANGE, MISSING, UNDO
from toolmend.reading.spoken import read_spoken
from toolmend.tools import Toolbox
from toolmend.training.phrases import phrases_of
from toolmend.training.teach.kit import Kit
from toolmend.training.teach.signature import parameters_of
from toolmend.training.teach.talk import TaughtTalk
from toolmend.training.teach.tool_names import words_of
from toolmend.training.teach.tool_requests import Asking, Offered
from toolmend.training.teach.tool_slips import tool_slip
from toolmend.training.teach.tool_values import HOURS, retold, tell, understood
from toolmend.training.teach.toolkits import MadeTool, ValueKind

SEEDS = range(300)
NOW = dt.datetime(2025, 3, 11, 9)


def test_every_learned_call_is_whole_or_asks(kit: Kit) -> None:
    wanting = []
    for seed in SEEDS:
        talk = TaughtTalk(kit, seed)
        for turn in talk.play():
            lines = read_spoken(turn.reply, talk.specs).lines if turn.learned else ()
            direct = [line for line in lines if line.tool not in (CHANGE, AGAIN, UNDO)]
            computed = compute(direct, talk.specs, Background(now=talk.now, hours=HOURS))
            asked = [name for line in direct for name, words in line.words.items() if words == MISSING]
            whole = len(computed.calls) == len(direct) and not computed.question
            if not whole and (computed.question is None or [computed.question.argument] != asked):
                wanting.append((seed, turn))
    assert wanting == []


def test_every_change_names_arguments_of_the_call(kit: Kit) -> None:
    strange = []
    for seed in SEEDS:
        talk = TaughtTalk(kit, seed)
        names = {name for spec in talk.specs for name in spec.properties}
        for turn in talk.play():
            lines = read_spoken(turn.reply, talk.specs).lines if turn.learned else ()
            strange += [turn for line in lines if line.tool in (CHANGE, AGAIN) and not line.words.keys() <= names]
    assert strange == []


def test_the_words_of_a_request_stand_in_it(kit: Kit) -> None:
    for seed in SEEDS:
        talk = TaughtTalk(kit, seed)
        asking = Asking(Random(seed), NOW)
        ask = asking.ask(talk.tools[0])
        implied = {name for name, told in ask.told.items() if told.words not in ask.sentence}
        kinds = {ask.offered.parameter(name).kind.name for name in implied}
        assert kinds <= {"yes|no", "enum", "percent", "int", "celsius", "number"}


def test_words_of_names() -> None:
    assert words_of("startTimer2") == ["start", "timer", "2"]
    assert words_of("water_zone") == ["water", "zone"]


def test_a_talk_is_the_same_for_the_same_seed(kit: Kit) -> None:
    assert TaughtTalk(kit, 7).play() == TaughtTalk(kit, 7).play()
    assert TaughtTalk(kit, 7).play() != TaughtTalk(kit, 7, held_out=True).play()


def test_no_talk_is_empty_and_none_is_long(kit: Kit) -> None:
    lengths = [len(TaughtTalk(kit, seed).play()) for seed in SEEDS]
    assert min(lengths) >= 1
    assert max(lengths) <= 9


def test_kinds_of_turns(kit: Kit) -> None:
    kinds = {re.sub(r"fix \d", "fix", turn.op) for seed in SEEDS for turn in TaughtTalk(kit, seed).play()}
    assert kinds >= {
        *("call", "several", "outside", "lacking", "answer", "change", "again", "undo", "groundless", "small talk"),
        *("fix wrong", "fix asked needlessly", "fix wrong tool", "fix chatter", "fix too little"),
        *("fix too much", "fix not due"),
    }


def test_slips_are_shown_and_not_learned(kit: Kit) -> None:
    turns = [turn for seed in SEEDS for turn in TaughtTalk(kit, seed).play()]
    slips = sum(not turn.learned for turn in turns)
    fixes = sum(turn.op.startswith("fix ") for turn in turns)
    assert slips == fixes > 0


def test_a_doubt_without_ground_changes_nothing(kit: Kit) -> None:
    doubted = [turn for seed in SEEDS for turn in TaughtTalk(kit, seed).play() if turn.op == "groundless"]
    assert {turn.reply for turn in doubted} == {"change()"}


@pytest.mark.parametrize(
    "kind",
    [
        *(ValueKind(name) for name in "date time minutes hours seconds days weeks EUR USD GBP percent".split()),
        *(ValueKind(name) for name in "celsius kilograms grams litres kilometres metres centimetres yes|no".split()),
        ValueKind("int", low=0, high=60),
        ValueKind("number", low=0.5, high=9),
        ValueKind("enum", ("low", "living_room", "semiSkimmed")),
        ValueKind("text", ("blue chair", "Anna", "the old mill", "kitchen lamp")),
        ValueKind("list", item=ValueKind("text", ("milk", "rye bread", "eggs", "tea"))),
    ],
    ids=lambda kind: kind.name,
)
def test_most_words_are_understood(kind: ValueKind) -> None:
    random = Random(1)
    told = [tell(kind, random, NOW) for _ in range(200)]
    assert sum(understood(one, kind, NOW) for one in told) > 160


def test_a_time_told_again_means_the_same() -> None:
    kind, random = ValueKind("minutes"), Random(3)
    told = [tell(kind, random, NOW) for _ in range(50)]
    assert all(retold(kind, one, random).value == one.value for one in told)


def test_calls_that_stand_are_those_that_were_asked_for(kit: Kit) -> None:
    talk = TaughtTalk(kit, 11)
    talk.play()
    assert all(isinstance(call, Call) and call.id.startswith("c") for call in talk.calls)


@pytest.mark.parametrize("topic", ["forgotten", "invented"])
def test_what_need_not_be_given_is_forgotten_or_invented(topic: str) -> None:
    def water(zone: str, minutes: int = 10, at: str = "noon") -> None:
        """Water a zone."""

    spec = Toolbox.of(water).specs[0]
    parameters = parameters_of(spec, {})
    made = MadeTool(spec.name, spec.description, parameters, ("water {zone}[ for {minutes} minutes]",))
    offered = Offered(made, spec, {name: name for name in parameters})
    random, phrases = Random(2), phrases_of("tool_talks.txt", False)
    asking = Asking(random, NOW)
    topics = set()
    for _ in range(300):
        slip = tool_slip([asking.ask(offered)], asking, [offered], (), phrases)
        topics |= {slip.topic} if slip else set()
    assert topic in topics
