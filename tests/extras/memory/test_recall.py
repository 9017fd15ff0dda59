"""Recall: newer before older, the parts brought to 0..1, both sides of a contradiction, nothing where nothing fits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmend.base.errors import BadOption
from toolmend.extras.memory import PUBLISHED, USUAL, Stream, Weights, recall
from toolmend.extras.memory.contradictions import conflict
from toolmend.extras.memory.memory import importance
from toolmend.extras.memory.recall import relevance, spread


def texts(stream: Stream, question: str, **options: object) -> list[str]:
    return [each.memory.text for each in recall(stream, question, **options)]  # type: ignore[arg-type]


def test_newer_ranks_higher(stream: Stream) -> None:
    for day in ("2026-03-03", "2026-03-01", "2026-03-02"):
        stream.remember(f"Tea was served, said note {day[-1]}.", at=day)
    assert [each[-2] for each in texts(stream, "Was tea served?", weights=PUBLISHED)] == ["3", "2", "1"]


def test_recency_halves_in_138_hours(stream: Stream) -> None:
    stream.remember("Tea.", at="2026-04-01T12:00:00Z")
    stream.remember("Tea again.", at="2026-03-26T18:00:00Z")
    stream.remember("Tea once more.", at="2026-03-20T00:00:00Z")
    recency = {each.memory.number: each.recency for each in recall(stream, "tea", weights=PUBLISHED)}
    assert recency == {1: 1.0, 2: pytest.approx(0.358, abs=0.001), 3: 0.0}


def test_weights_are_open(stream: Stream) -> None:
    stream.remember("I am allergic to tea.", at="2026-01-01")
    stream.remember("We drank tea.", at="2026-03-31")
    young, weighty = Weights(1, 0, 0), Weights(0, 1, 0)
    assert texts(stream, "tea", weights=young)[0] == "We drank tea."
    assert texts(stream, "tea", weights=weighty)[0] == "I am allergic to tea."
    with pytest.raises(BadOption, match="weights are 0 or more"):
        Weights(recency=-1)


def test_a_part_that_is_the_same_for_all_tells_nothing_apart() -> None:
    assert spread([0.2, 0.2]) == [0.2, 0.2]
    assert spread([1.0, 3.0, 2.0]) == [0.0, 1.0, 0.5]
    assert spread([]) == []


def test_what_has_nothing_to_do_with_it_is_not_recalled(stream: Stream) -> None:
    stream.remember("The tram is late.")
    assert texts(stream, "What is the capital of France?") == []


def test_the_newer_of_two_that_differ_comes_first_and_both_are_shown(stream: Stream) -> None:
    stream.remember("The dentist appointment is on Tuesday at 14:30.", at="2026-03-02")
    stream.remember("The dentist moved my appointment to Thursday at 9:00.", at="2026-03-05")
    found = recall(stream, "When is the dentist appointment?")
    assert [(each.memory.id, each.memory.contradicts) for each in found] == [("m2", (1,)), ("m1", (2,))]


def test_nobody_takes_back_what_somebody_else_said(stream: Stream) -> None:
    stream.remember("The train leaves at 8:05.", who="Yusuf", at="2026-03-01")
    stream.remember("The train leaves at 8:50.", who="Mira", at="2026-03-02")
    assert texts(stream, "What did Yusuf say about the train?")[0] == "The train leaves at 8:05."


def test_the_future_is_not_recalled(stream: Stream) -> None:
    stream.remember("Tea is hot.", at="2026-03-02")
    assert recall(stream, "tea", at="2026-03-01T00:00:00.000000Z") == []


def test_relevance_prefers_what_fits() -> None:
    near, far = relevance("Where are the oars?", ["The oars are in the shed.", "It rains."])
    assert 1 >= near > far == 0
    assert relevance("", ["a"]) == [0.0]
    assert relevance("oars", []) == []


@given(st.text(max_size=60), st.lists(st.text(max_size=60), max_size=5))
def test_words_are_a_share_whatever_is_asked(question: str, texts: list[str]) -> None:
    assert all(0 <= each <= 1.0001 for each in relevance(question, texts))


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("The choir meets on Monday.", "The choir meets on Tuesday.", "day"),
        ("The train leaves at 8:05.", "The train leaves at 8:50.", "time"),
        ("The rent is 780 euros.", "The rent is 640 euros.", "number"),
        ("I live in Bremen.", "I live in Kassel now.", "name"),
        ("I eat fish.", "I don't eat fish.", "yes and no"),
        ("The door is green.", "The door is blue.", "what it is"),
        ("The hall will be painted green.", "Actually the hall will be painted yellow.", "what it is"),
        ("The door is green.", "The window is blue.", ""),
        ("The choir meets on Monday.", "The choir sings Bach.", ""),
        ("Ann has 2 cats.", "Ben has 3 dogs.", ""),
        ("", "", ""),
    ],
)
def test_what_two_texts_disagree_on(old: str, new: str, what: str) -> None:
    assert conflict(old, new) == what


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_two_texts_may_be_compared(old: str, new: str) -> None:
    assert isinstance(conflict(old, new), str)


def test_importance_follows_its_table() -> None:
    said = ["Thanks!", "The tram is late.", "Remember: Eva is allergic to nuts."]
    assert [importance("observation", each) for each in said] == [0.05, 0.3, 1.0]
    assert USUAL.least == 0.5
