"""`toolmend suites import`: suites of others; `list` may be left unsaid."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Invoke = Callable[..., Result]


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("platformdirs.user_cache_path", lambda app: tmp_path / app)
    parameters = {"type": "dict", "properties": {}, "required": []}
    case = {"id": "irrelevance_0", "question": [[{"role": "user", "content": "Rain?"}]]}
    row = {**case, "function": [{"name": "f", "description": "", "parameters": parameters}]}
    path = tmp_path / "bfcl_eval-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("bfcl_eval/data/BFCL_v4_irrelevance.json", json.dumps(row))
    return path


def test_bfcl_is_imported_listed_and_played(invoke: Invoke, wheel: Path) -> None:
    assert "`toolmend suites import bfcl` fetches it" in invoke("run", "bfcl", "--model", "canned/no").stderr
    result = invoke("suites", "import", "bfcl", "--category", "irrelevance", "--wheel", wheel)
    assert (result.exit_code, result.stdout) == (0, "irrelevance  1 case\n")
    assert result.stderr.endswith("to play it, toolmend run bfcl --model NAME\n")
    listed = invoke("suites", "bfcl").stdout.splitlines()
    assert listed[:2] == [
        "bfcl: BFCL, single turns: irrelevance",
        "  tools of its cases' own, 1 sample for each contestant",
    ]
    assert invoke("suites", "list", "bfcl").stdout.splitlines() == listed


def test_help_names_the_commands_below(invoke: Invoke) -> None:
    assert {"list", "import"} <= set(invoke("suites", "--help").stdout.split())


def test_other_folders_and_logs(invoke: Invoke, tmp_path: Path) -> None:
    assert "no folder of API-Bank" in invoke("suites", "import", "api_bank", tmp_path).stderr
    assert "cannot be read" in invoke("suites", "import", "inspect", tmp_path / "none.json").stderr
    assert "no copy of microsoft/ToolTalk" in invoke("suites", "import", "tooltalk", tmp_path).stderr
    assert "wanted is a copy of dstc8" in invoke("suites", "import", "sgd", tmp_path, "--part", "dev").stderr
