"""A log of Inspect AI as a suite of lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolmend.base.errors import BadFile
from toolmend.evals.benchmarks.inspect_log import import_log
from toolmend.evals.suites.suite import load_suite

TOOL = {
    "name": "add",
    "description": "Adds.",
    "parameters": {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]},
}
MODEL = {"event": "model", "tools": [TOOL]}
SAMPLES: list[dict[str, Any]] = [
    {"id": 1, "epoch": 1, "input": "Add 1", "target": "add(x=1)", "events": [{"event": "state"}, MODEL]},
    {"id": 1, "epoch": 2, "input": "Add 1", "target": "add(x=1)", "events": [MODEL]},
    {
        "id": "b",
        "epoch": 1,
        "input": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Add 1, then 2"}],
        "target": ["add(1)", "add(2)"],
        "events": [MODEL],
    },
    {"id": "words", "epoch": 1, "input": "What is 1 + 1?", "target": "two", "events": [MODEL]},
    {"id": "bare", "epoch": 1, "input": "Add 1", "target": "add(x=1)", "events": []},
]


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("platformdirs.user_cache_path", lambda app: tmp_path / app)
    path = tmp_path / "log.json"
    path.write_text(json.dumps({"version": 2, "eval": {"task": "sums"}, "samples": SAMPLES}))
    return path


def test_samples_whose_target_is_calls(log: Path) -> None:
    kept = import_log(log)
    assert (dict(kept.cases), kept.left_out) == ({"samples": 2}, ("words", "bare"))
    steps = [case.steps[0] for case in load_suite("sums").cases().values()]
    assert [(step.say, step.reference) for step in steps] == [("Add 1", "add(1)"), ("Add 1, then 2", "add(1)\nadd(2)")]


def test_what_is_no_log(log: Path) -> None:
    log.write_text("{}")
    with pytest.raises(BadFile, match="no log of Inspect"):
        import_log(log)
    log.write_text(json.dumps({"eval": {"task": "sums"}, "samples": SAMPLES[3:]}))
    with pytest.raises(BadFile, match="no sample fits"):
        import_log(log)
