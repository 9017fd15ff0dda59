"""The words of a new call at their natural edges in the sentence: copied too short they are made whole, too long cut.

"trim friday", "17 january" of "fringe trim friday 17 january 2025" becomes "fringe trim", "friday 17 january 2025". It
computes nothing, and leaves alone what the sentence does not say.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from toolmend.base.messages import ToolSpec
from toolmend.language.resolve import clock, dates, vocabulary
from toolmend.language.resolve.durations import SPAN
from toolmend.language.resolve.parameters import typed
from toolmend.language.resolve.said import Place, place_of
from toolmend.language.resolve.words import Words

_FURTHER = 3  # words on either side that may belong to a day or a time
_PART_BEFORE = re.compile(r"\b(?:day|morning|afternoon|evening|night|week)\s+$", re.IGNORECASE)
_PART_LAST = re.compile(r"\s+(?:morning|afternoon|arvo|evening|night)$", re.IGNORECASE)
_DOTTED = re.compile(r"(?<=day),? (?:the )?(?P<day>\d{1,2}\.\d{1,2}\.)(?!\d)")
_STOP = re.compile(r"[,;:!?()…\"“”]|\.(?=\s|$)|\s[–—-]\s|~")
_LEADING = re.compile(r"^(?:(?:on|at|for|the|of|from) )+")
_PART = re.compile(
    r"(?<!good )\b(?:that|this|the same|same|in the|at|the)\s+(?P<part>morning|afternoon|evening|night)\b",
    re.IGNORECASE,
)
_DAY_PART = re.compile(r"(?i)\b(?:tomorrow|today|yesterday|\w+day) (?P<part>morning|afternoon|evening|night)\b")
_HALVED = re.compile(
    r"\b(?:morning|afternoon|evening|night|tonight|noon|midnight)\b|\d\s?[ap]\b|\b[ap]\.?\s?m\b", re.IGNORECASE
)
_FROM_THERE = re.compile(rf"(?<=\S )(?P<span>{SPAN}) (?:before|after|later|earlier)(?!\S)")
_FILLERS = re.compile(
    r"^(?:(?:um+|uh+|erm?|uhm|hmm?|like|lol|well|so|ok|okay|the|a|an|my)\b[\s,.]+)+(?=\S)", re.IGNORECASE
)
_ORDERS = re.compile(
    r"(?i)^(?:(?:pencil|stick|squeeze|slot|pop|put|book) in|(?:put|note|jot|write) down|gotta|note(?= (?:an?|the)\b))"
    r"\s+(?:(?:an?|the|my|our)\s+)?(?=\S)"
)
_SPOKEN = re.compile(r"^(?:um+|uh+|erm?|uhm|hmm?|lol)\b", re.IGNORECASE)
_LOOSE_END = re.compile(
    r"(?:[\s,.;:–—-]+|\s(?:on|at|for|from|the|of|in|by|to|and|is|starts?)(?=\s*$))+$", re.IGNORECASE
)
_LOOSE_START = re.compile(r"^(?:[\s,.;:–—-]+|(?:on|at|for|from|the|of|in|by|to|and|a|an)\s)+", re.IGNORECASE)
# What stands in front of a name and is none of it: words that ask, that join, that greet.
_NOT_A_NAME = vocabulary.words("no name")


_OCCASIONS = frozenset({"call", "appointment", "event"})  # that begin a name: "call with Ada"


def at_edges(spec: ToolSpec, words: Mapping[str, Any], sentence: str, *, alone: bool) -> dict[str, Any]:
    """The words, each at its edges. `alone`: the sentence asks for this call only: a part of the day is its time's."""
    whole = dict(words)
    kinds = {name: str(typed(name, schema).get("format", "")) for name, schema in spec.properties.items()}
    for name, text in words.items():
        if (
            name in whole
            and kinds.get(name) in _GRAMMARS
            and isinstance(text, str)
            and (place := place_of(text, sentence))
        ):
            others = [told for other, told in words.items() if told != text and not is_text(spec, other)]
            beside = hidden(sentence, others)
            whole[name] = sentence[slice(*_longer(place, beside, kinds[name]))]
            part = _PART_BEFORE.search(sentence[: place[0]]) if whole[name].lower() in ("before", "prior") else None
            whole[name] = f"{part[0]}{whole[name]}" if part else whole[name]
            if kinds[name] == "date" and (dotted := _DOTTED.match(sentence, place[1])):  # Monday 23.06.
                whole = {
                    other: told for other, told in whole.items() if str(told).strip(".") != dotted["day"].strip(".")
                }
                whole[name] = dotted["day"]
            if kinds[name] == "time" and alone:
                whole[name] = _in_its_part(whole[name], beside, sentence)
    for name, text in words.items():
        if isinstance(text, str) and is_text(spec, name):
            others = [place for other, told in whole.items() if other != name and isinstance(told, str)
                      if not is_text(spec, other) and (place := place_of(told, sentence))]  # fmt: skip
            title, when = _apart(_before_its_day(text, sentence))
            for told in [str(told) for other, told in whole.items() if other != name and not is_text(spec, other)]:
                bare = re.sub(rf"(?i)^{re.escape(told)}\s+(?=\S)|(?<=\S)\s+{re.escape(told)}$", "", title)
                title = title if bare == title else bare.rstrip(" ,.;:–—-")
            title = _ORDERS.sub("", _cut(title, sentence, others)) if name in TITLES else _cut(title, sentence, others)
            whole[name] = _grown(title, sentence, others) if name in TITLES else title
            far = "time" if re.search(r"hour|min", when) else "date"
            if when and far in spec.properties and (far not in words or not place_of(str(words[far]), sentence)):
                whole[far] = when
    return whole


TITLES = frozenset("title name event subject summary what label".split())
"""Arguments whose words a sentence may begin."""
_GRAMMARS = {"date": dates.GRAMMAR, "time": clock.GRAMMAR}


def is_text(spec: ToolSpec, name: str) -> bool:
    """Whether an argument is a text that is kept as it is said: no day, no member, nothing computed."""
    schema = typed(name, spec.properties.get(name, {}))
    return name in spec.properties and schema.get("type") == "string" and not schema.keys() & {"format", "enum"}


def _longer(place: Place, sentence: str, kind: str) -> Place:
    """The place with the words beside it that make one day or time with it."""
    left, right = _STOP.split(sentence[: place[0]])[-1], _STOP.split(sentence[place[1] :])[0]
    starts = [place[0]] + [
        place[0] - len(left) + word.start() for word in list(re.finditer(r"\S+", left))[::-1][:_FURTHER]
    ]
    ends = [place[1]] + [place[1] + word.end() for word in list(re.finditer(r"\S+", right))[:_FURTHER]]
    pairs = [(start, end) for start in starts for end in ends if (start, end) != place]
    for start, end in sorted(pairs, key=lambda pair: pair[0] - pair[1]):
        told = _LEADING.sub("", Words(sentence[start:end]).text)
        if told.endswith(" a"):  # of what follows: "forty five an event"
            continue
        match = _GRAMMARS[kind].read_all(told)
        if match is None or told == _LEADING.sub("", Words(sentence[slice(*place)]).text):
            continue
        sure = {"half", "way", "named"} & match.groups.keys() or "oclock" in told
        if (kind == "time" and sure) or (kind == "date" and match.rule not in ("weekday", "near day", "figures")):
            return start, end
    return place


def hidden(sentence: str, told: list[Any]) -> str:
    """The sentence with words of other arguments made unreadable, but for parts of the day."""
    for words in told:
        if isinstance(words, str) and not _PART.search(words) and (place := place_of(words, sentence)):
            sentence = sentence[: place[0]] + "~" * (place[1] - place[0]) + sentence[place[1] :]
    return sentence


def named_here(text: str) -> str:
    """The name that a text begins with, up to the first stop and without what stands around it; "" for none."""
    text = re.sub(r"\b(?:that|the same|same) day\b", "~", text, flags=re.IGNORECASE)
    words = _PART.sub("~", _STOP.split(text)[0] if not _STOP.match(text) else "").split("~")[0].split()
    while words and words[0].lower() in _NOT_A_NAME - _OCCASIONS:
        words = words[1:]
    while words and words[-1].lower() in _NOT_A_NAME:
        words = words[:-1]
    return " ".join(words)


def _in_its_part(text: str, beside: str, sentence: str) -> str:
    """The time with the part of the day that the sentence names, where the time itself leaves it open."""
    parts = {match["part"].lower() for match in (*_PART.finditer(beside), *_DAY_PART.finditer(sentence))}
    return f"{text} in the {parts.pop()}" if len(parts) == 1 and not _HALVED.search(text) else text


def _before_its_day(title: str, sentence: str) -> str:
    """A name without the beginning of a holiday, or the part of a day, that it was copied with."""
    if (place := place_of(title, sentence)) is None:
        return title
    if re.match(r"\s+of\s", sentence[place[1] :]) and (part := _PART_LAST.search(title)):
        return title[: part.start()]
    following, own = re.findall(r"[\w'’]+", sentence[place[1] :])[:2], title.split()
    for count in (1, 2):
        told = [Words(" ".join([*own[-count:], *following[:more]])).text for more in (1, 2)]
        if len(own) > count and any((day := dates.GRAMMAR.read_all(one)) and day.rule == "holiday" for one in told):
            return _LOOSE_END.sub("", " ".join(own[:-count]))
    return title


def _apart(title: str) -> tuple[str, str]:
    """A name, and what it says of another thing's time: "rehearsal one hour before the deploy"."""
    words = Words(title)
    match = _FROM_THERE.search(words.text)
    if match is None:
        return title, ""
    start = words.span(match.start("span"), match.end("span"))[0]
    return _LOOSE_END.sub("", title[:start]) or title, title[start:]


def _cut(title: str, sentence: str, others: list[Place]) -> str:
    """A name without what other arguments hold, and without what is only said before it."""
    place = place_of(title, sentence)
    if place is None:
        return _FILLERS.sub("", title) if _SPOKEN.match(title) else title
    start, end = place
    for first, last in others:
        if start < first < end:
            end = first
        elif start < last < end:
            start = last
    if (start, end) != place:
        title = _LOOSE_START.sub("", _LOOSE_END.sub("", sentence[start:end])) or title
    return _FILLERS.sub("", title) if _SPOKEN.match(title) else title


def _grown(title: str, sentence: str, others: list[Place]) -> str:
    """A name with the words in front of it that no argument has and that ask for nothing."""
    place = place_of(title, sentence)
    if place is None:
        return title
    start = max((last for _, last in others if last <= place[0]), default=0)
    before = _STOP.split(sentence[start : place[0]])[-1]
    bare = before.strip()
    word = bool(re.fullmatch(r"\d|\S{2,}", bare)) and bare.lower() not in _NOT_A_NAME
    return f"{bare} {title}" if word else title
