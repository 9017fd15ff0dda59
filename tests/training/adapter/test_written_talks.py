"""Talks written by hand: what is learned of them can be read, and neither they nor the complaints about mistakes in
them hold anything of what models are measured by."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from toolmend.evals.suites.suite import shipped_files
from toolmend.training.adapter.turn import Turn
from toolmend.training.adapter.written_mistakes import COMPLAINTS
from toolmend.training.adapter.written_talks import CALENDAR_SYSTEM, HandTalk, retold, written_talk, written_talks
from toolmend.training.phrases import Phrases, published

ROOT = Path(__file__).parents[3]
SUITES = ("calendar_test", "calendar_unseen", "calendar_dev", "calendar", *({"growth"} & {*shipped_files()}))
RUN = 7
FILES = ("calendar", "tools", "programs", "kept_calendar", "kept_tools", "kept_programs")


def words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9']+", text.lower())


def runs(text: str) -> set[tuple[str, ...]]:
    said = words(text)
    return {tuple(said[at : at + RUN]) for at in range(len(said) - RUN + 1)}


def sentences() -> Iterator[str]:
    for about in FILES:
        yield from (turn.said for talk in written_talks(about) for turn in talk.turns)
    complaints = Phrases(COMPLAINTS)
    for section in complaints.lines:
        yield from (complaints.say(Random(seed), section, "slot{}".format) for seed in range(100))


@pytest.mark.parametrize(("about", "least"), [("calendar", 1700), ("tools", 5500)])
def test_every_turn_has_a_reply_and_a_wrong_one_is_mended(about: str, least: int) -> None:
    talks = written_talks(about)
    assert sum(len(talk.turns) for talk in talks) >= least
    assert all(turn.reply for talk in talks for turn in talk.turns)
    assert all(talk.turns[-1].learned for talk in talks)


def test_a_talk_has_its_own_tools_or_the_calendar() -> None:
    assert {talk.system for talk in written_talks("calendar")} == {CALENDAR_SYSTEM}
    first = written_talks("tools")[0]
    assert first.system.startswith("Tools:\nfeed(cat: Miso|Tiger|Pearl, grams: grams = 40, food?)  # Note that")
    assert first.turns[0].said == "Tiger had 60 grams of the salmon stuff this morning"
    assert first.turns[0].reply == 'feed(cat="Tiger", grams="60 grams", food="salmon stuff")'


def test_replies_are_lines_of_the_tools_that_are_shown() -> None:
    for about in FILES:
        for talk in written_talks(about):
            names = set(re.findall(r"^(\w+)\(", talk.system, re.MULTILINE))
            called = {name for turn in talk.turns for name in re.findall(r"^(\w+)\(.*\)$", turn.reply, re.MULTILINE)}
            assert called <= names


def test_a_place_in_the_list_says_nothing_of_when_a_tool_is_due() -> None:
    count = len(written_talks("tools"))
    drawn = [written_talk("tools", seed) for seed in range(count)]
    four = [talk for talk in drawn if len(talk.tools) == 4]
    due = [(talk, re.findall(r"^(\w+)\(", talk.turns[0].reply, re.MULTILINE)) for talk in four]
    first = [talk.tools[0].startswith(f"{names[0]}(") for talk, names in due if names]
    assert len(first) > 50
    assert 0.1 < sum(first) / len(first) < 0.4


def test_strangers_stand_among_the_tools_and_nothing_of_theirs_is_called() -> None:
    widened = [talk for seed in range(200) if len((talk := written_talk("tools", seed)).tools) > 8]
    assert len(widened) > 20
    for talk in widened:
        names = [line.partition("(")[0] for line in talk.tools]
        assert len(names) == len(set(names))


def test_requests_that_stand_alone_are_learned_in_any_order_too() -> None:
    short = HandTalk(
        ("buy(what, size: big|small)", "sell(what, price: EUR)"),
        (
            Turn("get me a big lamp", 'buy(what="lamp", size="big")', True, ""),
            Turn("a small one too", 'again(size="small")', True, ""),
            Turn("the vase went for nine", 'buy(what="vase", size="?")', False, ""),
            Turn("sold!", 'sell(what="vase", price="nine")', True, ""),
            Turn("thanks", "You're welcome.", True, ""),
        ),
    )
    told = {tuple(turn.said for turn in retold(short, [short], Random(seed)).turns) for seed in range(60)}
    whole = tuple(turn.said for turn in short.turns)
    assert told == {whole, ("get me a big lamp", "thanks"), ("thanks", "get me a big lamp")}


def test_what_is_lowered_is_lowered_in_words_and_reply() -> None:
    talk = next(talk for seed in range(100) if (talk := written_talk("calendar", seed)).turns[0].said.islower())
    copied = [word for turn in talk.turns for word in re.findall(r'"([^"]*)"', turn.reply)]
    assert copied and all(word == word.lower() for word in copied)


def test_nothing_of_the_published_experiment_is_said() -> None:
    assert [text for text in sentences() if published(text)] == []


@pytest.mark.parametrize("suite", SUITES)
def test_no_seven_words_in_a_row_are_those_of_a_suite(suite: str) -> None:
    text = shipped_files()[suite].read_text(encoding="utf-8")
    said = {run for line in text.splitlines() for run in runs(line.partition("say:")[2])}
    assert [text for text in sentences() if runs(text) & said] == []


def test_no_seven_words_in_a_row_are_those_that_were_put_away() -> None:
    paths = [path for path in (ROOT / "benchmarks" / "putaway").rglob("*.jsonl")]
    assert len(paths) > 5
    said = {run for path in paths for line in path.read_text(encoding="utf-8").splitlines() for run in runs(line)}
    assert [text for text in sentences() if runs(text) & said] == []


def test_a_tool_may_take_what_nobody_says() -> None:
    asked = HandTalk(
        ("lend(what, who)  # Lend a thing",), (Turn("the saw to Ada", 'lend(what="saw", who="Ada")', True, ""),)
    )
    giver = HandTalk(("wash(car, wax: yes|no = no)  # Wash. wax: Whether it is waxed",), ())
    told = {retold(asked, [giver], Random(seed)).tools for seed in range(40)}
    widened = "lend(what, who, wax: yes|no = no)  # Lend a thing; wax: Whether it is waxed"
    assert any(widened in tools for tools in told)
    assert all(retold(asked, [giver], Random(seed)).turns == asked.turns for seed in range(9))
