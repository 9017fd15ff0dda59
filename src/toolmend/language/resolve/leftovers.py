"""What may stand beside a value unread, and which part of a text is meant: "7, not 6" means 7.

Words that nobody read are fine ("Friday for the dentist"); a number or a word that would change the value is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from toolmend.language.resolve import vocabulary

_CHANGING = re.compile(rf"(?<!\S)(?:{vocabulary.either('changing')})(?!\S)")
_INK = re.compile(r"\S")
_HEDGES = re.compile(
    r"(?<!\S)(?:around|about|maybe|approximately|roughly|every|each|or so|back to(?= (?:the )?~)|"
    r"(?:push|put|postpon|delay|defer|mov|shift|bring|brought|pull|reschedul|schedul|bump|turn|crank|rais|tak|"
    r"go)\w*(?: [a-z']+){0,4}? (?:to|"
    r"until|till)(?= ~)|"
    r"the (?:day|date|time|month|year|hour)(?: (?:to|for|is|will be|should be))?(?= ~))(?!\S)"
)
_AGAINST = r"(?:not|instead of|rather than|in place of)"
_WANTED_FIRST = re.compile(rf"(?P<want>.*?\S)(?: ?,| ?;| -)*(?: and)? {_AGAINST} (?P<no>.+)")
_WANTED_LAST = re.compile(
    rf"(?:(?:no|it|it's|that|that's|is|was) )*(?:, )?{_AGAINST} (?P<no>.+?)"
    r"(?: ?,| but| ?;| -| it's| rather)+ (?P<want>.+)"
)
_FROM_TO = re.compile(r"(?:.* )?from (?P<no>.+?) to (?P<want>.+)")
_MENDED = re.compile(r"(?P<no>.*\S)(?: ?,)? (?:no|sorry|i mean|i meant|actually|rather)(?: ?,)? (?P<want>.+)")
_TALK = re.compile(
    r"\S(?P<rest>(?: ,)? (?:i (?:said|say|meant|mean|think|guess|told you)|sorry|as i said|of course|obviously))$"
)
_FIGURES = re.compile(r"(?<!\S)(?P<first>\d\d)(?: ,)?(?: like| as in| that's| -)*(?P<rest>(?: (?:\d|oh|o)){2})$")
_REFERRING = re.compile(r" than (?:that|before|it was|it is|planned|now)(?!\S)")
_REFUSING = re.compile(rf"(?<!\S){_AGAINST}(?!\S)")


def wanted(words: str, *, changing: bool) -> str:
    """The words with what is not wanted blanked out: "7, not 6", "not 6 but 7", "7 instead of 6", "from 6 to 7".

    So is talk at the end ("seven, I meant"), and a number that is said once more by its figures ("fifteen, one five").
    """
    for aside in (_TALK.search(words), _FIGURES.search(words)):
        if aside and (
            "first" not in aside.groupdict() or aside["first"] == re.sub(r"oh?", "0", aside["rest"]).replace(" ", "")
        ):
            words = blanked(words, [(aside.start("rest"), len(words))])
    if changing and " than " in words:
        words = _REFERRING.sub(lambda than: _INK.sub("~", than[0]), words)
    match = None
    if _REFUSING.search(words):
        match = _WANTED_LAST.fullmatch(words) or _WANTED_FIRST.fullmatch(words)
    elif changing and " to " in words and "from " in words:
        match = _FROM_TO.fullmatch(words)
    else:
        match = _MENDED.fullmatch(words)
    if match is None:
        return words
    start, end = match.span("want")
    return blanked(words, [(0, start), (end, len(words))])


def other_part(words: str) -> tuple[str, bool]:
    """What `wanted` leaves out ("" for nothing), and whether it is refused, else it is what was said first."""
    if _REFUSING.search(words):
        match = _WANTED_LAST.fullmatch(words)
        return (match["no"] if match else ""), True
    match = _MENDED.fullmatch(words)
    return (match["no"] if match else ""), False


def blanked(words: str, spans: Iterable[tuple[int, int]]) -> str:
    """The words with some places made unreadable, every other place where it was."""
    for start, end in spans:
        words = words[:start] + _INK.sub("~", words[start:end]) + words[end:]
    return words


_PERIOD = re.compile(
    r"(?<!\S)(?:weeks?|weekends?|fortnights?|months?|years?|days?|hours?|minutes?|seconds?|forward|ahead|back|black|eve|cyber|ash|shrove|palm|maundy|whit)(?!\S)"
)


def changes_value(words: str, spans: Iterable[tuple[int, int]], *, dated: bool = False) -> bool:
    """Whether something outside the places that were read would change the value; a period would change a date."""
    spans = list(spans)
    if spans == [(0, len(words))]:
        return False
    rest = _HEDGES.sub("~", blanked(words, spans))
    rest = rest.replace("~ or ~", "~")
    return bool(_CHANGING.search(rest) or rest.endswith("~ to") or (dated and _PERIOD.search(rest)))
