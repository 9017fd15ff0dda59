"""What calls made up, side by side, and how much of it repeats the request; the published examples measured so."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from statistics import mean

import pytest

from toolmend.base.errors import BadOption
from toolmend.base.events import Asked, Called, Event, Marked, Replied
from toolmend.base.messages import Call, CallResult
from toolmend.evals.store import Run, RunConfig, Sample, StoredContestant
from toolmend.extras.arena.judges.made_up import MadeThing, made_up, repeated, repeating, words_in

Make = Callable[..., Sample]
FREYR, NATIVE = StoredContestant("m", "freyr"), StoredContestant("m", "native")
RUN = Run("aaaaaaaaaaaa", RunConfig("dungeon", contestants=(FREYR, NATIVE)), "t")


def said(*calls: Call) -> list[Event]:
    ran = [Called(0, call, CallResult(call.id)) for call in calls]
    return [Asked(0, "Add two red bats"), Replied(0, "Done.", model="m"), *ran, Marked(0, (), (), True, 0)]


def bat(number: int, **arguments: object) -> Call:
    return Call("dungeon.add_enemy", arguments, f"c{number}")


@pytest.fixture
def samples(sample: Make) -> list[Sample]:
    """Freyr makes up two things, native repeats the request and names a third without a word."""
    own = [bat(1, name="Nox", description="An old, blind hunter."), bat(2, name="Vesper", description="Red eyes.")]
    copied = [bat(1, name="Bat 1", description="a red bat"), bat(2, name="Bat 2", hp=3)]
    made = {"freyr": own, "native": copied}
    return [sample(said(*calls), case="main/1", model="m", strategy=way) for way, calls in made.items()]


def test_both_sides_of_a_request(samples: list[Sample]) -> None:
    [row] = made_up(RUN, samples, "freyr", "native")
    assert row.request == "Add two red bats"
    assert row.things == {
        "m · freyr": (MadeThing("Nox", "An old, blind hunter."), MadeThing("Vesper", "Red eyes.")),
        "m · native": (MadeThing("Bat 1", "a red bat"),),
    }


def test_how_much_repeats_the_request(samples: list[Sample]) -> None:
    rows = made_up(RUN, samples, "freyr", "native")
    freyr, native = (repeating(rows, f"m · {way}") for way in ("freyr", "native"))
    assert (freyr.share, freyr.descriptions, freyr.words) == (0.25, 2, 3.0)  # "red" of "red eyes", nothing of the other
    assert (native.share, native.descriptions) == (0.5, 1)  # "red" of "red bat": "bats" is another word


def test_who_describes_nothing_has_no_share(samples: list[Sample]) -> None:
    found = repeating(made_up(RUN, samples[:1], "freyr", "native"), "m · native")
    assert (found.share, found.interval, found.descriptions, found.words) == (None, None, 0, None)


def test_a_run_that_made_up_nothing_is_told(sample: Make) -> None:
    with pytest.raises(BadOption, match="nothing was made up"):
        made_up(RUN, [sample(said(), model="m", strategy="freyr")], "freyr", "native")


def test_words() -> None:
    assert words_in("SwampySnake, ancient_runes: it’s 2 Zero-gravity") == (
        "swampy snake ancient runes it's 2 zero gravity".split()
    )


@pytest.mark.parametrize(
    ("description", "request_", "share"),
    [
        ("The runes on the wall", "Draw runes on the floor", 0.5),
        ("filled with ancient runes on the floor", "Make a room filled with ancient runes on the floor", 1.0),
        ("It is here", "Here it is", None),
    ],
)
def test_shares_are_of_content_words(description: str, request_: str, share: float | None) -> None:
    assert repeated(description, request_) == share


@pytest.mark.needs_shared
def test_the_published_examples_say_what_the_paper_says(shared: Path) -> None:
    """Freyr, table 3: six requests in two modes; "Tools seem to reuse heavily any detail introduced in the query"."""
    [file] = (shared / "seeds").glob("004_*.txt")
    table = file.read_text(encoding="utf-8").partition("LLM | Query | Mode")[2].partition("\n[linecolor")[0]
    cells = [[cell.strip() for cell in line.split("|")] for line in table.splitlines()[2:]]
    shares: dict[str, list[float]] = {"Freyr": [], "Tools": []}
    asked = ""
    for row in cells:
        mode = next(cell for cell in row if cell in shares)
        asked = row[row.index(mode) - 1] or asked if row.index(mode) else asked
        for text in re.findall(r'": "?([^"]+)"', row[row.index(mode) + 1]):
            shares[mode] += [share] if (share := repeated(text, asked)) is not None else []
    assert {mode: (len(found), round(mean(found), 2)) for mode, found in shares.items()} == {
        "Freyr": (7, 0.08),
        "Tools": (7, 0.42),
    }
