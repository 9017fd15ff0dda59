"""Dialogues as padded arrays for training: ids and a mask of the tokens that are learned (right replies only).

Where the dialogues come from is the caller's business (`Source`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

import numpy as np
from numpy.typing import NDArray

from toolmend.models.builtin.tokens import ASSISTANT, BEGIN, END, PAD, USER, Tokens
from toolmend.training.drills import drill
from toolmend.training.meaning import Exchange
from toolmend.training.segments import Segments, content_ids, merges

Rows = dict[int, list[tuple[list[int], list[bool]]]]
BUCKETS = (128, 192, 256, 384, 512, 640, 768)


@dataclass(frozen=True)
class Source:
    """Dialogues by number: `dialogue(number, held_out)`, deterministic, those held out for the exam alone.

    `needed` are texts whose words sentences are made of: they are never swapped for others (segments.py).
    """

    dialogue: Callable[[int, bool], Sequence[Exchange]]
    needed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Batch:
    """ids: int64 (batch, time). target: bool (batch, time), True where the id is to be predicted from those before.

    It is number `place` of the batches made from chunk `chunk` of dialogues.
    """

    ids: NDArray[np.int64]
    target: NDArray[np.bool_]
    chunk: int = 0
    place: int = 0


def encode_dialogue(
    exchanges: Sequence[Exchange], tokens: Tokens, apart: Segments | None = None
) -> tuple[list[int], list[bool], list[tuple[int, int, str]]]:
    """Ids, learned flags, and (start, end, op) of every gold reply including its end token. `apart` respells it."""
    ids, learned, spans = [BEGIN], [False], []
    texts = tokens.encode_many([text for e in exchanges for text in (e.user, e.reply)])
    if apart:
        texts = [apart(text) for text in texts]
    for exchange, said, answered in zip(exchanges, texts[::2], texts[1::2], strict=True):
        ids += [USER, *said, ASSISTANT]
        learned += [False] * (len(said) + 2)
        if exchange.gold:
            spans.append((len(ids), len(ids) + len(answered) + 1, exchange.op))
        ids += [*answered, END]
        learned += [exchange.gold] * (len(answered) + 1)
    return ids, learned, spans


def batches(
    tokens: Tokens,
    source: Source,
    *,
    seed: int,
    tokens_per_batch: int = 10_240,
    start: int = 0,
    chunk: int = 1024,
    apart: float = 0.6,
    swap: float = 0.0,
    drills: float = 0.0,
    buckets: Sequence[int] = BUCKETS,
) -> Iterator[Batch]:
    """Endless training batches; `start` skips whole chunks (for resuming). What fits no bucket is left out.

    A share `drills` of the rows are copying drills instead of dialogues.
    """
    made, table, content = start, merges(tokens.tokenizer), content_ids(tokens, source.needed)
    while True:
        rows: Rows = {bucket: [] for bucket in buckets}
        ready: list[Batch] = []
        for number in range(made * chunk, (made + 1) * chunk):
            random = Random(f"{seed}/{number}")
            if drills and random.random() < drills:
                _put(rows, *drill(random, content))
                continue
            swaps = content if random.random() < swap else ()
            share = random.uniform(0.1, 0.8) if random.random() < apart else 0.0
            respell = Segments(table, random, share, swaps) if share or swaps else None
            ids, learned, _ = encode_dialogue(source.dialogue(seed * 100_000_007 + number, False), tokens, respell)
            _put(rows, ids, learned)
        for bucket, held in rows.items():
            size = tokens_per_batch // bucket
            ready += [pad(held[i : i + size], bucket) for i in range(0, len(held) - size + 1, size)]
        Random(made).shuffle(ready)
        for place, batch in enumerate(ready):
            yield replace(batch, chunk=made, place=place)
        made += 1


def _put(rows: Rows, ids: list[int], learned: list[bool]) -> None:
    """Into the narrowest bucket that holds it, if one does."""
    bucket = next((each for each in rows if len(ids) <= each), None)
    if bucket is not None:
        rows[bucket].append((ids, learned))


def pad(rows: Sequence[tuple[list[int], list[bool]]], width: int) -> Batch:
    """Rows as one batch of the given width."""
    ids = np.full((len(rows), width), PAD, dtype=np.int64)
    target = np.zeros((len(rows), width), dtype=np.bool_)
    for row, (row_ids, learned) in enumerate(rows):
        ids[row, : len(row_ids)] = row_ids
        target[row, : len(learned)] = learned
    return Batch(ids, target)
