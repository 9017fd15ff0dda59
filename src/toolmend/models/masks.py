"""Constraints as masks: which bytes, or which tokens, may come next, by llguidance (extra `local`). Knows no model.

A Mask works on bytes, so that any token can be asked about by those of its text. A TokenMask works on a Vocabulary, the
bytes of all tokens of a model: it says of all of them at once which may come.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from toolmend.errors import BadOption, MissingExtra
from toolmend.messages import Constraint

if TYPE_CHECKING:
    import numpy as np


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


class Vocabulary:
    """The tokens of a model, by id: their bytes (none for special ones), and the ids that end a reply.

    With `drops_space`, the tokenizer leaves out the space that a reply's first token begins with (SentencePiece with a
    dummy prefix). Raises MissingExtra, and BadOption where nothing ends a reply.
    """

    def __init__(self, tokens: Sequence[bytes], stops: Sequence[int], *, drops_space: bool = False) -> None:
        if not stops:
            raise BadOption("the tokenizer has no token that ends a reply")
        self.stops, self.drops_space = tuple(stops), drops_space
        self.plain = Words(tokens, self.stops)
        self.first = Words([text.removeprefix(b" ") for text in tokens], self.stops) if drops_space else self.plain


class Words:
    """Tokens as llguidance has them: those without text are special (0xff), and only the ends of a reply may come."""

    def __init__(self, tokens: Sequence[bytes], stops: tuple[int, ...]) -> None:
        self.tokens = tokens
        self._sorted = sorted((text, number) for number, text in enumerate(tokens) if text)
        self._ids = dict(reversed(self._sorted))
        guidance, words = _guidance(), self

        class Given:
            def __init__(self) -> None:
                self.eos_token_id, self.bos_token_id = stops[0], None
                self.special_token_ids = [number for number, text in enumerate(tokens) if not text]
                self.tokens = [text or b"\xff<%d>" % number for number, text in enumerate(tokens)]

            def __call__(self, text: bytes) -> list[int]:
                return words.spelled(text)

        self.tokenizer = guidance.LLTokenizer(
            guidance.TokenizerWrapper(Given()), n_vocab=len(tokens), eos_token=list(stops)
        )

    def spelled(self, text: bytes) -> list[int]:
        """Ids whose bytes are a text, the longest first; none where it cannot be spelled."""
        found: list[int] = []
        while text:
            length = next((n for n in range(len(text), 0, -1) if text[:n] in self._ids), 0)
            if not length:
                return []
            found.append(self._ids[text[:length]])
            text = text[length:]
        return found

    def along(self, text: bytes) -> tuple[list[int], list[int]]:
        """Ids of tokens that a text begins with, and of those that are longer and begin with it."""
        within = [number for n in range(1, len(text) + 1) for number in self._between(text[:n], text[:n] + b"\0")]
        return within, list(self._between(text + b"\0", text + b"\xff" * 64))

    def _between(self, low: bytes, high: bytes) -> Iterator[int]:
        for place in range(bisect_left(self._sorted, (low,)), bisect_left(self._sorted, (high,))):
            yield self._sorted[place][1]


class TokenMask:
    """Which tokens of a vocabulary one reply may go on with. Raises as Mask does."""

    def __init__(self, constraint: Constraint, vocabulary: Vocabulary) -> None:
        grammar = _compiled(constraint.kind, json.dumps(constraint.value))
        matcher = _guidance().LLMatcher
        self._plain, self._words = vocabulary.plain, vocabulary.first
        self._matcher: Any = matcher(self._words.tokenizer, grammar)
        self._after: Any = matcher(self._plain.tokenizer, grammar) if vocabulary.drops_space else None

    def allowed(self) -> np.ndarray[Any, Any]:
        """For every token whether it may come next, shape (tokens,); the ends of a reply where it may end."""
        import numpy as np

        forced = self._matcher.compute_ff_bytes()
        if not forced:
            bits = np.unpackbits(np.frombuffer(self._matcher.compute_bitmask(), "uint8"), bitorder="little")
            return bits[: len(self._words.tokens)].astype(bool)
        # Where only one text can follow, llguidance would allow only one way to spell it.
        allowed = np.zeros(len(self._words.tokens), bool)
        within, beyond = self._words.along(forced)
        allowed[within] = True
        allowed[[token for token in beyond if self.fits(token)]] = True
        return allowed

    def fits(self, token: int) -> bool:
        """Whether one token may come next. Models have rows that no token stands for: those may not."""
        if token >= len(self._words.tokens):
            return False
        fitting: int = self._matcher.validate_tokens([token])
        return fitting == 1

    def take(self, token: int) -> None:
        """The reply goes on with a token that fits."""
        if self._after is not None:
            self._after.consume_tokens(self._plain.spelled(self._words.tokens[token]))
            self._matcher, self._words, self._after = self._after, self._plain, None
        else:
            self._matcher.consume_token(token)

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
