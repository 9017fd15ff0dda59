"""What speaks for and against a source, what is not known, and the caps; each with its evidence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolmend.extras.knowledge import Others, Outside, Source, Trust, judge
from toolmend.extras.knowledge.collect import Item
from toolmend.extras.knowledge.collect.finish import finished
from toolmend.extras.knowledge.source import KINDS, Found, Link
from toolmend.extras.knowledge.trust import Check, rules

Made = Callable[..., Source]
AS_OF = date(2026, 11, 20)
PAPER = "https://pubmed.ncbi.nlm.nih.gov/1"


def check(trust: Trust, name: str) -> Check:
    return next(each.check for each in trust.checks if each.name == name)


def test_weights_sum_to_one_and_half_of_them_lie_outside() -> None:
    assert set(rules().kinds) == set(KINDS)
    for kind in rules().kinds.values():
        assert sum(kind.vertical.values()) == pytest.approx(0.5)
        assert sum(kind.lateral.values()) == pytest.approx(0.5)


def test_what_is_unknown_widens_the_interval_alone(written: Made) -> None:
    spoken = written("words " * 40, "https://www.youtube.com/watch?v=abcdefghijk", form="transcript")
    trust = judge(spoken, AS_OF)
    assert check(trust, "author").verdict == "unknown"
    assert trust.high - trust.low == pytest.approx(1 - trust.coverage, abs=0.011)


def test_evidence_stands_where_it_says(written: Made) -> None:
    made = written("This miracle cure works. Buy now, says Ann Lee.")
    trust = judge(made, AS_OF)
    seen = [*check(trust, "language").evidence, *check(trust, "interests").evidence]
    assert [made.text[each.start : each.end] for each in seen] == ["miracle cure", "Buy now"]


def test_independent_sources_that_refer_to_it(written: Made) -> None:
    target = written("Target.", "https://t.example/x", authors="Ann Lee")
    link = (Link("http://T.example/x/?utm_source=a", "see Lee"),)
    own = written("Own.", "https://t.example/y", links=link)
    friend = written("Friend.", "https://f.example/", links=link, authors="Ann Lee")
    other = written("Other.", "https://o.example/", links=link, authors="Bo Wu", title="Other")
    others = Others.of([target, own, friend, other])
    found = check(judge(target, AS_OF, others), "cited")
    assert (found.value, [each.quote for each in found.evidence]) == (0.8, ["Other: see Lee"])
    assert found.evidence[0].where == f"source {other.id}"


def test_a_source_that_is_disputed_vouches_for_nobody(written: Made) -> None:
    target = written("Target.", "https://t.example/x")
    other = written("Other.", "https://o.example/", links=(Link(target.url),))
    others = Others.of([target, other], [Outside("o.example", "unreliable", "a list", "2025")])
    assert check(judge(target, AS_OF, others), "cited").verdict == "unknown"


def test_retracted_is_a_cap(written: Made) -> None:
    paper = written(
        "A good study. " * 20, PAPER, form="pubmed", authors="Ann Lee", reference_count=40, published="2024"
    )
    assert judge(paper, AS_OF).score > 0.6
    told = judge(
        paper, AS_OF, Others.of([], [Outside(PAPER, "retracted", "the journal", "2025-01-01", quote="errors")])
    )
    assert (told.score, told.high, told.caps) == (0.1, 0.1, ("retracted",))
    assert check(told, "retraction").evidence[0].date == "2025-01-01"
    noted = judge(replace(paper, notes=("retracted",)), AS_OF)
    assert noted.score == 0.1


def test_a_bad_listing_is_a_cap(written: Made) -> None:
    made = written("Text. " * 40, "https://bad.example/x", authors="Ann Lee", published="2026-01-01")
    assert judge(made, AS_OF, Others.of([], [Outside("bad.example", "unreliable", "a list", "2025")])).score == 0.3


def test_nobody_and_never_is_a_cap(written: Made) -> None:
    assert judge(written("Text. " * 40), AS_OF).caps == ("undated_unsigned",)
    assert judge(written("Text. " * 40, published="2024"), AS_OF).caps == ()


def test_superseded_counts_more_than_age(written: Made) -> None:
    old = written(
        "The theorem of linear algebra stands.", "https://t.example/x", authors="Ann Lee", published="2026-11-01"
    )
    told = judge(old, AS_OF, Others.of([], [Outside(old.url, "superseded", "its author", "2026-11-02")]))
    assert (check(told, "current").value, told.caps) == (0.0, ("superseded",))


def test_opposite_facts_show_both_sides(written: Made) -> None:
    made = written("Text.", "https://t.example/x")
    facts = [Outside(made.url, "confirmed", "A", "2025-01-01"), Outside(made.url, "disputed", "B", "2026-01-01")]
    found = check(judge(made, AS_OF, Others.of([], facts)), "agreement")
    assert (found.value, found.says) == (0.5, "disputed (B), confirmed (A)")


def test_dates_in_the_future_do_not_count(written: Made) -> None:
    assert check(judge(written("x", published="2031-01-01"), AS_OF), "dated").verdict == "fail"


def test_another_day_another_age(written: Made) -> None:
    made = written("Install the API with npm.", authors="Ann Lee", published="2026-01-01")
    assert judge(made, date(2032, 1, 1)).score < judge(made, AS_OF).score


def test_other_rules_another_score(written: Made) -> None:
    made = written("Text. " * 40, authors="Ann Lee", published="2026-01-01")
    strict = replace(
        rules(), version="strict", kinds={kind: replace(each, expected=0.0) for kind, each in rules().kinds.items()}
    )
    found = judge(made, AS_OF, by=strict)
    assert (found.score, found.rules) == (found.low, "strict")


def test_a_check_explains_itself_in_json(written: Made) -> None:
    found = judge(written("Text. " * 40), AS_OF).as_dict(explain=True)
    first = found["checks"][0]
    assert (first["check"], first["half"], first["weight"]) == ("author", "vertical", 0.083)
    assert (first["verdict"], first["value"], first["says"]) == ("fail", 0.0, "nobody signs it")


@settings(max_examples=60, deadline=None)
@given(
    text=st.text(max_size=400),
    kind=st.sampled_from(KINDS),
    when=st.sampled_from(["", "0001", "1999", "2026-02-28", "9999"]),
    year=st.integers(1, 9999),
)
def test_any_source_has_a_score_in_its_interval(text: str, kind: str, when: str, year: int) -> None:
    url = "https://a.example/x"
    dated = (Found(when, "test"),) if when else ()
    made = finished(Source("", url, "page", text, published=dated), Item(b"", "x", url), kind)
    found = judge(made, date(year, 1, 1))
    assert 0 <= found.low <= found.score <= found.high <= 1
