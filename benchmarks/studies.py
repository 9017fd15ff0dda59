"""Questions about teaching, one command each; the same written talks by their seeds in all arms.

    python benchmarks/studies.py ranks [--tokens 60000] [--talks tools]   rank 8, 16, 32
    python benchmarks/studies.py curve --tokens 120000                    an eighth, a quarter, half and all of it
    python benchmarks/studies.py mistakes --begin smol/calendar           its own mistakes among the lessons, or none

Needs the extra `train` and `toolmend models get smollm2`. Work is kept in --work and gone on with. Measured by the
replies of talks kept back that come out word for word: shares with 95 % intervals by bootstrap over talks, paired; the
curve's fit is wrong = a · tokens^-b.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import torch

from toolmend.models.gguf.places import locate
from toolmend.training.adapter.base import GgufBase, load_peft
from toolmend.training.adapter.courses import WrittenCourse
from toolmend.training.adapter.exam import replies_given
from toolmend.training.adapter.rows import Tokens
from toolmend.training.adapter.teaching import ALPHA, AdapterAsked, train_adapter

Shares = list[tuple[int, int]]
"""Replies word for word and replies due, of each talk that is kept back."""


def examined(out: Path, course: WrittenCourse, rank: int) -> Shares:
    """What the adapter in a folder gives of each talk that is kept back."""
    base = GgufBase(locate("smollm2"))
    net = base.net(rank=rank, alpha=ALPHA, dtype=torch.float32)
    load_peft(net, out)
    return [replies_given(net, [row]) for row in course.kept_back(Tokens(base.tokenizer()))]


def arm(asked: argparse.Namespace, name: str, tokens: int, rank: int = 16, **more: Any) -> Shares:
    """Teach this arm, unless its shares lie there; its exam."""
    course, out = WrittenCourse(asked.talks), asked.work / f"{asked.talks}-{name}"
    kept = out / "shares.json"
    if not kept.exists():
        about: dict[str, Any] = {"out": out, "work": out.with_name(f"{out.name}.work"), "course": course, **more}
        wanted = AdapterAsked(base="smollm2", tokens=tokens, threads=asked.threads, rank=rank, **about)
        if not (out / "toolmend.json").exists():
            train_adapter(wanted, partial(told, name), print, lambda: False)
        kept.write_text(json.dumps(examined(out, course, rank)))
    shares = [(right, count) for right, count in json.loads(kept.read_text())]
    print(f"{name:<14} {share(shares)}", flush=True)
    return shares


def told(name: str, row: Mapping[str, Any]) -> None:
    """Every fiftieth step."""
    if row.get("step", 0) % 50 == 0:
        print(f"  {name}: {row['tokens']:,} of {row['of']:,} tokens, loss {row['loss']:.3f}", flush=True)


def share(shares: Shares) -> str:
    """A share with its interval."""
    drawn = [rate(sample) for sample in samples([shares])]
    low, high = np.percentile(drawn, [2.5, 97.5])
    right, asked = (sum(column) for column in zip(*shares, strict=True))
    return f"{right} of {asked} replies, {right / asked:.1%} ({low:.0%}–{high:.0%})"


def rate(arms: list[np.ndarray]) -> float:
    """The share of the only arm."""
    return float(arms[0][:, 0].sum() / arms[0][:, 1].sum())


def samples(arms: list[Shares]) -> Iterator[list[np.ndarray]]:
    """Two thousand samples of talks, the same talks in each arm."""
    random, tables = np.random.default_rng(1), [np.array(arm) for arm in arms]
    for _ in range(2000):
        chosen = random.integers(0, len(tables[0]), len(tables[0]))
        yield [table[chosen] for table in tables]


def compared(first: Shares, second: Shares) -> None:
    """The difference of two arms."""
    drawn = [rate([two]) - rate([one]) for one, two in samples([first, second])]
    low, high = np.percentile(drawn, [2.5, 97.5])
    difference = rate([np.array(second)]) - rate([np.array(first)])
    print(f"second - first {100 * difference:+.1f} points ({100 * low:+.1f} … {100 * high:+.1f})")


def ranks(asked: argparse.Namespace) -> None:
    """Three ranks at equal tokens."""
    for rank in (8, 16, 32):
        arm(asked, f"{asked.tokens}" + ("" if rank == 16 else f"-rank{rank}"), asked.tokens, rank)


def curve(asked: argparse.Namespace) -> None:
    """Each point taught from the beginning to its own end, and the fit of what is wrong."""
    counts = [asked.tokens // part for part in (8, 4, 2, 1)]
    wrong = [1 - rate([np.array(arm(asked, f"{count}", count))]) for count in counts]
    slope, offset = np.polyfit(np.log(counts), np.log(wrong), 1)
    print(f"wrong = {np.exp(offset):.3g} · tokens^{slope:.3f}; halved by {2 ** (-1 / slope):.1f} times the tokens")


def mistakes(asked: argparse.Namespace) -> None:
    """From one adapter on: written talks alone, or with its own mistakes in every third lesson of the second half."""
    begin = Path(str(files("toolmend.models.smol"))) / asked.begin.removeprefix("smol/").removeprefix("./")
    alone = arm(asked, "alone", asked.tokens, begin=begin, seed=9)
    own = arm(asked, "own", asked.tokens, begin=begin, seed=9, rounds=1)
    compared(alone, own)


STUDIES: dict[str, Callable[[argparse.Namespace], None]] = {study.__name__: study for study in (ranks, curve, mistakes)}


def main() -> None:
    """Run one study."""
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("study", choices=STUDIES)
    reader.add_argument("--tokens", type=int, default=60_000)
    reader.add_argument("--talks", default="calendar", choices=("calendar", "tools", "both"))
    reader.add_argument("--threads", type=int, default=os.cpu_count(), help="as many as it has cores for itself")
    reader.add_argument("--begin", default="smol/calendar")
    reader.add_argument("--work", type=Path, default=Path("build/studies"))
    asked = reader.parse_args()
    STUDIES[asked.study](asked)


if __name__ == "__main__":
    main()
