"""Weights cut over eight virtual devices: parts, logits, replies. One process of its own, because devices are counted
when JAX starts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("keras_hub")
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def found(write_folder: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What on_eight.py says of three families: two key-value heads, one, and a vocabulary that does not divide."""
    root = tmp_path_factory.mktemp("eight")
    one = {"num_hidden_layers": 1}
    folders = [
        write_folder(root / "llama", "llama", **one),
        write_folder(root / "mistral", "mistral", vocab_size=401, **one),
        write_folder(root / "gemma", "gemma", **one),
    ]
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT / "src"),
        "JAX_PLATFORMS": "cpu",
        "XLA_FLAGS": "--xla_force_host_platform_device_count=8",
    }
    script = Path(__file__).with_name("on_eight.py")
    done = subprocess.run(
        [sys.executable, str(script), *map(str, folders)], capture_output=True, text=True, env=environment, timeout=600
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("kind", ["llama", "mistral", "gemma"])
def test_every_weight_lies_in_the_parts_that_were_planned(found: Any, kind: str) -> None:
    assert found[kind]["as planned"]
    assert found[kind]["whole"] == []


@pytest.mark.parametrize("kind", ["llama", "mistral", "gemma"])
def test_logits_are_those_of_the_whole_model(found: Any, kind: str) -> None:
    assert found[kind]["apart"] < 1e-4


def test_a_model_that_is_loaded_after_another_is_not_cut_by_its_plan(found: Any) -> None:
    assert found["llama"]["after"] == [1]


def test_parts_are_in_bfloat16_where_that_is_asked(found: Any) -> None:
    assert found["llama"]["in bfloat16"] == ["bfloat16"]


def test_where_kerashub_has_no_map_or_its_map_breaks(found: Any) -> None:
    assert found["llama"]["own"] == ["self_attention/attention_output/kernel", "token_embedding/reverse_embeddings"]
    assert found["gemma"]["own"] == [
        "attention/attention_output/kernel", "attention/key/kernel", "attention/query/kernel", "attention/value/kernel",
    ]  # fmt: skip


def test_what_is_said_to_be_kerashubs_is(found: Any) -> None:
    assert found["not KerasHub's"] == {"Llama3Backbone": [], "QwenBackbone": [], "GemmaBackbone": []}


def test_replies_asked_for_from_another_thread_are_those_of_the_whole_model(found: Any) -> None:
    talked = found["talked"]
    assert talked["same"]
    assert all(talked["said"])
    assert talked["caches"] == [[1, 1, 2, 48, 2, 1]] * 8  # two key-value heads: cut in their 8 numbers


def test_devices_that_are_missing_are_said(found: Any) -> None:
    assert "devices=16: this machine has 8 (to try it out on a CPU: XLA_FLAGS=" in found["short"]
    assert found["short"].startswith("BadOption: ")


def test_weights_that_do_not_lie_as_planned_are_named(found: Any) -> None:
    assert found["not as planned"].startswith(
        "ModelError: it does not lie on 8 devices as planned: token_embedding/embeddings (parts [(400, 32)], planned "
        "(50, 32))"
    )
