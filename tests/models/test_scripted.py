"""Canned replies, and recording and replaying."""

import asyncio
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolmend.base.errors import BadFile, ModelError, UnknownName
from toolmend.base.messages import Call, Constraint, Message, Options, Reply, Request, ToolSpec, Usage
from toolmend.models.model import Model
from toolmend.models.scripted import Recorded, Replayed, Scripted, load
from toolmend.models.wrapped import request_key

HI = Request((Message("user", "hi there"),))
HO = Request((Message("user", "ho"),))


def ask(model, request=HI, **options):
    return asyncio.run(model.reply(request, **options))


def recorded(tmp_path, reply, request=HI):
    recording = Recorded(Scripted([reply]))
    ask(recording, request)
    recording.save(tmp_path / "talk.jsonl")
    return Replayed.load(tmp_path / "talk.jsonl")


@pytest.mark.parametrize("model", [Scripted(["a"]), Recorded(Scripted(["a"])), Replayed({}, "scripted/x")])
def test_they_are_models(model):
    assert isinstance(model, Model)


def test_replies_come_in_order_and_over_again():
    model = Scripted(["one", "two"])
    assert [str(ask(model)) for _ in range(5)] == ["one", "two", "one", "two", "one"]


def test_a_function_answers_each_request():
    model = Scripted(lambda request: request.messages[-1].content.upper())
    assert [str(ask(model, HI)), str(ask(model, HO))] == ["HI THERE", "HO"]


def test_a_reply_may_be_given_whole():
    reply = Reply("one", calls=(Call("x"),), usage=Usage(1, 2, 3.0))
    assert ask(Scripted([reply])) is reply


def test_requests_are_kept():
    model = Scripted(["one"])
    ask(model, HI)
    ask(model, HO)
    assert model.requests == [HI, HO]


def test_words_are_counted_as_tokens():
    reply = ask(Scripted(["three words here"], "scripted/mine"))
    assert (reply.usage, reply.model) == (Usage(2, 3), "scripted/mine")


def test_the_text_goes_out_as_one_piece():
    pieces = []
    ask(Scripted(["one"]), on_delta=pieces.append)
    ask(Scripted([""]), on_delta=pieces.append)
    assert pieces == ["one"]


def test_a_script_needs_a_reply():
    with pytest.raises(ValueError, match="at least one reply"):
        Scripted([])


@pytest.mark.parametrize(
    "reply",
    [
        Reply("text", usage=Usage(7, 5)),
        Reply("", finish="empty"),
        Reply("cut", finish="length", truncated=True),
        Reply("", calls=(Call("action.add", {"title": "Zoë", "n": 1, "tags": ["a"]}, "c1"), Call("x"))),
        Reply("answer", reasoning="because"),
        Reply("first\nsecond\r\n\x85third\u2028fourth\u2029\x0b\x0c\x1c\x00"),
        Reply("half \ud800 a character"),
    ],
    ids=repr,
)
def test_what_was_recorded_is_replayed(tmp_path, reply):
    again = ask(recorded(tmp_path, reply))
    kept = ("text", "calls", "reasoning", "finish", "truncated")
    assert [getattr(again, name) for name in kept] == [getattr(reply, name) for name in kept]
    assert (again.usage.input_tokens, again.usage.output_tokens) == (
        reply.usage.input_tokens,
        reply.usage.output_tokens,
    )


@given(st.text(st.characters(codec=None)))
@settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_is_replayed(tmp_path, text):
    assert str(ask(recorded(tmp_path, text))) == text


def test_a_recording_passes_on_what_the_model_says():
    recording = Recorded(Scripted(["one"], "scripted/mine"))
    pieces = []
    assert (str(ask(recording, on_delta=pieces.append)), pieces, recording.name) == ("one", ["one"], "scripted/mine")


def test_a_replay_gives_its_text_as_a_piece(tmp_path):
    pieces = []
    ask(recorded(tmp_path, "one"), on_delta=pieces.append)
    assert pieces == ["one"]


def test_a_plain_recording_is_one_short_line_per_reply(tmp_path):
    recorded(tmp_path, "three words here")
    rows = [json.loads(line) for line in (tmp_path / "talk.jsonl").read_text(encoding="utf-8").splitlines()]
    assert rows == [
        {"request": request_key(HI), "text": "three words here", "input_tokens": 2, "output_tokens": 3}
    ]  # fmt: skip


@pytest.mark.parametrize(
    "other",
    [
        HO,
        Request(HI.messages, options=Options(seed=1)),
        Request(HI.messages, (ToolSpec("add"),)),
        Request((Message("system", "x"), *HI.messages)),
    ],
)
def test_a_request_that_was_not_recorded_is_a_model_error(tmp_path, other):
    with pytest.raises(ModelError, match="this request was not recorded"):
        ask(recorded(tmp_path, "one"), other)


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        "null",
        '{"text": "no request"}',
        '{"request": "k"}',
        '{"request": "k", "text": "t", "input_tokens": "x"}',
        '{"request": "k", "text": "t", "input_tokens": Infinity}',
        '{"request": "k", "text": "t", "calls": [1]}',
        '{"request": "k", "text": "t", "calls": [{"arguments": {}}]}',
        '{"request": "k", "text": "t", "finish": "maybe"}',
    ],
)
def test_a_broken_line_is_named(tmp_path, line):
    path = tmp_path / "talk.jsonl"
    path.write_text(f'{{"request": "k", "text": "good"}}\n{line}\n', encoding="utf-8")
    with pytest.raises(BadFile, match=r"talk\.jsonl:2: not a recorded reply"):
        Replayed.load(path)


def test_a_recording_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BadFile, match=r"none\.jsonl: no readable recording"):
        Replayed.load(tmp_path / "none.jsonl")


def test_bytes_that_are_no_text_are_named(tmp_path):
    (tmp_path / "talk.jsonl").write_bytes(b"\xff\xfe")
    with pytest.raises(BadFile, match="no readable recording"):
        Replayed.load(tmp_path / "talk.jsonl")


def test_an_empty_recording_knows_no_request(tmp_path):
    Recorded(Scripted(["one"])).save(tmp_path / "talk.jsonl")
    with pytest.raises(ModelError, match="was not recorded"):
        ask(Replayed.load(tmp_path / "talk.jsonl"))


def test_models_by_name(tmp_path):
    recorded(tmp_path, "one")
    assert (str(ask(load("echo"))), str(ask(load("idle")))) == ("hi there", "")
    assert str(ask(load(str(tmp_path / "talk.jsonl")))) == "one"


def test_an_unknown_name_says_what_is_known():
    with pytest.raises(
        UnknownName, match=r"unknown scripted model 'ecko' \(did you mean echo\?\); known: PATH.jsonl, ec"
    ):
        load("ecko")


@pytest.mark.parametrize(("text", "unmet"), [('{"a": 1}', 0), ('{"a": "x"}', 1), ("hello", 1)])
def test_a_constraint_that_canned_text_breaks_is_told(text, unmet):
    constraint = Constraint("json_schema", {"type": "object", "properties": {"a": {"type": "integer"}}})
    request = Request((Message("user", "hi"),), constraint=constraint)
    assert len(asyncio.run(Scripted([text]).reply(request)).unmet) == unmet
