"""Sizes out of folders and out of the catalogue give the weights that models really have; plans and papers of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolmend.errors import BadFile, BadOption, ModelError
from toolmend.models.keras import catalogue, paper, shards
from toolmend.models.keras.folder import Folder
from toolmend.models.keras.sizes import Sizes

SMALL = Sizes("llama", 400, 1, 32, 48, 4, 2, 8, False)


@pytest.mark.parametrize("entry", catalogue.ENTRIES, ids=lambda entry: entry.name)
def test_published_sizes_give_the_published_number_of_parameters(entry: catalogue.Entry) -> None:
    assert catalogue.SIZES[entry.name].parameters == entry.parameters


def test_parameters_are_those_of_kerashub() -> None:
    hub = pytest.importorskip("keras_hub")
    presets = hub.models.CausalLM.presets.values()
    known = {each["kaggle_handle"].rpartition("/")[0]: each["metadata"]["params"] for each in presets}
    for entry in catalogue.ENTRIES:
        sizes = catalogue.SIZES[entry.name]
        twice = sizes.vocabulary * sizes.width if sizes.kind == "llama" and sizes.tied else 0  # it counts the head, too
        assert known[f"kaggle://{entry.kaggle}"] == entry.parameters + twice


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
    assert made.numbers_each == made.numbers


@pytest.mark.parametrize("entry", catalogue.ENTRIES, ids=lambda entry: entry.name)
def test_every_model_of_the_experiment_can_be_cut_by_eight(entry: catalogue.Entry) -> None:
    sizes = catalogue.SIZES[entry.name]
    made = shards.plan(sizes, 8)
    scales = sum(shape[0] for _, shape in sizes.variables() if len(shape) == 1)
    assert made.whole == []
    assert made.numbers_each == (made.numbers - scales) // 8 + scales


def test_a_paper_without_the_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.setenv("KAGGLEHUB_CACHE", str(tmp_path))
    found = paper.paper_of("llama3.1-8b?devices=8&window=1024&batch=1")
    assert found.weights == 2_008_031_232  # 8.03 G numbers of 2 bytes, an eighth of them, and the scales whole
    assert found.caches == 3 * 2 * 2 * 1024 * 32 * 8 * 128 // 8
    assert found.name == "keras/llama3.1-8b"


def test_the_published_set_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Five models of about 8 G weights and three small ones, on eight devices of 16 GB."""
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.setenv("KAGGLEHUB_CACHE", str(tmp_path))
    names = [f"keras/{entry.name}" for entry in catalogue.ENTRIES]
    short = paper.together([f"{name}?window=1024" for name in names], 128 * 10**9, 8)
    assert (short.stay, short.go, short.never) == (tuple(names), (), ())
    long = paper.together(names, 128 * 10**9, 8)
    assert long.go == ("keras/gemma2-9b",)
    tight = paper.together(names, 16 * 10**9, 8)
    assert tight.never == ("keras/gemma2-9b", "keras/llama3.1-8b", "keras/codegemma-7b", "keras/vicuna-7b",
                           "keras/mistral-7b")  # fmt: skip


def test_a_model_that_is_nowhere_cannot_be_planned(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    with pytest.raises(ModelError, match="keras/hf://a/b is not on this machine"):
        paper.paper_of("hf://a/b")


@pytest.mark.parametrize(("names", "memory", "devices"), [(["gemma-2b"] * 2, 10**12, 8), (["gemma-2b"], 3, 8)])
def test_what_cannot_be_planned(names: list[str], memory: int, devices: int) -> None:
    with pytest.raises(BadOption):
        paper.together(names, memory, devices)


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
    config = json.loads((folder / "config.json").read_text())
    assert paper.sizes_of(str(folder)).vocabulary == config["vocab_size"]
