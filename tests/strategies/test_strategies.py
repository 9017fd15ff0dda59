"""Strategies by name, and the prompts beside them."""

import hashlib
from dataclasses import fields, is_dataclass
from importlib.resources import files

import pytest

from toolmend.base.errors import BadOption, UnknownName
from toolmend.registry import strategies
from toolmend.strategies import load_strategy, roles_of
from toolmend.strategies.freyr import Freyr
from toolmend.strategies.oneline import Oneline
from toolmend.strategies.prompt import digest, render, source


def test_a_strategy_by_name():
    assert isinstance(load_strategy("oneline"), Oneline)


def test_a_strategy_is_returned_as_it_is():
    strategy = Oneline()
    assert load_strategy(strategy) is strategy


def test_an_unknown_strategy_is_named_with_the_nearest():
    known = ", ".join(strategies.names())
    with pytest.raises(UnknownName, match=rf"unknown strategy 'onelin' \(did you mean oneline\?\); known: {known}"):
        load_strategy("onelin")


def test_options_stand_in_the_name_and_the_name_is_kept():
    made = load_strategy("freyr?retries=0&most=4&summary=template")
    assert made == Freyr(retries=0, most=4, summary="template")
    assert (made.name, Freyr().name, load_strategy("freyr").name) == (
        "freyr?retries=0&most=4&summary=template",
        "freyr",
        "freyr",
    )


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("freyr?retry=2", r"strategy 'freyr': unknown option 'retry' \(did you mean retries\?\)"),
        ("freyr?retries=-1", "strategy 'freyr': retries is -1; it must be 0 or more"),
        ("freyr?summary=poem", "strategy 'freyr': summary is 'poem', not one of model, template, none"),
        ("freyr?retries=999999", "strategy 'freyr': retries is 999999; it must be 100 or less"),
        ("react?steps=0", "strategy 'react': steps is 0; it must be 1 or more"),
        ("?steps=1", "strategy '\\?steps=1': a name is missing"),
    ],
)
def test_options_that_make_no_sense_are_refused(name, expected):
    with pytest.raises(BadOption, match=expected):
        load_strategy(name)


@pytest.mark.parametrize(
    ("name", "option"),
    [
        (name, option.name)
        for name in strategies.names()
        if is_dataclass(factory := strategies.get(name))
        for option in fields(factory)
        if option.type in ("int", "float", int, float)
    ],
)
def test_every_number_in_the_name_of_a_strategy_has_an_upper_bound(name, option):
    with pytest.raises(BadOption, match=f"strategy '{name}': {option} is 1000000000; it must be .* or less"):
        load_strategy(f"{name}?{option}=1000000000")


def test_a_strategy_that_is_no_dataclass_takes_no_options(monkeypatch):
    monkeypatch.setitem(strategies._table, "mine", lambda: Freyr())
    assert load_strategy("mine") == Freyr()
    with pytest.raises(BadOption, match="strategy 'mine' takes no options; it was given retries"):
        load_strategy("mine?retries=2")


@pytest.mark.parametrize("name", strategies.names())
def test_every_strategy_says_what_it_is(name):
    made = load_strategy(name)
    assert (made.name, type(made.bare), len(made.prompt_hash), bool(roles_of(made))) == (name, bool, 12, True)


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
    assert "\nf(x)\n" in render("oneline", api=["f(x)"], world="")
    assert render("oneline", api=["f(x)"], world="") == render("oneline", api=["f(x)"], world="").strip()


def test_the_prompt_is_not_about_the_calendar():
    assert "calendar" not in source("oneline").lower()
