"""Seconds per conversation of an embedded preset: the numpy engine against KerasHub on JAX, warmed up, same weights.

    python benchmarks/engine.py [PRESET_FOLDER]

Six turns, each a whole reply to the talk so far. numpy keeps a cache from turn to turn, as toolmend uses it; KerasHub
generates as `CausalLM.generate` does, on strings padded to one length, compiled before the clock starts.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from rows import Row, in_turns

from toolmend.base.messages import Message, Request
from toolmend.models.builtin import PRESETS
from toolmend.models.builtin.model import BuiltinModel
from toolmend.models.builtin.preset import Preset
from toolmend.models.builtin.tokens import END

TURNS = (
    "Add a picnic with Olga on May 3 at 5pm for two hours",
    "The current year is 2026.",
    "Move it to 6pm",
    "Add a lunch with Anna on the next day at noon",
    "It takes 45 minutes.",
    "Cancel the picnic with Olga",
)
ROUNDS = 5


def rows() -> Iterator[Row]:
    """A talk by the embedded model and by KerasHub."""
    preset = Preset.read(PRESETS / "small")
    model = BuiltinModel("bench", preset)
    theirs = keras_talk(preset, talk_numpy(model))
    ours, peer = in_turns(lambda: seconds(lambda: talk_numpy(model)), lambda: seconds(theirs), ROUNDS)
    yield Row("builtin/small: a talk of six turns", "KerasHub on JAX", "s", ours, peer)


def main() -> None:
    """Print the median seconds of both, and their ratio."""
    preset = Preset.read(Path(sys.argv[1]) if len(sys.argv) > 1 else PRESETS / "small")
    model = BuiltinModel("bench", preset)
    ours = clock(lambda: talk_numpy(model))
    print(f"numpy     {ours:.3f} s per conversation of {len(TURNS)} turns")
    try:
        theirs = clock(keras_talk(preset, talk_numpy(model)))
    except ImportError:
        print("keras_hub is not installed (extra 'local'): no comparison")
        return
    print(f"KerasHub  {theirs:.3f} s, JAX, compiled; numpy takes {ours / theirs:.2f} of it")


def talk_numpy(model: BuiltinModel) -> list[tuple[str, str]]:
    """One conversation; its (request, reply) pairs."""
    messages: list[Message] = []
    model._caches.clear()
    for said in TURNS:
        messages.append(Message("user", said))
        messages.append(Message("assistant", model.reply_now(Request(tuple(messages))).text))
    return [(messages[i].content, messages[i + 1].content) for i in range(0, len(messages), 2)]


def keras_talk(preset: Preset, talk: list[tuple[str, str]]) -> Callable[[], None]:
    """The same prompts through KerasHub's generate."""
    os.environ.setdefault("KERAS_BACKEND", "jax")
    import keras_hub
    import numpy as np

    _, tokens = preset.load()
    lm = keras_hub.models.CausalLM.from_preset(str(preset.folder))
    lm.preprocessor = None
    turns: list[tuple[str, str]] = []
    prompts = []
    for said, answered in talk:
        turns.append(("user", said))
        prompts.append(tokens.prompt(turns))
        turns.append(("assistant", answered))

    def run() -> None:
        for ids in prompts:
            padded, mask = np.zeros((1, preset.window), "int32"), np.zeros((1, preset.window), "int32")
            padded[0, : len(ids)], mask[0, : len(ids)] = ids, 1
            lm.generate({"token_ids": padded, "padding_mask": mask}, stop_token_ids=[END])

    return run


def clock(run: Callable[[], object]) -> float:
    """Median seconds of several rounds after one that does not count."""
    run()
    return statistics.median(seconds(run) for _ in range(ROUNDS))


def seconds(run: Callable[[], object]) -> float:
    """What one round takes."""
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
