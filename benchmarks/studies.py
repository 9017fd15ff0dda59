"""Questions about teaching, one command each; the same talks by their seeds in both arms, the same held-out exam.

    python benchmarks/studies.py notation [--tokens 60000] [--exam 60]   what was said, or computed calls in Python
    python benchmarks/studies.py ranks                                   rank 8, 16, 32
    python benchmarks/studies.py curve --tokens 120000                   an eighth, a quarter, half and all of it
    python benchmarks/studies.py mistakes --begin smol/calendar          its own mistakes as lessons, or made-up ones
    python benchmarks/studies.py grammar --begin smol/calendar           replies held to the notation, or free

Needs the extra `train` and `toolmend models get smollm2`. Work is kept in --work and gone on with. Shares with 95 %
intervals by bootstrap over talks, paired; the curve's fit is wrong = a · tokens^-b.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

import anyio
import numpy as np

from toolmend.messages import Message, Request
from toolmend.models import Model, load_model
from toolmend.reading import read
from toolmend.reading.render import render
from toolmend.reading.spoken import read_spoken
from toolmend.resolve.calls import compute
from toolmend.strategies.spoken_grammar import spoken_lines
from toolmend.training.adapter.calendar_adding import CALENDAR_SYSTEM, SHOWN, SPECS
from toolmend.training.adapter.calendar_talks import CalendarTalk
from toolmend.training.adapter.courses import MadeTalks
from toolmend.training.adapter.exam import GREEDY, ExamTalk, calls_of
from toolmend.training.adapter.rows import Row, Tokens, row_of
from toolmend.training.adapter.talks import Turn
from toolmend.training.adapter.teaching import AdapterAsked, train_adapter

Shares = list[tuple[int, int]]
"""Turns right and turns asked, of each talk of an exam."""

PLAIN_SYSTEM = CALENDAR_SYSTEM.replace("(entry)", "(title, date: date, time: time)").replace(
    "Write the words that were said.",
    "Today is Sunday, 2023-01-01; working hours are 07:00-19:00. Write dates as YYYY-MM-DD, times as HH:MM, minutes.",
)


def plain(turn: Turn) -> Turn:
    """The turn with the computed calls in its reply, in Python; a correction says the whole call again."""
    said = read_spoken(turn.reply, SHOWN)
    if said.broken or not said.lines:
        return turn
    computed = compute(said.lines, SPECS, turn.against)
    if computed.question:
        return replace(turn, reply=f"What is the {computed.question.argument}?")
    specs = {spec.full_name: spec for spec in SPECS}
    calls = [render(call, specs[call.tool]).partition(".")[2] for call in computed.calls]
    return replace(turn, reply="\n".join(calls)) if calls else turn


class PlainTalk(ExamTalk):
    """A talk whose replies are computed calls."""

    def came_to(self, reply: str, turn: Turn) -> tuple[Any, ...]:
        """The calls, else the words."""
        calls = read(reply, SPECS, "python").calls
        return tuple(calls_of(calls)) or (reply.strip().casefold(),)


@dataclass(frozen=True, slots=True)
class PlainTalks(MadeTalks):
    """The calendar's talks with computed calls in Python in the place of what was said."""

    name: str = "plain"

    def row(self, seed: int, tokens: Tokens) -> Row | None:
        """The row of a seed's talk."""
        return row_of(PLAIN_SYSTEM, [plain(turn) for turn in CalendarTalk(seed).play()], tokens)

    def exam(self, count: int) -> Iterator[ExamTalk]:
        """So many held-out talks."""
        for seed in range(count):
            turns = [plain(turn) for turn in CalendarTalk(seed, held_out=True).play()]
            yield PlainTalk(PLAIN_SYSTEM, SPECS, SHOWN, turns)


def examined(model: Model, talks: Iterator[ExamTalk], constraint: Any = None) -> Shares:
    """Every learned turn asked, what stood before it as it should have been."""
    shares: Shares = []
    for talk in talks:
        messages, right, asked = [Message("system", talk.system)], 0, 0
        for turn in talk.turns:
            messages.append(Message("user", turn.said))
            if turn.learned:
                request = Request(tuple(messages), options=GREEDY, constraint=constraint)
                asked += 1
                right += talk.came_to(anyio.run(model.reply, request).text, turn) == talk.came_to(turn.reply, turn)
            messages.append(Message("assistant", turn.reply))
        shares.append((right, asked))
    return shares


def arm(asked: argparse.Namespace, name: str, course: MadeTalks, tokens: int, **more: Any) -> Shares:
    """Teach this arm, unless its shares lie there; its exam."""
    out = asked.work / name
    kept = out / "shares.json"
    if not kept.exists():
        more |= {"course": course, "work": asked.work / f"{name}.work", "tokens": tokens, "exam": 0}
        wanted = AdapterAsked(base="smollm2", out=out, threads=asked.threads, **more)
        if not (out / "toolmend.json").exists():
            train_adapter(wanted, partial(told, name), print, lambda: False)
        model = load_model(f"smol/{out.resolve()}?threads={asked.threads}")
        kept.write_text(json.dumps(examined(model, course.exam(asked.exam))))
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
    return f"{right} of {asked} turns, {right / asked:.1%} ({low:.0%}–{high:.0%})"


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


def notation(asked: argparse.Namespace) -> None:
    """Computed calls in Python, then what was said."""
    count = asked.tokens
    compared(arm(asked, f"plain-{count}", PlainTalks(), count), arm(asked, f"spoken-{count}", MadeTalks(), count))


def ranks(asked: argparse.Namespace) -> None:
    """Three ranks at equal tokens."""
    for rank in (8, 16, 32):
        name = f"spoken-{asked.tokens}" + ("" if rank == 16 else f"-rank{rank}")
        arm(asked, name, MadeTalks(), asked.tokens, rank=rank)


def curve(asked: argparse.Namespace) -> None:
    """Each point taught from the beginning to its own end, and the fit of what is wrong."""
    counts = [asked.tokens // part for part in (8, 4, 2, 1)]
    wrong = [1 - rate([np.array(arm(asked, f"spoken-{count}", MadeTalks(), count))]) for count in counts]
    slope, offset = np.polyfit(np.log(counts), np.log(wrong), 1)
    print(f"wrong = {np.exp(offset):.3g} · tokens^{slope:.3f}; halved by {2 ** (-1 / slope):.1f} times the tokens")


def mistakes(asked: argparse.Namespace) -> None:
    """From one adapter on: lessons with made-up slips alone, or with its own mistakes in one of four."""
    begin = Path(str(files("toolmend.models.smol"))) / asked.begin.removeprefix("smol/").removeprefix("./")
    made = arm(asked, "made-up", MadeTalks(), asked.tokens, begin=begin, seed=9)
    own = arm(asked, "own", MadeTalks(), asked.tokens, begin=begin, seed=9, rounds=1, played=60)
    compared(made, own)


def grammar(asked: argparse.Namespace) -> None:
    """Free replies, then replies held to the notation."""
    model, talks = load_model(f"{asked.begin}?threads={asked.threads}"), MadeTalks().exam
    free, held = (examined(model, talks(asked.exam), rules) for rules in (None, spoken_lines(SHOWN)))
    print(f"free           {share(free)}\nheld           {share(held)}")
    compared(free, held)


STUDIES: dict[str, Callable[[argparse.Namespace], None]] = {
    study.__name__: study for study in (notation, ranks, curve, mistakes, grammar)
}


def main() -> None:
    """Run one study."""
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("study", choices=STUDIES)
    reader.add_argument("--tokens", type=int, default=60_000)
    reader.add_argument("--exam", type=int, default=60, help="held-out talks")
    reader.add_argument("--threads", type=int, default=os.cpu_count(), help="as many as it has cores for itself")
    reader.add_argument("--begin", default="smol/calendar")
    reader.add_argument("--work", type=Path, default=Path("build/studies"))
    asked = reader.parse_args()
    STUDIES[asked.study](asked)


if __name__ == "__main__":
    main()
