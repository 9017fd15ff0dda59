"""What the request tells of a text that was taken wrongly: which of its words the person never said.

"I meant flowers" of "Buy flour", when flowers were asked for, is "Buy flowers". Knows no call and no argument.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from toolmend.corrections import texts

_SMALL = frozenset("a an the my our to for with at in on of by from and &".split())
_LETTERED = re.compile(
    r"(?:(?:it's |that's )?(?P<name>[^\W\d_][\w'-]+),? )?(?:is |it's |spelled |spelt "
    r"|written )*with (?:an? )?['\"]?(?P<letter>[a-z])['\"]?",
    re.I,
)


def misheard(text: str, words: str, request: str) -> str | None:
    """The text with these words of the request in place of its own that the request has not; None where unclear."""
    asked, said = bare_words(request), bare_words(words)
    if not said or not _within(said, asked):
        return None
    tokens = text.split()
    bare = [_bare(token) for token in tokens]
    doubtful = [
        place
        for place, token in enumerate(bare)
        if token not in asked and token not in _SMALL and not token.isdecimal()
    ]
    if not doubtful or len(doubtful) == len([token for token in bare if token not in _SMALL]):
        return None
    first, last = doubtful[0], doubtful[-1]
    if any(bare[place] not in said for place in range(first, last) if place not in doubtful):
        return None
    while first > 0 and bare[first - 1] in said:
        first -= 1
    while last + 1 < len(bare) and bare[last + 1] in said:
        last += 1
    own = "'s" if tokens[last].endswith("'s") and not words.endswith("'s") else ""
    return " ".join([*tokens[:first], texts.fitted(words, tokens[first]) + own, *tokens[last + 1 :]])


def lettered(text: str, said: str, request: str) -> str | None:
    """The text with that word of the request that is like one of its words, and has the letter: "with a w"."""
    match = _LETTERED.fullmatch(said.strip(" .!?"))
    if match is None:
        return None
    letter = match["letter"].lower()
    ways = {
        (token, word)
        for token in re.findall(r"[^\W\d_][\w'’-]*", text)
        for word in re.findall(r"[^\W\d_][\w'’-]*", request)
        if letter in word.lower() and word.lower().count(letter) != token.lower().count(letter)
        if SequenceMatcher(None, token.lower(), word.lower()).ratio() > 0.6
    }
    if len(ways) != 1:
        return None
    token, word = ways.pop()
    return texts.substituted(text, token, word)


def _within(said: list[str], asked: list[str]) -> bool:
    return any(asked[place : place + len(said)] == said for place in range(len(asked) - len(said) + 1))


def bare_words(text: str) -> list[str]:
    """The words in lower case, without marks and 's."""
    return [bare for token in text.split() if (bare := _bare(token))]


def _bare(token: str) -> str:
    return re.sub(r"['’]s$", "", token.lower().strip(".,;:!?\"'()"))
