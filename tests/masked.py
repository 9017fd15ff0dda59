"""Whether a text keeps to a constraint, by llguidance: what engines that lead a reply would let through."""

from __future__ import annotations

import json
from typing import Any

import llguidance

from toolmend.base.messages import Constraint


class Mask:
    """What one reply may still become."""

    def __init__(self, constraint: Constraint) -> None:
        matcher = llguidance.LLMatcher
        if constraint.kind == "json_schema":
            grammar = matcher.grammar_from_json_schema(json.dumps(constraint.value))
        else:
            grammar = matcher.grammar_from_lark(constraint.value)
        self._matcher: Any = matcher(llguidance.LLTokenizer("byte"), grammar)
        assert not self._matcher.is_error(), self._matcher.get_error()

    def fits(self, more: bytes) -> bool:
        """Whether the reply may go on with these bytes."""
        return bool(self._matcher.validate_tokens(list(more)) == len(more))

    def take(self, more: bytes) -> None:
        """The reply goes on with these bytes, which fit."""
        self._matcher.consume_tokens(list(more))

    @property
    def may_end(self) -> bool:
        """Whether the reply may end here."""
        return bool(self._matcher.is_accepting())
