"""A constraint on an embedded model: what it writes fits, what it would have written anyway it still writes."""

from __future__ import annotations

import builtins

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmend.messages import Constraint, Message, Options, Request
from toolmend.models.builtin.guide import Unspelling, repeated
from toolmend.models.builtin.spelling import Spelling

SHORTHANDS = ('action.add_calendar_entry("', '", date="', " and ")
SPELLING = Spelling(SHORTHANDS)
CODES = {ord(code): text.encode() for code, text in SPELLING.codes.items()}
SPELLED = st.text(st.sampled_from("\x01\x02\x03\x04\x05\x0e\x0f\x10  aAzZ5é,"), max_size=16)


def unspelled(spelled: str, cuts: int = 1) -> str:
    """The text, decoded a few bytes at a time, with the space that a last mark leaves."""
    state, text, whole = Unspelling(), b"", spelled.encode()
    for start in range(0, len(whole), cuts):
        state, more = state.after(whole[start : start + cuts], CODES)
        text += more
    return (text + (b" " if state.spaced and state.begun else b"")).decode()


@given(SPELLED, st.integers(1, 5))
def test_byte_by_byte_is_the_same_as_at_once(spelled, cuts):
    assert unspelled(spelled, cuts) == SPELLING.decode(spelled)


@pytest.mark.parametrize("text", ["Meeting with NASA's Dr. McDonald", "ÜBER café 5PM", ' x  Y"', "aB Cd EFg"])
def test_what_was_spelled_comes_back(text):
    assert unspelled(SPELLING.encode(text)) == text


@pytest.mark.parametrize(
    ("made", "period"),
    [([7] * 24, 1), ([7] * 23, 0), ([1, 2, 3] * 8, 3), ([*range(12)] * 4, 12), ([*range(12)] * 3, 0), ([], 0)],
)
def test_a_loop_is_the_same_over_and_over(made, period):
    assert repeated([90, 91, *made]) == period


def ask(model, constraint, **options):
    options = Options(max_tokens=options.pop("max_tokens", 40), **options)
    return model.reply_now(Request((Message("user", "Add it"),), options=options, constraint=constraint))


YEAR = Constraint("regex", r"In [0-9]{4} \(MCMXC\), é!")


def test_what_fits_is_said_as_without_constraint(speaker):
    pytest.importorskip("llguidance")
    said = "In 1990 (MCMXC), é!"
    reply = ask(speaker(said), YEAR)
    assert (reply.text, reply.finish, reply.unmet) == (said, "stop", ())


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_a_model_that_says_anything_says_what_fits(random_model, temperature):
    pytest.importorskip("llguidance")
    reply = ask(random_model, Constraint("regex", r"(Yes|NO), [A-Z][a-z]{2} é"), temperature=temperature, seed=4)
    head, _, tail = reply.text.partition(", ")
    assert head in ("Yes", "NO") and tail[3:] == " é" and tail[0].isupper() and tail[1:3].islower()
    assert reply.finish == "stop"


def test_json_by_a_schema(random_model):
    pytest.importorskip("llguidance")
    schema = {"type": "object", "properties": {"a": {"enum": ["x y", "Z"]}}, "required": ["a"]}
    reply = ask(random_model, Constraint("json_schema", schema | {"additionalProperties": False}))
    assert reply.text.replace(" ", "") in ('{"a":"xy"}', '{"a":"Z"}')


def test_a_reply_is_led_out_of_a_loop_and_that_is_told(speaker):
    pytest.importorskip("llguidance")
    reply = ask(speaker("5" * 32), Constraint("regex", "[56]{30}"))
    assert reply.text.startswith("5" * 23 + "6") and len(reply.text) == 30
    assert reply.unmet[0].endswith(" tokens refused that would have gone round in circles")


def test_what_must_repeat_repeats(speaker):
    pytest.importorskip("llguidance")
    reply = ask(speaker("5" * 30), Constraint("regex", "5{30}"))
    assert (reply.text, reply.unmet) == ("5" * 30, ())


def test_patience_with_loops_wears_out():
    twice = [*range(6)] * 2
    assert (repeated(twice), repeated(twice, 1), repeated([3] * 8, 2), repeated([3] * 7, 9)) == (0, 6, 1, 0)


def test_without_a_constraint_nothing_is_ended(speaker):
    reply = ask(speaker("5" * 30), None)
    assert (reply.text, reply.unmet) == ("5" * 30, ())


def test_a_constraint_that_cannot_be_compiled_is_told(speaker):
    pytest.importorskip("llguidance")
    reply = ask(speaker("hi"), Constraint("lark", "start: nope"))
    assert reply.text == "hi"
    assert reply.unmet[0].startswith("constraint: lark asked, not kept to: the constraint cannot be compiled:")


def test_without_llguidance_the_constraint_is_told_to_be_unmet(speaker, monkeypatch):
    real = builtins.__import__

    def missing(name, *rest, **named):
        if name == "llguidance":
            raise ImportError(name)
        return real(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", missing)
    reply = ask(speaker("hi"), YEAR)
    assert reply.text == "hi"
    assert reply.unmet == (
        "constraint: regex asked, not kept to: masking tokens by a constraint needs the extra 'local': "
        "pip install 'toolmend[local]'",
    )
