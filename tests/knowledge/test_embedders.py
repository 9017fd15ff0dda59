"""Embedders behind servers: what is sent, what is refused; and faiss beside comparing everything."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx2
import numpy as np
import pytest

from toolmend.errors import BadOption, ModelError
from toolmend.knowledge.search import load_embedder
from toolmend.knowledge.search.served import EmbedderSettings, ServedEmbedder


def served(family: str, answer: Any, sent: list[Any], **given: Any) -> ServedEmbedder:
    def handle(request: httpx2.Request) -> httpx2.Response:
        sent.append((request.url.path, json.loads(request.content)))
        return httpx2.Response(200, json=answer)

    settings = EmbedderSettings(base_url="http://127.0.0.1:9/v1", **given)
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


def test_a_name_needs_a_model() -> None:
    with pytest.raises(BadOption, match="needs a model: openai/MODEL"):
        load_embedder("openai")


def test_faiss_finds_what_exact_finds(tmp_path: Path) -> None:
    pytest.importorskip("faiss", reason="the extra 'faiss' is not installed")
    from toolmend.knowledge.search.dense import Exact, Faiss

    rows = np.random.default_rng(0).normal(size=(3000, 16)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    ids = np.arange(10, 3010)
    file = tmp_path / "know.db-3000x3009.faiss"
    (tmp_path / "know.db-1x1.faiss").write_bytes(b"old")
    index, exact = Faiss(ids, rows, file, probes=76), Exact(ids, rows)
    assert [number for number, _ in index.search(rows[7], 5)] == [number for number, _ in exact.search(rows[7], 5)]
    assert [each.name for each in tmp_path.iterdir()] == [file.name]
    file.write_bytes(b"broken")
    assert Faiss(ids, rows, file).search(rows[7], 1)[0][0] == 17
