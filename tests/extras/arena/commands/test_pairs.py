"""`toolmend pairs`: what it writes, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Invoke = Callable[..., Result]


@pytest.fixture
def one(invoke: Invoke, suite: Path) -> None:
    """A run of two models, two attempts at one request."""
    assert invoke("run", suite, "--model", "canned/late", "--model", "canned/right").exit_code == 0


def pairs(invoke: Invoke, *words: object) -> Result:
    return invoke("pairs", "--a", "late", "--b", "right", "--out", "pairs.jsonl", "--key", "key.jsonl", *words)


def test_pairs_and_key(invoke: Invoke, one: None) -> None:
    result = pairs(invoke)
    assert (result.exit_code, result.stdout) == (0, "")
    assert "2 pairs (there are no more; 50 were asked for)" in result.stderr
    lines, key = (
        [json.loads(line) for line in Path(name).read_text().splitlines()] for name in ("pairs.jsonl", "key.jsonl")
    )
    assert [line["pair"] for line in lines] == [line["pair"] for line in key[1:]]
    assert {line["request"] for line in lines} == {"Add a lunch on May 3 2024 at noon."}
    assert {line["left"] for line in key[1:]} <= {"canned/late · oneline", "canned/right · oneline"}
    assert "canned" not in Path("pairs.jsonl").read_text()


def test_the_same_command_writes_the_same_files(invoke: Invoke, one: None) -> None:
    pairs(invoke)
    before = Path("pairs.jsonl").read_bytes(), Path("key.jsonl").read_bytes()
    pairs(invoke)
    assert (Path("pairs.jsonl").read_bytes(), Path("key.jsonl").read_bytes()) == before


def test_the_key_has_a_file_of_its_own(invoke: Invoke, one: None) -> None:
    result = pairs(invoke, "--key", "pairs.jsonl")
    assert (result.exit_code, Path("pairs.jsonl").exists()) == (2, False)
    assert "must not have the key" in result.stderr


def test_the_table_of_what_was_made_up(invoke: Invoke) -> None:
    assert (
        invoke("run", "dungeon", "--strategy", "native", "--strategy", "freyr", "--model", "scripted/oracle").exit_code
        == 0
    )
    lines = invoke("pairs", "--a", "freyr", "--b", "native", "--table", "--n", "1").stdout.splitlines()
    assert lines[1] == "  scripted/oracle · freyr  “Overhead Blow”: “Straight down”"
    assert lines[3].startswith("… ")
    assert lines[4] == (
        "scripted/oracle · freyr: 11 % (4–19) of the content words repeat the request; 53 descriptions, of 4.8 words"
    )


def test_a_table_or_two_files(invoke: Invoke, one: None) -> None:
    for words in ((), ("--table", "--out", "a.jsonl"), ("--out", "a.jsonl")):
        result = invoke("pairs", "--a", "late", "--b", "right", *words)
        assert (result.exit_code, "--out and --key" in result.stderr) == (2, True)
