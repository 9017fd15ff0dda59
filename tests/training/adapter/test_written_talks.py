"""Talks written by hand: what is learned of them can be read, and they hold nothing of what models are measured by."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

from toolmend.training.adapter.calendar_adding import CALENDAR_SYSTEM
from toolmend.training.adapter.written_talks import written_talk, written_talks
from toolmend.training.phrases import published

ROOT = Path(__file__).parents[3]
SUITES = ("calendar_test", "calendar_unseen", "calendar_dev", "calendar", "growth")
RUN = 7


def words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9']+", text.lower())


def runs(text: str) -> set[tuple[str, ...]]:
    said = words(text)
    return {tuple(said[at : at + RUN]) for at in range(len(said) - RUN + 1)}


def sentences() -> Iterator[str]:
    for about in ("calendar", "tools"):
        yield from (turn.said for talk in written_talks(about) for turn in talk.turns)


@pytest.mark.parametrize(("about", "least"), [("calendar", 850), ("tools", 200)])
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
    for about in ("calendar", "tools"):
        for talk in written_talks(about):
            names = set(re.findall(r"^(\w+)\(", talk.system, re.MULTILINE))
            called = {name for turn in talk.turns for name in re.findall(r"^(\w+)\(.*\)$", turn.reply, re.MULTILINE)}
            assert called <= names


def test_what_is_lowered_is_lowered_in_words_and_reply() -> None:
    talk = next(talk for seed in range(100) if (talk := written_talk("calendar", seed)).turns[0].said.islower())
    copied = [word for turn in talk.turns for word in re.findall(r'"([^"]*)"', turn.reply)]
    assert copied and all(word == word.lower() for word in copied)


def test_nothing_of_the_published_experiment_is_said() -> None:
    assert [text for text in sentences() if published(text)] == []


@pytest.mark.parametrize("suite", SUITES)
def test_no_seven_words_in_a_row_are_those_of_a_suite(suite: str) -> None:
    text = files("toolmend.suites").joinpath(f"{suite}.yaml").read_text(encoding="utf-8")
    said = {run for line in text.splitlines() for run in runs(line.partition("say:")[2])}
    assert [text for text in sentences() if runs(text) & said] == []


def test_no_seven_words_in_a_row_are_those_that_were_put_away() -> None:
    paths = [path for path in (ROOT / "benchmarks" / "putaway").rglob("*.jsonl")]
    assert len(paths) > 5
    said = {run for path in paths for line in path.read_text(encoding="utf-8").splitlines() for run in runs(line)}
    assert [text for text in sentences() if runs(text) & said] == []
