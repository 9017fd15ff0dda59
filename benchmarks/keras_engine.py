"""Seconds and tokens per second of the engine behind `keras/…`, against plain `CausalLM.generate` and transformers.

    python benchmarks/keras_engine.py [small] [random]

Same weights, same run, everything compiled before the clock starts: a six-turn conversation (each turn a whole reply
to the talk so far) and five attempts at one prompt. `small` is builtin/small; `random` a Llama of about 40 M random
weights that is shown its API first, and whose replies always have 16 tokens. Tokens are those of the replies. Medians
of ROUNDS, in turns.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

os.environ.setdefault("KERAS_BACKEND", "jax")

import numpy as np
from rows import Row
from safetensors.numpy import save_file

from toolmend.extras.keras.engine import KerasEngine, chooser
from toolmend.extras.keras.folder import Folder
from toolmend.extras.keras.loading import load_lm, worker
from toolmend.models.builtin import PRESETS
from toolmend.models.builtin.preset import Preset

ROUNDS, ATTEMPTS, WINDOW = 3, 5, 768
TURNS = (
    "Add a picnic with Olga on May 3 at 5pm for two hours",
    "The current year is 2026.",
    "Move it to 6pm",
    "Add a lunch with Anna on the next day at noon",
    "It takes 45 minutes.",
    "Cancel the picnic with Olga",
)
OPENING = """You are a helpful assistant. Your job is to translate user requests into API calls using this Python API:

action.add_calendar_entry(title: str, date: str, time: str, duration: int = 30)
    Adds a meeting or event to the user's calendar. `date` is YYYY-MM-DD, `time` HH:MM in 24 hours, `duration` minutes.
action.remove_calendar_entry(title: str, date: str, time: str)
    Removes a meeting or event from the user's calendar. All three must be those that it was added with.

An argument with a default may be left out. Respond to every request with a single line of executable code."""
Talk = list[list[int]]
Runs = dict[str, Callable[[Talk], object]]


def main() -> None:
    """Print a table for each model asked for."""
    for name in sys.argv[1:] or ["small", "random"]:
        with tempfile.TemporaryDirectory() as folder:
            bench(name, PRESETS / "small" if name == "small" else random_llama(Path(folder) / "random"))


def rows() -> Iterator[Row]:
    """Both tasks with the small model, beside each engine that is here."""
    peers = {"generate": "KerasHub on JAX", "transformers": "transformers"}
    for task, medians in bench("small", PRESETS / "small").items():
        ours = medians.pop("toolmend")
        yield from (Row(f"keras/…: {task}", peers[name], "s", ours, peer) for name, peer in medians.items())


def bench(name: str, path: Path) -> dict[str, dict[str, float]]:
    """Time every engine on both tasks: seconds, by task and engine."""
    lm = worker().submit(load_lm, Folder.read(path), "float32").result()
    stops, room = ([2], 256) if name == "small" else ([], 16)
    engine = KerasEngine(lm, WINDOW, stops)
    prompts, replies = talk_of(name, engine, room)
    said = sum(map(len, replies))
    runs: Runs = {"toolmend": lambda asked: ours(engine, asked, room), "generate": plain(lm, stops, room)}
    if (torch := transformers(path, stops, room)) is not None:
        runs["transformers"] = torch
    count = sum(int(np.prod(variable.shape)) for variable in lm.variables)
    print(f"{name}: {count / 1e6:.1f} M weights, float32, {os.cpu_count()} cores")
    return {
        "six turns": table("six turns", runs, prompts, said),
        "five attempts": table("five attempts", runs, [prompts[3]] * ATTEMPTS, len(replies[3]) * ATTEMPTS),
    }


def talk_of(name: str, engine: KerasEngine, room: int) -> tuple[Talk, Talk]:
    """The prompts of a conversation, and what the engine replies to each."""
    prompts, replies, ids = Talk(), Talk(), list[int]()
    _, tokens = Preset.read(PRESETS / "small").load()
    turns: list[tuple[str, str]] = []
    if name != "small":  # which knows its API from training
        ids = tokens.encode(OPENING)
    for said in TURNS:
        turns.append(("user", said))
        ids = tokens.prompt(turns) if name == "small" else [*ids, *tokens.encode(said)]
        made, _ = worker().submit(engine.reply, ids, room, chooser(0.0, 0)).result()
        prompts.append(ids)
        replies.append(made)
        turns.append(("assistant", tokens.decode(made)))
        ids = [*ids, *made]
    return prompts, replies


def ours(engine: KerasEngine, prompts: Talk, room: int) -> None:
    """One after another; nothing is known at the start."""
    engine._kept.clear()
    for ids in prompts:
        worker().submit(engine.reply, ids, room, chooser(0.0, 0)).result()


def plain(lm: Any, stops: Sequence[int], room: int) -> Callable[[Talk], object]:
    """`CausalLM.generate` on ids padded to one length, as the published experiment ran it; attempts as one batch."""
    worker().submit(lm.compile, sampler="greedy").result()
    lm.preprocessor = None

    def padded(prompts: Talk, length: int) -> dict[str, Any]:
        tokens, mask = np.zeros((len(prompts), length), "int32"), np.zeros((len(prompts), length), "int32")
        for place, ids in enumerate(prompts):
            tokens[place, : len(ids)], mask[place, : len(ids)] = ids, 1
        return {"token_ids": tokens, "padding_mask": mask}

    def run(prompts: Talk) -> None:
        together = all(ids == prompts[0] for ids in prompts)
        for group in [prompts] if together else [[ids] for ids in prompts]:
            # Without a stop token it goes on to the end of its padding: it is told where the reply will end, and
            # what it compiles for each such length is not counted.
            length = WINDOW if stops else len(group[0]) + room
            asked = padded(group, length)
            worker().submit(lm.generate, asked, stop_token_ids=tuple(stops) or None).result()

    return run


def transformers(path: Path, stops: Sequence[int], room: int) -> Callable[[Talk], object] | None:
    """`generate` of transformers, on torch; None where it is not installed."""
    try:
        import torch
        from transformers import AutoModelForCausalLM
    except ImportError:
        return None
    model = AutoModelForCausalLM.from_pretrained(path, dtype=torch.float32)
    end = {"eos_token_id": list(stops)} if stops else {"eos_token_id": None}

    def run(prompts: Talk) -> None:
        together = all(ids == prompts[0] for ids in prompts)
        with torch.no_grad():
            for group in [prompts] if together else [[ids] for ids in prompts]:
                ids = torch.tensor(group)
                model.generate(
                    ids,
                    attention_mask=torch.ones_like(ids),
                    max_new_tokens=room,
                    do_sample=False,
                    pad_token_id=0,
                    **end,
                )

    return run


def table(task: str, runs: Runs, prompts: Talk, said: int) -> dict[str, float]:
    """The medians. One line for each engine; the ratio says how many times longer than the first it takes."""
    for run in runs.values():
        run(prompts)
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(ROUNDS):
        for name, run in runs.items():
            began = time.perf_counter()
            run(prompts)
            seconds[name].append(time.perf_counter() - began)
    medians = {name: statistics.median(each) for name, each in seconds.items()}
    for name, each in medians.items():
        print(f"  {task:<14} {name:<13} {each:7.3f} s {said / each:8.0f} tokens/s {each / medians['toolmend']:6.2f} x")
    return medians


def random_llama(path: Path) -> Path:
    """A Llama of about 40 M random weights: 8 layers of 576, 9 heads with 3 for keys, 8,192 ids."""
    path.mkdir()
    width, inner, layers, vocabulary, keys = 576, 1536, 8, 8192, 192
    rng = np.random.default_rng(0)

    def matrix(rows: int, columns: int) -> Any:
        return rng.normal(size=(rows, columns)).astype("float32") * columns**-0.5

    weights = {"model.embed_tokens.weight": matrix(vocabulary, width), "lm_head.weight": matrix(vocabulary, width)}
    weights["model.norm.weight"] = np.ones(width, "float32")
    for number in range(layers):
        at = f"model.layers.{number}"
        weights |= {f"{at}.self_attn.{name}_proj.weight": matrix(width, width) for name in "qo"}
        weights |= {f"{at}.self_attn.{name}_proj.weight": matrix(keys, width) for name in "kv"}
        weights |= {f"{at}.mlp.{name}_proj.weight": matrix(inner, width) for name in ("gate", "up")}
        weights[f"{at}.mlp.down_proj.weight"] = matrix(width, inner)
        norms = ("input_layernorm", "post_attention_layernorm")
        weights |= {f"{at}.{name}.weight": np.ones(width, "float32") for name in norms}
    save_file(weights, path / "model.safetensors", metadata={"format": "pt"})
    config = {
        "architectures": ["LlamaForCausalLM"], "model_type": "llama", "vocab_size": vocabulary, "hidden_size": width,
        "intermediate_size": inner, "num_hidden_layers": layers, "num_attention_heads": 9, "num_key_value_heads": 3,
        "rms_norm_eps": 1e-5, "rope_theta": 10000.0, "max_position_embeddings": WINDOW, "tie_word_embeddings": False,
        "hidden_act": "silu",
    }  # fmt: skip
    (path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (path / "tokenizer.json").write_text((PRESETS / "small" / "tokenizer.json").read_text("utf-8"), encoding="utf-8")
    return path


if __name__ == "__main__":
    main()
