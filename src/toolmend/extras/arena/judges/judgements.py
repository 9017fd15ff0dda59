"""What a judge wrote about a match in one order, as a file of lines that grows by one each time it is asked.

    {"toolmend": "judgements", "schema": 1, "model": …, "way": …, "prompt": …, "prompt_hash": …, "debias": …, …}
    {"pair": "3f…", "order": "ab", "a": …, "b": …, "text": "7\\nthe second is …", "prompt_hash": …, …}

Each line is on the disk before the next question is asked: killed at any moment, nothing is lost and nothing asked
twice. Of two lines about the same thing the first counts. Reads no verdict.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

from toolmend.base.errors import BadFile
from toolmend.evals.suites.json_lines import json_objects

SCHEMA = 1
Order = Literal["ab", "ba"]
ORDERS: tuple[Order, ...] = ("ab", "ba")


@dataclass(frozen=True, slots=True)
class JudgingTerms:
    """Under which all judgements of a file were made."""

    model: str
    way: str
    prompt: str
    prompt_hash: str
    debias: bool = False
    temperature: float = 0.0
    max_tokens: int = 256


@dataclass(frozen=True, slots=True)
class Judgement:
    """One answer of a judge. `order` is "ab" where a was shown first; `error` says why there is no answer.

    Lengths are words of the answers shown. Tokens are as the server counted them. `truncated`: the question did not fit
    the model, which saw a part of it.
    """

    pair: str
    order: Order
    a: str
    b: str
    text: str = ""
    prompt: str = ""
    turn: str = ""
    category: str = ""
    length_a: int = 0
    length_b: int = 0
    prompt_hash: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    truncated: bool = False
    error: str = ""


@dataclass
class Book:
    """A file of judgements, opened. `found` are those already there, by pair and order; errors are not."""

    path: Path
    terms: JudgingTerms
    found: dict[tuple[str, Order], Judgement] = field(default_factory=dict)
    _stream: Any = None

    def __enter__(self) -> Book:
        """The book itself."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Close the file."""
        self._stream.close()

    def add(self, judgement: Judgement) -> None:
        """Write a judgement; it is on the disk when this returns. One that is there already is left as it is."""
        if (judgement.pair, judgement.order) in self.found:
            return
        self._stream.write(_line(asdict(judgement)))
        self._stream.flush()
        os.fsync(self._stream.fileno())
        if not judgement.error:
            self.found[judgement.pair, judgement.order] = judgement


def open_book(path: str | Path, terms: JudgingTerms) -> Book:
    """The book at that path to be gone on with, or a new one; half a line at its end, of a kill, is cut off.

    Raises BadFile for a file that holds something else, or judgements made under other terms.
    """
    path, head = Path(path).expanduser(), _line({"toolmend": "judgements", "schema": SCHEMA, **asdict(terms)})
    book = Book(path, terms)
    try:
        there = path.read_bytes() if path.exists() else b""
        whole = there[: there.rfind(b"\n") + 1]
        if not head.startswith(there):
            book.found = _gone_on(path, terms)
        book._stream = open(path, "r+b" if there else "wb")  # noqa: SIM115  # the book closes it
        book._stream.truncate(len(whole))
        book._stream.seek(len(whole))
        if not whole:
            book._stream.write(head)
            book._stream.flush()
    except OSError as error:
        raise BadFile(path, f"cannot be written ({error.strerror or error})") from error
    return book


def _line(data: Mapping[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=True).encode() + b"\n"


def _gone_on(path: Path, terms: JudgingTerms) -> dict[tuple[str, Order], Judgement]:
    """What the file holds already. Raises BadFile where it was made under other terms."""
    there, kept = read_judgements(path)
    apart = [term.name for term in fields(JudgingTerms) if getattr(there, term.name) != getattr(terms, term.name)]
    if apart:
        told = ", ".join(f"{name} {getattr(there, name)!r}, not {getattr(terms, name)!r}" for name in apart)
        raise BadFile(path, f"holds judgements made otherwise ({told}): name another file with --out")
    found: dict[tuple[str, Order], Judgement] = {}
    for judgement in kept:
        if not judgement.error:
            found.setdefault((judgement.pair, judgement.order), judgement)
    return found


def read_judgements(path: str | Path) -> tuple[JudgingTerms, tuple[Judgement, ...]]:
    """The terms of a file and its judgements, errors included, in their order. Raises BadFile with the line."""
    lines = json_objects(path, whole=True)
    number, head = next(lines, (1, {}))
    if head.get("toolmend") != "judgements" or head.get("schema") != SCHEMA:
        raise BadFile(path, f"no file of judgements (schema {SCHEMA}); `toolmend judge run --out` writes one", number)
    try:
        terms = JudgingTerms(**{term.name: head[term.name] for term in fields(JudgingTerms)})
    except (KeyError, TypeError) as error:
        raise BadFile(path, f"its first line does not say how it was judged ({error!r})", number) from error
    return terms, tuple(_judgement(path, number, data) for number, data in lines)


def _judgement(path: str | Path, number: int, data: Mapping[str, Any]) -> Judgement:
    try:
        made = Judgement(**data)
    except TypeError as error:
        raise BadFile(path, f"no judgement ({error})", number) from error
    texts = (made.pair, made.a, made.b, made.text, made.prompt, made.turn, made.category, made.error)
    if made.order not in ORDERS or not all(isinstance(text, str) for text in texts):
        raise BadFile(path, "no judgement (an order other than ab and ba, or a text that is none)", number)
    return made
