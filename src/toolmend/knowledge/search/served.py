"""Embedders behind a server: `openai/MODEL?base_url=…` (any that speaks OpenAI's /embeddings), `ollama/MODEL`.

Attempts, limits and keys are toolmend/http's. An answer is checked: as many vectors as texts, of one length.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from toolmend.errors import BadOption, ModelError
from toolmend.http import DONE, Server, Transport, error_text, excerpt, web_address
from toolmend.http.client import Times
from toolmend.knowledge.search.embedder import Vectors, unit
from toolmend.options import read_options, split_name
from toolmend.portal import run_sync

_OPENAI, _OLLAMA = "https://api.openai.com/v1", "http://127.0.0.1:11434"
_MOST = 256 << 20
_AT_ONCE = 64  # texts in a request
_SECONDS = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderSettings:
    """What can be said of an embedder behind a server.

    `ask` and `passage` are put before questions and passages, for models that want it ("query: ").
    """

    base_url: str = ""
    key_env: str = ""
    ask: str = ""
    passage: str = ""


class ServedEmbedder:
    """An embedder behind a server. `transport` replaces the network."""

    def __init__(self, family: str, model: str, settings: EmbedderSettings, transport: Transport | None = None) -> None:
        prefixes = "&".join(f"{key}={getattr(settings, key)}" for key in ("ask", "passage") if getattr(settings, key))
        self.name = f"{family}/{model}" + (f"?{prefixes}" if prefixes else "")
        self._model, self._settings = model, settings
        ollama = family == "ollama"
        self._path, self._list = ("api/embed", "embeddings") if ollama else ("embeddings", "data")
        key_env = settings.key_env or ("OLLAMA_API_KEY" if ollama else "OPENAI_API_KEY")
        usual = _OLLAMA if ollama else os.environ.get("OPENAI_BASE_URL") or _OPENAI
        self._server = Server(
            web_address(settings.base_url or usual, f"{self.name}: base_url"),
            self.name,
            key=os.environ.get(key_env, "").strip(),
            key_env=key_env,
            times=Times(silence=_SECONDS, whole=_SECONDS),
            transport=transport,
        )

    def embed(self, texts: Sequence[str], *, question: bool = False) -> Vectors:
        """A row for each text. Raises ModelError."""
        before = self._settings.ask if question else self._settings.passage
        said = [before + text for text in texts]
        rows = [row for at in range(0, len(said), _AT_ONCE) for row in run_sync(self._ask, said[at : at + _AT_ONCE])]
        if len({len(row) for row in rows}) > 1:
            raise ModelError(f"{self.name}: its vectors are not all of one length")
        return unit(np.array(rows, dtype=np.float32).reshape(len(rows), -1))

    async def _ask(self, texts: list[str]) -> list[list[float]]:
        answer: list[Any] = []

        def take(value: Any) -> bool:
            if value is not DONE:
                answer.append(value)
            return True

        await self._server.post(self._path, {"model": self._model, "input": texts}, take, _MOST)
        said = answer[0] if answer and isinstance(answer[0], Mapping) else {}
        if said.get("error"):
            line = excerpt(error_text(said["error"]) or str(said["error"]))
            raise ModelError(f"{self.name}: the server says: {self._server.secrets.hide_all(line)}")
        rows = said.get(self._list)
        if not isinstance(rows, list) or len(rows) != len(texts):
            count = len(rows) if isinstance(rows, list) else "no"
            raise ModelError(f"{self.name}: {count} vectors for {len(texts)} texts; is it an embedding model?")
        if all(isinstance(row, Mapping) and isinstance(row.get("index"), int) for row in rows):
            rows = sorted(rows, key=lambda row: int(row["index"]))  # OpenAI's say which text they belong to
        return [self._row(each) for each in rows]

    def _row(self, row: Any) -> list[float]:
        numbers = row.get("embedding") if isinstance(row, Mapping) else row
        if isinstance(numbers, list) and numbers and all(type(each) in (int, float) for each in numbers):
            return [float(each) for each in numbers]
        raise ModelError(f"{self.name}: a vector is no list of numbers but {excerpt(str(numbers))}")


def _load(family: str, rest: str) -> ServedEmbedder:
    """The embedder of the name `FAMILY/MODEL?base_url=…`."""
    if not rest:
        raise BadOption(f"embedder {family!r} needs a model: {family}/MODEL")
    model, given = split_name(rest, "embedder")
    return ServedEmbedder(family, model, read_options(EmbedderSettings, given, f"{family}/{model}"))


openai, ollama = partial(_load, "openai"), partial(_load, "ollama")
