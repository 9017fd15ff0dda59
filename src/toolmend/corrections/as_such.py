"""Complaints about calls as such: none was made, none was due, one is too many, one is missing, it is another tool.

Reads the words alone; says nothing of what the right calls would be.
"""

from __future__ import annotations

import re
from typing import Literal

AsSuch = Literal["due", "needless", "twice", "too many", "too few", "another tool", ""]
"""What is said of the calls as such; "" where nothing is."""

_CALL = r"(?:(?:api|function|tool)[- ])?(?:calls?|functions?|tools?|commands?|methods?|actions?)"
_NOT = r"(?:don't|do not|doesn't|does not|didn't|did not|shouldn't|should not|needn't|never|wasn't|isn't)"
_DONT = r"(?:don't|do not|shouldn't|should not|mustn't|needn't|never)"
_RULES: tuple[tuple[AsSuch, str], ...] = (
    ("twice", rf"\b(?:same|identical) (?:{_CALL}|line|thing) (?:twice|again)|\brepeat(?:ed|ing)\b|{_DONT} repeat\b"
              rf"|\bonly once\b"
              r"|\bonce is enough\b|\bdid (?:it|that|this) twice\b|\bcome twice\b|\bduplicate|\bdrop the copies\b"
              r"|\bone line is enough\b|\ba single time\b|\bonly have to .+ once\b"),
    ("too many", rf"\btoo many\b(?! (?:param|arg|val))|\b(?:extra|surplus|superfluous|further) {_CALL}"
                 rf"|\basked for less\b"
                 r"|\bmore than (?:i|what i|that i) (?:asked|wanted|said)"
                 rf"|\b{_CALL}\b.*\b{_NOT} (?:belong|ask for|want|request|mention)|\bremove what i {_NOT} ask"
                 r"|\bonly do what i said\b|\bonly what i said\b|\bkeep only the\b"),
    ("too few", rf"\b(?:another|one|a second|an? \w+|the \w+) {_CALL} (?:is |was )?(?:missing|lacking|left out|short)"
                r"|\bnot all (?:i|of what i)\b|\basked for more\b|\bleft out (?:something|one|part|a)\b"
                r"|\bleft .+ out\b"
                rf"|\bforgot (?:one|some|part|the other|to)|\bthere should be (?:another|one more|two|more)\b"
                rf"|\bonly half of\b"
                rf"|\bstill have to\b|\bnot everything i\b|\balso (?:have to|asked|wanted|need)\b|\bbe there too\b"
                rf"|\bthe rest of what\b"),
    ("needless", rf"\b(?:no|without) (?:api |further )?(?:calls?|action|code)\b.*\b(?:needed|necessary|due|required"
                 rf"|called for|wanted|here)\b"
                 rf"|\b{_NOT} (?:need|require|call for|warrant) (?:an?|any) {_CALL}|\bwithout any code\b"
                 rf"|\b{_DONT} (?:make|call|do|run|touch|execute|use) (?:an?y? )?(?:{_CALL}|anything|any of)"
                 r"|\bnothing (?:to|should be|was to be|needed to be|needs to be|had to be) (?:call(?:ed)?|do(?:ne)?"
                 r"|change(?:d)?)\b"
                 rf"|\bi {_NOT} (?:ask|want|tell|need|request) (?:for )?(?:you to |anything|an action|a {_CALL})"
                 r"|\bmake no (?:api )?call|\bjust (?:answer|talk|tell|reply|respond|chat)\b|\bin (?:plain )?words\b"
                 r"|\bwas(?: only| just|n't)? (?:a remark|chatting|an order|talking|a question)\b"
                 r"|\bleave everything as it is\b"),
    ("another tool", rf"\bwrong {_CALL}|\b(?:another|other|different|right) {_CALL}|\bnot the {_CALL} (?:i|that)\b"
                     rf"|\b{_CALL} (?:does|is for) something else|\bno such {_CALL}|\b{_CALL} (?:{_NOT} exist|up\b)"
                     rf"|\bno {_CALL} of that name|\bmust be the .+ {_CALL}"),
    ("due", rf"\b(?:where(?:'s| is| are)|no|need|want|expect(?:ed)?|miss|give me|show me|make|write|with|without"
            rf"|{_NOT} (?:make|write|give)"
            rf"|only|just|but|of) (?:me )?(?:an?|the|any|that|it as|one|one of the)? ?{_CALL}\b"
            rf"|\b(?:api|function|tool) calls?\b.*\b(?:missing|please|only)\b|\bas (?:code|a call)\b|\bline of code\b"
            rf"|\b{_NOT} (?:do|done) (?:it|anything)\b"),
)  # fmt: skip
_READ = tuple((verdict, re.compile(rule, re.IGNORECASE)) for verdict, rule in _RULES)
_LONGEST = 16  # words; more tell of something


def said_as_such(sentence: str) -> AsSuch:
    """What a sentence says of the calls as such; nothing of their arguments."""
    words = sentence.replace("’", "'")
    if len(words.split()) > _LONGEST:
        return ""
    return next((verdict for verdict, rule in _READ if rule.search(words)), "")
