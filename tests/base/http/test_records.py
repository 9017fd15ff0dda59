"""Bytes -> JSON values: three forms, any chunking, and an end to everything."""

import json
import sys
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmend.base.http.records import DONE, Broken, Records

VALUES = [{"a": 1}, {"text": "zwölf 🍄\u2028x"}, [1, None], {"s": "\n\r:"}]
SSE = "".join(f"data: {json.dumps(value, ensure_ascii=False)}\n\n" for value in VALUES) + "data: [DONE]\n\n"
LINES = "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in VALUES)


def read(*pieces: bytes, most: int = 10_000) -> list[object]:
    found: list[object] = []
    records = Records(lambda value: found.append(value) or value is DONE, most)
    for piece in pieces:
        if records.feed(piece):
            return found
    records.close()
    return found


def cut(body: bytes, places: list[int]) -> list[bytes]:
    bounds = [0, *sorted(place % (len(body) + 1) for place in places), len(body)]
    return [body[first:last] for first, last in pairwise(bounds)]


@given(st.lists(st.integers(0, 10_000)), st.sampled_from(["\n", "\r", "\r\n"]), st.booleans())
def test_an_event_stream_reads_the_same_however_it_is_cut(places, end, marked):
    body = SSE.replace("\n", end).encode("utf-8-sig" if marked else "utf-8")
    assert read(*cut(body, places)) == [*VALUES, DONE]


@given(st.lists(st.integers(0, 10_000)), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_lines_read_the_same_however_they_are_cut(places, end, marked):
    body = LINES.replace("\n", end).encode("utf-8-sig" if marked else "utf-8")
    assert read(*cut(body, places)) == VALUES


@given(st.lists(st.integers(0, 10_000)), st.sampled_from([None, 1]))
def test_a_document_reads_the_same_however_it_is_cut(places, indent):
    body = json.dumps({"all": VALUES}, indent=indent).encode()
    assert read(*cut(body, places)) == [{"all": VALUES}]


@given(st.binary(max_size=200))
def test_no_bytes_raise_anything_but_broken(body):
    try:
        read(body)
    except Broken as error:
        assert str(error)


@given(st.lists(st.sampled_from([b"data: ", b"{}", b"\n", b"\r", b":", b"event: x", b"\xef\xbb\xbf", b"[DONE]"])))
def test_no_pieces_of_an_event_stream_raise_anything_but_broken(pieces):
    try:
        whole = read(b"".join(pieces))
    except Broken:
        with pytest.raises(Broken):
            read(*pieces)
    else:
        assert read(*pieces) == whole


@pytest.mark.parametrize(
    "body",
    [
        ": hello\n\nevent: message\nid: 7\nretry: 10\ndata: {}\n\n",
        "data:{}\n\n",
        "data: {\ndata: }\n\n",
        "\n\n\ndata: {}\n\n: bye\n\n",
        "data: {}",
        "data\ndata: {}\n\n",
        "data: \n\ndata: {}\n\n",
        "dada: no\ndata: {}\n\n",
    ],
)
def test_event_streams_in_all_their_freedom(body):
    assert read(body.encode() if body.startswith(("data", ":", "\n")) else f":\n{body}".encode()) == [{}]


def test_nothing_is_read_after_the_end():
    assert read(b"data: 1\n\ndata: [DONE]\n\ndata: 2\n\n") == [1, DONE]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<html>", "the reply is HTML: '<html>'"),
        ("Hello", "the reply is neither JSON nor an event stream: 'Hello'"),
        ('{"a": ', "the reply is no JSON (Expecting value)"),
        ('{"a": 1}\n{"b" 2}\n', "record 2 of the stream is no JSON (Expecting ':' delimiter)"),
        ("data: {}\n\ndata: oops\n\n", "record 2 of the stream is no JSON (Expecting value): 'oops'"),
        ('{"a": 1}\n' * 3000, "the reply does not end: more than 10,000 bytes"),
    ],
)
def test_what_is_broken_is_named(body, expected):
    with pytest.raises(Broken) as error:
        read(body.encode())
    assert expected in str(error.value)


def test_a_value_nested_too_deep_is_broken():
    with pytest.raises(Broken, match="is no JSON"):
        read(b"[" * 2 * sys.getrecursionlimit(), most=1 << 20)


def test_bytes_that_are_no_utf8_are_marked():
    assert read(b'{"a": "\xff"}') == [{"a": "\ufffd"}]


@pytest.mark.parametrize("piece", [b": ping\n\n", b"\n", b"x", b"data: {}\n\n", b'{"a": 1}\n'])
def test_a_stream_without_an_end_ends(piece):
    records = Records(lambda value: False, 50_000)
    with pytest.raises(Broken, match=r"does not end|neither JSON"):
        while True:
            records.feed(piece * 1000)
    assert records.size < 70_000


def test_the_reply_is_kept_as_it_came():
    records = Records(lambda value: False)
    records.feed(b"data: {}\r")
    records.feed(b"\n\xc3")
    assert records.raw == "data: {}\r\n\ufffd"
