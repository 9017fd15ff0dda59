"""Other ways of saying the same, put in the way that the rules for clauses know: "plus two" → "two more".

Knows no call.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_DIGITS = "zero one two three four five six seven eight nine".split()
_DIGIT = "|".join([*_DIGITS, "oh"])
_COUNT = (
    r"(?:\d+(?:\.\d+)?|an?|half an?|(?:a couple of|one|two|three|four|five|six|seven|eight|nine|ten|eleven"
    r"|twelve|fifteen"
    r"|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[ -](?:one|two|three|four|five|six|seven"
    r"|eight|nine))?))"
)
_UNIT = r"(?: (?:euros?|dollars?|pounds?|degrees?|percent|%|minutes?|mins?|hours?|people|persons|guests|points?))"
_LESS = r"dimmer|darker|quieter|softer|cooler|colder|lower|fewer|smaller|cheaper"
_MORE = r"brighter|louder|warmer|hotter|higher|bigger"
_SPAN = r"(?:day|week|month|year)"
_REWORDINGS: tuple[tuple[str, str], ...] = (
    (r"(?<=[\w'\"]),? please(?=[,.!?; ]|$)", ""),
    (r"\b(\w+), ((?:\w+ )\1)\b", r"\2"),
    (r"^(?:it's |there's |there is |that's )?(?:only|just) (?:me|myself)\b(?! (?:and|\w+ me)\b).*$", "one person"),
    (
        r"\b(?:an?|one) (degree|kilo|euro|percent|point|dollar|pound|metre|mile|litre) and a half\b",
        r"1.5 \1s",
    ),
    (r"^(?:and )?(?:one more|another|an extra) night(?: please)?$", "until a day later"),
    (r"^(?:and )?(\w+) (?:more|extra) nights(?: please)?$", r"until \1 days later"),
    # changes by a number
    (rf"^(?:and )?(?:another|a further) ({_COUNT}{_UNIT}?) (?:more )?on top(?: of (?:that|it|this))?$", r"\1 more"),
    (rf"^(?:plus|another) ({_COUNT}{_UNIT}?)(?: more)?(?: on top)?(?= (?:please|are|is|for)\b|[,.;]|$)", r"\1 more"),
    (rf"\b({_COUNT}{_UNIT}?) (?:on top|extra|in addition)\b", r"\1 more"),
    (rf"^minus ({_COUNT}{_UNIT}?)$", r"\1 less"),
    (rf"^(?:go |turn it |take it |bring it |put it )?up(?: by)? ({_COUNT}{_UNIT}?)$", r"\1 more"),
    (rf"^(?:go |turn it |take it |bring it |put it )?down(?: by)? ({_COUNT}{_UNIT}?)$", r"\1 less"),
    (rf"\b(?:take|knock|shave|cut) ({_COUNT}{_UNIT}?) off(?: (?:it|that))?", r"\1 less"),
    (rf"^add ({_COUNT}{_UNIT})$", r"\1 more"),
    (rf"\b(?:{_LESS}) by ({_COUNT}{_UNIT}?)", r"\1 less"),
    (rf"\b(?:{_MORE}) by ({_COUNT}{_UNIT}?)", r"\1 more"),
    (rf"\b({_COUNT}{_UNIT}?) (?:dimmer)\b", r"\1 less"),
    (r"\b(more|less|fewer) than (?:that|this)\b", r"\1"),
    (
        r"^(?:a (?:bit|little|touch)|slightly|much|far|somewhat|way) (?:less|more|later|earlier|longer|shorter|\w+er)"
        r"(?: please)?(?: -|[:;,])+ ",
        "",
    ),
    # days and times
    (rf"\bthe (?:next|following) ({_SPAN})'s\b", r"the next \1"),
    (rf"^((?:make|move|push|shift) (?:it|that) )?(?:to )?(?:the|a) ({_SPAN}) after(?: that)?$", r"\1a \2 later"),
    (rf"^((?:make|move|push|shift) (?:it|that) )?(?:to )?(?:the|a) ({_SPAN}) before(?: that)?$", r"\1a \2 earlier"),
    (
        rf"^(?:you're|you are|that's|it's|the \w+(?:'s| is)) (?:(?:off|out|wrong) by )?{_COUNT}(?: {_SPAN}s?| hours?)?"
        r"(?: (?:out|off|late|early|wrong|too \w+))?[,:;.]+ (?=\S)",
        "",
    ),
    (
        rf"^(?:you're|it's|that's|the \w+(?:'s| is)) ({_COUNT}(?: {_SPAN}s?| hours?| minutes?)) (?:too )?early$",
        r"\1 later",
    ),
    (
        rf"^(?:you're|it's|that's|the \w+(?:'s| is)) ({_COUNT}(?: {_SPAN}s?| hours?| minutes?)) (?:too )?late$",
        r"\1 earlier",
    ),
    # the wrong value asked back, the right one after it
    (r"^([^?,.]{1,40})\?+ (?:no(?! way)|nope|nah|not|never|i said|it's|make it)[,.:;!]* (?=\S)", r"not \1, "),
    (r"^(?:the )?(?:other|another|wrong|different) (\w+)(?: -|[:;]) ", r"the \1: "),
    (r"^not quite(?: -|[:;,.]) ", "no, "),
    (rf"^(?:give (?:them|him|her|me|us|it) )?another ({_SPAN}|fortnight)(?: more| on top)?$", r"a \1 later"),
    (
        rf"^(?:and )?add (?:another )?({_COUNT}{_UNIT}|half an hour|an hour) (?:more )?(?:on )?(?:on )?to (?:that|it)$",
        r"\1 more",
    ),
    (r"^(.*\btoo (?:early|late|soon|long|short)) (?:that|it is|mate|is that|that is)$", r"\1"),
    (
        r"^(?:you|you've|you have) (?:put|made|set|booked|scheduled|got|have) (?:it|that|this|me"
        r"|the \w+) (?:down )?(?:for |at )?"
        r"(?=\S.*\btoo (?:early|late|soon|long|short))",
        "it's ",
    ),
    # names and what is left out
    (r"^(?:just |only |simply )(['\"])([^'\"]+)\1$", r"call it \2"),
    (r"^([A-Z]\S*) (?:gets|should get|is getting|receives) (?:it|that|this|the money)$", r"to \1"),
    (r"^the (?:person|man|woman|guy) (?:is|was|should be|is called) (?=[A-Z])", ""),
    (
        r"^(\S.*?) (?:is|would be) (?:enough|fine|plenty|ok|okay|better) (?:as|for) (?:a|the) (title|name|label)$",
        r"the \2: \1",
    ),
    (r"^(?:the |that )?(?:version|one|song|recording) (?=by [A-Z])", ""),
    (r"^(?:the|that) ([A-Z]\S*(?: [A-Z]\S*)*) (?:one|version)$", r"\1"),
    (r"^(?:her|his|the|their|its) (?:name )?(?:starts|begins|is (?:written|spelled|spelt)) (?=with an? )", ""),
    (
        r"^([A-Z]\w+?)(?:'s| is) (?:the one (?:who|that) |supposed to |meant to |going to )(?:gets?|should get"
        r"|is getting|receives?)(?: it| that| the money)?$",
        r"to \1",
    ),
    (r"\b(no|without)(?: (?:any|an?))? ([\w ]+?) (?:needed|necessary|required|at all)$", r"\1 \2"),
    (r"^(?:i|we) (?:don't|do not) (?:need|want) an? (\w+)$", r"no \1"),
    (r"\b(?:under|in|on|by) (?:my|his|her|our|the)(?: \w+'s)? name(?:,| of| is|:)? (?=[A-Z])", "the name is "),
    (r"^(?:it's |it is |(?:book|put|reserve)(?: it| that)? )?under (?=[A-Z])", "the name is "),
    (r"\b(?:full|maximum|max|top) (volume|brightness)\b", r"\1 100 percent"),
    (r"^(?:it's|it is|it was|that's|this is|make (?:it|that)) (?=(?:for|to|by|from|with|under) [A-Z])", ""),
    (r"^(?:as|via|by) an? (?=\w+$)", ""),
)
_TABLE = tuple((re.compile(pattern.replace("[A-Z]", "(?-i:[A-Z])"), re.I), way) for pattern, way in _REWORDINGS)
_TWO_DIGITS = re.compile(
    rf"(?<![\w:-])({_DIGIT})[ -]({_DIGIT})(?![\w-]|[ -](?:{_DIGIT})\b| (?:too|less|fewer|missing|short)\b)", re.I
)


def _joined(match: re.Match[str]) -> str:
    digits = ["0" if word.lower() == "oh" else str(_DIGITS.index(word.lower())) for word in match.groups()]
    return "".join(digits) if digits[0] != "0" else match[0]


_STEPS: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = ((_TWO_DIGITS, _joined), *_TABLE)


def reworded(text: str) -> str:
    """The sentence in the words that are known."""
    for pattern, way in _STEPS:
        text = pattern.sub(way, text)
    return text
