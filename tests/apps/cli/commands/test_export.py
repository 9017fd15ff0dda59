"""`toolmend export`: what is written where, and one line for what cannot be."""

from __future__ import annotations

import json
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


def test_a_suite_for_inspect(invoke: Invoke, suite: Path) -> None:
    result = invoke("export", "suite", suite, "--out", "made")
    names = ["toolmend_tiny.py", "toolmend_tiny.jsonl", "toolmend_tiny.yaml"]
    assert result.stdout.splitlines() == [str(Path("made") / name) for name in names]
    assert "cd made; inspect eval toolmend_tiny.py" in result.stderr
    assert 'TOOLS = "calendar"\n' in Path("made/toolmend_tiny.py").read_text()


def test_a_run_for_inspect(invoke: Invoke, stored: str) -> None:
    result = invoke("export", "run", stored[:5], "--to", "inspect", "--out", "logs")
    logs = [json.loads(Path(line).read_text()) for line in result.stdout.splitlines()]
    assert sorted(log["eval"]["model"] for log in logs) == ["canned/late", "canned/right"]
    assert [sample["input"] for sample in logs[0]["samples"]] == ["Add a lunch on May 3 2024 at noon."] * 2


def test_a_run_as_json_lines(invoke: Invoke, stored: str) -> None:
    result = invoke("export", "run", "--to", "jsonl", "--out", "run.jsonl")
    assert result.stdout == "run.jsonl\n"
    run, samples = read_run(Path("run.jsonl"))
    with Store(create=False) as store:
        assert run == store.run(stored)
        assert sorted(samples, key=lambda each: each.key) == sorted(store.samples(stored), key=lambda each: each.key)


def test_no_run_and_no_place(invoke: Invoke, stored: str) -> None:
    Path("file").write_text("")
    for words, said in [
        (["run", "nope", "--to", "jsonl", "--out", "x"], "unknown run 'nope'"),
        (["run", "--to", "inspect", "--out", "file/x"], "cannot be written"),
        (["suite", "calender", "--out", "x"], "unknown suite 'calender'"),
        (["suite", "calendar", "--out", "file"], "cannot be written"),
    ]:
        result = invoke("export", *words)
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
        assert said in result.stderr
