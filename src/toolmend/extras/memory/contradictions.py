"""Whether two memories say different things of the same matter: by rules over words, times, days, numbers and names.

It flags; it never decides. Both stay, and who asks is shown both, the newer first.
"""

from __future__ import annotations

import re
from functools import lru_cache

from toolmend.extras.knowledge.search.words import content

_DAYS = "monday tuesday wednesday thursday friday saturday sunday today tomorrow tonight".split()
_MONTHS = "january february march april may june july august september october november december".split()
_TIME = re.compile(r"\b\d{1,2}(?::\d{2})?\s*(?:am|pm|o'clock)\b|\b\d{1,2}:\d{2}\b|\b(?:noon|midnight)\b", re.IGNORECASE)
_DATE = re.compile(
    rf"\b(?:{'|'.join(_DAYS)})\b|\b(?:{'|'.join(_MONTHS)})\s+\d{{1,2}}\b|\b\d{{4}}-\d{{2}}-\d{{2}}\b", re.IGNORECASE
)
_NUMBER = re.compile(r"(?<![\w:.-])\d+(?:[.,]\d+)?(?![\w:-])")
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]{2,}(?: [A-Z][a-z]+)*")
_KINDS = (("time", _TIME), ("day", _DATE), ("number", _NUMBER), ("name", _NAME))

_CHANGE = re.compile(
    r"\b(?:now|no longer|not any ?more|any ?more|instead|moved|actually|changed|switched|new|rescheduled|postponed"
    r"|correction|meanwhile|from now on|these days|stopped|gave up|quit)\b",
    re.IGNORECASE,
)
_CHANGE_STEMS = frozenset(
    content("moved move changed change switched new rescheduled postponed stopped gave quit longer")
)
_NOT = re.compile(
    r"\b(?:not|never|no longer|no more|don't|doesn't|didn't|isn't|aren't|can't|cannot|won't|without)\b", re.IGNORECASE
)
_IS = re.compile(
    r"\b(?:is|are|was|were|becomes|lives in|lives on|works at|works for|costs|starts at|called)\b(?! (?:not|no)\b)",
    re.IGNORECASE,
)
_ENOUGH = 0.6


def conflict(old: str, new: str) -> str:
    """What two texts disagree on (time, day, number, name, yes and no, what it is), "" where nothing shows."""
    left, right = _matter(old), _matter(new)
    shared = len(left & right)
    if not shared:
        return ""
    changed = bool(_CHANGE.search(new))
    enough = shared >= (1 if changed else min(2, len(left), len(right)))
    if not enough or shared / min(len(left), len(right)) < (0.5 if changed else _ENOUGH):
        return "what it is" if _redefined(old, new) else ""
    if bool(_NOT.search(old)) != bool(_NOT.search(new)):
        return "yes and no"
    for kind, pattern in _KINDS:
        before, after = _found(pattern, old), _found(pattern, new)
        if before and after and not before & after:
            return kind
    swapped = changed and shared > 1 and bool(left - right and right - left)
    return "what it is" if swapped or _redefined(old, new) else ""


@lru_cache(1 << 14)
def _matter(text: str) -> frozenset[str]:
    """The stems of what a text is about: without times, days, numbers, names in it, and the words of change."""
    for _, pattern in _KINDS:
        text = pattern.sub(" ", text)
    return frozenset(content(text)) - _CHANGE_STEMS


def _found(pattern: re.Pattern[str], text: str) -> set[str]:
    return {re.sub(r"\s+", "", match[0]).casefold() for match in pattern.finditer(text)}


def _redefined(old: str, new: str) -> bool:
    """Whether both say what one thing is, and it is not the same."""
    parts = [_IS.split(text, maxsplit=1) for text in (old, new)]
    if any(len(part) != 2 for part in parts):
        return False
    (subject, was), (again, is_now) = ([frozenset(content(side)) - _CHANGE_STEMS for side in part] for part in parts)
    return bool(subject) and subject == again and bool(was and is_now) and not was & is_now
