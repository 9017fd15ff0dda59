"""What the tests of the server share: an app in this process, and models that say what a test wants."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import anyio
import httpx2
import pytest

pytest.importorskip("starlette")

from toolmend import registry
from toolmend.apps.server.app import create_app
from toolmend.apps.server.settings import ServerSettings
from toolmend.models import Abilities
from toolmend.models.scripted import Script, Scripted


class Plain(Scripted):
    """A scripted model that calls no tools itself."""

    abilities = Abilities(streaming=True)


@dataclass
class Api:
    """A server in this process, and its models `canned/native` and `canned/text`, which say what the script says."""

    app: Any
    native: Scripted
    text: Plain

    def request(self, method: str, path: str, **about: Any) -> httpx2.Response:
        """One request, answered."""

        async def sent() -> httpx2.Response:
            transport = httpx2.ASGITransport(self.app)
            async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client:
                return await client.request(method, path, **about)

        return anyio.run(sent)

    def post(self, body: Any, **about: Any) -> httpx2.Response:
        """POST /v1/chat/completions."""
        return self.request("POST", "/v1/chat/completions", json=body, **about)

    def chat(self, model: str, *messages: dict[str, Any], **fields: Any) -> dict[str, Any]:
        """The completion; fails for anything but 200."""
        answer = self.post({"model": model, "messages": list(messages), **fields})
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def message(self, model: str, *messages: dict[str, Any], **fields: Any) -> dict[str, Any]:
        """The message of the first choice."""
        found: dict[str, Any] = self.chat(model, *messages, **fields)["choices"][0]["message"]
        return found

    def error(self, body: Any, **about: Any) -> tuple[int, str | None, str | None]:
        """Status, code and parameter of a refusal."""
        answer = self.post(body, **about)
        error = answer.json()["error"]
        assert set(error) == {"message", "type", "param", "code"}
        return answer.status_code, error["code"], error["param"]

    def events(self, body: dict[str, Any]) -> list[Any]:
        """The events of a stream, read; `[DONE]` as it is."""
        lines = [line.removeprefix("data: ") for line in self.post({**body, "stream": True}).text.split("\n\n")]
        return [line if line == "[DONE]" else json.loads(line) for line in lines if line and not line.startswith(":")]


Serve = Callable[..., Api]


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    """Makes a server whose models say what the script says."""

    def made(script: Script = ("Hello.",), **settings: Any) -> Api:
        native, text = Scripted(script, "canned/native"), Plain(script, "canned/text")
        monkeypatch.setitem(registry.models._table, "canned", {"native": native, "text": text}.__getitem__)
        models = ("builtin/small", "canned/native", "canned/text")
        return Api(create_app(ServerSettings(**{"models": models, **settings})), native, text)

    yield made
