"""Keys and configurations: the same for the same, different for the different."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolmend.evals.store import RunConfig, Sample, StoredContestant, sample_key
from toolmend.evals.store.values import storable

PART = st.text(st.characters(), max_size=6) | st.text("|\\x0\0\ud800", max_size=6)


def test_a_samples_key_joins_what_makes_it_unique() -> None:
    sample = Sample("fix/time", "builtin/small", "oneline", 3, "control", seed=9)
    assert sample.key == "fix/time|builtin/small|oneline|3|control"
    assert sample.contestant == ("builtin/small", "oneline")


@settings(deadline=None)
@given(one=st.tuples(PART, PART, PART), other=st.tuples(PART, PART, PART))
def test_different_samples_have_different_keys(one: tuple[str, str, str], other: tuple[str, str, str]) -> None:
    keys = [sample_key(case, model, "s", 1, arm) for case, model, arm in (one, other)]
    assert (keys[0] == keys[1]) == (one == other)


@settings(deadline=None)
@given(text=PART)
def test_storable_text_is_valid_utf8_without_nul(text: str) -> None:
    assert b"\0" not in storable(text).encode()


def test_storable_text_stays_as_it_is_where_it_can() -> None:
    assert storable("naïve 🥦 \\x00\n") == "naïve 🥦 \\x00\n"


def test_a_configuration_survives_json(config: RunConfig) -> None:
    assert RunConfig.from_json(json.loads(json.dumps(config.to_json()))) == config


def test_the_key_of_a_configuration_is_stable_over_versions_of_this_file() -> None:
    config = RunConfig("calendar", "abc", (StoredContestant("builtin/small", "oneline"),), temperature=1, seeds=(1, 2))
    assert config.key == "5dd6fd853d72dd61c8ec4b2f0fb7e087"


def test_the_order_of_options_does_not_matter() -> None:
    one = RunConfig("s", settings={"a": 1, "b": {"c": 1, "d": 2}})
    other = RunConfig("s", settings={"b": {"d": 2, "c": 1}, "a": 1})
    assert one.key == other.key


@pytest.mark.parametrize(
    "change",
    [
        {"suite_hash": "x"},
        {"contestants": ()},
        {"attempts": 3},
        {"arms": ("control", "corrected")},
        {"history": "own"},
        {"temperature": 0.8},
        {"seeds": (2, 1)},
        {"versions": {"toolmend": "0.2"}},
        {"settings": {}},
    ],
)
def test_every_field_counts(config: RunConfig, change: dict[str, object]) -> None:
    assert replace(config, **change).key != config.key  # type: ignore[arg-type]
