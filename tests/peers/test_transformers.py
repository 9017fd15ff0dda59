"""`transformers serve` with a tiny random model: no [DONE], counts in the last chunk, much that it ignores."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from toolmend.base.errors import ModelError
from toolmend.base.messages import Constraint, Message, Options, Reply, Request
from toolmend.models.ollama import Ollama
from toolmend.models.openai_compat import OpenAICompatible
from toolmend.models.probe import probe

pytestmark = [pytest.mark.peer, pytest.mark.timeout(600)]
MAKE = Path(__file__).parent / "make_hf.py"
ASKED = Request((Message("user", "Say something."),), options=Options(max_tokens=12, temperature=1.0, seed=3))


@pytest.fixture(scope="module")
def url(
    peer_python: Callable[[str], Path], serving: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """The server's address, with a model made on the spot."""
    python, folder = peer_python("transformers"), tmp_path_factory.mktemp("hf")
    peer_python("torch, uvicorn, fastapi")
    subprocess.run([python, MAKE, folder / "tiny"], check=True, capture_output=True)
    command = [python.parent / "transformers", "serve", "--host", "127.0.0.1", "--device", "cpu", "tiny"]
    with serving(lambda port: [*command, "--port", port], "/health", folder) as address:
        yield address


def model(url: str, name: str = "tiny", **options: Any) -> OpenAICompatible:
    """The adapter under test."""
    return OpenAICompatible(name, base_url=f"{url}/v1", **{"retries": 0, **options})


def ask(model: OpenAICompatible | Ollama, request: Request = ASKED, heard: list[str] | None = None) -> Reply:
    """One reply."""
    return anyio.run(lambda: model.reply(request, on_delta=None if heard is None else heard.append))


@pytest.mark.parametrize("stream", [True, False])
def test_a_reply_is_counted(url: str, stream: bool) -> None:
    heard: list[str] = []
    reply = ask(model(url, stream=stream), heard=heard)
    assert (reply.finish, reply.usage.output_tokens, reply.usage.input_tokens > 10) == ("length", 12, True)
    assert "".join(heard) == reply.text


def test_a_stream_ends_without_done(url: str) -> None:
    reply = ask(model(url))
    assert reply.wire is not None and "[DONE]" not in reply.wire.reply


def test_a_schema_that_is_ignored_is_said_so(url: str) -> None:
    schema = Constraint("json_schema", {"type": "object"})
    reply = ask(model(url), Request(ASKED.messages, (), ASKED.options, schema))
    assert reply.unmet == ("response_format: reply is no JSON",)


def test_another_model_is_refused(url: str) -> None:
    with pytest.raises(ModelError, match=r"^openai/other: HTTP 400 Bad Request: Server is pinned to 'tiny'"):
        ask(model(url, "other"))


def test_ollama_does_not_live_here(url: str) -> None:
    with pytest.raises(ModelError, match=r"^ollama/tiny: HTTP 404 Not Found"):
        ask(Ollama("tiny", base_url=url))


@pytest.mark.slow
def test_probe(url: str) -> None:
    found = {each.asked: each.verdict for each in anyio.run(probe, model(url))}
    assert (found["a plain reply"], found["streaming"]) == ("honoured", "honoured")
