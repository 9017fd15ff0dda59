"""Sentences from the phrase files: `(a|b)` chooses, `[x]` is said half of the time, `{slot}` is filled in.

Lines marked `~` are held out: training never says them, nor what is published.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from random import Random

from toolmend.training.words import sections

_CHOICE = re.compile(r"\(([^()\[\]]*\|[^()\[\]]*)\)")
_MAYBE = re.compile(r"\[([^\[\]()]*)\]")
_SLOT = re.compile(r"\{(\w+)\}")
Slots = Callable[[str], str]


@dataclass(frozen=True)
class Phrases:
    """The lines of files (between blanks). `held_out_share`: how often a held-out line is taken, in training never."""

    file: str
    held_out_share: float = 0.0
    lines: dict[str, tuple[list[str], list[str]]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Split every section into open and held-out lines."""
        split = {
            name: ([x for x in lines if x[0] != "~"], [x[1:].strip() for x in lines if x[0] == "~"])
            for file in self.file.split()
            for name, lines in sections(file).items()
        }
        object.__setattr__(self, "lines", split)

    def say(self, random: Random, section: str, slots: Slots) -> str:
        """One sentence of a section with its choices made and its slots filled."""
        known, held_out = self.lines[section]
        lines = held_out if held_out and random.random() < self.held_out_share else known
        text = expand(random.choice(lines), random)
        text = _SLOT.sub(lambda match: slots(match.group(1)), text)
        text = re.sub(r" +", " ", text).strip()
        return re.sub(r" ([,.?!])", r"\1", text)


@cache
def phrases_of(files: str, held_out: bool = False) -> Phrases:
    """The phrases of files; held out, only those that are never trained on, where there are any."""
    return Phrases(files, 1.0 if held_out else 0.0)


def expand(line: str, random: Random) -> str:
    """A line with every choice made, innermost first."""
    while True:
        changed = _CHOICE.sub(lambda match: random.choice(match.group(1).split("|")), line)
        changed = _MAYBE.sub(lambda match: match.group(1) if random.random() < 0.5 else "", changed)
        if changed == line:
            return line
        line = changed


def first_upper(text: str) -> str:
    """The text with its first letter as a capital."""
    return text[:1].upper() + text[1:]


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
