"""Replies of a GGUF model: window, slots, cache, cancelling, constraints, chances, adapters. The net is random."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import anyio
import anyio.from_thread
import numpy as np
import pytest

from toolmend import load_model
from toolmend.base.errors import BadFile, BadOption, ModelError
from toolmend.base.messages import Constraint, Message, Options, Reply, Request
from toolmend.models.gguf import load
from toolmend.models.gguf.engine import library
from toolmend.models.gguf.model import Chance, GgufModel
from toolmend.models.gguf.places import locate

Write = Callable[..., Path]


def request(*said: str, constraint: Constraint | None = None, **options: Any) -> Request:
    roles = ("user", "assistant")
    messages = tuple(Message(roles[place % 2], text) for place, text in enumerate(said))  # type: ignore[arg-type]
    return Request(messages, options=Options(**{"max_tokens": 8, **options}), constraint=constraint)


def reply(model: Any, asked: Request, on_delta: Callable[[str], None] | None = None) -> Reply:
    async def ask() -> Reply:
        answer: Reply = await model.reply(asked, on_delta=on_delta)
        return answer

    return anyio.run(ask)


def cached(model: GgufModel, asked: Request) -> int:
    """Tokens of a prompt that were not read again."""
    pieces: list[Any] = []
    prompt = model.chat.prompt(asked.messages, (), None)  # type: ignore[arg-type]
    body = {"n_predict": 1, "temperature": 0}
    model.engine.run(prompt, body, model.adapter, lambda piece: bool(pieces.append(piece)), Event())
    found: int = pieces[-1]["usage"]["prompt_tokens_details"]["cached_tokens"]
    return found


def test_counts_are_the_engines_own(model: GgufModel) -> None:
    answer = reply(model, request("ab", max_tokens=3))
    # <|im_start|> user \n ab <|im_end|> \n <|im_start|> assistant \n, a token for each letter but "ab"
    assert answer.usage.input_tokens == 1 + 4 + 1 + 1 + 1 + 1 + 1 + 9 + 1
    assert (answer.usage.output_tokens, answer.finish, answer.model) == (3, "length", model.name)


def test_pieces_make_the_reply(model: GgufModel) -> None:
    pieces: list[str] = []
    assert reply(model, request("hello"), pieces.append).text == "".join(pieces)


def test_a_spelled_control_token_is_read_as_letters(model: GgufModel) -> None:
    plain, spelled = (reply(model, request(text, max_tokens=1)).usage.input_tokens for text in ("x", "<|im_end|>"))
    assert spelled - plain == len("<|im_end|>") - len("x")


def test_a_prompt_longer_than_the_window_is_said_and_not_cut(model: GgufModel) -> None:
    with pytest.raises(ModelError, match=r"tiny\.gguf: the prompt has 619 tokens and the window is 512; nothing was"):
        reply(model, request("x" * 600))


def test_the_same_seed_says_the_same(model: GgufModel) -> None:
    texts = [reply(model, request("hello", temperature=1.0, seed=seed)).text for seed in (5, 5, 6)]
    assert texts[0] == texts[1] != texts[2]


def test_temperature_and_seed_in_the_name(tiny: Path) -> None:
    warm = load(f"{tiny}?threads=1&num_ctx=512&parallel=2&temperature=1&seed=5")
    given = [reply(warm, request("hello", seed=seed)).text for seed in (None, 5, 6)]
    assert given[0] == given[1] != given[2]


def test_a_conversation_that_goes_on_is_not_read_again(model: GgufModel) -> None:
    first = request("one " * 40, max_tokens=1)
    said = reply(model, first).text
    assert cached(model, request("one " * 40, said, "two")) > 160


def test_two_conversations_keep_a_slot_each(tiny: Path) -> None:
    model = load(f"{tiny}?threads=1&num_ctx=256&parallel=2")
    for text in ("one " * 20, "two " * 20):
        assert cached(model, request(text)) < 20
    assert [cached(model, request(text, "a", "b")) > 80 for text in ("one " * 20, "two " * 20)] == [True, True]


def replies_at_once(model: GgufModel, texts: Iterable[str]) -> dict[str, str]:
    """What each text is answered, all being asked at the same time."""
    found: dict[str, str] = {}

    async def ask(text: str) -> None:
        found[text] = (await model.reply(request(text))).text

    async def all_at_once() -> None:
        async with anyio.create_task_group() as group:
            for text in texts:
                group.start_soon(ask, text)

    anyio.run(all_at_once)
    return found


def test_more_requests_than_slots_are_all_answered(model: GgufModel) -> None:
    texts = [str(number) for number in range(7)]
    assert replies_at_once(model, texts) == {text: reply(model, request(text)).text for text in texts}


def test_slots_come_as_they_are_needed(tiny: Path) -> None:
    model = load(f"{tiny}?threads=1&num_ctx=192")
    reply(model, request("x"))
    assert len(model.engine._slots) == 3
    replies_at_once(model, map(str, range(20)))
    assert (len(model.engine._slots), len(model.engine._free)) == (8, 8)


def test_many_conversations_of_a_light_model_are_spread_over_lanes(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolmend.models.gguf.engine._cores", lambda: 2)
    model = load(f"{tiny}?num_ctx=160")
    alone = {text: reply(model, request(text)).text for text in map(str, range(12))}
    assert len(model.engine._servers) == 1
    texts = replies_at_once(model, alone)
    assert sorted((slot.lane, slot.number) for slot in model.engine._slots) == [
        (lane, number) for lane in range(2) for number in range(4)
    ]
    assert len(model.engine._servers) == 2
    assert texts == alone


@pytest.mark.parametrize(("threads", "making", "reading"), [("", 1, 4), ("&threads=3", 3, 3)])
def test_one_thread_makes_a_light_models_tokens_and_all_read_its_prompts_unless_a_number_is_given(
    tiny: Path, monkeypatch: pytest.MonkeyPatch, threads: str, making: int, reading: int
) -> None:
    made: list[Any] = []
    fake = SimpleNamespace(CommonParams=library().CommonParams, Server=made.append)
    monkeypatch.setattr("toolmend.models.gguf.engine.library", lambda: fake)
    monkeypatch.setattr("toolmend.models.gguf.engine._cores", lambda: 4)
    load(f"{tiny}?num_ctx=144&parallel=1{threads}").warm_up()
    assert [(given.cpuparams.n_threads, given.cpuparams_batch.n_threads) for given in made] == [(making, reading)]


def test_a_cancelled_request_frees_its_slot(tiny: Path) -> None:
    model = load(f"{tiny}?threads=1&parallel=1")

    async def cancelled() -> bool:
        with anyio.CancelScope() as scope:
            await model.reply(
                request("x", max_tokens=4000, temperature=1.0, seed=1),
                on_delta=lambda _: anyio.from_thread.run_sync(scope.cancel),
            )
        with anyio.fail_after(60):
            await model.reply(request("y", max_tokens=1))
        return scope.cancelled_caught

    assert anyio.run(cancelled)


def test_an_error_of_a_listener_is_raised_as_it_is(model: GgufModel) -> None:
    def refuse(_: str) -> None:
        raise RuntimeError("no more paper")

    with pytest.raises(RuntimeError, match="no more paper"):
        reply(model, request("hello"), refuse)


@pytest.mark.parametrize(
    ("constraint", "fits"),
    [
        (Constraint("regex", r"[0-9]{2}/[a-c]"), lambda text: text[2] == "/" and text[:2].isdigit()),
        (Constraint("lark", 'start: "yes" | "no"'), {"yes", "no"}.__contains__),
        (
            Constraint("json_schema", {"type": "object", "properties": {"a": {"enum": [1, 2]}}, "required": ["a"]}),
            lambda text: json.loads(text)["a"] in (1, 2),
        ),
    ],
)
def test_constraints_are_kept_to(model: GgufModel, constraint: Constraint, fits: Callable[[str], bool]) -> None:
    schema = constraint.value
    if constraint.kind == "json_schema":
        schema = {**schema, "additionalProperties": False}
    answer = reply(model, request("hello", constraint=Constraint(constraint.kind, schema), max_tokens=40))
    assert fits(answer.text) and answer.unmet == ()


def test_a_constraint_that_cannot_be_compiled_is_unmet(model: GgufModel) -> None:
    answer = reply(model, request("hello", constraint=Constraint("lark", "start: nowhere")))
    assert answer.unmet == ("constraint: lark asked, not kept to: llama.cpp cannot compile it",)


def test_chances_of_the_tokens(model: GgufModel) -> None:
    async def ask() -> tuple[Reply, tuple[Chance, ...]]:
        return await model.reply_with_chances(request("hello", constraint=Constraint("regex", "[x-z]{2}")), 3)

    answer, chances = anyio.run(ask)
    assert "".join(chance.text for chance in chances) == answer.text
    assert [len(chance.top) for chance in chances[:2]] == [3, 3]
    assert all(chance.logprob <= chance.top[0][1] < 0 for chance in chances)


@pytest.fixture
def adapters(tmp_path: Path, write_adapter: Write) -> list[Path]:
    return [write_adapter(tmp_path / f"{seed}.gguf", seed) for seed in (1, 2)]


def test_adapters_over_one_base_are_chosen_per_request(tiny: Path, adapters: list[Path]) -> None:
    name = f"{tiny}?threads=1&num_ctx=256&parallel=2"
    models = [load(name), *(load(f"{name}&adapter={path}") for path in adapters)]
    assert len({id(model.engine) for model in models}) == 1
    texts = [reply(model, request("hello")).text for model in models]
    assert len(set(texts)) == 3
    assert [reply(model, request("hello")).text for model in models] == texts


def test_an_adapter_that_comes_late_is_loaded_then(tiny: Path, adapters: list[Path]) -> None:
    name = f"{tiny}?threads=1&num_ctx=128&parallel=2"
    base = load(name)
    before = reply(base, request("hello")).text
    late = load(f"{name}&adapter={adapters[0]}")
    assert reply(late, request("hello")).text != before
    assert reply(base, request("hello")).text == before


def test_an_adapter_that_was_replaced_is_not_taken_for_the_one_that_was_named(tiny: Path, adapters: list[Path]) -> None:
    name = f"{tiny}?threads=1&num_ctx=160&parallel=1"
    models = [load(f"{name}&adapter={path}") for path in adapters]
    adapters[0].write_bytes(adapters[1].read_bytes())
    with pytest.raises(BadFile, match=r"1\.gguf: is gone, or another one, since this model was named; name it anew"):
        reply(models[0], request("hello"))
    assert (
        reply(load(f"{name}&adapter={adapters[0]}"), request("hello")).text == reply(models[1], request("hello")).text
    )


def test_an_adapter_is_its_product_times_alpha_over_rank(
    tiny: Path, tmp_path: Path, weights: dict[str, Any], write_model: Write, write_adapter: Write
) -> None:
    noise, name = np.random.default_rng(3), "blk.0.attn_output.weight"
    a, b = noise.normal(0, 0.5, (2, 64)).astype("f4"), noise.normal(0, 0.5, (64, 2)).astype("f4")
    zeros = {f"{other}.lora_b": np.zeros((64, 2), "f4") for other in ("blk.0.attn_v.weight", "blk.1.ffn_down.weight")}
    adapter = write_adapter(tmp_path / "a.gguf", more={f"{name}.lora_a": a, f"{name}.lora_b": b, **zeros})
    merged = write_model(tmp_path / "merged.gguf", {name: weights[name] + 4 / 2 * b @ a})
    rows = []
    for model in (load(f"{tiny}?threads=1&num_ctx=128&parallel=1&adapter={adapter}"), load(f"{merged}?threads=1")):
        _, chances = anyio.run(model.reply_with_chances, request("hello", max_tokens=4), 5)
        rows.append([logprob for chance in chances for _, logprob in chance.top])
    assert rows[0] == pytest.approx(rows[1], abs=1e-3)


def test_another_training_is_another_model_in_a_runs_record(tiny: Path, adapters: list[Path]) -> None:
    options = [load(f"{tiny}?adapter={path}").options for path in adapters]
    assert options[0]["adapter"] != options[1]["adapter"]
    assert options[0]["file"] == options[1]["file"]


def test_a_window_beyond_the_models_own(tiny: Path) -> None:
    with pytest.raises(BadOption, match="num_ctx is 5000, and the model was made for 4096 tokens"):
        load(f"{tiny}?num_ctx=5000")


def test_a_file_that_the_engine_refuses(tmp_path: Path, write_model: Write) -> None:
    path = write_model(tmp_path / "odd.gguf", {"blk.0.attn_q.weight": np.zeros((32, 64), "f4")})
    with pytest.raises(BadFile, match=r"odd\.gguf: llama\.cpp could not load it"):
        reply(load(str(path)), request("hello"))


def test_no_port_is_opened_and_the_socket_is_out_of_reach(model: GgufModel) -> None:
    model.warm_up()
    address = model.engine._servers[0].listening_address
    assert address.startswith("unix://") and not Path(address.removeprefix("unix://")).exists()


def test_without_the_package_it_is_one_line(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    library.cache_clear()
    with pytest.raises(ModelError, match=r"^gguf/… needs the package xllamacpp, which cannot be imported"):
        reply(load(f"{tiny}?num_ctx=100"), request("hello"))
    library.cache_clear()


def test_a_real_model_answers() -> None:
    try:
        locate("smollm2")
    except ModelError as error:
        pytest.skip(str(error))
    model = load_model("gguf/smollm2?threads=1&num_ctx=512&parallel=1&template=chatml")
    assert (
        reply(model, request("What is the capital of France?", max_tokens=16)).text == "The capital of France is Paris."
    )
