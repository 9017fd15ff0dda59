"""Which argument a correction blames, in a person's own words: "The date is wrong" → date.

Says None when unsure: whoever is told a part that was right would change it. Knows no call's values and no model.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from toolmend.corrections.names import label

_ALSO = {
    "date": ("day", "weekday", "month", "year"),
    "time": ("hour", "clock"),
    "duration": ("length", "how long"),
    "title": ("name",),
    "name": ("title",),
    "quantity": ("number", "amount"),
    "amount": ("sum", "quantity"),
}
_BLAMES = re.compile(
    r"\b(wrong|incorrect|mistaken?|false|(is|are|seems) off|check|fix|correct|mend|look (again )?at|reread|misread"
    r"|missing|(not|isn't|wasn't|ain't) (quite )?(right|correct|true)|not (what|how|when|the)|another|different"
    r"|doubt|sure)\b"
)
_PRAISES = re.compile(
    r"(?<!not )(?<!n't )(?<!not the )(?<!not quite )\b(right|fine|good|great|ok|okay|perfect|keep|leave|stays?)\b"
)
_NO_PART = re.compile(  # words of a part that name none here
    r"\b((one|once) more|another|this|last|next|first|second|third|every|each|in|on) time\b"
    r"|\btime (and again|after time)\b|\btimes\b|\bone day\b|\b(an?|half|one|per) hour\b|\bhours\b"
    r"|\b(function|tool|call|api)('s)? name\b|\bname of the (function|tool|call|api)\b"
)


def blamed(said: str, arguments: Iterable[str]) -> str | None:
    """The one of these arguments that is said to be wrong; None where it is none, or more than one, or not clear."""
    text = _NO_PART.sub(" ", " ".join(said.casefold().replace("’", "'").split()))
    praised, but, rest = text.rpartition(" but ")
    if but and _PRAISES.search(praised):
        clear, text = True, rest
    else:
        clear = _BLAMES.search(text) is not None
    if not clear or _PRAISES.search(text):
        return None
    named = [each for each in arguments if any(_stands(name, text) for name in _names(each))]
    return named[0] if len(named) == 1 else None


def _names(argument: str) -> tuple[str, ...]:
    readable = label(argument)
    return (readable, *_ALSO.get(readable, ()))


def _stands(name: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(name)}s?\b", text) is not None
