"""What went over the wire is kept; replies without one are passed on."""

from __future__ import annotations

from collections.abc import Callable

from toolmend.messages import Reply, Request, Wire
from toolmend.models.keep import Kept
from toolmend.models.scripted import Scripted

Ask = Callable[..., Reply]


def test_the_wire_of_a_reply_is_kept_under_the_models_name(ask: Ask, hello: Request) -> None:
    kept, wire = list[tuple[str, Wire]](), Wire('{"messages": []}', "{}")
    answer = Reply("hi", wire=wire)
    assert ask(Kept(Scripted([answer], "a/b"), lambda *each: kept.append(each)), hello) == answer
    assert kept == [("a/b", wire)]


def test_a_reply_without_a_wire_is_passed_on(ask: Ask, hello: Request) -> None:
    kept = list[object]()
    assert ask(Kept(Scripted(["hi"]), lambda *each: kept.append(each)), hello).text == "hi"
    assert kept == []


def test_it_is_called_as_the_model_is_and_can_what_it_can() -> None:
    model = Scripted(["hi"], "a/b")
    model.options = {"top_k": 1}  # type: ignore[attr-defined]
    made = Kept(model, lambda *_: None)
    assert (made.name, made.abilities, made.options) == ("a/b", model.abilities, {"top_k": 1})
