"""A small toolbox with examples, shared by the tests of teaching."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Literal

import pytest

from toolmend.tools import Toolbox
from toolmend.training.teach.examples import Example, read_examples
from toolmend.training.teach.requests import Requests

EXAMPLES = """\
# a comment
Move 3 crates to shelf B7 => depot.move(3, "B7")
    No, 5 => depot.move(5, "B7")
Please put 12 crates on C2 => depot.move(12, "C2")
Bring four crates over to A11 => depot.move(4, "A11")
Crates for D4: 8 => depot.move(8, "D4")
20 crates have to go to B3 => depot.move(20, "B3")
Collect apples and plums on May 3, 2025 => depot.collect(["apples", "plums"], "2025-05-03")
    And pears => depot.collect(["apples", "plums", "pears"], "2025-05-03")
On 2025-06-11 somebody should collect honey, by bike => depot.collect(["honey"], "2025-06-11", "bike")
Fetch jam, tea and salt on the 7th of July 2025 => depot.collect(["jam", "tea", "salt"], "2025-07-07")
Get rice by van on Aug 1, 2025 => depot.collect(["rice"], "2025-08-01", "van")
Collect corn, it's heavy, on Sep 9, 2025 => depot.collect(["corn"], "2025-09-09", "van")
Thanks! => "You're welcome."
"""


def move(crates: int, shelf: str) -> None:
    """Move crates to a shelf."""


def collect(goods: list[str], day: dt.date, by: Literal["van", "bike"] = "van") -> None:
    """Collect goods."""


@pytest.fixture(scope="session")
def box() -> Toolbox:
    """Two tools."""
    return Toolbox.of(move, collect, receiver="depot")


@pytest.fixture(scope="session")
def examples(box: Toolbox, tmp_path_factory: pytest.TempPathFactory) -> tuple[Example, ...]:
    """Five for each, and some more."""
    path: Path = tmp_path_factory.mktemp("examples") / "depot_examples.txt"
    path.write_text(EXAMPLES, encoding="utf-8")
    return read_examples(path, box)


@pytest.fixture(scope="session")
def requests(box: Toolbox, examples: tuple[Example, ...]) -> Requests:
    """The source of sentences."""
    return Requests(box.specs, examples)
