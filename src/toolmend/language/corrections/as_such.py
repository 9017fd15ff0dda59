"""Complaints about calls as such: none was made, none was due, one is too many, one is missing, it is another tool.

Reads the words alone; says nothing of what the right calls would be.
"""

from __future__ import annotations

import re
from typing import Literal

from toolmend.language.resolve import vocabulary

AsSuch = Literal["due", "needless", "twice", "too many", "too few", "another tool", ""]
"""What is said of the calls as such; "" where nothing is."""

_ORDER: tuple[AsSuch, ...] = ("twice", "too many", "too few", "needless", "another tool", "due")
_READ = tuple((said, re.compile(vocabulary.either(f"said as such: {said}"), re.IGNORECASE)) for said in _ORDER)
_LONGEST = 16  # words; more tell of something


def said_as_such(sentence: str) -> AsSuch:
    """What a sentence says of the calls as such; nothing of their arguments."""
    words = sentence.replace("’", "'")
    if len(words.split()) > _LONGEST:
        return ""
    return next((verdict for verdict, rule in _READ if rule.search(words)), "")
