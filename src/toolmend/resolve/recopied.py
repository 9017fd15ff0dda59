"""A copy that went wrong, as the sentence has it: "Missippi river" → "Mississippi river"; no article in front.

Knows the two texts alone.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher

_ALIKE = 0.74
_BEGUN = 4  # letters that two words begin with where one breaks off
_ARTICLE = re.compile(r"^(?:the|an?) (?=\S)")


def recopied(text: str, sentence: str) -> str:
    """The words of the sentence that the text is a faulty copy of; the text where it is in the sentence, or is like
    nothing there."""
    if not text.strip() or re.search(rf"(?i)(?<!\w){re.escape(text)}(?!\w)", sentence):
        return text
    own = text.split()
    there = re.findall(r"[^\s,;:!?\"()]+", sentence)
    windows = (there[at : at + len(own)] for at in range(len(there) - len(own) + 1))
    scored = [(_likeness(own, window), " ".join(window)) for window in windows]
    best, words = max(scored, default=(0.0, ""))
    rivals = {other for score, other in scored if score > best - 0.05}
    return words.rstrip(".") if best >= _ALIKE and len(rivals) == 1 else text


def without_article(text: str, sentence: str) -> str:
    """The text without the article that it was copied with."""
    bare = _ARTICLE.sub("", text)
    return bare if bare != text and re.search(rf"(?<!\w){re.escape(text)}(?!\w)", sentence) else text


def _likeness(own: list[str], window: list[str]) -> float:
    """The least likeness of a pair of words that are not the same; 0 where one is another word."""
    scores = [_alike(one.lower(), other.lower()) for one, other in zip(own, window, strict=True)]
    same = sum(score == 1 for score in scores)
    return min(scores) if same or len(own) == 1 else 0.0


def _alike(one: str, other: str) -> float:
    if one == other:
        return 1.0
    if min(len(one), len(other)) < _BEGUN or one[0] != other[0] or one.startswith(other) or other.startswith(one):
        return 0.0  # what only ends otherwise is another form of the word: the name of something, for "cavernous room"
    if one[:_BEGUN] == other[:_BEGUN]:
        return 0.8
    return SequenceMatcher(None, one, other, autojunk=False).ratio()
