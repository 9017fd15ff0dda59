"""Behind every figure stand exactly the replies it was counted from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from toolmend.evals.reports.evidence import FACETS, Piece, PublishedEvidence, evidence
from toolmend.evals.reports.published import published
from toolmend.evals.reports.report import played_suite
from toolmend.evals.reports.tables import Behind, full

Found = Any
Counted = Counter[tuple[Behind, int]]


def pieces(found: Found) -> Iterator[tuple[int, Piece]]:
    """The number of the contestant, and a piece of evidence."""
    who = [(row["model"], row["strategy"]) for row in found.report["contestants"]]
    suite = played_suite(found.run, [])
    assert suite is not None
    shown = PublishedEvidence(suite)
    limits = {each["id"]: each["corrections"] for each in found.run.config.settings["experiments"]}
    for sample in found.samples:
        own = evidence(sample, limits[sample.case.split("/")[0]])
        yield from ((who.index(sample.contestant), piece) for piece in [*own, *shown.of(sample)])


@pytest.fixture(scope="module")
def counted(calendar_run: Found) -> Counted:
    """How many pieces stand behind a figure, by outcome; once with their kind of mistake and once without."""
    made: Counted = Counter()
    for who, piece in pieces(calendar_run):
        kinds = {piece.kind, ""}
        made.update((Behind(piece.facet, who, kind), piece.outcome) for kind in kinds)
    return made


def rates(row: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Facet, kind and rate of everything that has hits and trials."""
    yield from ((name, "", row[name]) for name in ("first_right", "fix_at_1", "fix_at_1_named", "regress", "done"))
    yield from ((f"within {k}", "", rate) for k, rate in row["fix_at_k"].items())
    yield "level 0", "", row["control"]
    for kind, fixes in [("", row), *row["by_kind"].items()]:
        yield "fix_at_1", kind, fixes["fix_at_1"]
        yield "fix_at_1_named", kind, fixes["fix_at_1_named"]
        yield "told_named", kind, fixes["told_named"]
        yield from ((f"level {level}", kind, rate) for level, rate in fixes["fix_at_1_by_level"].items())


def test_every_rate_has_its_trials_and_hits(calendar_run: Found, counted: Counted) -> None:
    for who, row in enumerate(calendar_run.report["contestants"]):
        for facet, kind, rate in rates(row):
            behind = Behind(facet, who, kind)
            seen = (counted[behind, 1], counted[behind, 0] + counted[behind, 1])
            assert seen == (rate["hits"], rate["trials"]), (facet, kind)


def test_every_difference_has_its_pairs(calendar_run: Found, counted: Counted) -> None:
    for who, row in enumerate(calendar_run.report["contestants"]):
        neither, again, told, both = (counted[Behind("net_fix", who), outcome] for outcome in range(4))
        net = row["net_fix"]
        assert net["pairs"] == neither + again + told + both > 0
        assert net["value"] == pytest.approx((told - again) / net["pairs"])


def test_every_mistake_and_outcome_is_there(calendar_run: Found, counted: Counted) -> None:
    for who, row in enumerate(calendar_run.report["contestants"]):
        assert {kind: counted[Behind("mistake", who, kind), 0] for kind in row["mistakes"]} == row["mistakes"]
        came = {name: row["outcomes"][name] for name in ("empty", "truncated", "cached")}
        assert {name: counted[Behind(name, who), 0] for name in came} == came


def test_every_mark_of_the_published_tables_is_there(calendar_run: Found, counted: Counted) -> None:
    cells = [cell for table in published(calendar_run.report) for row in table.rows for cell in row.cells]
    marks = {
        cell.behind: len(cell.text.split()) for cell in cells if cell.behind and cell.behind.facet in ("4.1", "4.3")
    }
    assert len(marks) == 2 + 2 * 3
    assert {behind: counted[behind, 0] for behind in marks} == marks
    assert [counted[Behind("4.2", who), 0] for who in (0, 1)] == [1, 1]


def test_every_cell_leads_to_something(calendar_run: Found, counted: Counted) -> None:
    behinds = {behind for behind, _ in counted}
    for table in (*full(calendar_run.report), *published(calendar_run.report)):
        for cell in (cell for row in table.rows for cell in row.cells if cell.behind):
            assert cell.behind in behinds or cell.behind.facet in ("all", "error"), (table.title, cell)


def test_every_facet_has_words(counted: Counted) -> None:
    for behind, outcome in counted:
        assert outcome < len(FACETS[behind.facet].outcomes)


def test_pieces_point_to_the_turn(foreign_run: Found) -> None:
    good, error = foreign_run.samples
    assert evidence(error, 3) == []
    found = [(piece.turn, piece.facet, piece.outcome) for piece in evidence(good, 1)]
    assert (0, "first_right", 0) in found
    assert (0, "fix_at_1", 1) in found
    assert (0, "net_fix", 2) in found
    assert (0, "unmet", 0) in found
