"""`toolmend suites`: one suite of one's own, and whether a suite is graded as it should be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Invoke = Callable[..., Result]


@pytest.fixture
def untestable(suite: Path) -> Path:
    """The tiny suite, with a pattern that gives no example."""
    text = suite.read_text(encoding="utf-8")
    suite.write_text(text.rstrip() + "\n          accept: {title: {regex: 'lunch.*'}}\n", encoding="utf-8")
    return suite


def test_a_suite_of_ones_own_is_listed(invoke: Invoke, suite: Path) -> None:
    result = invoke("suites", suite)
    assert (result.exit_code, result.stdout.splitlines()[0]) == (0, "tiny")


def test_a_suite_nobody_knows(invoke: Invoke) -> None:
    result = invoke("suites", "calender")
    assert result.exit_code == 2
    assert "unknown suite 'calender' (did you mean calendar or" in result.stderr


def test_what_ships_is_graded_as_it_should_be(invoke: Invoke) -> None:
    result = invoke("suites", "--self-test")
    lines = result.stdout.splitlines()
    assert (result.exit_code, lines[0]) == (0, "calendar: 0 failures in 6 replies")
    assert "      6 of     6  reference" in lines


def test_failures_are_listed_with_their_place(invoke: Invoke, untestable: Path) -> None:
    result = invoke("suites", untestable, "--self-test")
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "tiny: 1 failure in 1 reply",
        "      0 of     1  reference",
        "  failed  lunch, step 1: reference (title): the pattern of title has no example; add one to let it be tested",
    ]
