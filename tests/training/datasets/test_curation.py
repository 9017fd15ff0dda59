"""Curation: each rule by itself."""

from __future__ import annotations

import pytest

from toolmend.training.datasets.curation import LONGEST, Curation, shingles, taught
from toolmend.training.datasets.leakage import Prompts
from toolmend.training.datasets.lines import Chat, ChatMessage, Hindsight, HindsightAttempt, Line

REQUEST = "Add a meeting with Fred on Nov 11 at 5PM"


def chat(said: str = REQUEST, reply: str = "Done.", **source: object) -> Chat:
    return Chat("1", (), (ChatMessage("user", said), ChatMessage("assistant", reply)), dict(source))


def reasons(*lines: Line, prompts: tuple[str, ...] = ()) -> list[str]:
    curation = Curation(Prompts(prompts))
    return [curation.reason(line) for line in lines]


def test_length_counts_all_that_is_said() -> None:
    assert reasons(chat("a", "b" * (LONGEST - 1)), chat("a", "b" * LONGEST), chat(" ", "")) == [
        "", "more than 8,000 characters", "no words"
    ]  # fmt: skip


def test_what_people_say_in_another_language_is_told() -> None:
    pytest.importorskip("py3langid")
    german = "Füge am 3. Mai um 12 Uhr ein Mittagessen mit Ada hinzu"
    assert reasons(chat(german), chat(REQUEST, german)) == ["another language: de", ""]


def test_the_same_again_wherever_it_is_from() -> None:
    assert reasons(chat(run="a"), chat(run="b"), chat("Remove my lunch on Friday", "No.")) == [
        "", "the same as an earlier line", ""
    ]  # fmt: skip


def test_learned_or_not_is_not_the_same() -> None:
    said = (
        ChatMessage("user", "a"),
        ChatMessage("assistant", "b", learn=False),
        ChatMessage("user", "c"),
        ChatMessage("assistant", "d"),
    )
    other = (
        ChatMessage("user", "a"),
        ChatMessage("assistant", "b"),
        ChatMessage("user", "c"),
        ChatMessage("assistant", "d"),
    )
    assert reasons(Chat("1", (), said), Chat("2", (), other)) == ["", ""]


def test_nearly_the_same_counts_runs_of_three_words() -> None:
    long = "one two three four five six seven eight nine ten eleven twelve"
    assert reasons(chat(long, "yes"), chat(long.replace("one", "first"), "yes"), chat(long[:30], "no")) == [
        "", "nearly the same as an earlier line", ""
    ]  # fmt: skip


def test_runs_of_a_short_text_are_itself() -> None:
    assert shingles("Remove it") == {"remove it"}
    assert shingles("a b c d") == {"a b c", "b c d"}


def test_personal_data_in_a_call_are_found() -> None:
    assert reasons(chat("a", "mail(to=['ada@example.org'])")) == ["personal data: e-mail"]


def test_personal_data_in_an_answer_that_was_wrong_are_found() -> None:
    attempts = (HindsightAttempt("ada@example.org", "bad", "no"), HindsightAttempt("b", "good"))
    assert reasons(Hindsight("1", (), (ChatMessage("user", "a"),), attempts)) == ["personal data: e-mail"]


def test_any_message_may_leak() -> None:
    said = (
        ChatMessage("user", "Hello there, how are you today?"),
        ChatMessage("assistant", "a"),
        ChatMessage("user", REQUEST),
    )
    assert reasons(Chat("1", (), said), chat("Remove my lunch"), prompts=(REQUEST,)) == ["BLEU above 20%", ""]


def test_a_replies_words_leak_nothing() -> None:
    assert reasons(chat("Remove my lunch", REQUEST), prompts=(REQUEST,)) == [""]


def test_what_is_taught_leaves_history_out() -> None:
    said = (
        ChatMessage("user", "a"),
        ChatMessage("assistant", "b", learn=False),
        ChatMessage("user", "c"),
        ChatMessage("assistant", "d"),
    )
    assert taught(Chat("1", (), said)) == ["c", "d"]
