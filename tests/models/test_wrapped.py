"""Models around a model: what went over the wire is kept; the same request is asked once, then given again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from toolmend.base.messages import Options, Reply, Request, Usage, Wire
from toolmend.models.scripted import Scripted
from toolmend.models.wrapped import Cached, KeepWires

Ask = Callable[..., Reply]
ANSWER = Reply("hi", usage=Usage(3, 1, 0.5), model="server/v1")


def test_the_wire_of_a_reply_is_kept_under_the_models_name(ask: Ask, hello: Request) -> None:
    kept, wire = list[tuple[str, Wire]](), Wire('{"messages": []}', "{}")
    answer = Reply("hi", wire=wire)
    assert ask(KeepWires(Scripted([answer], "a/b"), lambda *each: kept.append(each)), hello) == answer
    assert kept == [("a/b", wire)]


def test_a_reply_without_a_wire_is_passed_on(ask: Ask, hello: Request) -> None:
    kept = list[object]()
    assert ask(KeepWires(Scripted(["hi"]), lambda *each: kept.append(each)), hello).text == "hi"
    assert kept == []


def test_it_is_called_as_the_model_is_and_can_what_it_can() -> None:
    model = Scripted(["hi"], "a/b")
    model.options = {"top_k": 1}  # type: ignore[attr-defined]
    made = KeepWires(model, lambda *_: None)
    assert (made.name, made.abilities, made.options) == ("a/b", model.abilities, {"top_k": 1})


def cached(model: Scripted, place: dict[str, Reply]) -> Cached:
    return Cached(model, place.get, place.__setitem__)


def test_the_same_request_is_asked_once(ask: Ask, hello: Request) -> None:
    model = Scripted([ANSWER])
    made = cached(model, {})
    assert [ask(made, hello) for _ in range(3)] == [ANSWER, *[replace(ANSWER, cached=True)] * 2]
    assert len(model.requests) == 1


def test_another_request_is_asked(ask: Ask, hello: Request) -> None:
    model = Scripted([ANSWER])
    made = cached(model, {})
    for request in (hello, replace(hello, options=Options(seed=2))):
        assert not ask(made, request).cached
    assert len(model.requests) == 2


def test_models_do_not_share_replies(ask: Ask, hello: Request) -> None:
    place = dict[str, Reply]()
    for name in ("a/b", "a/c"):
        assert not ask(cached(Scripted([ANSWER], name), place), hello).cached
    assert len(place) == 2


def test_a_cached_reply_comes_as_a_piece(ask: Ask, hello: Request) -> None:
    made, pieces = cached(Scripted([ANSWER]), {}), list[str]()
    for _ in range(2):
        ask(made, hello, pieces.append)
    assert pieces == ["hi", "hi"]
