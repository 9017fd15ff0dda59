"""Keys of requests: the same for the same, another for anything else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from toolmend.base.messages import Call, Constraint, Message, Options, Request, ToolSpec
from toolmend.models.scripted import Scripted
from toolmend.models.wrapped import reply_key, request_key


def request() -> Request:
    return Request((Message("user", "hi", (Call("x", {"a": [1]}),)),), (ToolSpec("add"),))


OTHERS = [
    replace(request(), messages=(Message("user", "ho"),)),
    replace(request(), tools=()),
    replace(request(), options=Options(seed=1)),
    replace(request(), options=Options(temperature=0.5)),
    replace(request(), options=Options(max_tokens=8)),
    replace(request(), constraint=Constraint("regex", "a")),
]


def optioned(name: str = "a/b", **options: object) -> Scripted:
    model = Scripted(["x"], name)
    model.options = options  # type: ignore[attr-defined]
    return model


def test_the_same_request_has_the_same_key() -> None:
    assert request_key(request()) == request_key(request())
    assert reply_key(optioned(top_k=1), request()) == reply_key(optioned(top_k=1), request())


@pytest.mark.parametrize("other", OTHERS)
def test_another_request_has_another_key(other: Request) -> None:
    assert request_key(other) != request_key(request())
    assert reply_key(optioned(), other) != reply_key(optioned(), request())


@pytest.mark.parametrize("other", [optioned("a/c"), optioned(top_k=2)])
def test_another_model_has_another_key(other: Scripted) -> None:
    assert reply_key(other, request()) != reply_key(optioned(top_k=1), request())


def test_any_request_has_a_key() -> None:
    assert request_key(Request((Message("user", "half \ud800 a character"),)))
