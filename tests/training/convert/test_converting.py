"""From one format to another and back, and what is refused."""

import errno
import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from toolmend.errors import BadFile, BadOption, UnknownName
from toolmend.training.convert import embedded, hf_folder
from toolmend.training.convert.converting import convert, opened
from toolmend.training.convert.gguf_file import permuted, tensor_name
from toolmend.training.convert.products import product


@pytest.mark.parametrize("to", ["hf", "preset"])
def test_there_and_back(preset, tmp_path, trained, equal, to):
    convert(str(preset), to, tmp_path / "there")
    convert(str(tmp_path / "there"), "preset", tmp_path / "back")
    assert equal(embedded.read(str(tmp_path / "back")), trained)


@pytest.mark.parametrize("kind", ["f32", "f16"])
def test_gguf_and_back(preset, tmp_path, trained, equal, kind):
    pytest.importorskip("gguf")
    convert(str(preset), "gguf", tmp_path / "there", kind)
    convert(str(tmp_path / "there" / "model.gguf"), "preset", tmp_path / "back")
    assert equal(embedded.read(str(tmp_path / "back")), trained)


def test_quantized_does_not_come_back(preset, tmp_path):
    pytest.importorskip("gguf")
    convert(str(preset), "gguf", tmp_path / "there", "q8_0")
    with pytest.raises(BadFile, match=r"quantized \(Q8_0\); only f32 and f16"):
        opened(str(tmp_path / "there" / "model.gguf"))


def test_what_llama_cpp_reads(preset, tmp_path):
    gguf = pytest.importorskip("gguf")
    convert(str(preset), "gguf", tmp_path / "there", "f32")
    fields = gguf.GGUFReader(tmp_path / "there" / "model.gguf").fields
    wanted = {
        "general.architecture": "llama",
        "llama.embedding_length": 64,
        "llama.attention.key_length": 8,
        "llama.context_length": 96,
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 2,
        "tokenizer.ggml.padding_token_id": 0,
    }
    assert {key: fields[key].contents() for key in wanted} == wanted


def test_rows_of_q_and_k(trained):
    """Two heads of four rows: halves become neighbours."""
    sizes = type(trained.sizes)(9, 8, 9, 1, heads=2, key_heads=1)
    q = np.arange(8, dtype=np.float32)[:, None]
    name = "model.layers.0.self_attn.q_proj.weight"
    assert permuted(name, q, sizes).ravel().tolist() == [0, 2, 1, 3, 4, 6, 5, 7]
    assert permuted(name, permuted(name, q, sizes), sizes, back=True).tolist() == q.tolist()
    assert permuted(name.replace("q_", "v_"), q, sizes) is q
    assert tensor_name(name) == "blk.0.attn_q.weight"


def test_what_a_hugging_face_folder_says(preset, tmp_path):
    files = convert(str(preset), "hf", tmp_path / "hf")
    said = json.loads((tmp_path / "hf" / "tokenizer_config.json").read_text(encoding="utf-8"))
    assert [name for name, _ in files] == [
        "README.md", "config.json", "generation_config.json", "model.safetensors", "tokenizer.json",
        "tokenizer_config.json", "toolmend_preset.json",
    ]  # fmt: skip
    assert (said["eos_token"], said["pad_token"]) == ("<|eot_id|>", "<|pad|>")
    assert said["additional_special_tokens"] == ["<|user|>", "<|assistant|>"]
    generation = json.loads((tmp_path / "hf" / "generation_config.json").read_text(encoding="utf-8"))
    assert (generation["eos_token_id"], generation["do_sample"]) == (2, False)


def test_a_tokenizer_that_does_not_spell(preset, tmp_path):
    convert(str(preset), "hf", tmp_path / "hf")
    (tmp_path / "hf" / "tokenizer.json").write_bytes((preset / "tokenizer.json").read_bytes())
    with pytest.raises(BadFile, match=r"tokenizer\.json: another tokenizer than an embedded model's"):
        hf_folder.read(tmp_path / "hf")


def test_wrong_shapes(preset, tmp_path):
    convert(str(preset), "hf", tmp_path / "hf")
    save_file({"model.embed_tokens.weight": np.zeros((3, 3), np.float16)}, tmp_path / "hf" / "model.safetensors")
    with pytest.raises(BadFile, match=r"model\.embed_tokens\.weight has shape \(3, 3\), config\.json says"):
        hf_folder.read(tmp_path / "hf")


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json"])
def test_a_missing_file(preset, tmp_path, name):
    convert(str(preset), "hf", tmp_path / "hf")
    (tmp_path / "hf" / name).unlink()
    with pytest.raises(BadFile, match=f"{name} is missing"):
        opened(str(tmp_path / "hf"))


def test_a_pickle(preset, tmp_path):
    convert(str(preset), "hf", tmp_path / "hf")
    (tmp_path / "hf" / "pytorch_model.bin").write_bytes(b"")
    with pytest.raises(BadFile, match=r"pytorch_model\.bin: pickled weights are never loaded"):
        opened(str(tmp_path / "hf"))
    with pytest.raises(BadFile, match="pickled weights are never loaded"):
        opened("./model.pkl")


def test_a_gguf_that_is_none(tmp_path):
    pytest.importorskip("gguf")
    (tmp_path / "x.gguf").write_bytes(b"GGUX" * 9)
    with pytest.raises(BadFile, match="not a readable GGUF file"):
        opened(str(tmp_path / "x.gguf"))


def test_names_nobody_knows():
    with pytest.raises(UnknownName):
        opened("builtin/nothing")
    with pytest.raises(BadOption, match="neither builtin/NAME"):
        opened("ollama/llama3")


def test_nothing_is_written_over(preset, tmp_path):
    (tmp_path / "out").mkdir()
    with pytest.raises(BadOption, match="already there"):
        convert(str(preset), "hf", tmp_path / "out")


def test_a_full_disk_leaves_nothing(tmp_path):
    def fill(folder: Path) -> None:
        (folder / "half").write_text("x", encoding="utf-8")
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(BadFile, match="No space left on device"), product(tmp_path / "out") as folder:
        fill(folder)
    assert list(tmp_path.iterdir()) == []
