"""`toolmend models` and `toolmend suites`."""

from __future__ import annotations

from collections.abc import Callable

from click.testing import Result

Invoke = Callable[..., Result]


def test_models_as_text(invoke: Invoke) -> None:
    first, second, adapter, _remark, tools, _of_tools, *local, last = invoke("models").stdout.splitlines()
    assert first == "builtin/small  2.61 M parameters, 5.3 MB, window 768 tokens, toolbox calendar"
    assert second == "  exam: 70.5 % of replies exact with names and most wordings held out (n=2249), 82.2 % with none"
    assert adapter.startswith("smol/calendar  SmolLM2 135M")
    assert tools.startswith("smol/tools  SmolLM2 135M")
    assert local[0].startswith("keras/gemma2-9b  9.2 B parameters, context 8192, Gemma terms of use: ")
    assert local[0].endswith("(or ollama/gemma2:9b)")
    assert [line.split()[0] for line in local[1:]] == [
        "keras/llama3.1-8b", "keras/llama3.2-3b", "keras/llama3.2-1b", "keras/gemma-2b", "keras/codegemma-7b",
        "keras/vicuna-7b", "keras/mistral-7b", "gemini/gemini-2.5-flash",
    ]  # fmt: skip
    assert last.startswith("families: builtin, canned, ")


def test_suites_as_text(invoke: Invoke) -> None:
    lines = invoke("suites").stdout.splitlines()
    assert lines[0] == "calendar"
    (row,) = [line for line in lines if line.startswith("  reliability  ")]
    assert row.startswith("  reliability  5 samples = 1 case ")
    assert row.endswith(" 5 attempts, 0 corrections: the first prompt, five attempts (blog 4.1)")
