"""What a constraint costs per token: masks alone on large vocabularies, and led replies against free ones.

    python benchmarks/masks.py

Vocabularies are made: random words over letters, with every byte, as large as those of Llama 2, Llama 3 and Gemma.
`likeliest fits` is a step whose likeliest token fits, `all tokens` one for which every token is asked (draws, or a
likeliest that does not fit), each for a JSON schema and a grammar of one call. Then builtin/small on Keras: tokens per
second free, and led by a regex that allows everything, so that text and steps are the same. Medians, one run.
"""

from __future__ import annotations

import json
import os
import statistics
import time
from collections.abc import Callable

os.environ.setdefault("KERAS_BACKEND", "jax")

import numpy as np

from toolmend.messages import Constraint
from toolmend.models.builtin import PRESETS
from toolmend.models.keras.engine import DecodedRow, KerasEngine
from toolmend.models.keras.folder import Folder
from toolmend.models.keras.guide import LogitGuide
from toolmend.models.keras.loading import load_lm
from toolmend.models.keras.worker import worker
from toolmend.models.masks import TokenMask, Vocabulary

SCHEMA = {
    "type": "object",
    "properties": {"title": {"type": "string"}, "date": {"type": "string"}, "minutes": {"type": "integer"}},
    "required": ["title", "date", "minutes"],
    "additionalProperties": False,
}
CALL = 'start: "action.cancel(\\"" NAME "\\")"\nNAME: /[A-Za-z ]{1,40}/'
STEPS, PROMPT, ROOM, ROUNDS = 40, 64, 64, 5


def main() -> None:
    """Print both tables."""
    for size in (32_000, 128_256, 256_000):
        tokens = made_up(size)
        began = time.perf_counter()
        words = Vocabulary(tokens, [0])
        print(f"{size} tokens: ready in {time.perf_counter() - began:.2f} s, once for a model")
        for name, constraint in (("schema", Constraint("json_schema", SCHEMA)), ("grammar", Constraint("lark", CALL))):
            fits, everything = steps(words, constraint, size)
            print(f"  {name:<8} likeliest fits {fits * 1e6:7.0f} us   all tokens {everything * 1e6:7.0f} us")
    replies()


def made_up(size: int) -> list[bytes]:
    """Bytes, and random words of 2 to 8 letters, half of them after a space; token 0 ends a reply."""
    rng, letters = np.random.default_rng(0), np.frombuffer(b"etaoinshrdlucmfwypvbgkjqxz", "uint8")
    found = {bytes((number,)): None for number in range(256)}
    while len(found) < size - 1:
        for length in rng.integers(2, 9, 4096).tolist():
            word = rng.choice(letters, length).tobytes()
            found[b" " + word if len(found) % 2 else word] = None
    return [b"", *list(found)[: size - 1]]


def steps(words: Vocabulary, constraint: Constraint, size: int) -> tuple[float, float]:
    """Median seconds of a step whose likeliest token fits, and of one that asks about every token."""
    rng, fits, everything = np.random.default_rng(1), list[float](), list[float]()
    walk, first, whole = (TokenMask(constraint, words) for _ in range(3))  # each in a state that nobody asked about yet
    for _ in range(STEPS):
        allowed = np.flatnonzero(walk.allowed()[1:]) + 1
        if not len(allowed):
            break
        wanted, logits = int(rng.choice(allowed)), rng.normal(size=size).astype("float32")
        logits[wanted] = 100.0
        fits.append(timed(lambda logits=logits: LogitGuide(first, [0])._likeliest(logits)))
        everything.append(timed(lambda logits=logits: LogitGuide(whole, [0])._fitting(logits)))
        for mask in (walk, first, whole):
            mask.take(wanted)
    return statistics.median(fits), statistics.median(everything)


def timed(run: Callable[[], object]) -> float:
    """Seconds of one run."""
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


def replies() -> None:
    """Tokens per second of one reply, free and led, by turns; the same tokens in both."""
    lm = worker().call(lambda: load_lm(Folder.read(PRESETS / "small"), "float32"))
    size = json.loads((PRESETS / "small" / "config.json").read_text(encoding="utf-8"))["vocab_size"]
    words = Vocabulary([b"", *(b"%c" % (33 + number % 90) for number in range(size - 1))], [0])
    engine = KerasEngine(lm, 192, 1, [0], [0])
    prompt = np.random.default_rng(2).integers(5, size, PROMPT).tolist()

    def free() -> list[int]:
        return made(DecodedRow(prompt, ROOM))

    def stepped() -> list[int]:
        return made(DecodedRow(prompt, ROOM, pick=lambda logits: int(logits.argmax())))

    def led() -> list[int]:
        guide = LogitGuide(TokenMask(Constraint("regex", "(.|\n)*"), words), [0])
        return made(DecodedRow(prompt, ROOM, pick=guide.chooser(0.0, 0)))

    def made(row: DecodedRow) -> list[int]:
        engine.forget()
        worker().call(lambda: engine.generate([row]))
        return row.made

    runs = {"free": free, "free, step by step": stepped, "led": led}
    assert free() == stepped() == led()
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(ROUNDS):
        for name, run in runs.items():
            seconds[name].append(timed(run))
    first = statistics.median(seconds["free"])
    print(f"builtin/small, {size} ids, one reply of {ROOM} tokens")
    for name, each in seconds.items():
        median = statistics.median(each)
        print(f"  {name:<18} {1e3 * median / ROOM:6.2f} ms/token {median / first:6.2f} x")


if __name__ == "__main__":
    main()
