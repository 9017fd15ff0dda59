"""What a request can mean for an argument that is a text: what it says a thing is called, or what is left of it.

"then the actual show, 9 pm, 2.5 hrs, call it Basement Night" → Basement Night, actual show. Knows no call but its
old text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolmend.language.corrections import texts
from toolmend.language.corrections.complaining import no_value
from toolmend.language.corrections.segments import Segment, segments
from toolmend.language.resolve import vocabulary
from toolmend.language.resolve.words import Words

_CALLED = re.compile(
    r"(?i)\b(?:call (?:it|that|this|the \w+)|(?:which is |is |it's )?called|(?:en)?titled|named?(?: it| that)?"
    r"|title:?(?: is)?"
    r"|(?:re(?:name|title)|change) (?:it|that|this|the \w+) (?:in)?to|under the name(?: of)?|label(?:led)?)[: ]+"
    r"(?P<name>[^,.;!?]+)"
)
_NOW = re.compile(r"(?i)\b(?:it|that)(?:'?s| is) (?P<name>[^,.;!?]+?) (?:now|instead)\b")
_QUOTED = re.compile(r"[\"“‘«]([^\"”’»]{2,60})[\"”’»]")
_LEAD = re.compile(rf"(?i)^(?:(?:{vocabulary.either('before titles')})\b[ ,:.;!?–-]*|[ ,:.;!?…–-]+)+")
_TAIL = re.compile(rf"(?i)(?:[ ,:.;!?…–-]+(?:{vocabulary.either('behind titles')})\b|[ ,:.;!?…–-]+)+$")
_SMALL = vocabulary.words("small in titles")
_WITH = re.compile(r"(?i)^(?:(?:another|the same|one|same)\b ?)*(?P<part>(?:with|for|at|to|by) .+)$")
_NAMES = re.compile(r"(?<![.!?] )(?<!^)\b(?:[Tt]he )?[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*")
_PLACED = re.compile(r"(?i) (?:on|at|from|until|till|by) (?:the|its|his|her|their|that|this)\b.*")
_FIRST = 2  # where a sentence begins behind its mark: a capital there need not be a name's
_COMES = re.compile(
    r"['’]s\b|,? (?:and|&|takes?|comes?|is|are|can|will|joins?|replaces?|instead|bailed|cancelled|can't)\b"
)
_MOST = 8  # words of a text that is worth offering


def texts_in(request: str, old: str = "") -> tuple[str, ...]:
    """The texts that the request may mean, the surest first, none of them `old`."""
    request = re.sub(r"(?i)\bw/ ?", "with ", request)
    ranked = dict.fromkeys(_stripped(text) for text in (*_said(request), *_grown(request, old), *_left(request, old)))
    offered = (text for text in ranked if text and not _alike(text, old) and len(text.split()) <= _MOST)
    return tuple(text for text in offered if not no_value(text, old, ""))


def named_in(request: str) -> str:
    """What the request says outright that a thing is called; "" where it says no such thing."""
    return next((_stripped(text) for text in _said(request)), "")


def grown(request: str, old: str) -> str:
    """The old text to its natural edges: with the words right beside it that say something, without values."""
    return next((text for text in map(_stripped, _grown(request, old)) if text and not _alike(text, old)), "")


def renamed(request: str, old: str) -> str:
    """The old text with another name in it; "" where the request has no one new name for it."""
    return next(_renamed(request, old), "")


def says_something(text: str) -> bool:
    """Whether a text is more than values: "mon 7 july" is none."""
    return bool(_stripped(_blanked(text)))


def _said(request: str) -> Iterator[str]:
    for pattern in (_CALLED, _NOW):
        for match in pattern.finditer(request):
            yield _cut(match["name"])
    for match in _QUOTED.finditer(request):
        yield match[1]


def _grown(request: str, old: str) -> Iterator[str]:
    """The old text without values in it, and with the words of the request that stand right beside it."""
    if not old:
        return
    bare = _cut(old)
    match = re.search(rf"(?i)(?<!\w){re.escape(bare)}(?:['’]s)?(?!\w)", request) if bare else None
    if match is None:
        if bare != old:
            yield bare
        return
    blank = _blanked(request)
    start, end = match.span()
    while (before := re.search(r"(?:(?<=\s)|^)([^\s~,.;:!?]+)\s$", blank[:start])) and before[1].lower() not in _SMALL:
        if _LEAD.fullmatch(before[1]) or len(before[1]) == 1:
            break
        start = before.start(1)
    if (own := re.search(r"(?i)(?:(?<=\s)|^)(?:my|our)\s$", request[:start])) and re.search(
        r"(?i)\bcall it\b", request
    ):
        start = own.start()
    while (after := re.match(r"\s([^\s~,.;:!?]+)", blank[end:])) and after[1][:1].isupper() and not old.islower():
        end += after.end()
    if not blank[match.start() : match.end()].count("~"):
        yield request[start:end]


def _left(request: str, old: str) -> Iterator[str]:
    """What is left where values are taken out; a part of the old text where it begins as that does; a name in it that
    the old text had another for."""
    parts = [_PLACED.sub("", part.strip()) for part in re.split(r"~+|[,.;:!?…\n]| [–-] ", _blanked(request))]
    for part in parts:
        match = _WITH.match(_LEAD.sub("", _TAIL.sub("", part))) if old else None
        if match and (changed := texts.phrase_for(old, match["part"])):
            yield changed
    if old:
        yield from _renamed(request, old)
    yield from (part for part in parts if _stripped(part))


def _renamed(request: str, old: str) -> Iterator[str]:
    """The old text with one of its names exchanged for the one that the request has new."""
    own = [match[0] for match in _NAMES.finditer(f"~ {old}") if match.start() > _FIRST] or re.findall(r"^[A-Z]\S+", old)
    there = [
        match[0]
        for match in _NAMES.finditer(f"~ {request}")
        if _LEAD.sub("", f"{match[0]} ") and (match.start() > _FIRST or _COMES.match(match.string, match.end()))
    ]
    if len(there) != 1 and not any(_bare(name) in _bare(old) for name in there):
        return  # several names, none of them the old one's: nobody is exchanged
    new = [name for name in there if _bare(name) not in _bare(old) and not segments(name)[0]]
    gone = [name for name in own if any(_bare(name) == _bare(other) for other in there)] or own
    if len(new) == 1 and len(gone) == 1:
        yield re.sub(rf"(?i)(?<!\w){re.escape(_article(gone[0]))}(?!\w)", _article(new[0]), old)


def _cut(text: str) -> str:
    """The text up to the first value in it that has a unit or is a day; the text where there is none."""
    values, _ = segments(text)
    for value in filter(_is_value, values):
        if (place := text.lower().find(value.text.lower())) >= 0:
            before, after = text[:place].rstrip(" ,-"), text[place + len(value.text) :].lstrip(" ,-")
            return before if _stripped(before) else after
    return text


def _blanked(request: str) -> str:
    """The request with its values as tildes, letter for letter."""
    return "".join(_blanked_sentence(part) for part in re.split(r"(?<=[.!?;])(?=\s+[A-Z])", request))


def _blanked_sentence(request: str) -> str:
    blank = request
    for value in segments(request)[0]:
        if value.kind == "number" or _is_value(value):
            blank = blank.replace(value.text, "~" * len(value.text), 1)
    return blank


def _is_value(value: Segment) -> bool:
    """Whether it is a value wherever it stands: a word like "night" or "month" can be of a name."""
    return value.kind not in ("number", "rank", "part", "month") and (
        bool(re.search(r"\d", Words(value.text).text)) or not value.text[:1].isupper()
    )


def _stripped(text: str) -> str:
    """Without what only opens or closes a sentence."""
    text = text.replace("~", "").strip()
    bare = _TAIL.sub("", _LEAD.sub("", text)).strip(" ,.;:!?'\"")
    return bare if len(bare) > 1 else ""


def _article(name: str) -> str:
    return re.sub(r"(?i)^the ", "", name).removesuffix("'s").removesuffix("’s")


def _bare(text: str) -> str:
    return _article(text).lower()


def _alike(one: str, other: str) -> bool:
    return re.sub(r"(?i)^(?:an?|the) ", "", one).lower() == re.sub(r"(?i)^(?:an?|the) ", "", other).lower()
