"""Draws the names and titles of the simulated calendar from data/words.txt, and makes up words nobody has met.

Made-up words force a model to copy what it reads instead of knowing a list by heart. Knows nothing of calls or models.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from random import Random

_SMALL = {"with", "and", "about", "for", "of", "at", "the", "in", "on", "to", "a", "an"}
_ONSETS = "b c d f g h j k l m n p r s t v w z br cr dr fr gr pr tr bl cl fl gl pl sl st sp sk sh ch th kl qu".split()
_NUCLEI = "a e i o u a e i o u ai ea ee oo ou y au ie".split()
_CODAS = ["", "", "", "", "n", "r", "s", "l", "m", "t", "k", "nd", "rt", "st", "x", "ng", "ck", "ll", "p", "d", "b"]
_PUBLISHED = {"fred", "paul", "rock"}
_HONORIFICS = ("Dr.", "Mr", "Mrs", "Ms", "Dr", "Professor", "Uncle", "Aunt")


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


@cache
def _lists() -> dict[str, tuple[str, ...]]:
    return {
        section: tuple(word.strip() for line in lines for word in line.split(",") if word.strip())
        for section, lines in sections("words.txt").items()
    }


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
    training = [entry for section, entries in _lists().items() if "held-out" not in section for entry in entries]
    words = {word.lower() for entry in training for word in entry.split() if word.isalpha() and len(word) > 2}
    return tuple(sorted(words))


def titled(phrase: str) -> str:
    """The title the calendar gets: every word but the small ones with a capital first letter."""
    words = phrase.split(" ")
    return " ".join(
        word if index and word in _SMALL else "-".join(part[:1].upper() + part[1:] for part in word.split("-"))
        for index, word in enumerate(words)
    )


@dataclass(frozen=True)
class NameSource:
    """A source of names. `held_out` draws real words only from the lists that training never uses."""

    held_out: bool = False

    def pick(self, random: Random, section: str) -> str:
        """One entry of a section, from its held-out list where this source is held out."""
        return random.choice(_lists()[f"{section} held-out" if self.held_out else section])

    def person(self, random: Random) -> str:
        """A first name, sometimes with a surname, an honorific or a second person; often made up."""
        invent = random.random() < 0.5
        first = made_up(random).capitalize() if invent else self.pick(random, "people")
        surname = made_up(random, 2).capitalize() if random.random() < 0.5 else self.pick(random, "surnames")
        shape = random.random()
        if shape < 0.82:
            return first
        if shape < 0.90:
            return f"{first} {surname}"
        if shape < 0.96:
            return f"{random.choice(_HONORIFICS)} {surname}"
        return f"{first} and {self.pick(random, 'people')}"

    def event(self, random: Random) -> str:
        """What is planned, without article or name: `yoga class`, often with made-up words in it."""
        real = self.pick(random, "events")
        if random.random() >= 0.5:
            return real
        shape = random.random()
        if shape < 0.3:
            return made_up(random)
        if shape < 0.75:
            return f"{made_up(random)} {real.split()[-1]}"
        if shape < 0.9:
            return f"{real.split()[0]} {made_up(random)}"
        return f"{made_up(random)} {made_up(random)}"

    def guest(self, random: Random) -> str:
        """Somebody who is not called by a first name: `the Baker family`, `my aunt`, `the neighbours`."""
        who = self.pick(random, "who")
        surname = made_up(random, 2).capitalize() if random.random() < 0.6 else self.pick(random, "surnames")
        forms = (f"my {who}", f"the {who}", f"the {surname}s", f"the {made_up(random)} people", self.person(random))
        return random.choice(forms)

    def task(self, random: Random) -> str:
        """Something to be done: `pick up the keys`, `call Anna`."""
        verb = self.pick(random, "tasks")
        shape = random.random()
        if shape < 0.25:
            return f"{verb} {self.person(random)}"
        return f"{verb} {self.pick(random, 'things') if shape < 0.7 else 'the ' + made_up(random)}"

    def is_task(self, bare: str) -> bool:
        """Whether a title is something to be done, which takes no article."""
        lists = _lists()
        return bare.startswith(tuple(f"{verb} " for verb in (*lists["tasks"], *lists["tasks held-out"])))

    def numbered(self, random: Random) -> str:
        """A title with a figure or a single letter in it: `Q3 review`, `studio B check`, `10k run`."""
        event, number = self.event(random), random.randint(1, 12)
        forms = ("Q{quarter} {event}", "{event} {number}", "{number}k run", "room {number} {event}", "{event} {letter}",
                 "{event} part {number}", "{word} {number} {event}", "{event} in studio {letter}")  # fmt: skip
        quarter, letter = random.randint(1, 4), random.choice("ABCD")
        return random.choice(forms).format(
            event=event, number=number, quarter=quarter, letter=letter, word=made_up(random)
        )

    def _placed(self, random: Random, meeting: str) -> str:
        """Something somewhere: `ferry to Naxos`, `walk in the park with Anna`, `training without the twins`."""
        what = meeting if random.random() < 0.3 else self.event(random)
        where = made_up(random) if random.random() < 0.5 else self.event(random).split()[-1]
        link = random.choice("in to in to on by near before without around behind".split())
        place = where.capitalize() if random.random() < 0.45 else f"{random.choice(('the', 'the', 'my'))} {where}"
        return f"{what} {link} {place}" + (f" with {self.person(random)}" if random.random() < 0.2 else "")

    def title(self, random: Random) -> str:
        """A noun phrase as spoken, without article: `lunch with Anna`, `Tom's birthday party`."""
        meeting, event, who = self.pick(random, "meetings"), self.event(random), self.person(random)
        whose = made_up(random) if random.random() < 0.5 else self.pick(random, "who")
        ways: dict[str, int] = {
            f"{meeting} with {who}": 33,
            f"{event} with {self.guest(random)}": 3,
            self.task(random): 5,
            self.numbered(random): 3,
            f"{meeting} with the {event.split()[0]} team": 2,
            f"{meeting} about {self.pick(random, 'topics')}": 5,
            f"{who}'s {event}": 7,
            f"{event} at {made_up(random).capitalize()} {self.pick(random, 'places')}": 4,
            f"{event} {random.choice(('for', 'from', 'for', 'of'))} {who}": 4,
            self._placed(random, meeting): 7,
            f"{event} at the {whose}": 3,
            event: 24,
        }
        return random.choices(list(ways), list(ways.values()))[0]
