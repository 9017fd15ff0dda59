"""Constraints in the words of llama.cpp's llguidance: Lark grammars, which it takes as they are, around schemas too."""

from __future__ import annotations

import json
import re

from toolmend.messages import Constraint

_SIGN = "~"
_START = re.compile(r"^start[ \t]*:", re.MULTILINE)
_SPECIAL = re.compile(r"<\|[^<>\s]+\|>")


def grammar_of(constraint: Constraint, end: str = "") -> str:
    """The grammar of a constraint. White space in JSON is one blank at most: endless white space is a way to fail.

    `end` is the token that ends the model's turns: where a vocabulary has several, llguidance knows another one only,
    and a reply that could go on would never end.
    """
    lark = _lark(constraint)
    if _SPECIAL.fullmatch(end):
        lark = _START.sub(f"start: whole {end}?\nwhole:", lark, count=1)
    return f"%llguidance {{}}\n{lark}"


def probe_of(grammar: str) -> str:
    """The same grammar after one sign. An engine that cannot compile a grammar leaves it out without a word: only a
    reply that begins with the sign shows that it was taken."""
    return _START.sub(f'start: "{_SIGN}" probed\nprobed:', grammar, count=1)


def took(reply: str) -> bool:
    """Whether the first token after a probe shows that its grammar was taken."""
    return reply.startswith(_SIGN)


def _lark(constraint: Constraint) -> str:
    if constraint.kind == "lark":
        return str(constraint.value)
    if constraint.kind == "regex":
        return f"start: /{_slashed(str(constraint.value))}/"
    schema = {**constraint.value, "x-guidance": {"whitespace_pattern": " ?"}}
    return f"start: %json {json.dumps(schema)}"


def _slashed(pattern: str) -> str:
    """A pattern whose slashes are escaped, those that are not yet."""
    return re.sub(r"\\.|/", lambda part: "\\/" if part[0] == "/" else part[0], pattern, flags=re.DOTALL)
