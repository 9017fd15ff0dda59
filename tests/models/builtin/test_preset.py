"""A preset folder is checked before anything of it is used, and what is wrong is said by file and name."""

import json

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from toolmend.errors import BadFile, UnknownName
from toolmend.models import builtin
from toolmend.models.builtin.preset import NEEDED, Preset


def change(path, **values):
    data = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**data, **values}), encoding="utf-8")


def refusal(folder, load=False):
    with pytest.raises(BadFile) as caught:
        preset = Preset.read(folder)
        if load:
            preset.load()
    return str(caught.value).removeprefix(str(folder)).lstrip("/")


def test_a_whole_folder_is_read(preset):
    read = Preset.read(preset)
    assert (read.toolboxes, read.window, len(read.shorthands)) == (("calendar",), 96, 3)


def test_parameters_are_counted_as_they_lie_in_the_file(preset):
    stored = load_file(preset / "model.safetensors")
    assert Preset.read(preset).parameters == sum(weight.size for weight in stored.values())


def test_weights_are_loaded_as_float32(preset):
    engine, _ = Preset.read(preset).load()
    assert engine.embedding.dtype == np.float32


def test_no_such_folder(tmp_path):
    assert refusal(tmp_path / "nowhere") == ": no such preset folder"


@pytest.mark.parametrize("name", NEEDED)
def test_a_missing_file_is_named(preset, name):
    (preset / name).unlink()
    assert refusal(preset) == (
        f": {name} is missing; a preset has config.json, model.safetensors, tokenizer.json, toolmend.json"
    )


@pytest.mark.parametrize("name", ["weights.pkl", "pytorch_model.bin", "state.pt", "model.pth", "old.pickle"])
def test_pickled_weights_are_refused_even_beside_good_ones(preset, name):
    (preset / name).write_bytes(b"")
    assert refusal(preset) == f"{name}: pickled weights are never loaded; convert them to safetensors"


@pytest.mark.parametrize("name", ["config.json", "toolmend.json"])
def test_broken_json_is_named(preset, name):
    (preset / name).write_text('{"format": 1,', encoding="utf-8")
    assert refusal(preset).startswith(f"{name}: not readable JSON (")


@pytest.mark.parametrize("name", ["config.json", "toolmend.json"])
def test_json_that_is_no_object_is_named(preset, name):
    (preset / name).write_text("[1]", encoding="utf-8")
    assert refusal(preset) == f"{name}: not a JSON object"


def test_bytes_that_are_no_text_are_named(preset):
    (preset / "config.json").write_bytes(b"\xff\xfe\x00")
    assert refusal(preset).startswith("config.json: not readable JSON (")


@pytest.mark.parametrize("number", [None, 0, 2, "1"])
def test_another_format_is_refused(preset, number):
    change(preset / "toolmend.json", format=number)
    assert refusal(preset) == f"toolmend.json: format {number!r} is not 1: made by another version"


def test_too_many_shorthands_are_refused(preset):
    change(preset / "toolmend.json", shorthands=[str(number) for number in range(19)])
    assert refusal(preset) == "toolmend.json: 19 shorthands, at most 18 are possible"


@pytest.mark.parametrize("key", ["shorthands", "toolboxes"])
@pytest.mark.parametrize("value", ["calendar", 3, [1], [""], None, {"a": 1}])
def test_what_should_be_a_list_of_texts_is_one(preset, key, value):
    change(preset / "toolmend.json", **{key: value})
    assert refusal(preset) == f"toolmend.json: {key} should be a list of texts, not {value!r}"


@pytest.mark.parametrize("value", ["512", 0, -1, 1.5, None, True])
def test_a_window_is_a_positive_number(preset, value):
    change(preset / "toolmend.json", window=value)
    assert refusal(preset) == f"toolmend.json: window should be a positive whole number, not {value!r}"


def test_another_architecture_is_refused(preset):
    change(preset / "config.json", model_type="gpt2")
    assert refusal(preset) == (
        "config.json: model_type 'gpt2' is not 'llama', the one architecture the embedded engine runs"
    )


@pytest.mark.parametrize("key", ["vocab_size", "hidden_size", "rope_theta", "rms_norm_eps"])
def test_a_missing_size_is_named(preset, key):
    path = preset / "config.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    del data[key]
    path.write_text(json.dumps(data), encoding="utf-8")
    assert refusal(preset) == f"config.json: key '{key}' is missing"


@pytest.mark.parametrize(
    ("key", "value"), [("hidden_size", "32"), ("num_hidden_layers", 0), ("vocab_size", 1.5), ("rope_theta", None)]
)
def test_a_size_that_is_no_positive_number_is_named(preset, key, value):
    change(preset / "config.json", **{key: value})
    assert refusal(preset) == f"config.json: {key} should be a positive number, not {value!r}"


@pytest.mark.parametrize(("heads", "key_heads"), [(3, 3), (32, 32), (4, 3), (2, 4)])
def test_heads_that_do_not_share_out_evenly_are_refused(preset, heads, key_heads):
    change(preset / "config.json", num_attention_heads=heads, num_key_value_heads=key_heads)
    assert refusal(preset) == (
        f"config.json: {heads} heads with {key_heads} for keys do not share out a width of 32 evenly"
    )


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("rope_scaling", {"rope_type": "llama3"}),
        ("hidden_act", "gelu"),
        ("attention_bias", True),
        ("mlp_bias", True),
        ("head_dim", 16),
    ],
)
def test_what_the_engine_would_compute_wrongly_is_refused(preset, key, value):
    change(preset / "config.json", **{key: value})
    assert refusal(preset) == f"config.json: {key} {value!r} is not supported by the embedded engine"


def test_what_says_nothing_new_is_accepted(preset):
    change(preset / "config.json", rope_scaling=None, head_dim=8, attention_bias=False)
    assert Preset.read(preset).sizes.heads == 4


def test_a_weight_of_the_wrong_shape_is_named(preset):
    change(preset / "config.json", intermediate_size=64)
    assert refusal(preset, load=True) == (
        "model.safetensors: weight model.layers.0.mlp.gate_proj.weight has shape (48, 32), config.json says (64, 32)"
    )


def test_a_head_of_the_wrong_shape_is_named(preset):
    path = preset / "model.safetensors"
    save_file({**load_file(path), "lm_head.weight": np.zeros((7, 32), np.float16)}, path)
    change(preset / "config.json", tie_word_embeddings=False)
    assert refusal(preset, load=True) == (
        "model.safetensors: weight lm_head.weight has shape (7, 32), config.json says (300, 32)"
    )


def test_a_head_that_config_says_is_the_embedding_is_not_used(preset):
    before, _ = Preset.read(preset).load()
    path = preset / "model.safetensors"
    save_file({**load_file(path), "lm_head.weight": np.zeros((300, 32), np.float16)}, path)
    after, _ = Preset.read(preset).load()
    np.testing.assert_array_equal(after.head, before.head)


def test_a_missing_weight_is_named(preset):
    path = preset / "model.safetensors"
    weights = load_file(path)
    del weights["model.norm.weight"]
    save_file(weights, path)
    assert refusal(preset, load=True) == "model.safetensors: weight model.norm.weight is missing"


def test_a_head_that_config_promises_and_the_file_lacks_is_named(preset):
    change(preset / "config.json", tie_word_embeddings=False)
    assert refusal(preset, load=True) == "model.safetensors: weight lm_head.weight is missing"


@pytest.mark.parametrize("content", [b"", b"not a tensor", b"\x80\x04\x95" * 50])
def test_a_file_that_holds_no_tensors_is_refused(preset, content):
    (preset / "model.safetensors").write_bytes(content)
    assert refusal(preset, load=True).startswith("model.safetensors: not a readable safetensors file (")


def test_a_foreign_tokenizer_is_refused(preset, tokens):
    from tokenizers import Tokenizer, models

    vocabulary = {f"t{number}": number for number in range(300)}
    Tokenizer(models.WordLevel(vocabulary, unk_token="t0")).save(str(preset / "tokenizer.json"))
    assert refusal(preset, load=True) == (
        "tokenizer.json: another model's tokenizer: 300 ids that begin with "
        "<|pad|> <|begin_of_text|> <|eot_id|> <|user|> <|assistant|> are needed"
    )


def test_a_tokenizer_of_another_size_is_refused(preset, tokens):
    tokenizer = json.loads((preset / "tokenizer.json").read_text(encoding="utf-8"))
    tokenizer["added_tokens"].append({**tokenizer["added_tokens"][0], "id": 300, "content": "<|more|>"})
    (preset / "tokenizer.json").write_text(json.dumps(tokenizer), encoding="utf-8")
    assert refusal(preset, load=True).startswith("tokenizer.json: another model's tokenizer: 300 ids")


@pytest.mark.parametrize("content", ["{", "{}", '{"model": {"type": "Python", "code": "import os"}}'])
def test_a_broken_tokenizer_is_refused(preset, content):
    (preset / "tokenizer.json").write_text(content, encoding="utf-8")
    assert refusal(preset, load=True).startswith("tokenizer.json: not a tokenizer (")


def test_the_default_models_are_those_that_know_the_toolbox():
    assert builtin.trained_for("calendar") == ["small"]


def test_a_removed_name_is_told_with_its_successor():
    assert builtin.trained_for("growth-5") == []
    with pytest.raises(UnknownName, match="'schema' is gone: smol/tools"):
        builtin.load("schema")
