"""Answers: exact spans, several sources, both sides of a conflict, or "not in memory"."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from toolmend.extras.knowledge import Library, Source
from toolmend.extras.knowledge.search import CitedAnswer, Search, answer
from toolmend.extras.knowledge.search.answer import parts_of
from toolmend.extras.knowledge.search.question import read_question

Made = Callable[..., Source]
DAY = date(2026, 11, 20)


def asked(library: Library, question: str, *sources: Source) -> CitedAnswer:
    for source in sources:
        library.keep(source)
    return answer(Search(library, day=DAY), question)


@pytest.fixture
def bridge(written: Made) -> Source:
    text = "The old bridge at Elm is 120 metres long. It was built in 1911 by Ann Lee. Ferries stopped soon after."
    return written(text, "https://a.example/bridge", title="The bridge at Elm")


def test_an_answer_is_a_span_that_holds(library: Library, bridge: Source) -> None:
    said = asked(library, "How many metres long is the old bridge at Elm?", bridge)
    [cited] = said.quotes
    assert said.found and cited.verified
    assert cited.quote.text == "The old bridge at Elm is 120 metres long."
    assert cited.quote.holds(library.source(bridge.id))
    assert (cited.quote.source, cited.url, cited.quote.start) == (bridge.id, "https://a.example/bridge", 0)
    assert 0 < cited.trust < 1


def test_what_is_not_there_is_not_in_memory(library: Library, bridge: Source) -> None:
    said = asked(library, "How many tonnes of steel are in the bridge?", bridge)
    assert (said.found, said.quotes) == (False, ())
    assert said.nearest is not None and said.nearest.quote.source == bridge.id


def test_an_empty_library_knows_nothing(library: Library) -> None:
    assert asked(library, "How long is the bridge?") == CitedAnswer("How long is the bridge?", False, ())


def test_both_sides_of_a_conflict_are_shown(library: Library, bridge: Source, written: Made) -> None:
    other = written("The old bridge at Elm is 135 metres long, says the mayor.", "https://b.example/mayor")
    said = asked(library, "How many metres long is the old bridge at Elm?", bridge, other)
    assert {each.quote.source for each in said.quotes} == {bridge.id, other.id}
    assert sorted(says for _, says in said.conflict) == ["120", "135"]
    assert {number for number, _ in said.conflict} == {1, 2}


def test_a_denial_is_a_conflict(library: Library, written: Made) -> None:
    one = written("The castle of Elm is open in winter.", "https://a.example/1")
    other = written("The castle of Elm is not open in winter.", "https://b.example/2")
    said = asked(library, "Is the castle of Elm open in winter?", one, other)
    assert sorted(says for _, says in said.conflict) == ["denies it", "says it"]


def test_sources_that_agree_are_no_conflict(library: Library, bridge: Source, written: Made) -> None:
    other = written("Everybody knows: the old bridge at Elm is 120 metres long.", "https://b.example/mayor")
    said = asked(library, "How many metres long is the old bridge at Elm?", bridge, other)
    assert (len(said.quotes), said.conflict) == (2, ())


def test_one_source_is_quoted_once(library: Library, written: Made) -> None:
    twice = written("# A\n\nTea is green.\n\n# B\n\nTea is green, truly.", "https://a.example/t", form="markdown")
    assert len(asked(library, "Is tea green?", twice).quotes) == 1


def test_several_questions_in_one_are_answered_each(library: Library, bridge: Source) -> None:
    said = asked(library, "How many metres long is the old bridge at Elm, and what does the toll cost?", bridge)
    assert [each.quote.text for each in said.quotes] == ["The old bridge at Elm is 120 metres long."]
    assert said.notes == ("not in memory: what does the toll cost?",)
    assert parts_of("Bread and butter?") == ["Bread and butter?"]


@pytest.mark.parametrize(
    ("question", "wanted", "text", "shown"),
    [
        ("How many API tools are there?", "count", "It has 53 commonly used API tools.", True),
        ("How many API tools are there?", "count", "API tools are many; 53 people wrote.", False),
        ("What share was lost?", "share", "About 16% was lost.", True),
        ("How long does it take?", "duration", "It takes 6 hours.", True),
        ("How long does it take?", "duration", "It takes a lot.", False),
        ("When was it built?", "date", "Built in 1911.", True),
        ("When should I take an umbrella?", "anything", "When it rains.", True),
        ("How do I share a file?", "anything", "Send it.", True),
        ("How many stars does GPT-4 have?", "count", "GPT-4 and its stars.", False),
        ("How much memory does the crow need?", "amount", "It counted 4 crows.", False),
        ("How much memory does the crow need?", "amount", "About 4 GB of memory.", True),
    ],
)
def test_the_kind_of_answer_is_known(question: str, wanted: str, text: str, shown: bool) -> None:
    taken = read_question(question)
    assert (taken.wanted, taken.shown(text)) == (wanted, shown)


def test_a_name_that_is_not_there_is_not_answered(library: Library, written: Made) -> None:
    source = written("The Elo of Vicuna on the blind test set was 1140.", "https://b.example/elo")
    assert asked(library, "What is the Elo of Vicuna on the blind test set?", source).found
    assert not asked(library, "What is the Elo of Claude on the blind test set?", source).found


def test_a_name_in_parts_weighs_as_one_word(library: Library, written: Made) -> None:
    source = written("ChemCrow answers questions of chemists.", "https://b.example/crow")
    for other in range(9):
        library.keep(written(f"Page {other} is on memory and need.", f"https://c.example/{other}"))
    assert not asked(library, "How much memory does ChemCrow need?", source).found
