"""`keras/…` as a model: usage, limits, stops, seeds, streaming, many at once, and the fallback."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import anyio
import anyio.from_thread
import anyio.lowlevel
import numpy as np
import pytest

from toolmend.errors import BadOption, ModelError
from toolmend.messages import Constraint, Message, Options, Request, ToolSpec
from toolmend.models import load_model
from toolmend.models.builtin import PRESETS
from toolmend.models.keras.model import KerasModel, residents
from toolmend.models.keras.worker import worker

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
    return load_model(f"keras/{folders['llama']}?window=192&batch=2")


def test_a_preset_of_our_own_has_an_engine_of_its_own() -> None:
    with pytest.raises(BadOption, match=r"--model \./FOLDER"):
        load_model(f"keras/{PRESETS / 'small'}")


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
    worker().call(lambda: None)  # it is free again
    assert heard and len("".join(heard)) < len(whole)


def test_a_constraint_is_kept_to(model: KerasModel, ask: Any) -> None:
    pytest.importorskip("llguidance")
    schema = {"type": "object", "properties": {"n": {"enum": ["yes", "no"]}}, "required": ["n"]}
    schema |= {"additionalProperties": False}
    asked = Request((Message("user", "hello"),), options=Options(max_tokens=40))
    led = Request(asked.messages, options=asked.options, constraint=Constraint("json_schema", schema))
    reply = ask(model, led)
    assert json.loads(reply.text)["n"] in ("yes", "no")
    assert reply.unmet == ()


def test_a_constraint_on_pieces_with_byte_fallback(folders: dict[str, Path], ask: Any) -> None:
    pytest.importorskip("llguidance")
    led = Request((Message("user", "hi"),), constraint=Constraint("regex", "(äh|öh)-[0-9]{2}"))
    reply = ask(load_model(f"keras/{folders['gemma']}?window=192&batch=2"), led)
    assert reply.text[:3] in ("äh-", "öh-")
    assert reply.text[3:].isdigit() and len(reply.text) == 5


def test_native_tools_are_shown_where_the_family_has_them(folders: dict[str, Path]) -> None:
    model = load_model(f"keras/{folders['llama']}?window=512&batch=2&template=llama3.1")
    assert model.abilities.native_tools
    assert not any(load_model(f"keras/{folders[kind]}").abilities.native_tools for kind in ("gemma", "llama"))
    bare = request("hello")
    with_tools = Request(bare.messages, (ToolSpec("add", "Adds."),), bare.options)
    assert model.reply_now(with_tools).usage.input_tokens > model.reply_now(bare).usage.input_tokens + 50


def test_fifty_requests_from_two_threads_on_two_models(tmp_path: Path, write_folder: Any) -> None:
    """Nothing is compiled once both are warm, and everyone gets the reply that they would get alone."""
    kinds = ("llama", "qwen2")
    folders = [write_folder(tmp_path / kind, kind, num_hidden_layers=1) for kind in kinds]
    models = [load_model(f"keras/{folder}?window=96&batch=3") for folder in folders]
    engines = [worker().call(model._engine) for model in models]
    for engine in engines:
        worker().call(lambda engine=engine: engine.warm_up((True,)))
    traces = [engine.traces for engine in engines]
    texts = [f"{word} {number}" for number in range(5) for word in ("hello", "cancel lunch", "Anna", "5pm", "May")]
    asked = {text: request(text, temperature=1.0, seed=seed) for seed, text in enumerate(texts)}
    alone = {(model.name, text): model.reply_now(asked[text]).text for model in models for text in texts}
    assert len(set(alone.values())) == 50
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
    assert [engine.traces for engine in engines] == traces


def test_memory_that_does_not_do_is_said_with_the_plan_before_loading(
    folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch, ask: Any
) -> None:
    monkeypatch.setattr(residents(), "_budget", 1000)
    model = load_model(f"keras/{folders['mistral']}?window=64")
    with pytest.raises(ModelError, match=r"mistral needs .* kB \(weights .* in float32, caches .* 5 rows of 64 tokens"):
        ask(model, request("hello"))


def test_memory_that_does_not_do_loads_nothing(
    folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch, ask: Any
) -> None:
    from toolmend.models.keras import loading

    loaded: list[Any] = []
    monkeypatch.setattr(residents(), "_budget", 1000)
    monkeypatch.setattr(loading, "load_lm", lambda *given: loaded.append(given))
    with pytest.raises(ModelError, match="TOOLMEND_MEMORY sets the budget"):
        ask(load_model(f"keras/{folders['qwen3']}?window=64"), request("hello"))
    assert loaded == []


def test_memory_that_runs_out_on_the_way_lets_the_model_go(
    folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch, ask: Any
) -> None:
    model = load_model(f"keras/{folders['llama']}?window=64&batch=1&dtype=float32")
    engine: Any = worker().call(model._engine)

    def out(rows: Any) -> None:
        raise RuntimeError("RESOURCE_EXHAUSTED: Out of memory allocating 1099511627776 bytes")

    monkeypatch.setattr(engine, "generate", out)
    said = r"memory ran out with 1 rows of 64 tokens \(weights .* kB, caches .* kB\); a smaller window, or batch=1"
    with pytest.raises(ModelError, match=said):
        ask(model, request("hello"))
    assert worker().call(model._engine) is not engine  # it went, and was loaded anew


def test_memory_that_runs_out_while_loading(folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    from toolmend.models.keras import loading
    from toolmend.models.keras.folder import Folder

    def out(folder: Any, dtype: str) -> None:
        raise MemoryError

    monkeypatch.setattr(loading, "_converted", out)
    with pytest.raises(ModelError, match="mistral: no memory for its weights in bfloat16"):
        worker().call(lambda: loading.load_lm(Folder.read(folders["mistral"]), "bfloat16"))


@pytest.fixture(scope="module")
def tied_preset(folders: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tied Llama as KerasHub saves it, without the key that says so."""
    folder = tmp_path_factory.mktemp("preset") / "tied"

    def save() -> None:
        import keras

        keras.utils.set_random_seed(0)
        backbone = keras_hub.models.Llama3Backbone(
            vocabulary_size=320, num_layers=1, num_query_heads=2, hidden_dim=16, intermediate_dim=24,
            num_key_value_heads=1, tie_word_embeddings=True,
        )  # fmt: skip
        specials = ["<|begin_of_text|>", "<|end_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"]
        letters = _letters()
        vocabulary = {name: number for number, name in enumerate([*specials, *letters])}
        tokenizer = keras_hub.models.Llama3Tokenizer(vocabulary=vocabulary, merges=[])
        backbone.save_to_preset(str(folder))
        tokenizer.save_to_preset(str(folder))

    worker().call(save)
    return folder


def _letters() -> list[str]:
    from toolmend.models.builtin.tokens import byte_letters

    return sorted(byte_letters())


def test_a_preset_that_kerashub_saved_and_cannot_load(tied_preset: Path, ask: Any) -> None:
    model = load_model(f"keras/{tied_preset}?window=64&batch=1")
    reply = ask(model, request("héllo", max_tokens=5))
    assert reply.usage.output_tokens == 5
    assert model.chat.template.name == "llama3"
    assert model.chat.tokens.decode(model.chat.tokens.encode("héllo")) == "héllo"


def test_a_cache_of_another_form_is_told(folders: dict[str, Path], ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def other(_lm: Any) -> None:
        raise ValueError("LlamaCausalLM has a cache of rank 5, not 6")

    monkeypatch.setattr("toolmend.models.keras.engine.cache_shape", other)
    model = load_model(f"keras/{folders['llama']}?window=65&batch=1")
    with pytest.raises(ModelError, match="a cache of rank 5, not 6; as a GGUF file it runs as gguf/"):
        ask(model, request("hi"))


def test_nothing_of_numpy_is_left_over(model: KerasModel, ask: Any) -> None:
    """A record must be JSON: tokens are counted in plain numbers."""
    assert json.dumps(ask(model, request("hello")).usage.output_tokens)
    assert not isinstance(ask(model, request("hello")).usage.output_tokens, np.integer)
