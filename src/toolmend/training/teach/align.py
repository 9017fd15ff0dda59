"""Which words of a sentence mean a value: every run of words is tried until one computes to it.

So a lesson is made of any sentence and any call, by the code that will compute the model's words later.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

LONGEST = 9
Span = tuple[int, int]
"""Where words begin and end in a text, in letters."""

_EDGE = re.compile(r"^[\s,.;:!?\"“”()–—-]+|[\s,.;:!?\"“”(–—-]+$")


def runs(text: str, longest: int = LONGEST) -> Iterator[Span]:
    """Start and end of every run of at most LONGEST words, without punctuation at its ends, the longest first."""
    words = [match.span() for match in re.finditer(r"\S+", text)]
    for count in range(min(longest, len(words)), 0, -1):
        for first in range(len(words) - count + 1):
            start, end = words[first][0], words[first + count - 1][1]
            bare = text[start:end]
            lead = _EDGE.match(bare)
            start += lead.end() if lead else 0
            bare = _EDGE.sub("", bare)
            if bare:
                yield start, start + len(bare)


def words_meaning(
    text: str,
    kind: str,
    means: Callable[[str], bool],
    *,
    plain: Callable[[str], bool] | None = None,
    taken: Sequence[Span] = (),
) -> Span | None:
    """The words of the text that mean it: the shortest runs from which nothing can be left out, widened by neighbours
    that say more of the same `kind` (date, time, duration, days). Those that mean it by themselves (`plain`) come
    first, and those that begin and end with a word of that kind."""
    free = [
        span
        for span in runs(text, 16 if kind == "days" else LONGEST)
        if not any(span[0] < end and start < span[1] for start, end in taken)
    ]
    telling = [span for span in free if _tells(text[slice(*span)], kind)]
    rest = [span for span in free if _REFERRING.search(text[slice(*span)])]
    for accepts, spans in ((plain, telling), (means, telling), (means, rest)):
        accepted = {span for span in spans if accepts(text[slice(*span)])} if accepts else set()
        tight = [span for span in accepted if not any(_inside(other, span) for other in accepted if other != span)]
        if tight:
            best = max((_widened(text, span, accepted, kind) for span in tight), key=lambda span: span[1] - span[0])
            return _trimmed(text, best, accepted)
    return None


def _tells(words: str, kind: str) -> bool:
    first, *_ = split = words.split()
    if len(split) == 1 and _bare(first).lower() in _EMPTY:
        return False
    return bool(_TELLING[kind].fullmatch(_bare(first)) and _TELLING[kind].fullmatch(_bare(split[-1])))


def _bare(word: str) -> str:
    return word.strip('.,;:!?"()–—')


def _inside(inner: Span, outer: Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _widened(text: str, span: Span, accepted: set[Span], kind: str) -> Span:
    """With the neighbours that still mean it and are of the words of that kind: "half past four" + "pm"."""
    telling = _TELLING[kind]
    while True:
        wider = [
            other
            for other in accepted
            if other != span
            and _inside(span, other)
            and all(telling.fullmatch(_bare(word)) for word in text[other[0] : span[0]].split())
            and all(telling.fullmatch(_bare(word)) for word in text[span[1] : other[1]].split())
        ]
        if not wider:
            return span
        span = min(wider, key=lambda other: other[1] - other[0])


def _trimmed(text: str, span: Span, accepted: set[Span]) -> Span:
    """Without the little words at its ends that say nothing: "at 5 pm on"."""
    while True:
        words = text[slice(*span)]
        start, end = span
        if lead := _LEADING.match(words):
            start += lead.end()
        elif tail := _TRAILING.search(words):
            end = start + tail.start()
        if (start, end) == span or (start, end) not in accepted:
            return span
        span = (start, end)


_LEADING = re.compile(
    r"(?:at|on|for|to|by|from|of|it|is|and|it's|starts?|starting|then|in(?! (?:the (?:morning|afternoon|evening)"
    r"|an?|one|two|three|four|five|six|\d+) ))\s+",
    re.IGNORECASE,
)
_TRAILING = re.compile(r"[\s,]+(?:at|on|for|to|by|from|of|and|in|the|is|it|a|an)$", re.IGNORECASE)
_EMPTY = frozenset("before after same that the a an later earlier in from to at and by it of once put".split())
_REFERRING = re.compile(r"\b(?:before|after|as|than|following|when|until|till|end|from)\b", re.IGNORECASE)
_COUNTS = (
    r"an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen"
    r"|eighteen|nineteen|(?:twenty|thirty|forty|fifty|sixty)(?:-\w+)?|hundred|half|quarters?|and|couple|of|the"
)
_NUMBER = rf"\d\S*|{_COUNTS}"
_FIGURES = r"\d{1,4}(?:st|nd|rd|th)?|\d+[/-]\d\S*"
_CHANGE = (
    r"later|earlier|after|before|that|same|sooner|ahead|back|delay\w*|postpone\w*|push\w*|mov\w+|bring|brought|forward|by|it"
    r"|shift\w*|preponed?|advance\w*|put"
)
_TELLING = {
    "days": re.compile(
        r".*(?:\d|th|day|first|second|third|the|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec).*", re.IGNORECASE
    ),
    "date": re.compile(
        rf"{_FIGURES}|{_COUNTS}|(?:\w+th|first|second|third|\w+-(?:first|second|third|fifth|eighth|ninth)"
        r"|fifth|eighth|ninth|twelfth|thousand|twenty)"
        r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|tue|wed|thu|fri|sat|sun)s?|tom+or+ow|today|yesterday|weeks?|days?|months?|years?"
        r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)\w*|next|following|this|very|previous|preceding|last|in|from|exactly|still|once"
        rf"|new|year's|eve|christmas|boxing|halloween|valentine's|{_CHANGE}",
        re.IGNORECASE,
    ),
    "time": re.compile(
        rf"{_NUMBER}|[ap]\.?m?|m|o'?clock|oh|noon|midnight|midday|morning|afternoon|evening|night|past|to|till?|until|through|from|between|at|in"
        rf"|minutes?|mins?|hours?|hrs?|h|sharp|time|starts?|ends?|right|straight|{_CHANGE}|-|–",
        re.IGNORECASE,
    ),
    "duration": re.compile(
        rf"{_NUMBER}|minutes?|mins?|m|hours?|hrs?|h|long|longer|shorter|more|less|until|till?|to|ends?|pm|am|a\.?m|p\.?m|noon|midnight|midday"
        r"|morning|afternoon|evening|night|in|at|o'?clock|past|oh|p|a|twice|another|only|extra|extend|by",
        re.IGNORECASE,
    ),
}
