"""`toolmend models` and `toolmend suites`."""

from __future__ import annotations

import json
from collections.abc import Callable

from click.testing import Result

from toolmend.models.builtin import PRESETS

Invoke = Callable[..., Result]


def test_models_as_text(invoke: Invoke) -> None:
    first, second, adapter, _remark, tools, _of_tools, *local, last = invoke("models").stdout.splitlines()
    assert first == "builtin/small  2.61 M parameters, 5.3 MB, window 768 tokens, toolbox calendar"
    assert second == "  exam: 70.5 % of held-out replies exact (n=2249), 82.2 % of familiar ones"
    assert adapter.startswith("smol/calendar  SmolLM2 135M")
    assert tools.startswith("smol/tools  SmolLM2 135M")
    assert local[0].startswith("keras/gemma2-9b  9.2 B parameters, context 8192, Gemma terms of use: ")
    assert local[0].endswith("(or ollama/gemma2:9b)")
    assert [line.split()[0] for line in local[1:]] == [
        "keras/llama3.1-8b", "keras/llama3.2-3b", "keras/llama3.2-1b", "keras/gemma-2b", "keras/codegemma-7b",
        "keras/vicuna-7b", "keras/mistral-7b", "gemini/gemini-2.5-flash",
    ]  # fmt: skip
    assert last.startswith("families: builtin, canned, ")


def test_models_as_json(invoke: Invoke) -> None:
    data = json.loads(invoke("models", "--format", "json").stdout)
    (model,) = data["models"]
    assert (model["model"], model["toolboxes"], model["exam"]["held_out"]) == ("builtin/small", ["calendar"], 0.7052)
    assert model["bytes"] == sum(path.stat().st_size for path in (PRESETS / "small").iterdir())
    assert "scripted" in data["families"]
    assert data["hosted"] == [{"model": "gemini/gemini-2.5-flash", "label": "Gemini, online (GEMINI_API_KEY)"}]
    (small,) = [row for row in data["catalogue"] if row["model"] == "keras/llama3.2-1b"]
    assert small["linked"] == "meta-llama/Llama-3.2-1B-Instruct"
    assert "not fetched: hf download meta-llama/Llama-3.2-1B-Instruct" in small["why_not"]


def test_suites_as_text(invoke: Invoke) -> None:
    lines = invoke("suites").stdout.splitlines()
    assert lines[0] == "calendar"
    (row,) = [line for line in lines if line.startswith("  reliability  ")]
    assert row.startswith("  reliability  5 samples = 1 case ")
    assert row.endswith(" 5 attempts, 0 corrections: the first prompt, five attempts (blog 4.1)")


def test_suites_as_json(invoke: Invoke) -> None:
    suites = json.loads(invoke("suites", "--format", "json").stdout)["suites"]
    assert [suite["suite"] for suite in suites] == [
        "calendar", "calendar_dev", "calendar_test", "calendar_unseen", "dungeon", "growth", "shop",
    ]  # fmt: skip
    suite = suites[0]
    assert [each["experiment"] for each in suite["experiments"]] == ["reliability", "complete", "fixing"]
    assert suite["samples"] == sum(each["samples"] for each in suite["experiments"])
