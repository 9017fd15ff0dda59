"""Several values in one text: "Monday and Thursday", "5, 7 and 9", "the kitchen as well as the hall"."""

from __future__ import annotations

import re
from dataclasses import dataclass

_BETWEEN = re.compile(
    r"\s*(?:,(?!\d{3}(?!\d))\s*(?:and\b|&)?|[;+&\n]|/(?=[^\W\d])|"
    r"(?<!hundred )(?<!thousand )(?<!million )(?:\band\b|(?<=\s)'?n'?(?=\s))(?! a (?:half|quarter))"
    r"(?: also\b)?|\bas well as\b|\bplus\b)\s*",
    re.IGNORECASE,
)
_SHARED = {"date": re.compile(r"month\d+"), "time": re.compile(r"(?<!\S)(?:am|pm)(?!\S)")}


_SAME = re.compile(
    r"(?:keep |leave |it |stays |at |on )*(?:(?:(?:all )?(?:the|those|these) )?same(?! time)(?: \w+)?(?: (?:as "
    r"(?:before|now)|again))*|"
    r"(?:keep|leave)(?: (?:it|them|that|everything))|unchanged|as (?:it is|before)|no changes?)"
)
_MORE = re.compile(
    r"(?:(?:(?:and|also|plus|with|add|adding|include|including|throw in|put|\+|&)\s+)+(?:also |on )?"
    r"|you(?:'ve)? (?:also )?(?:forgot|left out|left off|missed)(?: to add)? (?:the |my |some )?)(?P<first>.+?)"
    r"(?:,? (?:too|as well|also|in addition|to (?:it|that|them|the list)))*|"
    r"(?P<last>.+?)(?:,? (?:too|as well|also|in addition|on top)|(?:'s| is| are)? missing)"
)
_FEWER = re.compile(
    r"(?:(?:but|just|only|and|please|everything|all(?: of them)?|those|these|the same|same|them)\s+)*(?:without|"
    r"no|not|except(?: for)?|there's no|forget|(?:i )?(?:don't|didn't) (?:need|want|say|ask for)|"
    r"remove|drop|delete|minus|take (?:out|off|away)|skip|leave out|leave off|scrap|cancel|lose|excluding|apart "
    r"from|but)\s+"
    r"(?:(?:on|in|for|the|any|that) )*(?P<out>.+?)"
    r"(?: any ?more| any longer| after all| (?:out|off|away)| from (?:it|that|them|the list))*"
)
_GONE = re.compile(
    r"(?!i have )(?:(?:take|leave|cross|cut) (?:the |that )?)?(?P<out>.+?) "
    r"(?:(?:off|out)(?: (?:of )?(?:it|that|(?:the|that|my) list))?"
    r"|(?:isn't|is not|aren't|won't|can't|doesn't) (?:be )?(?:invited|coming|come|there|joining|join|going|needed))"
)
_SWAP = (
    re.compile(
        r"(?:make it |have |do )?(?P<want>.+?),? (?:instead of|rather than|in place of|(?:and )?not(?: on| in)?) "
        r"(?P<out>.+)"
    ),
    re.compile(r"not (?:on |in )?(?P<out>.+?)(?:,? but|,| -) (?:on |in )?(?P<want>.+)"),
    re.compile(r"(?:swap|replace|change|switch|exchange)(?: out)? (?P<out>.+?) (?:for|with|to|by|into) (?P<want>.+)"),
)


SPAN = re.compile(r"\s*(?:from\s+)?(\S.*?)(?:\s+(?:to|through|thru|till|until)\s+|\s*[-–]\s*)(\S.*)", re.I)
_WEEKEND = re.compile(r"(?:(?:on|all|both|days|of|at|over|the) )*(?P<which>this |next )?(?:coming )?weekend")
_ONCE = re.compile(r"(?i)^\s*(?:once|twice|\w+ times) (?:a|every|per) (?:week|month),?\s+(?:on\s+)?(?:an?\s+)?(?=\S)")
_EACH = re.compile(r"(?i)\b(?:each|all|both|every one)(?: of (?:them|those|these))?\b(?! \w*day\b)|\bthem\b")


@dataclass(frozen=True, slots=True)
class ListChange:
    """What the words put into a list and take out of it, each "" for nothing."""

    put: str = ""
    out: str = ""


def change_of(text: str) -> ListChange | None:
    """What becomes of the list that is changed: "and Friday too", "without Saturday"; None for a list of its own."""
    bare = text.strip(" .!,").removesuffix(" please").strip(" ,")
    low = bare.lower()
    if _SAME.fullmatch(low):
        return ListChange()
    for swap in _SWAP:
        if match := swap.fullmatch(low):
            return ListChange(bare[slice(*match.span("want"))], bare[slice(*match.span("out"))])
    if match := _FEWER.fullmatch(low) or _GONE.fullmatch(low):
        return ListChange(out=bare[slice(*match.span("out"))])
    if match := _MORE.fullmatch(low):
        return ListChange(bare[slice(*match.span("first" if match["first"] else "last"))])
    return None


def plain_list(text: str) -> str:
    """Without how often: "once a week, on a Wednesday"; a weekend as its two days."""
    text = _ONCE.sub("", text)
    weekend = _WEEKEND.fullmatch(text.strip(" .!,").lower())
    which = weekend["which"] or "" if weekend else ""
    return f"{which}saturday and {which}sunday" if weekend else text


def of_each(text: str) -> str:
    """The words for what becomes of each value: "each a day later" → "a day later"."""
    return " ".join(_EACH.sub(" ", text).split())


def shares_end(items: list[str], kind: str) -> bool:
    """Whether what the last item says holds for the first, too: "the 9th and 10th of May", "5 and 7 pm"."""
    pattern = _SHARED.get(kind)
    return bool(pattern and pattern.search(items[-1]) and not pattern.search(items[0]))


def parts(text: str) -> list[tuple[str, int]]:
    """The items and where each begins."""
    items, start = [], 0
    for match in _BETWEEN.finditer(text):
        items.append((text[start : match.start()], start))
        start = match.end()
    items.append((text[start:], start))
    return [(item, place) for item, place in items if item.strip(" ~")]
