"""What stands around the words that count: openings, endings, and the places where a sentence can be divided.

"No, sorry, I meant Thursday, please" is "Thursday". Knows no call.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolmend.language.resolve import vocabulary

_SAYING = (
    r"(?:(?:my words were|what i (?:said|told you|wrote|asked for|meant|want(?:ed)?) (?:was|is|were)|i quote"
    r"|to quote(?: myself)?|(?:spell|write|put) it like this|we(?:'re| are))|(?:i|we)(?:'ve|'d| have"
    r"| had)? (?:(?:clearly|distinctly|definitely|actually|really|only|just|thought i|am sure i|think i"
    r"|believe i|do|did|always) )*"
    r"(?:say|said|meant to say|meant|mean|asked for|ask for|asked (?:you )?(?:to \w+ (?:it|that|this))|wanted"
    r"|want|told you|wrote|typed|needed|need|ordered"
    r"|(?:would )?like|prefer|rather have|was (?:talking|thinking) (?:about|of))(?: (?:it|that))?(?: (?:to be"
    r"|to (?:say|read|go|have|start)|was|is))?)"
)
_BEING = (
    r"(?:(?:he|she|they)(?:'s| is|'re| are) (?:called|named)|"
    r"(?:the|my) \w+ (?:is|goes|should (?:be|go)(?: booked| made| reserved| sent| ordered)?|was meant"
    r"|has to (?:be|go))(?= (?:for|to|at|in|on|with|from|by) )|"
    r"(?:which (?:is|should be)|(?:wasn't|isn't|was|is) (?:it|that)(?: not)?|(?:didn't|did) (?:i"
    r"|we) (?:not )?(?:say|ask for|mean|tell you)|(?:should|must|has to|ought to) (?:be|read|say)|(?:(?:it"
    r"|that|this)(?! one\b)|they|these|those|he|she|the (?:right |correct |actual )?(?:one|answer|value|thing"
    r"|call|entry|event|appointment))"
    r"(?:'s| is| was|'re| are|'ll be| will be|'ll| will)?(?: (?:really|actually|only|just|supposed to|meant to|going to"
    r"|all|both|in fact|clearly))*"
    r"(?: (?:should(?: have)?|must|has to|have to|needs to|need to|ought to|would|was to|is to|will|be|been"
    r"|say|read|start|begin|go|last|take(?: place)?|happen|run|cost|end"
    r"|starts|begins|lasts|takes(?: place)?|happens|runs|goes|costs|ends|for|leaves?|departs?|arrives?|comes?"
    r"|(?:booked|ordered|sent|made|reserved|entered)(?= (?:for|to|at|in|on|under|by|from|with) )))*))"
)
_MAKING = (
    r"(?:please |can you |could you |would you |will you |let's |just |do )*"
    r"(?:make|allow|change|set|move|put|turn|switch|shift|adjust|correct|fix|update|edit|use|take|give|have"
    r"|let|say|read|write|book|send|order|play|do|try|go with|go for|stick with"
    r"|keep|raise|lower|increase|reduce|reschedule|enter|schedule|dim|push|pull)"
    r"(?: (?:it|that|this|them|those|me|all|everything))?(?: (?:be|all|both))?(?: (?:to|at|on|for|in|as|into"
    r"|be|down to|up to|down|up|down for|back to))?"
)
_FIRST = re.compile(rf"(?:{vocabulary.either('openings')})(?:\s*[,.:;!?–—-]+\s*|\s+-+\s+)", re.IGNORECASE)
_FIRST_BARE = re.compile(
    r"(?:no|nope|nah|sorry|oops|actually|wait|hmm+|oh|ok|okay|well|uh|um|er|please|but|and|just|instead"
    r"|rather|then|so) (?=\S)",
    re.IGNORECASE,
)
_MARKED = re.compile(rf"(?:{_SAYING}|{_BEING}|{_MAKING})(?=\s|[:,]|$)[,:]?\s*", re.IGNORECASE)
_LAST = re.compile(rf"(?:^|[,;–—-]*\s+)(?:{vocabulary.either('endings')})$", re.IGNORECASE)
_MEANT = re.compile(rf"\b(?:{vocabulary.either('meant')})\b", re.I)
_DIVIDERS = (
    r"(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bMrs)(?<!\bSt)(?<!\bProf)[.;!?]+\s+",
    r",?\s+but\s+",
    r",?\s+(?:except|apart from|only)(?: (?:that|for))?\s+",
    r"\s+[–—-]+\s+",
    r",\s+and\s+",
    r",\s*",
    r"\s+and\s+(?!a half\b|a quarter\b)",
    r"\s+-\s*",
    r"\s+(?=(?:to|for|at|in|by|with|from|on)\s)",
)


TALK = vocabulary.words("talk")
"""Words that speak of what was said, not of what is meant."""
_TELLING = re.compile(
    r"\b(?:told|tell|gave|asked|give|for|by|ask|do|did|could|can|would|will|if|thank|as|let|want|need) you\b"
    r"|\byou know\b",
    re.I,
)
_YOURS = re.compile(r"\b(?:you|you've|your)\b", re.I)


def speaks_of_you(text: str) -> bool:
    """Whether it says what was done ("you put seven"), so that a value in it may be the wrong one."""
    return _YOURS.search(_TELLING.sub(" ", text)) is not None


def tidy(sentence: str) -> str:
    """Plain apostrophes and quotes, single blanks, no closing mark."""
    said = " ".join(sentence.replace("’", "'").replace("‘", "'").replace("“", '"').replace("”", '"').split())
    return said.strip(" .!?,;:–—")


def opened(text: str) -> str:
    """Without openings that say only that something is said: "No, sorry," """
    while match := _FIRST.match(text):
        text = text[match.end() :]
    return text.strip(" ,;:!?")


def closed(text: str) -> str:
    """Without such endings: ", please", "I meant"."""
    while (match := _LAST.search(text.rstrip(" .!?,;:"))) and match.start() > 0:
        text = text[: match.start()]
    return text.strip(" .!?,;:–—")


def cores(text: str) -> Iterator[str]:
    """The words that count, from the whole text to what is left when everything around it is gone."""
    seen = [opened(text)]
    yield seen[0]
    text = closed(seen[0])
    if text and text != seen[0]:
        seen.append(text)
        yield text
    for _ in range(4):
        shorter = _FIRST_BARE.sub("", opened(text), count=1) if _FIRST_BARE.match(text) else text
        if shorter == text and (match := _MARKED.match(text)):
            shorter = text[match.end() :]
        text = closed(opened(shorter))
        if not text or text in seen:
            return
        seen.append(text)
        yield text


def divisions(text: str) -> Iterator[tuple[str, str]]:
    """The ways of dividing a text in two, the likeliest first."""
    for divider in _DIVIDERS:
        for match in re.finditer(divider, text):
            one, other = text[: match.start()].strip(), text[match.end() :].strip()
            if one and other and one.count('"') % 2 == 0:
                yield one, other


def says_meant(text: str) -> bool:
    """Whether the words say that something else was meant: "no", "I said", "instead"."""
    return _MEANT.search(text) is not None
