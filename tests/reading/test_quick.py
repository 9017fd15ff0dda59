"""Plain calls read by a pattern: exactly as the parser reads them, or not at all."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmend.base.messages import Call
from toolmend.reading import read_python
from toolmend.reading.quick import plain_calls


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("f()", [("f", [], {})]),
        ("a.f(1, 'x', b=-2.5, c=True)", [("a.f", [1, "x"], {"b": -2.5, "c": True})]),
        ('[f(a="(,)"), g(b = None)]', [("f", [], {"a": "(,)"}), ("g", [], {"b": None})]),
        ("f(a=007)", None),
        ("f(a=1, a=2)", None),
        ("f(a=1, 2)", None),
        ("f(class=1)", None),
        ("if(a=1)", None),
        ("f(a='x' 'y')", None),
        (r"f(a='\n')", None),
        ("f(a=[1])", [("f", [], {"a": [1]})]),
        ("f(a=[1, 'b', True], b=[])", [("f", [], {"a": [1, "b", True], "b": []})]),
        ("f(a=[[1]])", None),
        ("f(a=[1,])", None),
        ("f(a=1) # there", None),
        ("[f(a=1)", None),
        ("f(a=1)]", None),
        ("f(a=1e5)", None),
        ("f(a=\N{LATIN SMALL LIGATURE FI})", None),
    ],
)
def test_what_is_plain(text: str, calls: object) -> None:
    assert plain_calls(text) == calls


LITERALS = st.one_of(
    st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.booleans(), st.none(), st.text()
)
SPELLED = st.one_of(LITERALS.map(repr), st.text(alphabet="0123456789.-'\" aTrue_,=()[]", max_size=8))


@given(st.lists(st.tuples(st.sampled_from(["", "a=", "b =", "if="]), SPELLED), max_size=4))
def test_what_is_read_is_what_the_parser_reads(arguments: list[tuple[str, str]]) -> None:
    text = f"f({', '.join(name + value for name, value in arguments)})"
    plain = plain_calls(text)
    if plain is not None:
        node = ast.parse(text, mode="eval").body
        assert isinstance(node, ast.Call)
        assert plain == [
            (
                "f",
                [ast.literal_eval(arg) for arg in node.args],
                {k.arg: ast.literal_eval(k.value) for k in node.keywords},
            )
        ]


def test_a_name_nobody_offers_is_left_to_the_reader() -> None:
    assert read_python("f(a=1)", ()).calls == (Call("f", {"a": 1}),)
