"""Changes inside a text: one word for another, a letter more or less, two names swapped, words put in or taken out.

Every function gives the new text, or None where the words do not say exactly one. Knows no call and no argument.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from toolmend.language.resolve.words import Words

_ALIKE = 0.72
"""How alike two names must be for one to pass for a slip of the other."""
_PREPOSITIONS = ("with", "for", "to", "from", "at", "in", "by", "of", "on", "about")
_OPENING = rf"(?i)^(?:(?:{'|'.join(_PREPOSITIONS)}) )?(?:the |an? |my |our )?(?=\S)"
_SMALL = frozenset({"the", "a", "an", "my", "our", "and", "&", *_PREPOSITIONS})


def substituted(text: str, old: str, new: str) -> str | None:
    """The text with `new` where `old` stands in it, once."""
    digits = Words(old).text
    for one, other in [
        *_bare(text, old, new),
        *([(digits, _digits(new))] if digits != old and digits.isdecimal() else []),
    ]:
        places = [*re.finditer(rf"(?<!\w){re.escape(one)}(?!\w)", text, re.IGNORECASE)] if one else []
        if len(places) == 1:
            start, end = places[0].span()
            return text[:start] + fitted(other, text[start:end]) + text[end:]
    return None


def _digits(words: str) -> str:
    """A number as it is written beside another."""
    return number if (number := Words(words).text).isdecimal() else words


def _bare(text: str, old: str, new: str) -> Iterator[tuple[str, str]]:
    """The two, also without what both begin or end with: articles, prepositions, 's."""
    if re.sub(_OPENING, "", old).lower() == text.lower():
        yield text, re.sub(_OPENING, "", new)
    if lead := re.match(rf"(?i)(?:{'|'.join(_PREPOSITIONS)}) (?=\S)", new):
        stands = re.search(rf"(?i)\b{lead[0]}{re.escape(old)}(?!\w)", text)
        if stands or old.lower() == text.lower():
            yield old, new[lead.end() :]
    yield old, new
    if old.endswith("'s") and (owned := re.fullmatch(r"(.+)'s \w+", new)):
        yield old[:-2], owned[1]
    if old.endswith("'s") and new.endswith("'s"):
        yield old[:-2], new[:-2]
    if re.match(r"(?i)(?:the|an?|my) ", new):
        yield old, new.partition(" ")[2]


def fitted(new: str, old: str) -> str:
    """A word written as the one it replaces: with a capital where that has one."""
    return new[:1].upper() + new[1:] if old[:1].isupper() and new[:1].islower() else new


def likened(text: str, words: str, least: float = _ALIKE) -> str | None:
    """The text with these words in place of those that are a slip of them; None where none, or several, are."""
    count, tokens = len(words.split()), text.split()
    if not count or re.search(rf"(?i)(?<!\w){re.escape(words)}(?!\w)", text):
        return None
    scores = [(_slip(tokens[place : place + count], words.split()), place) for place in range(len(tokens) - count + 1)]
    near = sorted((score, place) for score, place in scores if score >= least)
    if not near or (len(near) > 1 and near[-1][0] - near[-2][0] < 0.1):
        return None
    place = near[-1][1]
    old = " ".join(tokens[place : place + count])
    new = words[:-2] if words.endswith("'s") and not old.endswith("'s") else words
    new += "'s" if old.endswith("'s") and not new.endswith("'s") else ""
    return " ".join([*tokens[:place], fitted(new, old), *tokens[place + count :]])


def _slip(old: list[str], new: list[str]) -> float:
    """How alike the words are that are not the same: 0 where one of them is another word."""
    return min(
        (_alike(*pair) for pair in zip(old, new, strict=True) if pair[0].lower() != pair[1].lower()), default=0.0
    )


def _sound(word: str) -> str:
    """A name about as it is spoken."""
    for written, spoken in (("ph", "f"), ("th", "t"), ("ck", "k"), ("c", "k"), ("y", "i"), ("z", "s"), ("h", "")):
        word = word.replace(written, spoken)
    return re.sub(r"(.)\1", r"\1", word)


def _alike(one: str, other: str) -> float:
    a, b = (re.sub(r"'s$", "", text.lower().strip(",.;:!?")) for text in (one, other))
    if min(len(a), len(b)) < 3:
        return 0.0
    if len(a) == len(b) == 3 and sum(one != other for one, other in zip(a, b, strict=True)) == 1:
        return _ALIKE
    if a[1:] in (b, b[1:]) or b[1:] == a or a[0] == b[0]:
        return SequenceMatcher(None, a, b).ratio()
    a, b = _sound(a), _sound(b)
    return SequenceMatcher(None, a, b).ratio() if a[:1] == b[:1] else 0.0


def without(text: str, words: str) -> str | None:
    """The text without these words."""
    words = re.sub(r"(?i)^(?:the )?(?:words? |bit |part )?", "", words).strip(" '\"“”")
    places = [*re.finditer(rf"(?<!\w){re.escape(words)}(?!\w)", text, re.IGNORECASE)] if words else []
    if len(places) != 1:
        return None
    start, end = places[0].span()
    left = re.sub(r"\s+", " ", f"{text[:start]} {text[end:]}").strip(" ,;:-–")
    left = re.sub(r"(?i)\s+(?:with|for|to|at|in|and|&|of)$", "", left)
    return fitted(left, text) or None


def phrase_for(text: str, words: str) -> str | None:
    """The text with the part that begins with the same small word replaced: "with Ben" in "Lunch with Ada"."""
    lead = words.split()[0].lower() if words.split() else ""
    if lead not in _PREPOSITIONS or len(words.split()) < 2:
        return None
    others = "|".join(_PREPOSITIONS)
    places = [*re.finditer(rf"(?i)\b{lead}\b .+?(?=$| (?:{others})\b)", text)]
    if len(places) != 1 or (places[0].start() == 0):
        return None
    return text[: places[0].start()] + words[0].lower() + words[1:] + text[places[0].end() :]


def divided(text: str) -> tuple[str, str, str]:
    """The text before its first small word, that word, and the text after it; "" where there is none inside."""
    match = re.fullmatch(rf"(?i)(\S.*?) ({'|'.join(_PREPOSITIONS)}) (\S.*)", text)
    return (match[1], match[2], match[3]) if match else (text, "", "")


def shares(text: str, words: str) -> bool:
    """Whether both have a word in common that says something."""
    own, said = ({word for word in re.findall(r"\w+", side.lower())} - _SMALL for side in (text, words))
    return bool(own & said)


def misheard(text: str, words: str, request: str) -> str | None:
    """The text with these words of the request in place of its own that the request has not; None where unclear."""
    asked, said = bare_words(request), bare_words(words)
    if not said or not _within(said, asked):
        return None
    tokens = text.split()
    bare = [_bare_word(token) for token in tokens]
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
    return " ".join([*tokens[:first], fitted(words, tokens[first]) + own, *tokens[last + 1 :]])


def _within(said: list[str], asked: list[str]) -> bool:
    return any(asked[place : place + len(said)] == said for place in range(len(asked) - len(said) + 1))


def bare_words(text: str) -> list[str]:
    """The words in lower case, without marks and 's."""
    return [bare for token in text.split() if (bare := _bare_word(token))]


def _bare_word(token: str) -> str:
    return re.sub(r"['’]s$", "", token.lower().strip(".,;:!?\"'()"))
