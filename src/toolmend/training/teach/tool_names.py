"""Other names for tools and their parameters, so that a model reads signatures instead of knowing names by heart.

Synonyms, words of the description, abbreviations, other styles of writing, and words nobody has met.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Collection
from random import Random

from toolmend.training.words import made_up, sections

_SMALL = frozenset(
    "the a an of for to in on at or and with by from is it how long many much when what which one if this that be "
    "whose who as into out up its all any are where whom whether after before per".split()
)
_NONSENSE = 0.05  # share of names that nobody has met


def _table(section: str) -> dict[str, str]:
    return {
        name: words.strip() for name, _, words in (line.partition(":") for line in sections("tool_names.txt")[section])
    }


_SYNONYMS, _SPOKEN, TEXTS = _table("synonyms"), _table("spoken"), _table("texts")


def words_of(name: str) -> list[str]:
    """The words of a name in lower case: `startTimer` → start, timer."""
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", name)]


def plain_name(name: str) -> str:
    """What a person calls a parameter of that name."""
    return _SPOKEN.get(name) or " ".join(words_of(name))


def named_otherwise(name: str, about: str, random: Random, taken: Collection[str]) -> str:
    """Another name, that is none of `taken`, for a tool or a parameter of which no more is known than what is told."""
    own = words_of(name)
    ways: list[Callable[[], list[str]]] = [
        lambda: own,
        lambda: _synonyms(own, random),
        lambda: _synonyms(own, random),
        lambda: content_words(about)[: random.choice((2, 3))] or own,
        lambda: [_short(word, random) for word in own],
    ]
    return _named(name, ways, random, taken, nonsense=random.random() < _NONSENSE)


def _named(
    old: str, ways: list[Callable[[], list[str]]], random: Random, taken: Collection[str], *, nonsense: bool
) -> str:
    for attempt in range(20):
        chosen = [made_up(random)] if nonsense or attempt > 12 else random.choice(ways)()
        name = _styled(chosen, random)
        if name.isidentifier() and not keyword.iskeyword(name) and name not in (old, *taken):
            return name
    return f"{old}_{len(taken)}"


def _synonyms(own: list[str], random: Random) -> list[str]:
    return [
        part
        for word in own
        for part in (random.choice(_SYNONYMS[word].split()) if word in _SYNONYMS else word).split("_")
    ]


def content_words(about: str) -> list[str]:
    """The words of a description that are more than grammar, in its order."""
    return [word for word in re.findall(r"[a-z]+", about.lower()) if word not in _SMALL and len(word) > 2]


def _short(word: str, random: Random) -> str:
    if len(word) < 5:
        return word
    return word[: random.choice((3, 4))] if random.random() < 0.5 else word[0] + re.sub(r"[aeiou]", "", word[1:])


def _styled(parts: list[str], random: Random) -> str:
    style = random.random()
    if style < 0.6 or not parts:
        return "_".join(parts)
    pascal = "".join(part.capitalize() for part in parts)
    if style < 0.8:
        return pascal[:1].lower() + pascal[1:]
    return pascal if style < 0.88 else "".join(parts) if style < 0.95 else "_".join(parts).upper()
