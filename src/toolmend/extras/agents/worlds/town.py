"""A town of 25 small lives on a map, by seed: who lives and works where, who is where when, who meets whom.

Two days, 13 and 14 February, from 7:00 to 22:00 in steps of half an hour. Knows no memory and no model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from random import Random

LIVES, SLOTS_A_DAY, DAYS = 25, 30, 2
SLOTS = SLOTS_A_DAY * DAYS
PARTY = range(SLOTS_A_DAY + 20, SLOTS_A_DAY + 24)
"""17:00 to 19:00 on the second day."""
PLACES = {
    "school": (14, 25),
    "library": (38, 25),
    "café": (62, 25),
    "office": (86, 25),
    "pub": (108, 25),
    "park": (20, 44),
    "square": (46, 44),
    "shop": (72, 44),
    "clinic": (98, 44),
    **{f"house {number}": (12 * number - 4, 63 if number % 2 else 6) for number in range(1, 10)},
}
"""Where each place stands on a map of 120 × 76."""
_NAMES = (
    "Ada Ben Cleo Dan Edda Finn Greta Hugo Ida Jon Kira Leo Mona Nils Olga Paul Quinn Rosa Sven Tara Udo Vera Will "
    "Xenia Yuri"
).split()
_WORK = ["café"] * 2 + ["shop"] * 3 + ["school"] * 5 + ["office"] * 6 + ["library"] * 2 + ["clinic"] * 3 + ["pub"] * 2
_HOBBIES = ("paint the kitchen", "bake bread", "mend a bicycle", "learn the flute", "plant roses", "write a letter")
_FREE = ("café", "park", "shop", "library", "pub", "square")
_SHIFTS = ((9, 17), (9, 17), (8, 16), (12, 20))
_FRIENDS, _TALK_FRIENDS, _TALK_OTHERS = 4, 0.45, 0.12


@dataclass(frozen=True, slots=True)
class Life:
    """One who lives here: at work from `shift[0]` to `shift[1]` o'clock, in free time at one of `likes`."""

    number: int
    name: str
    home: str
    work: str
    shift: tuple[int, int]
    likes: tuple[str, ...]
    friends: frozenset[int]
    plan: str


@dataclass(frozen=True)
class Town:
    """The town of a seed, always the same. The host of the party is life 0, who stands for election is life 1."""

    seed: int

    @cached_property
    def lives(self) -> tuple[Life, ...]:
        """All 25."""
        random = Random(f"lives {self.seed}")
        work = [*_WORK, "", ""]
        random.shuffle(work)
        friends: list[set[int]] = [set() for _ in range(LIVES)]
        while sum(map(len, friends)) < _FRIENDS * LIVES:
            one, other = random.sample(range(LIVES), 2)
            friends[one].add(other)
            friends[other].add(one)
        return tuple(
            Life(
                number,
                name,
                home=f"house {1 + number % 9}",
                work=work[number] if number else "café",
                shift=random.choice(_SHIFTS) if number else (9, 17),
                likes=tuple(random.sample(_FREE, 3)),
                friends=frozenset(friends[number]),
                plan=random.choice(_HOBBIES),
            )
            for number, name in enumerate(_NAMES)
        )

    @property
    def invitation(self) -> str:
        """What the host plans: the news that spreads."""
        return f"{self.lives[0].name} plans a birthday party at the café on the 14th from 17:00 to 19:00"

    @property
    def candidacy(self) -> str:
        """The other news."""
        return f"{self.lives[1].name} plans to stand for the town council, and the deadline to vote is 28 February"

    def place(self, number: int, slot: int, guests: Sequence[int] = ()) -> str:
        """Where a life is in a slot; host and `guests` are at the café while the party is on."""
        life, hour = self.lives[number], _hour(slot)
        if slot in PARTY and (number == 0 or number in guests):
            return "café"
        if hour < 8 or hour >= 20:
            return life.home
        if self.working(number, slot) and not 12 <= hour < 13:
            return life.work
        return Random(f"{self.seed} {number} {slot // 4}").choice([*life.likes, life.likes[0], life.home])

    def working(self, number: int, slot: int) -> bool:
        """Whether a life has to be at work then."""
        life = self.lives[number]
        return bool(life.work) and life.shift[0] <= _hour(slot) < life.shift[1]

    def meetings(self, slot: int, guests: Sequence[int] = ()) -> list[tuple[str, tuple[int, int]]]:
        """Where who talks to whom in a slot; nobody talks to two."""
        present: dict[str, list[int]] = {}
        for number in range(LIVES):
            present.setdefault(self.place(number, slot, guests), []).append(number)
        random, made = Random(f"meetings {self.seed} {slot}"), []
        for place, numbers in present.items():
            random.shuffle(numbers)
            for one, other in zip(numbers[::2], numbers[1::2], strict=False):
                likely = _TALK_FRIENDS if other in self.lives[one].friends else _TALK_OTHERS
                if random.random() < likely:
                    made.append((place, (one, other)))
        return made


def moment_of(slot: int) -> str:
    """When a slot begins, as ISO 8601."""
    day, step = divmod(slot, SLOTS_A_DAY)
    begun = datetime(2023, 2, 13 + day, 7, tzinfo=UTC) + timedelta(minutes=30 * step)
    return begun.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def located(place: str) -> str:
    """A place in a sentence: `at the café`, `in house 3`."""
    return f"in {place}" if place.startswith("house") else f"at the {place}"


def _hour(slot: int) -> float:
    return 7 + slot % SLOTS_A_DAY / 2
