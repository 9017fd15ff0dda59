"""A small toolbox with examples, shared by the tests of teaching."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest

from toolmend.tools import Toolbox
from toolmend.training.teach.examples import Example, read_examples
from toolmend.training.teach.kit import Kit, kit_of

EXAMPLES = """\
# a comment
Move 3 crates to shelf B7 => depot.move(3, "B7")
    No, 5 => depot.move(5, "B7")
Please put 12 crates on C2 => depot.move(12, "C2")
Bring four crates over to A11 => depot.move(4, "A11")
Crates for D4: 8 => depot.move(8, "D4")
20 crates have to go to B3 => depot.move(20, "B3")
Collect apples and plums on May 3, 2025 => depot.collect(["apples", "plums"], "2025-05-03")
On 2025-06-11 somebody should collect honey, by bike => depot.collect(["honey"], "2025-06-11", "bike")
Fetch jam, tea and salt on the 7th of July 2025 => depot.collect(["jam", "tea", "salt"], "2025-07-07")
Get rice by van on Aug 1, 2025 => depot.collect(["rice"], "2025-08-01", "van")
Collect corn, it's heavy, on Sep 9, 2025 => depot.collect(["corn"], "2025-09-09", "van")
Pack 2 pans and a lid => depot.pack([{"what": "pan", "count": 2}, {"what": "lid", "count": 1}])
I need a box with six cups => depot.pack([{"what": "cup", "count": 6}])
Box up nine forks => depot.pack([{"what": "fork", "count": 9}])
Put 4 plates and 5 bowls together => depot.pack([{"what": "plate", "count": 4}, {"what": "bowl", "count": 5}])
3 jugs into one box => depot.pack([{"what": "jug", "count": 3}])
Thanks! => "You're welcome."
"""


@dataclass
class Thing:
    """So many of a thing."""

    what: str
    count: int


def move(crates: int, shelf: str) -> None:
    """Move crates to a shelf."""


def collect(goods: list[str], day: dt.date, by: Literal["van", "bike"] = "van") -> None:
    """Collect goods."""


def pack(things: list[Thing]) -> None:
    """Pack things into a box."""


@pytest.fixture(scope="session")
def box() -> Toolbox:
    """Three tools, one of them with a list of objects."""
    return Toolbox.of(move, collect, pack, receiver="depot")


@pytest.fixture(scope="session")
def examples(box: Toolbox, tmp_path_factory: pytest.TempPathFactory) -> tuple[Example, ...]:
    """Five for each, and some more."""
    path: Path = tmp_path_factory.mktemp("examples") / "depot_examples.txt"
    path.write_text(EXAMPLES, encoding="utf-8")
    return read_examples(path, box)


@pytest.fixture(scope="session")
def kit(box: Toolbox, examples: tuple[Example, ...]) -> Kit:
    """What is learned of them."""
    return kit_of(box, examples, "depot_examples.txt")
