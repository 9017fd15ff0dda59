"""`toolmend models` and `toolmend suites`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from toolmend.models.builtin.engine import Sizes
from toolmend.models.builtin.preset import NEEDED, write_config

Invoke = Callable[..., Result]


@pytest.fixture
def presets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of one preset, as far as its description goes."""
    folder = tmp_path / "presets" / "small"
    folder.mkdir(parents=True)
    for name in NEEDED:
        (folder / name).write_bytes(b"")
    write_config(folder, Sizes(100, 8, 16, 2, 2, 2, 10000.0, 1e-5), 512)
    exam = {"same": 0.93, "held_out": 0.87, "n": 1200, "by_op": {"add": "9/10"}}
    about = {"format": 1, "toolboxes": ["calendar"], "window": 512, "figures": exam}
    (folder / "toolmend.json").write_text(json.dumps(about))
    monkeypatch.setattr("toolmend.models.builtin.PRESETS", folder.parent)
    return folder


def test_models_as_text(invoke: Invoke, presets: Path) -> None:
    first, second, adapter, _remark, tools, _of_tools, *local, last = invoke("models").stdout.splitlines()
    assert first == "builtin/small  0.00 M parameters, 0.0 MB, window 512 tokens, toolbox calendar"
    assert second == "  exam: 87.0 % of held-out replies exact (n=1200), 93.0 % of familiar ones"
    assert adapter.startswith("smol/calendar  SmolLM2 135M")
    assert tools.startswith("smol/tools  SmolLM2 135M")
    assert local[0].startswith("keras/gemma2-9b  9.2 B parameters, context 8192, Gemma terms of use: ")
    assert local[0].endswith("(or ollama/gemma2:9b)")
    assert [line.split()[0] for line in local[1:]] == [
        "keras/llama3.1-8b", "keras/llama3.2-3b", "keras/llama3.2-1b", "keras/gemma-2b", "keras/codegemma-7b",
        "keras/vicuna-7b", "keras/mistral-7b", "gemini/gemini-2.5-flash",
    ]  # fmt: skip
    assert last.startswith("families: builtin, canned, ")


def test_no_models(invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolmend.models.builtin.PRESETS", tmp_path / "none")
    monkeypatch.setattr("toolmend.models.smol.SHELF", tmp_path / "none")
    assert invoke("models").stdout.startswith("no model ships with this copy of toolmend\nkeras/gemma2-9b ")


def test_suites_as_text(invoke: Invoke) -> None:
    lines = invoke("suites").stdout.splitlines()
    assert lines[0] == "calendar"
    (row,) = [line for line in lines if line.startswith("  reliability  ")]
    assert row.startswith("  reliability  5 samples = 1 case ")
    assert row.endswith(" 5 attempts, 0 corrections: the first prompt, five attempts (blog 4.1)")
