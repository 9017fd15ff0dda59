"""Strategies by name, and the prompts beside them."""

import hashlib
from importlib.resources import files

import pytest

from toolmend.errors import UnknownName
from toolmend.strategies import load_strategy
from toolmend.strategies.oneline import Oneline
from toolmend.strategies.prompt import digest, render, source


def test_a_strategy_by_name():
    assert isinstance(load_strategy("oneline"), Oneline)


def test_a_strategy_is_returned_as_it_is():
    strategy = Oneline()
    assert load_strategy(strategy) is strategy


def test_an_unknown_strategy_is_named_with_the_nearest():
    with pytest.raises(UnknownName, match=r"unknown strategy 'onelin' \(did you mean oneline\?\); known: freyr, native, oneline, react"):
        load_strategy("onelin")


def test_the_hash_is_that_of_the_file():
    file = files("toolmend.strategies").joinpath("prompts", "oneline.md")
    assert digest("oneline") == hashlib.sha256(file.read_bytes()).hexdigest()[:12]


def test_the_hash_stays_the_same():
    assert digest("oneline") == Oneline().prompt_hash == digest("oneline")


def test_a_missing_value_is_an_error_and_not_left_empty():
    from jinja2 import UndefinedError

    with pytest.raises(UndefinedError):
        render("oneline")


def test_rendering_fills_in_and_strips():
    assert "\nf(x)\n" in render("oneline", api=["f(x)"])
    assert render("oneline", api=["f(x)"]) == render("oneline", api=["f(x)"]).strip()


def test_the_prompt_is_not_about_the_calendar():
    assert "calendar" not in source("oneline").lower()
