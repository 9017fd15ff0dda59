"""What the names of tools and parameters say: their words, what a person calls them, texts that fill them."""

from __future__ import annotations

import re

from toolmend.training.words import sections

_SMALL = frozenset(
    "the a an of for to in on at or and with by from is it how long many much when what which one if this that be "
    "whose who as into out up its all any are where whom whether after before per".split()
)


def _table(section: str) -> dict[str, str]:
    return {
        name: words.strip() for name, _, words in (line.partition(":") for line in sections("tool_names.txt")[section])
    }


_SPOKEN, TEXTS = _table("spoken"), _table("texts")


def words_of(name: str) -> list[str]:
    """The words of a name in lower case: `startTimer` → start, timer."""
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", name)]


def plain_name(name: str) -> str:
    """What a person calls a parameter of that name."""
    return _SPOKEN.get(name) or " ".join(words_of(name))


def content_words(about: str) -> list[str]:
    """The words of a description that are more than grammar, in its order."""
    return [word for word in re.findall(r"[a-z]+", about.lower()) if word not in _SMALL and len(word) > 2]
