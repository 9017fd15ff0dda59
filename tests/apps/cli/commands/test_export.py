"""`toolmend export`: what is written where, and one line for what cannot be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from toolmend.evals.comparing.baseline import read_run
from toolmend.store import Store

Invoke = Callable[..., Result]


@pytest.fixture
def stored(invoke: Invoke, suite: Path) -> str:
    """The id of a run of two contestants."""
    assert invoke("run", suite, "--model", "canned/right", "--model", "canned/late").exit_code == 0
    with Store(create=False) as store:
        return store.runs()[0].id


def test_a_run_as_json_lines(invoke: Invoke, stored: str) -> None:
    result = invoke("export", "run", "--to", "jsonl", "--out", "run.jsonl")
    assert result.stdout == "run.jsonl\n"
    run, samples = read_run(Path("run.jsonl"))
    with Store(create=False) as store:
        assert run == store.run(stored)
        assert sorted(samples, key=lambda each: each.key) == sorted(store.samples(stored), key=lambda each: each.key)


def test_no_run_and_no_place(invoke: Invoke, stored: str) -> None:
    for words, said in [
        (["run", "nope", "--to", "jsonl", "--out", "x"], "unknown run 'nope'"),
        (["run", "--to", "inspect", "--out", "x"], "format 'inspect' is gone"),
        (["suite", "calendar", "--out", "x"], "command 'export suite' is gone"),
    ]:
        result = invoke("export", *words)
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
        assert said in result.stderr
