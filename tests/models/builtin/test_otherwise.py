"""Another reply than the one just called wrong: the likeliest that differs."""

import numpy as np
import pytest

from toolmend.base.messages import Message, Request, Wrong
from toolmend.models.builtin import load
from toolmend.models.builtin.otherwise import SURE, otherwise, unless
from toolmend.models.builtin.tokens import END

A, B, C, D = 5, 6, 7, 8
NEVER = -1e9


def chances(**shares):
    """Logits of nine tokens; those left out never come."""
    logits = np.full(9, NEVER)
    for name, share in shares.items():
        logits[{"a": A, "b": B, "c": C, "d": D, "end": END}[name]] = np.log(share)
    return logits


TREE = {
    (): chances(a=0.6, b=0.4),
    (A,): chances(c=0.9, d=0.1),
    (B,): chances(d=0.5, c=0.3, end=0.2),
    (A, C): chances(end=1.0),
    (A, D): chances(end=1.0),
    (B, C): chances(end=1.0),
    (B, D): chances(end=1.0),
}
SEEN = [TREE[()], TREE[A,], TREE[A, C]]


def after(made):
    return TREE[tuple(made)]


def test_the_likeliest_whole_reply_wins_wherever_it_forks():
    assert otherwise([A, C], SEEN, after, lambda reply: reply != [A, C], 9) == [B, D]  # 0.4 · 0.5; a d: 0.6 · 0.1


def test_a_late_fork_is_as_likely_as_all_that_precedes_it():
    seen = [chances(a=0.6, b=0.4), chances(c=1.0), chances(end=0.55, d=0.45)]
    assert otherwise([A, C], seen, lambda made: chances(end=1.0), lambda reply: reply != [A, C], 9) == [B]


def test_what_is_no_news_is_passed_over():
    assert otherwise([A, C], SEEN, after, lambda reply: reply[0] == A and reply != [A, C], 9) == [A, D]


def test_without_any_other_there_is_none():
    assert otherwise([A, C], SEEN, after, lambda reply: False, 9) is None


def test_it_insists_where_it_is_sure():
    unlikely = float(np.exp(-SURE - 1))
    seen = [chances(a=1 - unlikely, b=unlikely), chances(end=1.0)]
    assert otherwise([A], seen, lambda made: chances(end=1.0), lambda reply: reply != [A], 9) is None


def test_a_reply_that_does_not_end_in_its_room_is_none():
    assert (
        otherwise([A], [chances(a=0.6, b=0.4), chances(end=1.0)], lambda made: chances(b=1.0), lambda _: True, 4)
        is None
    )


@pytest.fixture
def small(monkeypatch):
    """The embedded model, never so sure that it insists."""
    monkeypatch.setattr("toolmend.models.builtin.otherwise.SURE", 99.0)
    return load("small")


FRED = Request((Message("user", "Add a lunch with Fred on Nov 11 2024 at noon"),))


def test_an_embedded_model_says_something_else(small):
    first = small.reply_now(FRED).text
    other = small.reply_now(Request(FRED.messages, avoid=(Wrong(first),)))
    assert small.abilities.avoids
    assert other.text != first
    assert other.finish == "stop"
    assert small.reply_now(FRED).text == first  # nothing of it stays


def test_the_same_call_in_other_letters_is_the_same(small):
    first = small.reply_now(FRED).text
    shouted = first.upper().replace(", ", ",   ")
    assert (
        small.reply_now(Request(FRED.messages, avoid=(Wrong(shouted.replace(",   ", ", ")),))).text.casefold()
        != first.casefold()
    )


def test_what_is_said_otherwise_is_shown_once_and_whole(small):
    first, shown = small.reply_now(FRED).text, []
    other = small.reply_now(Request(FRED.messages, avoid=(Wrong(first),)), shown.append)
    assert shown == [other.text]


def test_something_else_to_avoid_changes_nothing(small):
    assert small.reply_now(Request(FRED.messages, avoid=(Wrong("OK."),))).text == small.reply_now(FRED).text


def test_it_may_differ_at_given_places_alone():
    assert otherwise([A, C], SEEN, after, lambda reply: reply != [A, C], 9, range(1, 2)) == [A, D]


LETTERS = {A: "a", B: "b", C: "c", D: "d"}


def spelled(reply):
    return "".join(LETTERS[token] for token in reply)


def test_where_a_part_is_blamed_that_part_changes():
    assert unless([Wrong("ac")], spelled, [A, C], SEEN, after, 9) == [B, D]
    assert unless([Wrong("ac", "a", "c")], spelled, [A, C], SEEN, after, 9) == [A, D]


def test_a_reply_of_its_own_that_leaves_the_blamed_part_out_stands():
    assert unless([Wrong("bc", "b", "b")], spelled, [A, C], SEEN, after, 9) == [A, C]


def test_a_reply_that_keeps_the_blamed_part_is_wrong_too():
    assert unless([Wrong("bc", "a", "c")], spelled, [A, C], SEEN, after, 9) == [A, D]


def test_it_insists_rather_than_change_what_was_not_blamed():
    assert unless([Wrong("ac", "ac", "c")], spelled, [A, C], SEEN, after, 9) == [A, C]


def test_an_embedded_model_changes_what_is_blamed(small):
    first = small.reply_now(FRED).text
    assert '"12:00"' in first
    head = "action.add_calendar_entry("
    other = small.reply_now(Request(FRED.messages, avoid=(Wrong(first, head, 'time="12:00"'),))).text
    assert other.startswith(head) and "12:00" not in other and 'date="2024-11-11"' in other
