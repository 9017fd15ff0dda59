"""Embedders behind a server: `openai/MODEL?base_url=…` (any that speaks OpenAI's /embeddings), `ollama/MODEL`.

Attempts, limits and keys are toolmend/http's. An answer is checked: as many vectors as texts, of one length.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from toolmend.errors import BadOption, ModelError
from toolmend.http import DONE, Retry, Server, Transport, error_text, excerpt, web_address
from toolmend.http.client import Times
from toolmend.knowledge.search.embedder import Vectors, unit
from toolmend.options import read_options, split_name
from toolmend.portal import run_sync

_OPENAI, _OLLAMA = "https://api.openai.com/v1", "http://127.0.0.1:11434"
_MOST = 256 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderSettings:
    """What can be said of an embedder behind a server.

    `ask` and `passage` are put before questions and passages, for models that want it ("query: "); `near` is the cosine
    from which on a passage answers; `batch` texts go in a request; `timeout` seconds are waited for each.
    """

    base_url: str = ""
    key_env: str = ""
    ask: str = ""
    passage: str = ""
    near: float | None = None
    batch: int = 64
    timeout: float = 120.0
    retries: int = field(default=4, metadata={"least": 0, "most": 100})


class ServedEmbedder:
    """An embedder behind a server. `transport` replaces the network."""

    def __init__(
        self,
        family: str,
        model: str,
        settings: EmbedderSettings,
        transport: Transport | None = None,
        retry: Retry | None = None,
    ) -> None:
        if not model:
            raise BadOption(f"embedder {family!r} needs a model: {family}/MODEL")
        prefixes = "&".join(f"{key}={getattr(settings, key)}" for key in ("ask", "passage") if getattr(settings, key))
        self.name = f"{family}/{model}" + (f"?{prefixes}" if prefixes else "")
        self.near = settings.near
        self._model, self._settings = model, settings
        self._path, self._list = ("api/embed", "embeddings") if family == "ollama" else ("embeddings", "data")
        self._server = _server(self.name, family, settings, transport, retry)

    def embed(self, texts: Sequence[str], *, question: bool = False) -> Vectors:
        """A row for each text. Raises ModelError."""
        before, size = self._settings.ask if question else self._settings.passage, self._settings.batch
        rows = [
            row
            for at in range(0, len(texts), size)
            for row in run_sync(self._ask, [before + text for text in texts[at : at + size]])
        ]
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
        return [self._row(each) for each in _ordered(rows)]

    def _row(self, row: Any) -> list[float]:
        numbers = row.get("embedding") if isinstance(row, Mapping) else row
        if isinstance(numbers, list) and numbers and all(type(each) in (int, float) for each in numbers):
            return [float(each) for each in numbers]
        raise ModelError(f"{self.name}: a vector is no list of numbers but {excerpt(str(numbers))}")


def _ordered(rows: list[Any]) -> list[Any]:
    """OpenAI's rows say which text they belong to."""
    numbers = [row.get("index") if isinstance(row, Mapping) else None for row in rows]
    if sorted(number for number in numbers if isinstance(number, int)) != list(range(len(rows))):
        return rows
    return sorted(rows, key=lambda row: int(row["index"]))


def _server(
    who: str, family: str, settings: EmbedderSettings, transport: Transport | None, retry: Retry | None
) -> Server:
    key_env = settings.key_env or ("OLLAMA_API_KEY" if family == "ollama" else "OPENAI_API_KEY")
    usual = _OLLAMA if family == "ollama" else os.environ.get("OPENAI_BASE_URL") or _OPENAI
    return Server(
        web_address(settings.base_url or usual, f"{who}: base_url"),
        who,
        key=os.environ.get(key_env, "").strip(),
        key_env=key_env,
        times=Times(silence=settings.timeout, whole=settings.timeout),
        retry=dataclasses.replace(retry or Retry(), most=settings.retries),
        transport=transport,
    )


def _load(family: str, rest: str) -> ServedEmbedder:
    model, given = split_name(rest or "?", "embedder")
    return ServedEmbedder(family, model, read_options(EmbedderSettings, given, f"{family}/{model}"))


def openai(rest: str) -> ServedEmbedder:
    """The embedder of the name `openai/MODEL?base_url=…`."""
    return _load("openai", rest)


def ollama(rest: str) -> ServedEmbedder:
    """The embedder of the name `ollama/MODEL?base_url=…`."""
    return _load("ollama", rest)
