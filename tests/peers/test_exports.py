"""Exports in the programs they are for: transformers and llama.cpp get the same ids, logits and text as our engine."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from toolmend.messages import Message, Options, Request
from toolmend.models import builtin
from toolmend.models.builtin.engine import Cache
from toolmend.models.builtin.tokens import END, SPECIAL
from toolmend.training.convert.converting import convert
from toolmend.training.simulate import simulate

pytestmark = [pytest.mark.peer, pytest.mark.timeout(1200)]
HERE = Path(__file__).parent
PROMPTS = 50
MADE = [END, *range(len(SPECIAL), 2048)]


@pytest.fixture(scope="module")
def asked() -> list[list[dict[str, str]]]:
    """Conversations of one to five requests from the held-out part of the simulator."""
    found: list[list[dict[str, str]]] = []
    for seed in range(777_000, 777_000 + PROMPTS):
        turns: list[dict[str, str]] = []
        for exchange in simulate(seed, held_out=True)[: 1 + seed % 5]:
            turns += [{"role": "user", "content": exchange.user}, {"role": "assistant", "content": exchange.reply}]
        found.append(turns[:-1])
    return found


@pytest.fixture(scope="module")
def ours(asked: list[list[dict[str, str]]]) -> list[dict[str, Any]]:
    """Ids, logits and greedy text of the embedded engine."""
    model = builtin.load("small")
    engine, tokens = model.warm_up()
    answers = []
    for talk in asked:
        ids = tokens.prompt([(turn["role"], turn["content"]) for turn in talk])
        messages = tuple(Message(turn["role"], turn["content"]) for turn in talk)
        reply = model.reply_now(Request(messages, options=Options(max_tokens=200)))
        answers.append({"ids": ids, "logits": engine.logits(ids, Cache(engine.sizes, len(ids))), "text": reply.text})
    return answers


def ask(python: Path, script: str, *arguments: object, asked: object) -> list[dict[str, Any]]:
    """What the script answers to the conversations."""
    command = [python, HERE / script, *map(str, arguments)]
    done = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    answers: list[dict[str, Any]] = json.loads(done.stdout)
    return answers


def test_transformers(peer_python: Callable[[str], Path], tmp_path: Path, asked: Any, ours: Any) -> None:
    python = peer_python("transformers")
    convert("builtin/small", "hf", tmp_path / "hf")
    found = ask(python, "ask_transformers.py", tmp_path / "hf", asked=asked)
    assert [each["ids"] for each in found] == [each["ids"] for each in ours]
    assert [each["text"] for each in found] == [each["text"] for each in ours]
    apart = [np.abs(np.array(a["logits"]) - b["logits"]).max() for a, b in zip(found, ours, strict=True)]
    assert max(apart) < 1e-3


@pytest.mark.parametrize("kind", ["f32", "f16"])
def test_llama_cpp_as_it_is(
    peer_python: Callable[[str], Path], tmp_path: Path, asked: Any, ours: Any, kind: str
) -> None:
    python = peer_python("xllamacpp")
    convert("builtin/small", "gguf", tmp_path / "gguf", kind)
    found = ask(python, "ask_llama_cpp.py", tmp_path / "gguf" / "model.gguf", "usual", asked=asked)
    same = sum(a["text"] == b["text"] for a, b in zip(found, ours, strict=True))
    assert same >= PROMPTS - 1  # keys and values are float16 there: a tie may fall the other way


def test_llama_cpp_in_float32(peer_python: Callable[[str], Path], tmp_path: Path, asked: Any, ours: Any) -> None:
    gguf = pytest.importorskip("gguf")
    python = peer_python("xllamacpp")
    convert("builtin/small", "gguf", tmp_path / "gguf", "f32")
    path = tmp_path / "gguf" / "model.gguf"
    base = [int(each) for each in gguf.GGUFReader(path).fields["toolmend.base"].contents()]
    found = ask(python, "ask_llama_cpp.py", path, "exact", asked=asked)
    assert [[base[number] for number in each["ids"]] for each in found] == [each["ids"] for each in ours]
    assert [each["text"] for each in found] == [each["text"] for each in ours]
    assert max(apart(a, b, base) for a, b in zip(found, ours, strict=True)) < 1e-2


def apart(found: dict[str, Any], ours: dict[str, Any], base: list[int]) -> float:
    """The largest difference between log-probabilities, over the tokens that may come first in a reply."""
    wanted = ours["logits"].astype(np.float64)[MADE]
    wanted = dict(zip(MADE, wanted - wanted.max() - np.log(np.exp(wanted - wanted.max()).sum()), strict=True))
    reachable = [(base[number], chance) for number, chance in found["logprobs"] if chance > -1000]
    assert len(reachable) > 2000
    return max(abs(wanted[token] - chance) for token, chance in reachable)
