"""Constraints as grammars of llguidance."""

from __future__ import annotations

import pytest

from toolmend.base.messages import Constraint
from toolmend.models.gguf.chat import grammar_of, probe_of, took


@pytest.mark.parametrize(
    ("constraint", "grammar"),
    [
        (Constraint("lark", 'start: "a" b\nb: "c"'), '%llguidance {}\nstart: "a" b\nb: "c"'),
        (Constraint("regex", r"\d+/\d+\/\\/"), r"%llguidance {}" + "\n" + r"start: /\d+\/\d+\/\\\//"),
        (
            Constraint("json_schema", {"type": "integer"}),
            '%llguidance {}\nstart: %json {"type": "integer", "x-guidance": {"whitespace_pattern": " ?"}}',
        ),
    ],
)
def test_each_kind(constraint: Constraint, grammar: str) -> None:
    assert grammar_of(constraint) == grammar


def test_a_probe_puts_a_sign_before_the_grammar() -> None:
    assert probe_of('%llguidance {}\nstart: restart\nrestart: "b"') == (
        '%llguidance {}\nstart: "~" probed\nprobed: restart\nrestart: "b"'
    )
    assert took("~") and not took("The")


def test_a_turn_may_end_with_the_token_that_ends_the_models_turns():
    constraint = Constraint("regex", "a+")
    assert grammar_of(constraint, "<|im_end|>") == "%llguidance {}\nstart: whole <|im_end|>?\nwhole: /a+/"
    assert grammar_of(constraint, "</s>") == "%llguidance {}\nstart: /a+/"
