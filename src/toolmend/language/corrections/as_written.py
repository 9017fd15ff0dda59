"""Words that a correction repeats from the request, as the request wrote them: "no. two" of "Dress fitting no. 2".

What is said again is often spelled otherwise, and would be taken apart at its dots and figures: "mr. venk", "four b".
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from toolmend.language.corrections.segments import segments
from toolmend.language.resolve.words import Words

_TOKEN = re.compile(r"\S*\w\S*")
_TAKEN_APART = re.compile(r"\w[.]\s|\s[-–/&#]\s?|[#/]")
_MARKS = re.compile(r"[,:;.!?]")
_CODE = re.compile(r"(?<!\w)\d+[^\W\d](?!\w)")  # "12k", said "twelve k"
_PLACED = re.compile(r"(?i)\b(?:at|on|for|from|to|till|until|by|in|is)\b")
_OF_TIME = re.compile(
    r"(?:month|weekday)?\d+(?:th)?|am|pm|the|and|for|with|half|past|quarter|h|hours?|minutes?|min|days?|weeks?|at|on|to|by|in"
    r"|of|from|till|until|morning|afternoon|evening|night|noon|today|tomorrow|later|earlier|after|before|oclock|it|is"
)


def as_written(sentence: str, request: str) -> str:
    """The sentence with the longest run of words that the request has, too, in quotes as it stands there; as it is
    where both are written alike, or the run is only a day, a time or a length."""
    for code in set(_CODE.findall(request)):
        said = Words(sentence)
        if match := re.search(rf"(?<!\S){re.escape(Words(code).text)}(?!\S)", said.text):
            start, end = said.span(*match.span())
            sentence = sentence[:start] + code + sentence[end:]
    said, asked = Words(sentence), Words(request)
    mine, theirs = (list(_TOKEN.finditer(words.text)) for words in (said, asked))
    run = SequenceMatcher(None, [m[0] for m in mine], [m[0] for m in theirs], autojunk=False).find_longest_match()
    names = [m[0] for m in mine[run.a : run.a + run.size] if not _OF_TIME.fullmatch(m[0])]
    if len(names) < 2:
        return sentence
    start, end = said.span(mine[run.a].start(), mine[run.a + run.size - 1].end())
    first, last = asked.span(theirs[run.b].start(), theirs[run.b + run.size - 1].end())
    there, here = request[first:last], sentence[start:end]
    if "@" in here + there or re.match(r"[.@]\w", request[last:]):
        return sentence  # an address, or a part of one: "is nora" of "it is nora@lind.example"
    alike = _MARKS.sub("", here.lower()) == _MARKS.sub("", there.lower())
    if alike and not _TAKEN_APART.search(here) and (_PLACED.search(here) or not segments(here)[0]):
        return sentence
    quoted = sentence[start - 1 : start] in ('"', "“", "'")
    return sentence[:start] + (there if quoted else f'"{there}"') + sentence[end:]
