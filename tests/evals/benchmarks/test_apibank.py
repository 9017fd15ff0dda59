"""API-Bank's folder as a suite of lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toolmend.base.errors import BadFile
from toolmend.evals.benchmarks.apibank import import_api_bank
from toolmend.evals.suites.suite import load_suite

API = """\
raise SystemExit("nobody runs this")
class AddNote(API):
    description = "Adds " "a note."
    input_parameters = {
        "text": {"type": "str", "description": "What."},
        "tags": {"type": "list(str)", "description": "Of what kind."},
    }
"""
TURNS = [
    {"role": "User", "text": "Can you note something?"},
    {"role": "AI", "text": "Of course. What?"},
    {"role": "User", "text": "Milk, for the shop."},
    {"role": "API", "api_name": "AddNote", "param_dict": {"text": "milk", "tags": ["shop"]}, "result": {}},
    {"role": "AI", "text": "Done."},
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("platformdirs.user_cache_path", lambda app: tmp_path / app)
    level = tmp_path / "bank" / "lv1-lv2-samples" / "level-1-given-desc"
    level.mkdir(parents=True)
    (tmp_path / "bank" / "apis").mkdir()
    (tmp_path / "bank" / "apis" / "notes.py").write_text(API)
    (level / "AddNote-1.jsonl").write_text("\n".join(map(json.dumps, TURNS)))
    lacking = {**TURNS[3], "param_dict": {"text": "milk"}}
    (level / "AddNote-2.jsonl").write_text("\n".join(map(json.dumps, [TURNS[0], lacking])))
    (level / "Other-1.jsonl").write_text("\n".join(map(json.dumps, [TURNS[0], {**TURNS[3], "api_name": "Other"}])))
    return tmp_path / "bank"


def test_a_dialogue_with_words_given_and_calls_asked_for(folder: Path) -> None:
    kept = import_api_bank(folder)
    assert (dict(kept.cases), kept.left_out) == ({"level-1-given-desc": 1}, ("AddNote-2",))
    (case,) = load_suite("api_bank").cases().values()
    assert [(step.say, step.given, step.reference) for step in case.steps] == [
        ("Can you note something?", "Of course. What?", ""),
        ("Milk, for the shop.", None, 'AddNote("milk", tags=["shop"])'),
    ]
    assert case.tools[0].description == "Adds a note."
    assert case.tools[0].properties["tags"]["items"] == {"type": "string"}


def test_another_folder(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="no folder of API-Bank"):
        import_api_bank(tmp_path)
