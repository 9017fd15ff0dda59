"""Talks of people told otherwise: what changes, and that what was said and is due never does."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from public_sets import write_hwu64, write_sgd, write_slurp
from toolmend.base.messages import ToolSpec
from toolmend.reading.spoken import read_spoken
from toolmend.training.adapter.turn import Turn
from toolmend.training.adapter.written_talks import HandTalk
from toolmend.training.people.renaming import renamed
from toolmend.training.people.requests import hwu64_talks, slurp_talks
from toolmend.training.people.retelling import TalkPool
from toolmend.training.people.sgd import sgd_talks
from toolmend.training.people.slips import slipped
from toolmend.training.people.talk_lines import PeopleTalk
from toolmend.training.people.tool_line import ToolLine

NONE = "None of these tools can do that."


@pytest.fixture
def dialogue(tmp_path: Path) -> PeopleTalk:
    return sgd_talks(write_sgd(tmp_path))[0]


@pytest.fixture
def pool(tmp_path: Path, dialogue: PeopleTalk) -> TalkPool:
    requests = [*hwu64_talks(write_hwu64(tmp_path / "h")), *slurp_talks(write_slurp(tmp_path / "s"))]
    return TalkPool((dialogue, *requests))


def told_under(talk: PeopleTalk, name: str) -> PeopleTalk:
    """The first retelling in which a tool has this name."""
    made = (renamed(talk, Random(seed)) for seed in range(99))
    return next(one for one in made if any(line.startswith(f"{name}(") for line in one.tools))


def test_a_talk_is_told_under_the_names_of_a_variant(dialogue: PeopleTalk) -> None:
    assert [turn.reply for turn in told_under(dialogue, "RentVessel").turns] == [
        'SearchVessels(port="?")',
        'change(port="Harwich", has_engine="yes")',
        NONE,
        'RentVessel(port="Harwich", day_of_hire="the 4th", people="three", vessel="?")',
        'change(day_of_hire="the 5th")',
        "You're welcome.",
    ]


def test_without_variants_names_are_made_up_and_fit(pool: TalkPool) -> None:
    for seed in range(40):
        talk = renamed(pool.alone[0], Random(seed))
        signature = ToolLine.read(talk.tools[0])
        (line,) = read_spoken(talk.turns[0].reply, [ToolSpec(signature.name)]).lines
        assert (line.tool, list(line.words.values())) == (signature.name, ["quarter to six", "monday"])
        assert set(line.words) <= {name for name, _ in signature.arguments}


def test_more_or_less_is_told_of_the_tools(dialogue: PeopleTalk) -> None:
    told = {
        line.partition("  # ")[2].count(":") for seed in range(40) for line in renamed(dialogue, Random(seed)).tools
    }
    assert {0, 2, 4} <= told


def called(talk: HandTalk) -> set[str]:
    specs = [ToolSpec(line.partition("(")[0]) for line in talk.tools]
    lines = [line for turn in talk.turns if turn.learned for line in read_spoken(turn.reply, specs).lines]
    return {line.tool for line in lines} - {"change", "again", "undo"}


def test_every_call_that_is_learned_is_of_a_tool_that_is_offered(pool: TalkPool) -> None:
    for seed in range(60):
        talk = pool.told(seed)
        names = [line.partition("(")[0] for line in talk.tools]
        assert called(talk) <= set(names)
        assert len(set(names)) == len(names)


def test_a_seed_tells_the_same(pool: TalkPool) -> None:
    again = TalkPool(pool.talks)
    assert [pool.told(seed) for seed in range(20)] == [again.told(seed) for seed in range(20)]


def test_another_round_tells_otherwise(pool: TalkPool) -> None:
    assert len({pool.told(seed).tools for seed in range(0, 10 * len(pool), len(pool))}) > 5


def test_requests_that_stand_alone_come_together(pool: TalkPool) -> None:
    talks = [pool.told(seed) for seed in range(60)]
    together = [
        talk for talk in talks if len(talk.tools) > 1 and not any("change(" in turn.reply for turn in talk.turns)
    ]
    assert any(len(talk.turns) > 2 for talk in together)


def test_some_have_no_tool_and_some_are_said_with_the_next(pool: TalkPool) -> None:
    turns = [turn for seed in range(80) for turn in pool.told(seed).turns if turn.learned]
    alone = {talk.turns[0].said.casefold() for talk in pool.alone}
    assert any(turn.reply == NONE and turn.said.casefold() in alone for turn in turns)
    assert any(turn.reply.count("(") == 2 and "\n" in turn.reply for turn in turns)


def test_slips_are_shown_and_mended(pool: TalkPool) -> None:
    talks = [pool.told(seed) for seed in range(60)]
    wrong = [(talk, place) for talk in talks for place, turn in enumerate(talk.turns) if not turn.learned]
    assert 10 < len(wrong) < 45
    assert all(talk.turns[place + 1].learned for talk, place in wrong)


@pytest.mark.parametrize("seed", range(30))
def test_a_slip_is_never_the_right_reply(seed: int) -> None:
    turn = Turn("Miso got 30 grams of salmon", 'feed(cat="Miso", grams="30 grams", food="salmon")', True, "people")
    tools = ("feed(cat, grams: grams, food?, bowl?)  # Feed", "weigh(cat, kilos: number)")
    assert slipped(turn, tools, Random(seed)) not in ("", turn.reply)


def test_nothing_slips_where_nothing_is_called() -> None:
    assert slipped(Turn("ta", "You're welcome.", True, "people"), ("feed(cat)",), Random(1)) == ""
