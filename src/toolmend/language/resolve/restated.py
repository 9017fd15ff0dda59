"""Whether a sentence says a whole request once more, instead of what is to be different: "Move the hive to the wood".

Such a correction is best read for itself: beside its own wrong reply a small model repeats itself. Knows words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolmend.base.messages import ToolSpec
from toolmend.language.resolve import vocabulary
from toolmend.language.resolve.allotted import PLAIN, alike, words_of

_ORDERS = vocabulary.words("orders")
_LEAD = re.compile(r"^(?:(?:no|nope|sorry|please|wrong|i said|i meant)\b[\s,.:;!-]*)+", re.IGNORECASE)
_REFERS = re.compile(r"\b(?:it|its|that(?! the\b)|this|them|those|one|same|instead|rather|should|wrong|meant|said)\b")
_WORDS = re.compile(r"[^\W_]+")
_LEAST, _SHARED = 4, 3  # words of the sentence; of those that the request has, two where it begins with an order


def restated(said: str, request: str, specs: Sequence[ToolSpec]) -> bool:
    """Whether the sentence orders something by itself, in words that the request has, and points at nothing."""
    plain = _LEAD.sub("", said.strip()).lower()
    words = _WORDS.findall(plain)
    if len(words) < _LEAST or _REFERS.search(re.split(r"[,;.]", plain)[0]) or said.rstrip().endswith("?"):
        return False
    told = {word[:5] for word in _WORDS.findall(request.lower())}
    shared = {word for word in words if len(word) > 2 and word not in PLAIN and word[:5] in told}
    order = words[0] in _ORDERS or any(alike(words[0], words_of(spec.name)) for spec in specs)
    return len(shared) + order >= _SHARED
