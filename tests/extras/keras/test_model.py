"""`keras/…` as a model: usage, limits, stops, seeds, streaming, many at once, memory, several devices."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import anyio
import anyio.from_thread
import anyio.lowlevel
import numpy as np
import pytest

from tiny_llama import LETTERS
from toolmend.base.errors import BadFile, BadOption, ModelError
from toolmend.base.messages import Constraint, Message, Options, Request, ToolSpec
from toolmend.extras.keras.loading import worker
from toolmend.extras.keras.model import KerasModel, _residents
from toolmend.models import load_model

keras_hub = pytest.importorskip("keras_hub")
pytestmark = [
    pytest.mark.slow,
    # Keras turns its variables into arrays in numpy's old way when it saves.
    pytest.mark.filterwarnings("ignore:__array__ implementation doesn't accept a copy:DeprecationWarning"),
]


def request(*said: str, **options: Any) -> Request:
    roles = ["user", "assistant"] * len(said)
    messages = tuple(Message(role, text) for role, text in zip(roles, said, strict=False))
    return Request(messages, options=Options(**{"max_tokens": 12, **options}))


@pytest.fixture(scope="module")
def model(folders: dict[str, Path]) -> KerasModel:
    return load_model(f"keras/{folders['llama']}?window=192")


def test_usage_and_the_limit_of_tokens(model: KerasModel, ask: Any) -> None:
    reply = ask(model, request("hello", max_tokens=7))
    assert (reply.usage.output_tokens, reply.finish) == (7, "length")
    assert reply.usage.seconds > 0
    assert reply.model == model.name


def test_pieces_are_the_text(model: KerasModel, ask: Any) -> None:
    pieces: list[str] = []
    reply = ask(model, request("hello", max_tokens=40), pieces.append)
    assert "".join(pieces) == reply.text
    assert len(pieces) > 1


def test_a_stop_text_cuts(model: KerasModel, ask: Any) -> None:
    whole = ask(model, request("hello", max_tokens=40)).text
    stop = whole[10:13]
    reply = ask(model, request("hello", max_tokens=40, stop=(stop,)))
    assert (reply.text, reply.finish) == (whole[: whole.index(stop)], "stop")


def test_a_seed_repeats_a_draw(model: KerasModel, ask: Any) -> None:
    drawn = [ask(model, request("hello", temperature=1.5, seed=seed)).text for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_a_long_talk_loses_its_oldest_turns(model: KerasModel, ask: Any) -> None:
    long = ["Add a meeting with Anna on May 3 at 5pm"] * 21
    reply = ask(model, request(*long))
    assert reply.truncated
    assert reply.usage.input_tokens + 12 <= 192


def test_a_listener_that_fails_fails_its_own_reply_only(model: KerasModel, ask: Any) -> None:
    def broken(piece: str) -> None:
        raise KeyError("listener")

    with pytest.raises(KeyError, match="listener"):
        ask(model, request("hello"), broken)
    assert ask(model, request("hello")).text


def test_a_cancelled_reply_stops_the_computing(model: KerasModel, ask: Any) -> None:
    asked = request("hello", max_tokens=64)
    whole, heard = ask(model, asked).text, list[str]()

    async def leave() -> None:
        token = anyio.lowlevel.current_token()
        with anyio.CancelScope() as scope:

            def hear(piece: str) -> None:
                heard.append(piece)
                anyio.from_thread.run_sync(scope.cancel, token=token)

            await model.reply(asked, on_delta=hear)

    anyio.run(leave)
    worker().submit(int).result()  # it is free again
    assert heard and len("".join(heard)) < len(whole)


def test_a_constraint_is_told_to_be_unmet(model: KerasModel, ask: Any) -> None:
    led = Request((Message("user", "hello"),), constraint=Constraint("regex", "yes|no"))
    assert ask(model, led).unmet == ("constraint: regex asked, models on Keras have none",)


def test_native_tools_are_shown_where_a_model_has_them(folders: dict[str, Path], tmp_path: Path, ask: Any) -> None:
    folder = shutil.copytree(folders["qwen2"], tmp_path / "qwen")
    source = "{{ tools | tojson if tools }}{% for m in messages %}{{ m.content }}{% endfor %}<tool_call>"
    (folder / "chat_template.jinja").write_text(source)
    model = load_model(f"keras/{folder}?window=512")
    assert model.abilities.native_tools
    assert not any(load_model(f"keras/{folders[kind]}").abilities.native_tools for kind in ("gemma", "qwen2"))
    bare = request("hello")
    with_tools = Request(bare.messages, (ToolSpec("add", "Adds."),), bare.options)
    assert ask(model, with_tools).usage.input_tokens > ask(model, bare).usage.input_tokens + 20


def test_requests_from_two_threads_on_two_models(tmp_path: Path, write_folder: Any, ask: Any) -> None:
    """Everyone gets the reply that they would get alone."""
    folders = [write_folder(tmp_path / kind, kind, num_hidden_layers=1) for kind in ("llama", "qwen2")]
    models = [load_model(f"keras/{folder}?window=96") for folder in folders]
    texts = ["hello", "cancel lunch", "Anna", "5pm"]
    asked = {text: request(text, temperature=1.0, seed=seed) for seed, text in enumerate(texts)}
    alone = {(model.name, text): ask(model, asked[text]).text for model in models for text in texts}
    assert len(set(alone.values())) == 8
    got: dict[tuple[str, str], str] = {}

    def ask_all(own: list[str]) -> None:
        async def one(model: KerasModel, text: str) -> None:
            got[model.name, text] = (await model.reply(asked[text])).text

        async def run() -> None:
            async with anyio.create_task_group() as group:
                for text in own:
                    for model in models:
                        group.start_soon(one, model, text)

        anyio.run(run)

    threads = [threading.Thread(target=ask_all, args=(texts[start::2],)) for start in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == alone


def test_memory_that_does_not_do_is_said_with_the_plan_before_loading(
    folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch, ask: Any
) -> None:
    monkeypatch.setattr(_residents(), "budget", 1000, raising=False)
    model = load_model(f"keras/{folders['mistral']}?window=64")
    with pytest.raises(
        ModelError, match=r"mistral needs .* kB \(weights .* in float32, caches .* 4 talks of 64 tokens"
    ):
        ask(model, request("hello"))


def test_memory_that_does_not_do_loads_nothing(
    folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch, ask: Any
) -> None:
    from toolmend.extras.keras import model as models

    loaded: list[Any] = []
    monkeypatch.setattr(_residents(), "budget", 1000, raising=False)
    monkeypatch.setattr(models, "load_lm", lambda *given: loaded.append(given))
    with pytest.raises(ModelError, match="TOOLMEND_MEMORY sets the budget"):
        ask(load_model(f"keras/{folders['qwen3']}?window=64"), request("hello"))
    assert loaded == []


def test_memory_that_runs_out_on_the_way_lets_the_model_go(
    folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch, ask: Any
) -> None:
    model: Any = load_model(f"keras/{folders['llama']}?window=64&dtype=float32")
    engine = worker().submit(model._engine).result()

    def out(*given: Any) -> None:
        raise RuntimeError("RESOURCE_EXHAUSTED: Out of memory allocating 1099511627776 bytes")

    monkeypatch.setattr(engine, "reply", out)
    with pytest.raises(ModelError, match=r"memory ran out \(weights .* kB in float32, caches .*\); a smaller window"):
        ask(model, request("hello"))
    assert worker().submit(model._engine).result() is not engine  # it went, and was loaded anew


def test_memory_that_runs_out_while_loading(folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    from toolmend.extras.keras import loading
    from toolmend.extras.keras.folder import Folder

    def out(folder: Any, dtype: str) -> None:
        raise MemoryError

    monkeypatch.setattr(loading, "_backbone", out)
    with pytest.raises(ModelError, match="mistral: no memory for its weights in bfloat16"):
        worker().submit(loading.load_lm, Folder.read(folders["mistral"]), "bfloat16").result()


@pytest.fixture(scope="module")
def preset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Llama as KerasHub saves it."""
    folder = tmp_path_factory.mktemp("preset") / "llama"

    def save() -> None:
        import keras

        keras.utils.set_random_seed(0)
        backbone = keras_hub.models.Llama3Backbone(
            vocabulary_size=320, num_layers=1, num_query_heads=2, hidden_dim=16, intermediate_dim=24,
            num_key_value_heads=1,
        )  # fmt: skip
        specials = ["<|begin_of_text|>", "<|end_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"]
        vocabulary = {name: number for number, name in enumerate([*specials, *LETTERS])}
        tokenizer = keras_hub.models.Llama3Tokenizer(vocabulary=vocabulary, merges=[])
        backbone.save_to_preset(str(folder))
        tokenizer.save_to_preset(str(folder))

    worker().submit(save).result()
    return folder


def test_a_preset_that_kerashub_saved(preset: Path, ask: Any) -> None:
    model: Any = load_model(f"keras/{preset}?window=64")
    assert ask(model, request("héllo", max_tokens=5)).usage.output_tokens == 5
    assert model.chat.template.name == "llama3"
    assert model.chat.tokens.decode(model.chat.tokens.encode("héllo")) == "héllo"


def test_weights_that_are_cut_off_are_told(folders: dict[str, Path], tmp_path: Path, ask: Any) -> None:
    folder = shutil.copytree(folders["llama"], tmp_path / "cut")
    data = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(data[:-10])
    with pytest.raises(BadFile, match="cannot be loaded by KerasHub"):
        ask(load_model(f"keras/{folder}?window=64"), request("hi"))


def test_more_devices_than_there_are(folders: dict[str, Path], ask: Any) -> None:
    with pytest.raises(BadOption, match="on 64 devices: this machine has"):
        ask(load_model(f"keras/{folders['llama']}?window=64&devices=64"), request("hi"))


@pytest.mark.timeout(600)
def test_weights_that_are_cut_over_devices_say_the_same(write_folder: Any, tmp_path: Path) -> None:
    """In a process of its own: devices are counted when JAX starts."""
    folder = write_folder(tmp_path / "mistral", "mistral", num_hidden_layers=1)
    script = """
import sys, anyio
from toolmend.base.messages import Message, Options, Request
from toolmend.models import load_model
said = []
for devices in (1, 2):
    model = load_model(f"keras/{sys.argv[1]}?window=64&devices={devices}")
    asked = Request((Message("user", "hi"),), options=Options(max_tokens=5))
    said.append(anyio.run(model.reply, asked).text)
    query = next(v for v in model._engine()._variables if v.path.endswith("query/kernel"))
    said.append([shard.data.shape for shard in query.value.addressable_shards])
print(said)
"""
    more = {"PYTHONPATH": "src", "JAX_PLATFORMS": "cpu", "XLA_FLAGS": "--xla_force_host_platform_device_count=2"}
    command = [sys.executable, "-c", script, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **more}, check=False)
    assert done.returncode == 0, done.stderr
    text, whole, again, cut = ast.literal_eval(done.stdout)
    assert text and text == again
    assert (whole, cut) == ([(32, 4, 8)], [(16, 4, 8)] * 2)


def test_a_cache_of_another_form_is_told(folders: dict[str, Path], ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def other(_lm: Any) -> None:
        raise ValueError("LlamaCausalLM has a cache of rank 5, not 6")

    monkeypatch.setattr("toolmend.extras.keras.engine.cache_shape", other)
    model = load_model(f"keras/{folders['llama']}?window=65")
    with pytest.raises(ModelError, match="a cache of rank 5, not 6; as a GGUF file it runs as gguf/"):
        ask(model, request("hi"))


def test_nothing_of_numpy_is_left_over(model: KerasModel, ask: Any) -> None:
    """A record must be JSON: tokens are counted in plain numbers."""
    assert json.dumps(ask(model, request("hello")).usage.output_tokens)
    assert not isinstance(ask(model, request("hello")).usage.output_tokens, np.integer)
