"""What a net that is being taught says wrongly in written talks: drawn from it, kept in a file, made lessons of.

A file has a JSON object a line: {"about": "tools", "talk": 17, "place": 2, "reply": "…"}, what was said in the stead of
a turn's reply. Among the mistakes stand some right replies, which are doubted without ground.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

from toolmend.base.atomic import written
from toolmend.base.errors import BadFile
from toolmend.training.adapter.net import AdaptedLlama
from toolmend.training.adapter.rows import Row, Tokens, row_of
from toolmend.training.adapter.sampling import Sampler
from toolmend.training.adapter.written_mistakes import MENDED, mistaken
from toolmend.training.adapter.written_talks import HandTalk, told_otherwise, written_talks

_TEMPERATURE = 1.1
_DOUBTED = 3  # mistakes to one right reply that is doubted


@dataclass(frozen=True, slots=True)
class OwnReply:
    """A model's reply to the turn at a place of a written talk, by what the talk is about and its number."""

    about: str
    talk: int
    place: int
    reply: str

    def lesson(self, random: Random) -> HandTalk | None:
        """The talk with this reply in it, and what comes of that; None where it teaches nothing."""
        return mistaken(written_talks(self.about)[self.talk], self.place, self.reply, random)

    def told(self, random: Random) -> HandTalk:
        """The lesson as another person would tell it, its turns in their order."""
        talks = written_talks(self.about)
        return told_otherwise(self.lesson(random) or talks[self.talk], talks, random, apart=0.0)


def drawn(
    net: AdaptedLlama, tokens: Tokens, picked: Mapping[str, Sequence[int]], seed: int, stop: Callable[[], bool]
) -> Iterator[OwnReply]:
    """What the net says in the talks that were picked of each file, for every turn that is learned."""
    places: list[tuple[str, int]] = []
    rows: list[Row] = []
    for about, numbers in picked.items():
        for number in numbers:
            talk = written_talks(about)[number]
            if row := row_of(talk.system, talk.turns, tokens):
                places.append((about, number))
                rows.append(row)
    for at, count, said in Sampler(net, tokens.end, temperature=_TEMPERATURE, seed=seed).replies(rows):
        if stop():
            return
        about, number = places[at]
        learned = [place for place, turn in enumerate(written_talks(about)[number].turns) if turn.learned]
        yield OwnReply(about, number, learned[count], tokens.decode(said))


def lessons_of(replies: Iterable[OwnReply], random: Random) -> tuple[list[OwnReply], int]:
    """The mistakes among replies, and some right ones that can be doubted, in any order; how many are mistakes."""
    wrong: list[OwnReply] = []
    right: list[OwnReply] = []
    for one in replies:
        if lesson := one.lesson(random):
            (wrong if lesson.turns[one.place + 1].op == MENDED else right).append(one)
    kept = wrong + random.sample(right, min(len(right), len(wrong) // _DOUBTED))
    return random.sample(kept, len(kept)), len(wrong)


def keep_mistakes(path: Path, mistakes: Iterable[OwnReply]) -> None:
    """Write a file that is there wholly or not at all. Raises BadFile."""
    with written(path) as part:
        part.write_text("".join(f"{json.dumps(asdict(one), ensure_ascii=False)}\n" for one in mistakes), "utf-8")


def read_mistakes(path: Path) -> tuple[OwnReply, ...]:
    """What was kept. Raises BadFile with the line that cannot be read, or that teaches nothing in the talks of now."""
    return tuple(_mistake(path, number, line) for number, line in enumerate(path.read_bytes().splitlines(), 1))


def _mistake(path: Path, number: int, line: bytes) -> OwnReply:
    try:
        row = json.loads(line)
        one = OwnReply(str(row["about"]), int(row["talk"]), int(row["place"]), str(row["reply"]))
        if min(one.talk, one.place) < 0 or one.lesson(Random(0)) is None:
            raise ValueError("it teaches nothing")
    except (ValueError, KeyError, TypeError, IndexError, OSError) as error:
        what = f"no reply to a written talk ({error}); remove the file, and it is made anew"
        raise BadFile(path, what, number) from error
    return one
