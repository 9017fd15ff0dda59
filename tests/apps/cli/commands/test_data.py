"""`toolmend data`: what it prints, what it writes, what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Invoke = Callable[..., Result]


@pytest.fixture
def one(invoke: Invoke, suite: Path) -> None:
    """A run of a model that is right when corrected: twice the same."""
    assert invoke("run", suite, "--model", "canned/late").exit_code == 0


def build(invoke: Invoke, *words: object) -> Result:
    return invoke("data", "build", "--out", "made", *words)


def test_a_stored_run_becomes_a_data_folder(invoke: Invoke, one: None) -> None:
    result = build(invoke, "--format", "json")
    assert result.exit_code == 0, result.stderr
    counts = json.loads(result.stdout)
    assert counts["made"] == {"chat": 2, "hindsight": 2}
    assert counts["kept"] == {"chat": 1, "hindsight": 1}
    lines = [json.loads(text) for text in Path("made/train/hindsight.jsonl").read_text().splitlines()]
    assert [[attempt["quality"] for attempt in line["attempts"]] for line in lines] == [["bad", "good"]]


def test_the_table(invoke: Invoke, one: None) -> None:
    result = build(invoke)
    assert (result.exit_code, "2 samples read" in result.stdout) == (0, True)
    assert "chat: 1 lines of 2\nhindsight: 1 lines of 2\n  the same as an earlier line: 2\n" in result.stdout


def test_a_folder_with_something_in_it(invoke: Invoke, one: None) -> None:
    build(invoke)
    assert build(invoke).exit_code == 2
    assert build(invoke, "--force").exit_code == 0


def test_a_chat_that_was_kept(invoke: Invoke) -> None:
    said = "Add a lunch on May 3 2024\n/correct It is at noon.\n"
    result = invoke("chat", "--model", "canned/late", "--keep", stdin=said)
    assert "kept as run" in result.stderr
    counts = json.loads(build(invoke, "--format", "json").stdout)
    assert counts["made"] == {"chat": 1, "hindsight": 1}
    [line] = map(json.loads, Path("made/train/hindsight.jsonl").read_text().splitlines())
    assert line["attempts"][0]["wrong"] == "It is at noon."
