"""Text to the stems of its words, and which of them say something. English; other scripts pass as they are written.

The same stems go into the index, into questions and into the default embedder. Knows no index.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_LONGEST = 64  # letters; PostgreSQL takes no word of thousands
_WORD = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"(?<=[a-z]{2})(?=[A-Z])")
_VOWEL = re.compile(r"[aeiou]|(?<=[^aeiou])y")
# Consonants after vowels: Porter's m.
_TURN = re.compile(r"(?:[aeiou]|(?<=[^aeiouy])y|(?<=^)y(?![aeiou]))+(?:[^aeiouy]|(?<=[aeiou])y|^y)+")

STOP = frozenset(
    """a about above after again all also am an and any anyone anything are aren as at be because been before being
    below between both but by came can cannot come could did didn do does doesn doing don done down during
    each either else ever every few for from further get gets give given gives go goes got had has hasn have
    haven having he her here hers him his how i if in instead into is isn it its itself just least let like
    made make makes many may me might more most much must my neither no nor not of off often on once one only
    onto or other our out over own per rather same she should since so some somebody someone something such
    take takes tell tells than that the their theirs them then there these they thing things this those
    through to together too under until up upon us use used uses using very was wasn way we went were weren
    what when where whether which while who whom whose why will with within without won would you your yours
    say says said mention mentions mentioned happen happens ll re ve t s d m""".split()
)

_STEP2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "abli": "able",
    "alli": "al", "entli": "ent", "eli": "e", "ousli": "ous", "antli": "ant", "logi": "log", "ization": "ize",
    "ation": "ate", "ator": "ate", "alism": "al", "iveness": "ive", "fulness": "ful", "ousness": "ous",
    "aliti": "al", "iviti": "ive", "biliti": "ble",
}  # fmt: skip
_LY = re.compile(r"(?<=[cdeghkmnrt])li$")  # as Porter has it in his second stemmer
_STEP3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_STEP4 = tuple(
    "ement ance ence able ible ment ant ent ism ate iti ous ive ize ion al er ic ou".split()
)  # the longest first


def tokens(text: str) -> list[str]:
    """The words of a text in small letters without accents; `addEntry` and `add_entry` are two each."""
    plain = _HUMP.sub(" ", text)
    if not plain.isascii():
        apart = unicodedata.normalize("NFKD", plain)
        plain = "".join(sign for sign in apart if not unicodedata.combining(sign))
    return _WORD.findall(plain.casefold())


def stems(text: str) -> list[str]:
    """The stems of all words, in order."""
    return [stem(token) for token in tokens(text)]


def content(text: str) -> list[str]:
    """The stems of the words that say something, in order; grammar and the words of asking are left out."""
    return [stem(token) for token in tokens(text) if token not in STOP and (len(token) > 1 or not token.isalpha())]


@lru_cache(1 << 16)
def stem(word: str) -> str:
    """The stem of a word in small letters (Porter 1980, An algorithm for suffix stripping)."""
    if len(word) <= 2 or not word.isascii() or not word.isalpha() or len(word) > _LONGEST:
        return word[:_LONGEST]
    word = _plural(word)
    word = _past(word)
    if word.endswith("y") and _VOWEL.search(word[:-1]):
        word = word[:-1] + "i"
    word = _LY.sub("", _swap(word, _STEP2))
    word = _swap(word, _STEP3)
    word = _cut(word)
    return _tidy(word)


def _measure(part: str) -> int:
    return len(_TURN.findall(part))


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    for ending in ("ed", "ing"):
        bare = word.removesuffix(ending)
        if bare != word:
            if not _VOWEL.search(bare):
                return word
            if bare.endswith(("at", "bl", "iz")):
                return bare + "e"
            if len(bare) > 1 and bare[-1] == bare[-2] and bare[-1] not in "aeioulsz":
                return bare[:-1]
            return bare + "e" if _measure(bare) == 1 and _short(bare) else bare
    return word


def _short(part: str) -> bool:
    """Whether it ends consonant, vowel, consonant, the last none of w, x, y."""
    return bool(re.search(r"[^aeiou][aeiouy][^aeiouwxy]$", part))


def _swap(word: str, endings: dict[str, str]) -> str:
    for ending in sorted(endings, key=len, reverse=True):
        if word.endswith(ending):
            bare = word[: -len(ending)]
            return bare + endings[ending] if _measure(bare) else word
    return word


def _cut(word: str) -> str:
    for ending in _STEP4:
        if word.endswith(ending):
            bare = word[: -len(ending)]
            fits = _measure(bare) > 1 and (ending != "ion" or bare.endswith(("s", "t")))
            return bare if fits else word
    return word


def _tidy(word: str) -> str:
    if word.endswith("e"):
        bare = word[:-1]
        if _measure(bare) > 1 or (_measure(bare) == 1 and not _short(bare)):
            word = bare
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word
