"""What servers say is wrong, in all the shapes they say it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmend.base.http import error_text, excerpt
from toolmend.base.http.faults import body_text, unreadable_type


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"error": "model not found"}, "model not found"),
        ({"error": {"message": "no quota", "type": "x"}}, "no quota"),
        ([{"error": {"code": 400, "message": 'Unknown name "seed"'}}], 'Unknown name "seed"'),
        ({"detail": "Not Found"}, "Not Found"),
        ({"detail": [{"loc": ["body"], "msg": "field required"}]}, "field required"),
        ({"message": "slow down"}, "slow down"),
        ({"error": json.dumps({"error": {"message": "too long"}})}, "too long"),
        ({"error": None}, ""),
        ({}, ""),
        (7, ""),
    ],
)
def test_an_error_is_found_in_every_usual_shape(value, text):
    assert error_text(value) == text


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["error", "message", "x"]), inner),
)


@given(JSON)
def test_no_shape_raises(value):
    assert isinstance(error_text(value), str)


@pytest.mark.parametrize(
    ("body", "kind", "text"),
    [
        (b'{"error": "no"}', "application/json", "no"),
        (b"<html><body>502</body></html>", "text/html", "(an HTML page)"),
        (b"<html>", "", "(an HTML page)"),
        (b"busy\n", "text/plain", "busy"),
        (b'{"x": 1}', "", '{"x": 1}'),
        (b"", "", ""),
        (b"\xff", "", "\ufffd"),
    ],
)
def test_the_body_of_a_refusal_on_one_line(body, kind, text):
    assert body_text(body, kind) == text


@pytest.mark.parametrize("kind", ["text/html; charset=utf-8", "image/png", "application/pdf"])
def test_pages_and_pictures_are_not_read(kind):
    assert unreadable_type(kind)


@pytest.mark.parametrize("kind", ["", "application/json", "text/event-stream", "application/x-ndjson", "TEXT/plain"])
def test_json_has_many_types(kind):
    assert not unreadable_type(kind)


def test_an_excerpt_is_one_line():
    assert excerpt("a\n b\tc") == "a b c"
    assert excerpt("x" * 1000) == "x" * 160 + "…"
