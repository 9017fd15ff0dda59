"""What talks over somebody's own tools borrow: texts for a parameter by its name, and requests for none of them.

Two files, training/data/stock.txt and elsewhere.txt; a tenth of the requests is kept for exams.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache

from toolmend.training.teach.tool_names import TEXTS
from toolmend.training.words import sections


@cache
def texts() -> Mapping[str, list[str]]:
    """Texts by the words of names of parameters; "" for all."""
    stock = {name: told.split("; ") for name, told in TEXTS.items()}
    for line in sections("stock.txt")["stock"]:
        word, _, told = line.partition(": ")
        stock.setdefault(word, []).extend(told.split("; "))
    stock[""] = list(dict.fromkeys(text for own in stock.values() for text in own))
    return stock


@cache
def elsewhere(*, held_out: bool) -> tuple[tuple[frozenset[str], str], ...]:
    """Requests for tools of others, each after the words by which it could be taken for one that is offered."""
    told = [line.partition(" | ") for line in sections("elsewhere.txt")["elsewhere"]]
    return tuple((frozenset(words.split()), said) for words, _, said in told if _is_held_out(said) == held_out)


def _is_held_out(sentence: str) -> bool:
    return hashlib.sha256(f"exam {sentence}".encode()).digest()[0] % 10 == 0
