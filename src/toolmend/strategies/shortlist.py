"""A short list of tools for a request, so that a model need not read hundreds: words in common, rare ones first.

The ranking is BM25 (Robertson & Zaragoza 2009, "The Probabilistic Relevance Framework: BM25 and Beyond", section 3)
over names, descriptions and parameters, words cut to their first letters. It knows no meaning: "eat out" is no table.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from functools import lru_cache
from typing import Any

from toolmend.base.messages import Message, ToolSpec
from toolmend.strategies.strategy import Talk

K1, B = 1.2, 0.75
LETTERS = 4
"""So many first letters make a word: `rent`, `rents` and `rental` are one."""
PAST = 0.5
"""What a word of an earlier message counts; the one before it counts half of that, and so on."""
_WORD = re.compile(r"[^\W\d_]+")


def shortlist(tools: Sequence[ToolSpec], messages: Sequence[Message], most: int) -> tuple[ToolSpec, ...]:
    """The `most` tools that fit the last request and what was said before, in the order of the toolbox; 0 means all.

    What was called in the talk is always among them, even if those are more: the next request may change it.
    """
    if not most or most >= len(tools):
        return tuple(tools)
    called = {call.tool for message in messages for call in message.calls}
    names = ranking(tools, messages)
    kept = {name for name in names if name in called}
    for name in names:
        if len(kept) >= most:
            break
        kept.add(name)
    return tuple(tool for tool in tools if tool.full_name in kept)


def shortened(talk: Talk, most: int) -> Talk:
    """The talk with a short list in place of all its tools."""
    return replace(talk, tools=shortlist(talk.tools, talk.messages, most)) if most else talk


def tools_option() -> Any:
    """The option `tools`: how many tools a model is shown for a request, 0 for all of them."""
    return field(default=0, metadata={"least": 0, "most": 10_000})


def ranking(tools: Sequence[ToolSpec], messages: Sequence[Message]) -> list[str]:
    """The full names of all tools, the best fitting first; equally good ones in the order of the toolbox."""
    index = _index(tuple((tool.full_name, _text(tool)) for tool in tools))
    query = _query(messages)
    scores = {tool.full_name: index.score(place, query) for place, tool in enumerate(tools)}
    return sorted(scores, key=lambda name: -scores[name])


class Index:
    """Texts with the words they have; `score` says how well one fits a weighted query."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._counts = [Counter(words(text)) for text in texts]
        self._lengths = [sum(counts.values()) for counts in self._counts]
        self._mean = sum(self._lengths) / max(1, len(texts)) or 1.0
        found = Counter(word for counts in self._counts for word in counts)
        self._rarity = {word: math.log(1 + (len(texts) - n + 0.5) / (n + 0.5)) for word, n in found.items()}

    def score(self, place: int, query: dict[str, float]) -> float:
        """The BM25 score of the text at that place."""
        counts, spread = self._counts[place], K1 * (1 - B + B * self._lengths[place] / self._mean)
        return sum(
            weight * self._rarity[word] * counts[word] * (K1 + 1) / (counts[word] + spread)
            for word, weight in query.items()
            if word in counts
        )


def words(text: str) -> list[str]:
    """The words of a text, letter case folded, cut to their first letters."""
    return [word[:LETTERS] for word in _WORD.findall(text.casefold())]


@lru_cache(maxsize=32)
def _index(texts: tuple[tuple[str, str], ...]) -> Index:
    return Index([text for _, text in texts])


def _text(tool: ToolSpec) -> str:
    about: Iterable[str] = (str(schema.get("description", "")) for schema in tool.properties.values())
    return " ".join([tool.name, tool.description, *tool.properties, *about])


def _query(messages: Sequence[Message]) -> dict[str, float]:
    """The words of what the user said, each with the weight of the latest message it stands in."""
    query: dict[str, float] = {}
    said = [message.content for message in messages if message.role == "user"]
    for age, text in enumerate(reversed(said)):
        for word in words(text):
            query.setdefault(word, PAST**age)
    return query
