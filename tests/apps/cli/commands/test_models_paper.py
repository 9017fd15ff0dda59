"""`toolmend models shard` and `toolmend models plan`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Invoke = Callable[..., Result]


@pytest.fixture(autouse=True)
def nothing_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Caches of hubs without anything in them."""
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.setenv("KAGGLEHUB_CACHE", str(tmp_path))


def test_where_the_weights_of_a_model_lie(invoke: Invoke) -> None:
    lines = invoke("models", "shard", "keras/llama3.1-8b").stdout.splitlines()
    cells = [line.split("  ") for line in lines]
    rows = {row[0]: [cell.strip() for cell in row[1:] if cell.strip()] for row in cells}
    assert rows["token_embedding/reverse_embeddings"] == ["1", "4096 x 128256/8", "131.3 MB", "own"]
    assert rows["transformer_layer_*/self_attention/key/kernel"] == ["32", "4096/8 x 8 x 128", "33.6 MB", "KerasHub"]
    assert "decoder_block_*/ffw_gating_2/kernel" in invoke("models", "shard", "gemma-2b").stdout
    assert lines[-1] == "keras/llama3.1-8b in bfloat16 on 8 devices: 2.0 GB on each"


def test_the_same_as_json(invoke: Invoke) -> None:
    data = json.loads(invoke("models", "shard", "gemma-2b?dtype=float32", "--devices", "4", "--format", "json").stdout)
    assert (data["model"], data["devices"], data["dtype"]) == ("keras/gemma-2b", 4, "float32")
    first = data["variables"][0]
    assert first == {
        "variable": "token_embedding/embeddings", "shape": [256000, 2048], "cut": 0, "part": [64000, 2048],
        "bytes_per_device": 524288000, "by": "KerasHub",
    }  # fmt: skip
    assert sum(each["bytes_per_device"] for each in data["variables"]) == data["bytes_per_device"]


def test_a_plan_that_replicates_is_refused(invoke: Invoke) -> None:
    refused = invoke("models", "shard", "vicuna-7b", "--devices", "7")
    assert refused.exit_code == 2
    assert "token_embedding/embeddings, " in refused.stderr and refused.stderr.rstrip().endswith("to allow it")
    allowed = invoke("models", "shard", "vicuna-7b", "--devices", "7", "--replicate")
    assert allowed.exit_code == 0
    assert "13.5 GB on each; whole on each: " in allowed.stdout.splitlines()[-1]


def test_the_published_set_up(invoke: Invoke) -> None:
    lines = invoke("models", "plan", "--memory", "128GB", "--devices", "8").stdout.splitlines()
    assert [line.split()[0] for line in lines if line.endswith("goes to make room")] == ["keras/gemma2-9b"]
    assert lines[-1] == (
        "each of 8 devices has 16.0 GB; 7 of 8 models stay in memory with 14.8 GB, and 102.8 MB for the one that "
        "computes"
    )


def test_a_plan_as_json(invoke: Invoke) -> None:
    names = ["keras/gemma-2b?window=512", "llama3.2-1b"]
    data = json.loads(
        invoke("models", "plan", *names, "--memory", "2x1GiB", "--devices", "2", "--format", "json").stdout
    )
    assert data["bytes_per_device"] == 1 << 30
    assert [(row["model"], row["window"], row["fits"]) for row in data["models"]] == [
        ("keras/gemma-2b", 512, "does not fit alone"), ("keras/llama3.2-1b", 2048, "does not fit alone"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--memory", "12XB"], "--memory is '12XB', not a size such as 12GB"),
        (["--memory", "manyx2GB"], "not a size such as 128GB or 8x16GB"),
        (["--memory", "4"], "nothing fits there"),
        (["gemma-2b", "keras/gemma-2b"], "a model is named twice"),
        (["gemma-2b?dtype=int4"], "dtype is 'int4', not one of float32, bfloat16, float16"),
        (["hf://a/b"], "keras/hf://a/b is not on this machine"),
    ],
)
def test_wrong_input_is_one_line(invoke: Invoke, arguments: list[str], said: str) -> None:
    result = invoke("models", "plan", *arguments)
    assert result.exit_code == 2
    assert said in result.stderr and len(result.stderr.splitlines()) == 1
