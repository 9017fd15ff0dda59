"""Sizes out of folders, and which weight goes to which device."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from toolmend.errors import BadFile, BadOption
from toolmend.models.keras import shards
from toolmend.models.keras.folder import Folder
from toolmend.models.keras.sizes import Sizes

SMALL = Sizes("llama", 400, 1, 32, 48, 4, 2, 8, False)


def test_a_preset_of_gemma_counts_both_halves_of_its_feed_forward(tmp_path: Path) -> None:
    config = {
        "vocabulary_size": 64, "num_layers": 1, "num_query_heads": 2, "num_key_value_heads": 1, "hidden_dim": 8,
        "intermediate_dim": 32, "head_dim": 4, "use_post_ffw_norm": True,
    }  # fmt: skip
    about = {"class_name": "GemmaBackbone", "registered_name": "keras_hub>GemmaBackbone", "config": config}
    folder = Folder(tmp_path, about, is_keras=True)
    assert Sizes.read(folder) == Sizes("gemma", 64, 1, 8, 16, 2, 1, 4, True, 4)


def test_a_kind_without_a_known_layout(tmp_path: Path) -> None:
    folder = Folder(tmp_path, {"class_name": "Phi3Backbone", "registered_name": "x", "config": {}}, is_keras=True)
    with pytest.raises(BadFile, match="the layout of a Phi3Backbone is not known; known: LlamaBackbone, "):
        Sizes.read(folder)


def test_cuts_of_a_llama() -> None:
    made = shards.plan(SMALL, 8)
    found = {each.path: (each.part(8), each.by) for each in made.placed}
    assert found["token_embedding/embeddings"] == ((50, 32), "KerasHub")
    assert found["token_embedding/reverse_embeddings"] == ((32, 50), "own")
    assert found["transformer_layer_0/self_attention/key/kernel"] == ((4, 2, 8), "KerasHub")
    assert found["transformer_layer_0/self_attention/attention_output/kernel"] == ((4, 1, 32), "own")  # 4 heads
    assert found["transformer_layer_0/feedforward_layernorm/scale"] == ((32,), "small")
    assert (made.cache_axis, made.whole) == (5, [])


def test_heads_and_vocabularies_that_do_not_divide_are_cut_elsewhere() -> None:
    made = shards.plan(Sizes("gemma", 401, 1, 32, 48, 4, 1, 8, True), 8)
    found = {each.path: (each.part(8), each.by) for each in made.placed}
    assert found["token_embedding/embeddings"] == ((401, 4), "own")
    assert found["decoder_block_0/attention/query/kernel"] == ((4, 4, 8), "own")
    assert found["decoder_block_0/attention/key/kernel"] == ((1, 4, 8), "own")


def test_a_plan_that_replicates_is_refused_by_name() -> None:
    made = shards.plan(SMALL, 7)
    with pytest.raises(BadOption) as caught:
        made.check("keras/x", replicate=False)
    assert str(caught.value) == (
        "keras/x on 7 devices: token_embedding/embeddings, token_embedding/reverse_embeddings, "
        "transformer_layer_0/self_attention/query/kernel, transformer_layer_0/self_attention/key/kernel and 6 more "
        "would lie whole on each of them, because no dimension divides by 7; another number of devices, or "
        "replicate=true to allow it"
    )
    assert made.check("keras/x", replicate=True) is made


def test_gemma_2b_can_be_cut_by_eight() -> None:
    made = shards.plan(Sizes("gemma", 256_000, 18, 2048, 16_384, 8, 1, 256, True), 8)
    assert made.whole == []
    assert made.numbers_each == (2_506_172_416 - 37 * 2048) // 8 + 37 * 2048  # the scales lie whole on each


@pytest.mark.parametrize("devices", ["0", "-1", "two"])
def test_devices_are_counted_from_one(write_folder: Any, tmp_path: Path, devices: str) -> None:
    from toolmend.models import load_model

    folder = write_folder(tmp_path / "llama", "llama", num_hidden_layers=1)
    with pytest.raises(BadOption, match="devices"):
        load_model(f"keras/{folder}?devices={devices}")


def test_a_folder_is_refused_before_it_is_loaded(write_folder: Any, tmp_path: Path) -> None:
    from toolmend.models import load_model

    folder = write_folder(tmp_path / "llama", "llama", num_hidden_layers=1)
    with pytest.raises(
        BadOption, match=r"on 7 devices: token_embedding/embeddings, .* would lie whole on each of them"
    ):
        load_model(f"keras/{folder}?devices=7")
