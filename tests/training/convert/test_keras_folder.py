"""KerasHub Llama 3 presets: tiny random ones, trained nowhere, exported, and an embedded model written as one."""

import importlib.util
import json
import os

import numpy as np
import pytest

from toolmend.errors import BadFile
from toolmend.models.builtin.engine import Cache, Engine
from toolmend.training.convert import hub_export, keras_folder
from toolmend.training.convert.converting import convert

os.environ.setdefault("KERAS_BACKEND", "jax")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.skipif(
        any(importlib.util.find_spec(name) is None for name in ("keras_hub", "jax")), reason="needs the extra 'local'"
    ),
]

SPECIAL = ["<|begin_of_text|>", "<|end_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>", "<|user|>"]


@pytest.fixture(scope="module", params=[True, False], ids=["tied", "untied"])
def folder(request, tmp_path_factory):
    """A preset as keras-hub writes it, with the key that it forgets."""
    import keras_hub
    from tokenizers import pre_tokenizers

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    words = {name: number for number, name in enumerate(["<pad>", *SPECIAL, *letters, "he", "Ġhe"])}
    tokenizer = keras_hub.models.Llama3Tokenizer(vocabulary=words, merges=["h e", "Ġ he"])
    backbone = keras_hub.models.Llama3Backbone(
        vocabulary_size=len(words), num_layers=2, num_query_heads=4, num_key_value_heads=2, hidden_dim=32,
        intermediate_dim=64, tie_word_embeddings=request.param, dtype="float32",
    )  # fmt: skip
    made = tmp_path_factory.mktemp("keras") / "preset"
    tokenizer.save_to_preset(str(made))
    backbone.save_to_preset(str(made))
    keras_folder.say_tied(made, request.param)
    return made, backbone


def test_its_weights_compute_the_same(folder):
    path, backbone = folder
    hub = keras_folder.read(path)
    ids = [1, 20, 30, 40, 50]
    found = Engine(hub.sizes, hub.weights).logits(ids, Cache(hub.sizes, 8), every=True)
    hidden = backbone({"token_ids": np.array([ids]), "padding_mask": np.ones((1, 5))})
    wanted = np.asarray(backbone.token_embedding(hidden, reverse=True))[0]
    assert np.abs(found - wanted).max() < 1e-4


def test_special_tokens_stay_whole(folder):
    hub = keras_folder.read(folder[0])
    made = hub_export.tokenizer(hub)
    assert made.encode("<|user|>he he<|eot_id|>").tokens == ["<|user|>", "he", "Ġhe", "<|eot_id|>"]
    assert hub.end == "<|eot_id|>"


def test_as_hugging_face(folder, tmp_path):
    convert(str(folder[0]), "hf", tmp_path / "hf")
    said = json.loads((tmp_path / "hf" / "config.json").read_text(encoding="utf-8"))
    assert (said["eos_token_id"], said["model_type"]) == (5, "llama")
    assert said["tie_word_embeddings"] == folder[1].tie_word_embeddings


def test_as_gguf(folder, tmp_path):
    gguf = pytest.importorskip("gguf")
    convert(str(folder[0]), "gguf", tmp_path / "out", "f32")
    file = gguf.GGUFReader(tmp_path / "out" / "model.gguf")
    assert file.fields["tokenizer.ggml.eos_token_id"].contents() == 5
    assert ("output.weight" in {each.name for each in file.tensors}) != folder[1].tie_word_embeddings


def test_a_missing_file_is_named(folder, tmp_path):
    (tmp_path / "config.json").write_bytes((folder[0] / "config.json").read_bytes())
    with pytest.raises(BadFile, match=r"model\.weights\.h5 is missing"):
        keras_folder.read(tmp_path)


def test_an_embedded_model_as_a_preset(preset, trained, tmp_path):
    import keras_hub

    convert(str(preset), "keras", tmp_path / "keras")
    backbone = keras_hub.models.Backbone.from_preset(str(tmp_path / "keras"), dtype="float32")
    found = keras_folder.weights_of(backbone, trained.sizes)
    assert sorted(found) == sorted(trained.weights)
    assert all(np.array_equal(found[name], trained.weights[name]) for name in found)
