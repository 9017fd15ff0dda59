"""Reads the files of data/, and makes up words nobody has met, out of data/words.txt: they force a model to copy what
it reads instead of knowing a list by heart. Knows nothing of calls or models.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from random import Random

_ONSETS = "b c d f g h j k l m n p r s t v w z br cr dr fr gr pr tr bl cl fl gl pl sl st sp sk sh ch th kl qu".split()
_NUCLEI = "a e i o u a e i o u ai ea ee oo ou y au ie".split()
_CODAS = ["", "", "", "", "n", "r", "s", "l", "m", "t", "k", "nd", "rt", "st", "x", "ng", "ck", "ll", "p", "d", "b"]
_PUBLISHED = {"fred", "paul", "rock"}


def sections(name: str) -> dict[str, list[str]]:
    """The lines of a data file under each `[section]`, without blank lines and comments."""
    found: dict[str, list[str]] = {}
    current: list[str] = []
    for line in files("toolmend.training").joinpath("data", name).read_text(encoding="utf-8").splitlines():
        line = line.strip()
        if section := re.fullmatch(r"\[([^\[\]]+)\]", line):
            current = found.setdefault(section[1], [])
        elif line and not line.startswith("#"):
            current.append(line)
    return found


def made_up(random: Random, syllables: int = 0) -> str:
    """A word nobody has met, in lower case: of syllables, or a real one with its letters disturbed.

    Never one of the names and titles of the published experiment.
    """
    word = _disturbed(random) if random.random() < 0.4 else _syllables(random, syllables)
    return made_up(random, syllables) if word in _PUBLISHED else word


def _syllables(random: Random, syllables: int) -> str:
    count = syllables or random.choice((1, 2, 2, 2, 3))
    return "".join(random.choice(_ONSETS) + random.choice(_NUCLEI) + random.choice(_CODAS) for _ in range(count))


def _disturbed(random: Random) -> str:
    """Halves of two real words, with a letter changed, dropped or doubled."""
    pool, letter = _real_words(), random.choice("abcdefghijklmnopqrstuvwxyz")
    one, two = random.choice(pool), random.choice(pool)
    word = one[: random.randint(1, len(one))] + two[random.randint(0, len(two) - 1) :]
    at = random.randrange(len(word))
    before, after = word[:at], word[at + 1 :]
    return random.choice((word, before + letter + after, before + after, before + letter + word[at:]))[:12] or letter


@cache
def _real_words() -> tuple[str, ...]:
    listed = (entry for lines in sections("words.txt").values() for line in lines for entry in line.split(","))
    words = {word.lower() for entry in listed for word in entry.split() if word.isalpha() and len(word) > 2}
    return tuple(sorted(words))
