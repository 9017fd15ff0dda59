"""The leaderboard: ratings from votes with intervals, rates from stored runs, published rows beside them, never mixed.

Computes nothing itself: ratings/ fits, evals/ reports. Blocks; `Arena.board` calls it from a thread.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from toolmend.arena.votes import ballots, votes_of
from toolmend.errors import BadFile, BadOption
from toolmend.evals.benchmarks import calendar_blog
from toolmend.evals.judges.ballots import Ballot
from toolmend.evals.reports.report import build_report
from toolmend.ratings import Published, Rating, Ratings, fit, interval_plot, published_tables
from toolmend.store import Store

MOST_RUNS = 50
Data = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class BoardFilter:
    """What the board is made of: votes of one category, runs of one suite, how ties and Likert 4 and 5 count."""

    category: str = ""
    suite: str = ""
    ties: Literal["half", "drop"] = "half"
    band: bool = False
    turns: bool = False

    def __post_init__(self) -> None:
        """Refuse what means nothing. Raises BadOption."""
        if self.ties not in ("half", "drop"):
            raise BadOption(f"ties are half or drop, not {self.ties!r}")


@dataclass(frozen=True, slots=True)
class BoardShare:
    """A rate with its interval; `value` is None where there was no trial."""

    value: float | None
    low: float
    high: float
    trials: int


@dataclass(frozen=True, slots=True)
class Measured:
    """What a stored run says of a contestant. Tokens and seconds are those of one reply, the seconds their median."""

    suite: str
    run: str
    first_right: BoardShare
    fix_at_1: BoardShare
    control: BoardShare
    net_fix: BoardShare
    turns_to_done: float | None
    tokens: float | None
    seconds: float | None


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One contestant: its rating from votes and its rates from a run, each None where there is none.

    `played` is the strategy of that run where it is another: one rated with `auto` was measured with what auto takes.
    """

    contestant: str
    rating: Rating | None = None
    measured: Measured | None = None
    played: str = ""


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """A row of the blog's third experiment as printed: fixes of nine, and the marks of all three counted."""

    contestant: str
    fixed: int
    trials: int
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Board:
    """Everything the leaderboard shows. `wins[row][column]` counts whole wins of the row over the column; `notes` are
    for everybody, `warnings` those of the ratings, for who knows how they are made."""

    rows: tuple[BoardRow, ...]
    names: tuple[str, ...]
    wins: tuple[tuple[int, ...], ...]
    ties: int
    both_bad: int
    votes: int
    method: str
    warnings: tuple[str, ...]
    categories: tuple[str, ...]
    suites: tuple[str, ...]
    published: tuple[Published, ...]
    printed: tuple[PrintedRow, ...]
    source: str
    notes: tuple[str, ...] = ()

    def plot(self, what: str = "ratings") -> str:
        """A picture as SVG text: ratings, fix or net. Raises BadOption for another."""
        if what == "ratings":
            rated = [row.rating for row in self.rows if row.rating is not None]
            marks = [(each.contestant, each.rating, each.low, each.high) for each in rated]
            return interval_plot("Ratings from votes, 95 % intervals", {"votes": marks}).svg
        if what not in ("fix", "net"):
            raise BadOption(f"a plot is of ratings, fix or net, not {what!r}")
        found = [(row.contestant, row.measured) for row in self.rows if row.measured is not None]
        shares = [(name, each.fix_at_1 if what == "fix" else each.net_fix) for name, each in found]
        points = [(name, 100 * s.value, 100 * s.low, 100 * s.high) for name, s in shares if s.value is not None]
        title = "fix@1, in %" if what == "fix" else "net fix: fix@1 less asking again, in percentage points"
        return interval_plot(f"{title}, 95 % intervals", {"runs": points}).svg


def make_board(rows: Sequence[Any], place: str, wanted: BoardFilter) -> Board:
    """The board from rows of votes and the runs at a place."""
    cast = ballots(rows, band=wanted.band, turns=wanted.turns)
    categories = tuple(sorted({each.category for each in cast if each.category}))
    mine = [each for each in cast if wanted.category in ("", each.category)]
    found = fit(votes_of(mine), ties=wanted.ties) if mine else None
    suites, measured = _measured(place, wanted.suite)
    names, wins = _matrix(mine)
    data = calendar_blog.published()
    return Board(
        _rows(found, measured),
        names,
        wins,
        sum(each.winner == "tie" for each in mine),
        sum(each.winner == "both_bad" for each in mine),
        len(mine),
        found.method if found else "",
        found.warnings if found else (),
        categories,
        suites,
        published_tables(),
        _printed(data),
        f"{data['source']}, {data['date']}",
    )


def too_few(contestants: int, votes: int) -> tuple[str, ...]:
    """What to say of an arena with fewer than two contestants, or fewer than two votes that count here."""
    found = []
    if contestants < 2:
        found.append("this arena has one contestant and a battle needs two: start it with another --model")
    if votes < 2:
        found.append(f"{('no vote', 'one vote')[votes]} so far: too few for ratings; vote in a battle")
    return tuple(found)


def _rows(found: Ratings | None, measured: Mapping[str, Measured]) -> tuple[BoardRow, ...]:
    """Those with votes by rating, then those with runs alone by fix@1."""
    rated, joined = [], set[str]()
    for row in found.rows if found else ():
        name = _measured_as(row.contestant, measured)
        joined |= {name, row.contestant}
        played = "" if name == row.contestant else name.rpartition(" · ")[2]
        rated.append(BoardRow(row.contestant, row, measured.get(name), played))
    rest = [BoardRow(name, None, each) for name, each in measured.items() if name not in joined]
    rest.sort(key=lambda row: (-((row.measured and row.measured.fix_at_1.value) or 0.0), row.contestant))
    return (*rated, *rest)


def _measured_as(name: str, measured: Mapping[str, Measured]) -> str:
    """Under which name a contestant was measured: its own, else with `auto` that of the newest run of its model."""
    model, _, strategy = name.rpartition(" · ")
    if name in measured or strategy.partition("?")[0] != "auto":
        return name
    return next((other for other in measured if other.rpartition(" · ")[0] == model), name)


def _matrix(cast: Sequence[Ballot]) -> tuple[tuple[str, ...], tuple[tuple[int, ...], ...]]:
    names = tuple(sorted({name for each in cast for name in (each.a, each.b)}))
    place = {name: number for number, name in enumerate(names)}
    wins = [[0] * len(names) for _ in names]
    for each in cast:
        if each.winner in ("a", "b"):
            won, lost = (each.a, each.b) if each.winner == "a" else (each.b, each.a)
            wins[place[won]][place[lost]] += 1
    return names, tuple(map(tuple, wins))


def _measured(place: str, suite: str) -> tuple[tuple[str, ...], dict[str, Measured]]:
    """The suites there are finished runs of, and by contestant what the newest such run says."""
    try:
        with Store(place, create=False) as store:
            runs = [run for run in store.runs()[:MOST_RUNS] if run.status == "finished"]
            suites = tuple(sorted({run.config.suite for run in runs}))
            made: dict[str, Measured] = {}
            for run in runs:
                if suite in ("", run.config.suite):
                    for row in build_report(store, run.id)["contestants"]:
                        made.setdefault(
                            f"{row['model']} · {row['strategy']}", _of_report(run.config.suite, run.id, row)
                        )
            return suites, made
    except BadFile:  # nothing was ever run here
        return (), {}


def _of_report(suite: str, run: str, row: Data) -> Measured:
    cost = row["cost"]
    replies = cost["replies"]
    tokens = (cost["input_tokens"] + cost["output_tokens"]) / replies if replies else None
    return Measured(
        suite,
        run,
        _share(row["first_right"]),
        _share(row["fix_at_1"]),
        _share(row["control"]),
        _share(row["net_fix"]),
        row["turns_to_done"],
        tokens,
        cost["seconds_median"],
    )


def _share(rate: Data) -> BoardShare:
    return BoardShare(rate["value"], rate["low"], rate["high"], rate.get("trials", rate.get("pairs", 0)))


def _printed(data: Data) -> tuple[PrintedRow, ...]:
    made = []
    for name, cells in data["fixing"]["rows"].items():
        marks = [mark for cell in cells for mark in cell]
        made.append(PrintedRow(name, marks.count("fixed"), len(marks), data["recap"].get(name, {})))
    return tuple(sorted(made, key=lambda row: -row.fixed))
