"""llama-cpp-python's server with a tiny random model: noise for text, but true streams, counts and grammars."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from toolmend.base.errors import ModelError
from toolmend.base.messages import Message, Options, Reply, Request, ToolSpec
from toolmend.evals.running.plan import Plan
from toolmend.evals.running.runner import run
from toolmend.evals.store import Store
from toolmend.evals.suites.suite import load_suite, select
from toolmend.models.ollama import Ollama
from toolmend.models.openai_compat import OpenAICompatible
from toolmend.models.probe import probe

pytestmark = [pytest.mark.peer, pytest.mark.timeout(600)]
MAKE = Path(__file__).parent / "make_gguf.py"
WEATHER = ToolSpec(
    "look_up",
    "Look up the weather in a city.",
    {"type": "object", "properties": {"city": {"type": "string", "enum": ["Rome", "Oslo"]}}, "required": ["city"]},
    "weather",
)
ASKED = Request((Message("user", "Say something."),), options=Options(max_tokens=12, temperature=1.0, seed=3))


@pytest.fixture(scope="module")
def url(
    peer_python: Callable[[str], Path], serving: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """The server's address, with a model made on the spot."""
    python, folder = peer_python("llama_cpp.server"), tmp_path_factory.mktemp("gguf")
    peer_python("gguf")
    subprocess.run([python, MAKE, folder / "tiny.gguf"], check=True)
    options = ["--model", "tiny.gguf", "--n_ctx", 2048, "--n_threads", 1, "--chat_format", "chatml-function-calling"]
    command = [python, "-m", "llama_cpp.server", "--host", "127.0.0.1", *options]
    with serving(lambda port: [*command, "--port", port], "/v1/models", folder) as address:
        yield address


def model(url: str, **options: Any) -> OpenAICompatible:
    """The adapter under test."""
    return OpenAICompatible("tiny.gguf", base_url=f"{url}/v1", **{"retries": 0, **options})


def ask(model: OpenAICompatible | Ollama, request: Request = ASKED, heard: list[str] | None = None) -> Reply:
    """One reply."""
    return anyio.run(lambda: model.reply(request, on_delta=None if heard is None else heard.append))


def test_a_whole_reply(url: str) -> None:
    reply = ask(model(url, stream=False))
    assert (reply.finish, reply.usage.input_tokens > 10, reply.usage.output_tokens > 0) == ("length", True, True)
    assert reply.text


def test_a_stream(url: str) -> None:
    heard: list[str] = []
    reply = ask(model(url), heard=heard)
    assert (reply.finish, "".join(heard) == reply.text, len(heard) > 1) == ("length", True, True)
    assert reply.wire is not None and reply.wire.reply.rstrip().endswith("data: [DONE]")


@pytest.mark.parametrize("stream", [True, False])
def test_a_forced_call_fits_its_schema(url: str, stream: bool) -> None:
    request = Request(ASKED.messages, (WEATHER,), Options(max_tokens=200, seed=3))
    reply = ask(model(url, stream=stream, tool_choice="weather.look_up"), request)
    assert [call.tool for call in reply.calls] == ["weather.look_up"]
    assert reply.calls[0].arguments["city"] in ("Rome", "Oslo")
    assert not [line for line in reply.unmet if line.startswith("tool_choice")]


def test_what_it_refuses_has_a_name(url: str) -> None:
    request = Request(ASKED.messages, (WEATHER,), Options(max_tokens=20))
    with pytest.raises(ModelError, match=r"^openai/tiny.gguf: HTTP 500"):
        ask(model(url, stream=False, tool_choice="required"), request)


def test_ollama_does_not_live_here(url: str) -> None:
    with pytest.raises(ModelError, match=r"^ollama/tiny: HTTP 404"):
        ask(Ollama("tiny", base_url=url))


def test_a_run_keeps_every_sample(url: str, tmp_path: Path) -> None:
    suite = select(load_suite("calendar"), ["reliability"])
    with Store(tmp_path / "peer.db") as store:
        plan = Plan.make(suite, [Short(model(url))], ["oneline"], attempts=2)
        made = anyio.run(run, plan, store)
        assert store.counts(made.id) == {"ok": len(plan.samples()), "error": 0}


class Short(OpenAICompatible):
    """Says little, because all of it is noise."""

    def __init__(self, inner: OpenAICompatible) -> None:
        super().__init__(inner.model, base_url=inner.settings.base_url)

    async def reply(self, request: Request, **options: Any) -> Reply:
        """A few tokens."""
        few = replace(request, options=replace(request.options, max_tokens=4))
        return await super().reply(few, **options)


@pytest.mark.slow
def test_probe(url: str) -> None:
    found = {each.asked: each.verdict for each in anyio.run(probe, model(url))}
    assert (found["a plain reply"], found["streaming"], found["a JSON schema"]) == ("honoured", "honoured", "refused")
