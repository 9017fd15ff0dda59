"""What stands around the words that count: openings, endings, and the places where a sentence can be divided.

"No, sorry, I meant Thursday, please" is "Thursday". Knows no call.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

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
_FIRST = re.compile(
    r"(?:no problem|no worries|all good|no(?: no)*|nope|nah|not quite|not right|sorry"
    r"|oops|whoops|ups|actually|wait|hmm+|hm|well|okay|ok"
    r"|please|but|and|so|hey|(?:hi|hello)(?!,? not)|oh|ah|uh|um|er|erm|argh|ugh|correction"
    r"|excuse me|pardon|close|almost|nearly|hold on|hang on|listen|look|again|thanks|thank you|cheers|right"
    r"|good|nice|great|perfect|fine|wrong|wrong again|still wrong|that's wrong"
    r"|that is wrong|that's not right|that's not it|not that|i'm afraid|my mistake|my bad|i think|i believe"
    r"|i guess|i'm sure|maybe|perhaps|yes|yeah|yep|then|remember|of course|obviously|surely"
    r"|like i said|as i said|as i told you|i mean|come on|on second thoughts?|you misheard(?: me)?"
    r"|you misunderstood(?: me)?|you got that wrong|typo|mistake|nearly right|almost right|good try|nice try"
    r"|for the record|to be clear|once more|one more time|darling|dear|man|huh|mm+)"
    r"(?:\s*[,.:;!?–—-]+\s*|\s+-+\s+)",
    re.IGNORECASE,
)
_FIRST_BARE = re.compile(
    r"(?:no|nope|nah|sorry|oops|actually|wait|hmm+|oh|ok|okay|well|uh|um|er|please|but|and|just|instead"
    r"|rather|then|so) (?=\S)",
    re.IGNORECASE,
)
_MARKED = re.compile(rf"(?:{_SAYING}|{_BEING}|{_MAKING})(?=\s|[:,]|$)[,:]?\s*", re.IGNORECASE)
_LAST = re.compile(
    r"(?:^|[,;–—-]*\s+)(?:please|pls|instead|i (?:clearly )?(?:said|meant|mean|think|told you|asked for"
    r"|wanted|want)|that is|as i said|like i said|like i asked|as i asked|though|actually|rather|remember"
    r"|obviously|naturally|clearly"
    r"|not that|thanks"
    r"|thank you|if you can|if possible|then|by the way|you know|okay|ok|is (?:right|correct|the right one"
    r"|what i (?:said|meant|wanted|asked for))|was what i (?:said|meant|wanted)"
    r"|for me|would you|could you|will you|can you|you (?:silly |daft )?(?:twit|muppet|idiot|dummy|fool|plonker"
    r"|numpty|wally|clot|donkey|goose|silly)|of course|sorry|not the other way (?:a?round|about)|not (?:that|this"
    r"|what you (?:put|wrote|did|have))|in fact|as i told you|it (?:is|was|should be)|that's what i (?:said"
    r"|meant)|was the (?:one|idea)|you know|(?:that |who |whom )?(?:i'm|we're) \w+ing(?: with)?|(?:gets"
    r"|should get|is (?:the one )?(?:who|that) gets) (?:it|that"
    r"|the money))$",
    re.IGNORECASE,
)
_MEANT = re.compile(
    r"\b(?:no|nope|nah|not|sorry|oops|actually|wrong|meant|mean|said|told|asked for|wanted|instead|rather"
    r"|should|supposed|correction|mistake|isn't|wasn't|typo|misheard|talking about|thinking of|\w+er than that"
    r"|the other (?:one|thing|way))\b",
    re.I,
)
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


TALK = frozenset(
    "i i'd i'll i'm i've said say says saying told tell you gave give given asked ask meant mean means "
    "mentioned mention wrote write words word were what was what's should must be been would could can need "
    "needs needed want wanted "
    "like as my mine again look listen remember clearly definitely surely really actually exactly did didn't "
    "do does wasn't weren't have had has it's it its that that's this these those he she they we which is are "
    "the a an of for to "
    "in on and so but then there there's please sorry thanks no yes nope hmm oh well just only simply correct "
    "right wrong mistake error true fix read quote quoting repeat listen one ones got get put down make made "
    "let know thought "
    "think believe sure course instead rather all everything else other not'that supposed going go happen "
    "happens takes place called named set change changed use go with hold wait actually answer".split()
)
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
