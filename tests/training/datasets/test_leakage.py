"""Test leakage: BLEU against prompts, from an index that misses nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmend.training.datasets.leakage import Prompts, bleu, words_of

LUNCH = "Add a meeting with Fred on Nov 11 at 5PM"


def test_the_same_words() -> None:
    assert Prompts([LUNCH]).nearest(LUNCH.upper()) == 1


def test_bleu_by_hand() -> None:
    # 5 of 6 words, 4 of 5 pairs, 3 of 4 triples, 2 of 3 fours, as long as the other one: (5/6 · 4/5 · 3/4 · 2/3)^¼
    assert bleu("a b c d e x".split(), "a b c d e f".split()) == pytest.approx((1 / 3) ** 0.25)


def test_a_comma_more() -> None:
    # 11 of 12 words, 9 of 11 pairs, 7 of 10 triples, 5 of 9 fours
    found = Prompts([LUNCH]).nearest("add a meeting with fred, on nov 11 at 5pm")
    assert found == pytest.approx((11 / 12 * 9 / 11 * 7 / 10 * 5 / 9) ** 0.25)


def test_a_shorter_text_pays() -> None:
    assert bleu("a b c d".split(), "a b c d e f g h".split()) == pytest.approx(0.36787944)


def test_another_request() -> None:
    assert Prompts([LUNCH]).nearest("Remove the lunch with Ada") == 0


def test_short_messages_leak_only_word_for_word() -> None:
    prompts = Prompts(["At noon.", LUNCH])
    assert (prompts.nearest("at noon."), prompts.nearest("At noon")) == (1, 0)


def test_nothing_to_compare() -> None:
    assert Prompts([]).nearest(LUNCH) == Prompts([""]).nearest("") == 0


WORDS = st.lists(st.sampled_from("abc"), max_size=12)


@given(WORDS, st.lists(WORDS, max_size=5))
def test_the_index_misses_nothing(words: list[str], prompts: list[list[str]]) -> None:
    best = max((bleu(words, each) for each in prompts if words and each), default=0.0)
    found = Prompts(map(" ".join, prompts)).nearest(" ".join(words))
    assert found == pytest.approx(1.0 if words and words in prompts else best)


def test_words_and_marks() -> None:
    assert words_of("At 5PM, it's on!") == ["at", "5", "pm", ",", "it", "'", "s", "on", "!"]
