"""Embedders behind servers: what is sent, what is refused."""

from __future__ import annotations

import json
from typing import Any

import httpx2
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
