"""The stock: texts for a parameter by its name, and requests that none of somebody's own tools is for."""

from __future__ import annotations

from toolmend.training.teach.stock import elsewhere, texts


def test_a_name_has_texts_of_its_kind() -> None:
    assert "savings" in texts()["account"]


def test_every_text_serves_a_name_that_nobody_knows() -> None:
    assert set(texts()["account"]) <= set(texts()[""])


def test_there_are_many_requests_and_some_are_kept_for_exams() -> None:
    trained, held_out = elsewhere(held_out=False), elsewhere(held_out=True)
    assert len(trained) > 500 and len(held_out) > 30
    assert not {said for _, said in trained} & {said for _, said in held_out}


def test_a_request_has_words_by_which_it_could_be_taken_for_another() -> None:
    assert all(words and said for held_out in (False, True) for words, said in elsewhere(held_out=held_out))


def test_no_request_has_a_slot_left() -> None:
    assert [said for _, said in elsewhere(held_out=False) if set(said) & set("{}[]|")] == []
