"""Constraints as masks: which bytes may come next, by llguidance (extra `local`). Knows no tokenizer and no model.

A mask works on bytes, so that whoever has a tokenizer can ask it about any token: those of its text.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from toolmend.errors import BadOption, MissingExtra
from toolmend.messages import Constraint


class Mask:
    """What one reply may still become. Raises MissingExtra without llguidance, BadOption for a constraint that it
    cannot compile."""

    def __init__(self, constraint: Constraint) -> None:
        guidance = _guidance()
        self._matcher: Any = guidance.LLMatcher(_bytes(), _compiled(constraint.kind, json.dumps(constraint.value)))

    def fits(self, more: bytes) -> bool:
        """Whether the reply may go on with these bytes."""
        fitting: int = self._matcher.validate_tokens(list(more))
        return fitting == len(more)

    def take(self, more: bytes) -> None:
        """The reply goes on with these bytes, which fit."""
        self._matcher.consume_tokens(list(more))

    @property
    def may_end(self) -> bool:
        """Whether the reply may end here."""
        return bool(self._matcher.is_accepting())

    @property
    def must_end(self) -> bool:
        """Whether nothing may follow."""
        return bool(self._matcher.is_stopped())


def _guidance() -> Any:
    try:
        import llguidance
    except ImportError as error:
        raise MissingExtra("masking tokens by a constraint", "local") from error
    return llguidance


@cache
def _bytes() -> Any:
    """The tokenizer whose tokens are the 256 bytes."""
    return _guidance().LLTokenizer("byte")


@cache
def _compiled(kind: str, value: str) -> Any:
    matcher, given = _guidance().LLMatcher, json.loads(value)
    try:  # one blank where JSON allows any number of them: endless white space is a way to fail
        if kind == "json_schema":
            grammar = matcher.grammar_from_json_schema(value, overrides={"whitespace_pattern": " ?"})
        else:
            grammar = matcher.grammar_from_lark(given) if kind == "lark" else matcher.grammar_from_regex(given)
        problem: str = matcher.validate_grammar(grammar, _bytes())
    except (ValueError, TypeError) as error:
        problem = str(error)
    if problem:
        raise BadOption(f"the constraint cannot be compiled: {' '.join(problem.split())[:160]}")
    return grammar
