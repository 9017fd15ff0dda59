"""Talks over made-up tools: every learned reply means calls or a question, names are new where they are changed."""

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
from toolmend.training.teach.tool_names import renamed_parameter, words_of
from toolmend.training.teach.tool_requests import Asking, offer
from toolmend.training.teach.tool_talks import ToolTalk
from toolmend.training.teach.tool_values import HOURS, retold, tell, understood
from toolmend.training.teach.toolkits import ValueKind, toolkits

SEEDS = range(300)
NOW = dt.datetime(2025, 3, 11, 9)


def test_every_learned_call_is_whole_or_asks() -> None:
    wanting = []
    for seed in SEEDS:
        talk = ToolTalk(seed)
        for turn in talk.play():
            lines = read_spoken(turn.reply, talk.specs).lines if turn.learned else ()
            direct = [line for line in lines if line.tool not in (CHANGE, AGAIN, UNDO)]
            computed = compute(direct, talk.specs, Background(now=talk.now, hours=HOURS))
            asked = [name for line in direct for name, words in line.words.items() if words == MISSING]
            whole = len(computed.calls) == len(direct) and not computed.question
            if not whole and (computed.question is None or [computed.question.argument] != asked):
                wanting.append((seed, turn))
    assert wanting == []


def test_every_change_names_arguments_of_the_call() -> None:
    strange = []
    for seed in SEEDS:
        talk = ToolTalk(seed)
        names = {name for spec in talk.specs for name in spec.properties}
        for turn in talk.play():
            lines = read_spoken(turn.reply, talk.specs).lines if turn.learned else ()
            strange += [turn for line in lines if line.tool in (CHANGE, AGAIN) and not line.words.keys() <= names]
    assert strange == []


def test_the_words_of_a_request_stand_in_it() -> None:
    for seed in SEEDS:
        talk = ToolTalk(seed)
        asking = Asking(Random(seed), NOW)
        ask = asking.ask(talk.tools[0])
        implied = {name for name, told in ask.told.items() if told.words not in ask.sentence}
        kinds = {ask.offered.parameter(name).kind.name for name in implied}
        assert kinds <= {"yes|no", "enum", "percent", "int", "celsius", "number"}


def test_renamed_tools_never_keep_old_names() -> None:
    kept = []
    renamed = 0
    for seed in SEEDS:
        tools, _ = offer(Random(seed), toolkits())
        if all(offered.spec.name == offered.tool.name for offered in tools):
            continue
        renamed += 1
        olds = {offered.tool.name for offered in tools}
        kept += [offered.spec.name for offered in tools if offered.spec.name in olds]
        kept += [new for offered in tools for old, new in offered.names.items() if new in offered.tool.parameters]
    assert kept == []
    assert 0.1 < renamed / len(SEEDS) < 0.3


def test_names_within_a_tool_and_a_talk_differ() -> None:
    for seed in SEEDS:
        tools, _ = offer(Random(seed), toolkits())
        assert len({offered.spec.name for offered in tools}) == len(tools)
        assert all(len(offered.spec.properties) == len(offered.tool.parameters) for offered in tools)


def test_a_new_name_is_a_python_name() -> None:
    parameter = next(iter(next(iter(toolkits()["garden"])).parameters.values()))
    names = {renamed_parameter(parameter, Random(seed), {"taken"}, nonsense=seed % 3 == 0) for seed in SEEDS}
    assert all(name.isidentifier() for name in names)
    assert not names & {parameter.name, "taken", "of"}


def test_words_of_names() -> None:
    assert words_of("startTimer2") == ["start", "timer", "2"]
    assert words_of("water_zone") == ["water", "zone"]


def test_held_out_fields_are_never_trained_on() -> None:
    held_out = {tool.name for kit in toolkits(held_out=True).values() for tool in kit}
    trained = {tool.name for kit in toolkits().values() for tool in kit}
    offered = {one.tool.field for seed in SEEDS for one in ToolTalk(seed).tools}
    examined = {one.tool.field for seed in SEEDS for one in ToolTalk(seed, held_out=True).tools}
    assert not offered & toolkits(held_out=True).keys()
    assert examined <= toolkits(held_out=True).keys()
    assert len(held_out & trained) < len(held_out) / 10


def test_a_talk_is_the_same_for_the_same_seed() -> None:
    assert ToolTalk(7).play() == ToolTalk(7).play()
    assert ToolTalk(7).play() != ToolTalk(7, held_out=True).play()


def test_no_talk_is_empty_and_none_is_long() -> None:
    lengths = [len(ToolTalk(seed).play()) for seed in SEEDS]
    assert min(lengths) >= 1
    assert max(lengths) <= 9


def test_kinds_of_turns() -> None:
    kinds = {re.sub(r"fix \d", "fix", turn.op) for seed in SEEDS for turn in ToolTalk(seed).play()}
    assert kinds >= {
        *("call", "several", "outside", "lacking", "answer", "change", "again", "undo", "groundless", "small talk"),
        *("fix wrong", "fix forgotten", "fix asked needlessly", "fix wrong tool", "fix chatter", "fix too little"),
        *("fix too much", "fix invented", "fix not due"),
    }


def test_slips_are_shown_and_not_learned() -> None:
    turns = [turn for seed in SEEDS for turn in ToolTalk(seed).play()]
    slips = sum(not turn.learned for turn in turns)
    fixes = sum(turn.op.startswith("fix") for turn in turns)
    assert slips == fixes > 0


def test_a_doubt_without_ground_changes_nothing() -> None:
    doubted = [turn for seed in SEEDS for turn in ToolTalk(seed).play() if turn.op == "groundless"]
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


def test_calls_that_stand_are_those_that_were_asked_for() -> None:
    talk = ToolTalk(11)
    talk.play()
    assert all(isinstance(call, Call) and call.id.startswith("c") for call in talk.calls)
