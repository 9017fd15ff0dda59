"""What went over the wire and replies that need not be asked for again: kept once, given back exactly, tidied away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolmend.base import db
from toolmend.base.errors import BadFile
from toolmend.base.events import Asked, Replied
from toolmend.base.messages import Call, Reply, Usage, Wire
from toolmend.evals.store import RunConfig, Sample, Store

ANY_TEXT = st.text(st.characters(), max_size=30)
WIRE = Wire('{"messages": []}', '{"choices": []}')
ASK = Callable[[str], list[Any]]


def told(wire: Wire, case: str = "a") -> Sample:
    """A sample with a reply that came over this wire."""
    return Sample(case, "m", "s", events=(Asked(0, "x"), Replied(0, "y", exchange=wire.key)))


# -- exchanges -------------------------------------------------------------------------------------------------------


def test_an_exchange_comes_back_as_it_was(store: Store) -> None:
    store.keep_exchange("m", WIRE)
    assert store.exchange(WIRE.key) == WIRE


def test_an_exchange_that_was_not_kept_is_none(store: Store) -> None:
    assert store.exchange(WIRE.key) is None
    assert store.exchange("\0\ud800") is None


def test_the_same_exchange_is_kept_once_and_the_first_wins(store: Store, ask: ASK) -> None:
    for model in ("first", "second"):
        store.keep_exchange(model, WIRE)
    assert ask("SELECT key, model FROM exchanges") == [(WIRE.key, "first")]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(model=ANY_TEXT, request=ANY_TEXT, reply=ANY_TEXT)
def test_any_text_comes_back(store: Store, model: str, request: str, reply: str) -> None:
    wire = Wire(request, reply)
    store.keep_exchange(model, wire)
    assert store.exchange(wire.key) == wire


def test_ten_megabytes_come_back_and_take_less(store: Store, ask: ASK) -> None:
    wire = Wire("Add a rock concert at 5PM. " * 400_000, "y" * 10_000_000)
    store.keep_exchange("m", wire)
    assert store.exchange(wire.key) == wire
    [(size,)] = ask("SELECT length(request) + length(reply) FROM exchanges")
    assert size < 100_000


def test_a_spoilt_exchange_is_one_line(store: Store) -> None:
    store.keep_exchange("m", WIRE)
    with db.writing(store.engine) as connection:
        connection.exec_driver_sql("UPDATE exchanges SET reply = 'spoilt'")
    with pytest.raises(BadFile, match="a row cannot be read"):
        store.exchange(WIRE.key)


def test_deleting_a_run_leaves_what_other_runs_may_share(store: Store, config: RunConfig) -> None:
    run = store.open_run(config)
    store.keep_exchange("m", WIRE)
    store.commit(run, told(WIRE))
    store.delete_run(run)
    assert store.exchange(WIRE.key) == WIRE


# -- cached replies --------------------------------------------------------------------------------------------------

FULL = Reply(
    text="add('Lunch') 🥦 \ud800 \0",
    calls=(Call("action.add", {"title": "Lunch", "tags": ["a", None, 1.5]}, "c1"), Call("x")),
    reasoning="because",
    usage=Usage(812, 37, 0.25),
    finish="length",
    model="openai/m",
    truncated=True,
    unmet=("max_tokens: 8 asked, 16 given",),
)


@pytest.mark.parametrize("reply", [Reply(""), FULL, Reply("", finish="empty", usage=Usage(9, 9))], ids=repr)
def test_a_cached_reply_comes_back_as_it_was(store: Store, reply: Reply) -> None:
    store.cache_reply("whole request", reply)
    assert store.cached_reply("whole request") == reply


def test_a_reply_that_was_not_cached_is_none(store: Store) -> None:
    assert store.cached_reply("whole request") is None


def test_the_first_cached_reply_wins(store: Store) -> None:
    for text in ("first", "second"):
        store.cache_reply("k", Reply(text))
    assert store.cached_reply("k") == Reply("first")


def test_a_cached_reply_has_its_wire_where_that_was_kept(store: Store) -> None:
    store.cache_reply("k", Reply("x", wire=WIRE))
    assert store.cached_reply("k") == Reply("x")
    store.keep_exchange("m", WIRE)
    assert store.cached_reply("k") == Reply("x", wire=WIRE)


def test_whether_a_reply_was_cached_is_for_the_caller_to_say(store: Store) -> None:
    store.cache_reply("k", Reply("x", cached=True))
    assert store.cached_reply("k") == Reply("x", cached=False)


def test_a_spoilt_cached_reply_is_one_line(store: Store, ask: ASK) -> None:
    store.cache_reply("k", Reply("x"))
    with db.writing(store.engine) as connection:
        connection.exec_driver_sql("UPDATE cached_replies SET reply = 'spoilt'")
    with pytest.raises(BadFile, match="a row cannot be read"):
        store.cached_reply("k")
