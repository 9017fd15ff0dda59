"""Duplicates: exact ones, and nearly so."""

from __future__ import annotations

import pytest

from toolmend.training.datasets.duplicates import exact, jaccard, near, shingles

LONG = "Add a lunch with Ada on the third of May at noon in the little place by the river please"


def test_exact() -> None:
    assert list(exact(["a", "b", "a", "A", "a"])) == [None, None, 0, None, 0]


def test_shingles_are_runs_of_three_words() -> None:
    assert shingles("Add a lunch, now") == {"add a lunch", "a lunch now"}
    assert shingles("At noon") == {"at noon"}


def test_jaccard() -> None:
    assert jaccard(frozenset("abc"), frozenset("bcd")) == 0.5


def test_near() -> None:
    pytest.importorskip("datasketch")
    other = "Cancel the dentist on Monday"
    assert list(near([LONG, other, LONG.upper() + "!", LONG.replace("please", "thanks")], 0.8)) == [None, None, 0, 0]


def test_near_keeps_what_is_less_alike() -> None:
    pytest.importorskip("datasketch")
    assert list(near([LONG, LONG.replace("third", "fourth").replace("river", "sea")], 0.8)) == [None, None]


def test_near_is_the_same_each_time() -> None:
    pytest.importorskip("datasketch")
    texts = [f"{LONG} {number % 7} and then again {number % 5}" for number in range(60)]
    assert list(near(texts, 0.7)) == list(near(texts, 0.7))


def test_near_at_one_is_the_same_words() -> None:
    pytest.importorskip("datasketch")
    assert list(near([LONG, f"{LONG}!", f"{LONG} now"], 1)) == [None, 0, None]
