"""Embedders behind servers and in folders: what is sent, what is refused, and a tiny random BERT against numpy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx2
import numpy as np
import pytest

from toolmend.errors import BadFile, BadOption, ModelError
from toolmend.knowledge.search import load_embedder
from toolmend.knowledge.search.served import EmbedderSettings, ServedEmbedder


def served(family: str, answer: Any, sent: list[Any], **given: Any) -> ServedEmbedder:
    def handle(request: httpx2.Request) -> httpx2.Response:
        sent.append((request.url.path, json.loads(request.content)))
        return httpx2.Response(200, json=answer)

    settings = EmbedderSettings(base_url="http://127.0.0.1:9/v1", retries=0, **given)
    return ServedEmbedder(family, "m", settings, httpx2.MockTransport(handle))


def test_openai_rows_go_to_their_texts() -> None:
    sent: list[Any] = []
    rows = {"data": [{"index": 1, "embedding": [0, 2]}, {"index": 0, "embedding": [3.0, 0]}]}
    found = served("openai", rows, sent, passage="doc: ").embed(["a", "b"])
    assert found.tolist() == [[1, 0], [0, 1]]
    assert sent == [("/v1/embeddings", {"model": "m", "input": ["doc: a", "doc: b"]})]


def test_ollama_has_its_own_form() -> None:
    sent: list[Any] = []
    embedder = served("ollama", {"embeddings": [[0, 5]]}, sent, ask="query: ")
    assert embedder.embed(["a"], question=True).tolist() == [[0, 1]]
    assert sent == [("/v1/api/embed", {"model": "m", "input": ["query: a"]})]
    assert embedder.name == "ollama/m?ask=query: "


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        ({"data": []}, "0 vectors for 1 texts; is it an embedding model"),
        ({"choices": []}, "no vectors for 1 texts"),
        ({"data": [{"embedding": ["x"]}]}, "a vector is no list of numbers"),
        ({"error": {"message": "no such model"}}, "the server says: no such model"),
    ],
)
def test_what_is_no_vector_is_one_line(answer: Any, line: str) -> None:
    with pytest.raises(ModelError, match=line):
        served("openai", answer, []).embed(["a"])


def test_names_need_a_model_or_a_folder(tmp_path: Path) -> None:
    with pytest.raises(BadOption):
        load_embedder("openai")
    with pytest.raises(BadOption, match="needs a folder"):
        load_embedder("onnx")
    with pytest.raises(BadFile, match=r"no embedder: needs model\.onnx and tokenizer\.json"):
        load_embedder(f"onnx/{tmp_path}")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A tiny random BERT over six words."""
    pytest.importorskip("onnxruntime", reason="the extra 'onnx' is not installed")
    pytest.importorskip("onnx", reason="the package onnx, which writes the test's model, is not installed")
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace

    from knowledge.bert import random_weights, write_bert

    words = {word: number for number, word in enumerate("[UNK] soup bread oven spoon [PAD]".split())}
    tokenizer = Tokenizer(WordLevel(words, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    write_bert(tmp_path / "model.onnx", random_weights(len(words)), heads=2)
    return tmp_path


def test_a_folder_embeds(folder: Path) -> None:
    embedder = load_embedder(f"onnx/{folder}?near=0.5&tokens=4")
    rows = embedder.embed(["soup", "soup spoon", "bread oven bread oven", "bread oven bread oven soup"])
    assert rows.shape == (4, 8)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, rtol=1e-5)
    np.testing.assert_allclose(rows[2], rows[3], atol=1e-6)
    np.testing.assert_allclose(rows[0], embedder.embed(["soup"])[0], atol=1e-5)
    assert embedder.name.startswith(f"onnx/{folder.name}-")
    assert embedder.near == 0.5


def test_a_broken_model_is_one_line(folder: Path) -> None:
    (folder / "model.onnx").write_bytes(b"nothing")
    with pytest.raises(BadFile, match="onnxruntime cannot read it"):
        load_embedder(f"onnx/{folder}")


def test_faiss_finds_what_exact_finds(tmp_path: Path) -> None:
    pytest.importorskip("faiss", reason="the extra 'faiss' is not installed")
    from toolmend.knowledge.search.ann import Faiss
    from toolmend.knowledge.search.dense import Exact

    rows = np.random.default_rng(0).normal(size=(3000, 16)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    ids = np.arange(10, 3010)
    file = tmp_path / "know.db-3000x3009.faiss"
    (tmp_path / "know.db-1x1.faiss").write_bytes(b"old")
    index, exact = Faiss(ids, rows, file, probes=76), Exact(ids, rows)
    assert [number for number, _ in index.search(rows[7], 5)] == [number for number, _ in exact.search(rows[7], 5)]
    assert index.search(rows[7], 3, [17, 18]) == exact.search(rows[7], 3, [17, 18])
    assert [each.name for each in tmp_path.iterdir()] == [file.name]
    file.write_bytes(b"broken")
    assert Faiss(ids, rows, file).search(rows[7], 1)[0][0] == 17
