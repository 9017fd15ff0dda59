"""Whole training dialogues: talks with slips and complaints strewn in, by seed. The source of every embedded model.

`simulate(seed)` is deterministic; `held_out=True` gives the test distribution: names never trained on and 60 % of the
sentences from wordings never trained on. No request of the published experiment is said; the filter does not look at
complaints, and eleven of the nineteen corrections that it prints are said word for word.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from random import Random

from toolmend.training.dialogues import Talk
from toolmend.training.meaning import Entry, Exchange, Meant
from toolmend.training.phrases import Phrases
from toolmend.training.slips import Slip, complaint, slip
from toolmend.training.words import Words

HELD_OUT_SHARE = 0.6
SPEECH_SHARE = 0.12
_LEVELS = (0, 1, 2, 3)
_LEVEL_WEIGHTS = (14, 20, 36, 30)


@cache
def _sources(held_out: bool) -> tuple[Phrases, Phrases]:
    share = HELD_OUT_SHARE if held_out else 0.0
    return Phrases("phrases.txt moves.txt", share), Phrases("complaints.txt", share)


def simulate(
    seed: int, *, held_out: bool = False, slips: float = 0.3, turns: tuple[int, int] = (2, 9)
) -> list[Exchange]:
    """One dialogue. `slips` is the share of requests whose first reply is wrong and then complained about."""
    random = Random(seed * 2 + held_out)
    phrases, complaints = _sources(held_out)
    words = Words(held_out, made_up_share=0.5)
    talk = Talk(random, words, phrases, speech=random.random() < SPEECH_SHARE)
    made: list[Exchange] = []
    for _ in range(random.randint(*turns)):
        before = list(talk.entries)
        op, said, meant = talk.step()
        if published(said):
            return simulate(seed + 1_000_000_007, held_out=held_out, slips=slips, turns=turns)
        made += _answered(op, said, meant, before, slips, random, words, complaints)
    return made


def _answered(
    op: str,
    said: str,
    meant: Meant,
    before: list[Entry],
    slips: float,
    random: Random,
    words: Words,
    complaints: Phrases,
) -> list[Exchange]:
    if meant.words or meant.also:
        return [Exchange(said, str(meant), True, op)]
    others = [entry for entry in before if entry != meant.entry]
    chance = random.random()
    if chance < slips:
        made = []
        for _ in range(random.choices((1, 2, 3), (75, 20, 5))[0]):
            wrong = slip(meant, others, random, words)
            made.append(Exchange(said, wrong.reply, False, op))
            level = random.choices(_LEVELS, _LEVEL_WEIGHTS)[0]
            said, op = complaint(wrong, level, meant, random, complaints), f"fix {level} {wrong.topic}"
        return [*made, Exchange(said, str(meant), True, op)]
    if chance < slips + 0.02:
        return [Exchange(said, slip(meant, others, random, words).reply, False, op)]
    if chance < slips + 0.07:
        topics = ("time", "date", "title") if meant.remove else ("time", "date", "title", "duration")
        groundless = complaint(Slip("", random.choice(topics)), random.choice((0, 1, 2)), meant, random, complaints)
        return [Exchange(said, str(meant), True, op), Exchange(groundless, str(meant), True, "groundless")]
    return [Exchange(said, str(meant), True, op)]


def published(text: str) -> bool:
    """Whether a sentence repeats the published experiment: one of its prompts, or six words of one in a row."""
    words = _words(text)
    prompts, runs = _published()
    return " ".join(words) in prompts or any(" ".join(words[i : i + 6]) in runs for i in range(len(words) - 5))


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9']+", text.lower())


@cache
def _published() -> tuple[frozenset[str], frozenset[str]]:
    lines = files("toolmend.training").joinpath("data", "published.txt").read_text(encoding="utf-8").splitlines()
    prompts = [_words(line) for line in lines if line.strip() and not line.startswith("#")]
    runs = {" ".join(words[i : i + 6]) for words in prompts for i in range(len(words) - 5)}
    return frozenset(" ".join(words) for words in prompts), frozenset(runs)
