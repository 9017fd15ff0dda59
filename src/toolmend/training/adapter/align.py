"""Which words of a sentence mean a value: every run of words is tried until one computes to it.

So a lesson is made of any sentence and any call, by the code that will compute the model's words later.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

LONGEST = 10
_EDGE = re.compile(r"^[\s,.;:!?\"“”()–—-]+|[\s,.;:!?\"“”(–—-]+$")
_FILLERS = frozenset("at on by for in to from of the a it is's and or please starting starts it's its then".split())
_NEEDED = frozenset("the a".split())


def runs(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of every run of at most LONGEST words, without punctuation at its ends, the longest first."""
    words = [match.span() for match in re.finditer(r"\S+", text)]
    for count in range(min(LONGEST, len(words)), 0, -1):
        for first in range(len(words) - count + 1):
            start, end = words[first][0], words[first + count - 1][1]
            bare = text[start:end]
            lead = _EDGE.match(bare)
            start += lead.end() if lead else 0
            bare = _EDGE.sub("", bare)
            if bare:
                yield start, start + len(bare)


def words_meaning(
    text: str, means: Callable[[str], bool], *, taken: list[tuple[int, int]] | None = None
) -> tuple[int, int] | None:
    """The words of the text that mean it: the shortest run from which nothing can be left out on either side, the longest
    of those; none that overlaps what is `taken`."""
    accepted = {
        span for span in runs(text) if not any(span[0] < end and start < span[1] for start, end in taken or ()) and means(text[slice(*span)])
    }
    tight = [span for span in accepted if not any(_inside(other, span) for other in accepted if other != span)]
    if not tight:
        return None
    best = max(tight, key=lambda span: (span[1] - span[0], span[0]))
    return _widened(text, best, accepted)


def _inside(inner: tuple[int, int], outer: tuple[int, int]) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _widened(text: str, span: tuple[int, int], accepted: set[tuple[int, int]]) -> tuple[int, int]:
    """With the neighbouring words that say more of the same ("half past four" of "half past four pm"): those that still
    mean it and are of the words for times and lengths."""
    changed = True
    while changed:
        changed = False
        for other in sorted(accepted, key=lambda each: each[1] - each[0]):
            if other != span and _inside(span, other):
                before, after = text[other[0] : span[0]].split(), text[span[1] : other[1]].split()
                if all(_tells(word) for word in (*before, *after)) and (after or before):
                    span, changed = other, True
                    break
    return span


_TELLING = re.compile(
    r"[ap]\.?\s?m\.?|o'?clock|in|the|morning|afternoon|evening|night|at|noon|midday|sharp|tonight|hours?|h|hrs?|min(?:ute)?s?|half"
    r"|quarter|past|to|an?|and|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d{1,4}(?:st|nd|rd|th)?|later|earlier|after|before|of|that"
    r"|same|next|following|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|weeks?|days?"
    r"|m|p|a|oh|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*|january|february|march|april|june|july|august|this|on",
    re.IGNORECASE,
)
_ENDS = frozenset("in the at to an a and of on that this".split())


def _tells(word: str) -> bool:
    return _TELLING.fullmatch(word.strip(".,;:!?\"()")) is not None
