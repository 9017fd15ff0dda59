"""`toolmend run --dry-run`: what it would come to; nothing is asked, nothing kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from toolmend.evals.store import Store

Invoke = Callable[..., Result]


@pytest.fixture
def prices() -> Path:
    path = Path("prices.json")
    path.write_text('{"currency": "EUR", "models": {"canned/*": {"input": 1000, "output": 0}}}')
    return path


def test_without_a_store_it_makes_none(invoke: Invoke, suite: Path) -> None:
    result = invoke("run", suite, "--model", "canned/right", "--model", "canned/late", "--dry-run")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "tiny: 4 samples to play; nothing was asked" in result.stdout
    assert "canned/right · oneline" in result.stdout
    assert "tokens are characters / 4" in result.stdout
    assert not Path(suite.parent / "runs.db").exists()


def test_json_says_it_all(invoke: Invoke, suite: Path, prices: Path) -> None:
    words = ["--model", "canned/right", "--dry-run", "--format", "json", "--prices", prices, "--concurrency", 3]
    found = json.loads(invoke("run", suite, *words).stdout)
    (row,) = found["contestants"]
    assert {name: found[name] for name in ("schema", "suite", "planned", "currency")} == {
        "schema": 1,
        "suite": "tiny",
        "planned": 2,
        "currency": "EUR",
    }
    assert (row["model"], row["samples"], row["replies"]) == ("canned/right", 2, {"least": 2, "most": 4})
    assert row["cost"]["least"] == row["input_tokens"]["least"] / 1000


def test_a_played_suite_is_only_read(invoke: Invoke, suite: Path, prices: Path) -> None:
    invoke("run", suite, "--model", "canned/right")
    with Store(create=False) as store:
        (run,) = store.runs()
    result = invoke("run", suite, "--model", "canned/right", "--dry-run", "--prices", prices)
    assert "EUR" in result.stdout
    with Store(create=False) as store:
        assert [each.id for each in store.runs()] == [run.id]


def test_what_is_done_need_not_be_played(invoke: Invoke, suite: Path) -> None:
    invoke("run", suite, "--model", "canned/right", "--max-tokens-total", 1, "--concurrency", 1)
    result = invoke("run", suite, "--model", "canned/right", "--dry-run")
    assert "1 sample to play, 1 more is there" in result.stdout


def test_it_can_go_into_a_file(invoke: Invoke, suite: Path) -> None:
    result = invoke("run", suite, "--model", "canned/right", "--dry-run", "--format", "json", "--out", "found.json")
    assert (result.exit_code, result.stdout) == (0, "")
    assert json.loads(Path("found.json").read_text())["planned"] == 2


def test_it_comes_as_text_or_json(invoke: Invoke, suite: Path) -> None:
    result = invoke("run", suite, "--model", "canned/right", "--dry-run", "--format", "html")
    assert (result.exit_code, result.stderr) == (2, "toolmend: --dry-run comes as text or json, not as html\n")


def test_wrong_names_are_told(invoke: Invoke, suite: Path) -> None:
    result = invoke("run", suite, "--model", "nope/x", "--dry-run")
    assert (result.exit_code, "unknown model" in result.stderr) == (2, True)


def test_an_estimate_needs_no_key(invoke: Invoke, suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    words = ["run", suite, "--model", "openai/gpt-4o-mini"]
    assert invoke(*words, "--dry-run").exit_code == 0
    asked = invoke(*words)
    assert (asked.exit_code, "openai/gpt-4o-mini needs a key" in asked.stderr) == (2, True)
