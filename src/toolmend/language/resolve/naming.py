"""What a call is named after in its sentence: "call it X", "one with Mona", another person in the same entry.

Also whether a change that names none is a new call after all: "then the show, 9 pm". Texts only; it computes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from toolmend.base.messages import ToolSpec
from toolmend.language.resolve.dates import GRAMMAR
from toolmend.language.resolve.edges import hidden, is_text, named_here
from toolmend.language.resolve.parameters import typed
from toolmend.language.resolve.said import place_of
from toolmend.language.resolve.words import Words

_END = r"(?=\s+(?:instead|please|now|and (?:give|make|put|move|set|let))\b|[,.;!?]|$)"
_CALLED = re.compile(
    r"\b(?:call|name|title|label|rename)(?:d|led)?\s+(?:it|that|this|them|him|her|his|hers|the \w+)\s+(?:to\s+|as\s+)?"
    rf"[\"“']?(?P<name>[^,.;!?\"”]+?){_END}|\b(?:[Ii]t's|[Ii]ts|[Ii]t is)\s+(?P<now>[A-Z][^,.;!?]*?)\s+now\b"
    rf"|\b(?:it|this|that|his|hers|theirs|mine)\s+(?:to be )?(?:called|named)\s+[\"“']?(?P<so>[^,.;!?\"”]+?){_END}",
)
_DETERMINERS = frozenset("the a an my our his her their your".split())
_TAIL = re.compile(r"\s(?:with|for|at|of|from|by|to)\s.*$", re.IGNORECASE)
_ONE = re.compile(
    r"\b(?:(?:and|also|plus|then|another)\s+one|another)\s+(?P<how>with|for|from|by)\s+(?P<who>[^\W\d_][\w'-]*)",
    re.IGNORECASE,
)
_SED = re.compile(r"(?<!\w)s/(?P<old>[^/\s][^/]*)/(?P<new>[^/]*)/")
_INTO = re.compile(
    r"\b(?:chang|turn|renam|switch)\w* (?:the |my |our )?(?P<old>\S.*?) (?:in)?to (?P<new>\S[^,.;!?]*)", re.IGNORECASE
)
_NOT = re.compile(r"(?P<come>[\w*'-]{3,}),? (?:and )?not (?:the )?(?P<gone>[\w'-]{3,})\b")
_NAME = r"[A-Z][\w'-]+"
_JOINS = re.compile(
    rf"\b(?:[Aa]dd|[Ii]nclude) (?P<add>{_NAME}) to\b"
    rf"|\b(?P<who>{_NAME})(?: from [A-Z]\w+)?(?:'s| is| will| wants to| would like to| should)?"
    r"(?: be| comes?| coming| also| join| joining)*(?: (?:for|to) (?!the\b)\w+(?: \w+)?)?"
    r" (?:also|along|as well|too|join(?:s|ing)?|be there)\b"
)
_PROPER = re.compile(r"(?<!^)(?<![.!?] )\b[A-Z][\w'-]+")
_THEN = re.compile(r"^\W*(?:(?:and|so|ok|okay)\s+)*(?:then|after that|afterwards)\b|\bas well\b", re.IGNORECASE)
_SUBJECT = re.compile(
    r"^\W*(?:(?:and|so|ok|okay|then|after that|afterwards)\b\W*)*(?:(?:i|we)(?:'ll)?\s+)?", re.IGNORECASE
)
_ASKED_IN = r"\b(?:put|add|book|schedule|enter|note|pencil)\s+(?:in\s+)?(?:the |a |an |my |our )?"
_RETHINKING = re.compile(r"\b(?:instead|rather|thoughts?|better|make it|change|no|nah|nope)\b", re.IGNORECASE)
_CHANGING = re.compile(
    r"(?i)\b(?:mov|mak|chang|push|pull|shift|bring|brought|delay|postpon|prepon|extend|shorten|swap|becom|renam)\w*"
    r"|\b(?:earlier|later|forward|sooner|longer|shorter|still|only|not|cut|put|starts?|begins?|ends?|call|instead"
    r"|it|that|this|they|them|he|she|we|i|you|is|are|was|can|will|to)\b"
)
_OPENING = re.compile(r"(?i)\b(?:and|also|plus|then|now|ok|so)\b|\W")
_WHEN = re.compile(r"\s*(?:[.,:;–-]|(?:at|on|from|the|this|next|right|directly|one)\b|\d)")
_RENAMING = re.compile(r"\b(?:instead|title|name|rename|call|to)\b", re.IGNORECASE)


def text_of(spec: ToolSpec) -> str:
    """The argument that names what a call makes: the first text that must be given; "" for none."""
    return next((name for name in spec.required if is_text(spec, name)), "")


def named_after(title: str, sentence: str, last: str) -> str:
    """The name of a new call: what it is to be called, or that of the last one for somebody else."""
    called = _called(sentence)
    if called and (title.lower() in called.lower() or called.lower() in title.lower()):
        return called
    one, tail = _ONE.search(sentence), _TAIL.search(last)
    if one and tail and not place_of(title, sentence) and one["who"].lower() in title.lower():
        return f"{last[: tail.start()]} {one['how']} {one['who']}"
    return title


def renamed(title: str, old: str, sentence: str) -> str:
    """What a call named `old` is named now, where the reply says `title`."""
    if (sed := _SED.search(sentence)) and sed["old"].lower() in old.lower():
        return re.sub(re.escape(sed["old"]), lambda _: sed["new"], old, flags=re.IGNORECASE)
    if (to := _INTO.search(sentence)) and to["old"].casefold() in old.casefold() and title.endswith(to["new"]):
        return to["new"]
    if (swap := _NOT.search(sentence)) and re.search(rf"(?i)(?<!\w){re.escape(swap['gone'])}(?!\w)", old):
        return re.sub(rf"(?i)(?<!\w){re.escape(swap['gone'])}(?!\w)", lambda _: swap["come"].strip("*"), old)
    if not place_of(title, sentence) and (joiner := _joining(sentence, old)):
        return f"{old} {'and' if ' with ' in f'{old} ' else 'with'} {joiner}"
    if title.casefold() == old.casefold():
        names = dict.fromkeys(_PROPER.findall(sentence))
        gone = [name for name in names if name in old]
        come = [name for name in names if name not in old]
        return old.replace(gone[0], come[0]) if len(gone) == len(come) == 1 else title
    called = _called(sentence)
    if called and (title.lower() in called.lower() or called.lower() in title.lower()):
        return called
    tail, before = _TAIL.search(title), _TAIL.search(old)
    if tail and before and not place_of(title, sentence) and _plain(tail[0]) == _plain(before[0]):
        return title[: tail.start()] + before[0]
    return title


def _joining(sentence: str, old: str) -> str:
    """The one person who is said to join; "" for none, or for one that the old name has."""
    names = {match["add"] or match["who"] for match in _JOINS.finditer(sentence)} - {None}
    alone = names.pop() if len(names) == 1 else ""
    return "" if not alone or re.search(rf"(?i)(?<!\w){re.escape(alone)}(?!\w)", old) else alone


def new_after_all(
    spec: ToolSpec, words: Mapping[str, Any], sentence: str, known: Sequence[str]
) -> dict[str, Any] | None:
    """The words of a new call where the reply has a change of the last one, but the sentence goes on to another
    thing, or puts one in; None where it is a change."""
    name = text_of(spec)
    given = str(words.get(name, ""))
    if given:
        asked = re.search(_ASKED_IN + re.escape(given) + r"\b(?P<rest>.*)", sentence, re.IGNORECASE)
        new = asked and not _RENAMING.search(asked["rest"]) and not any(given.lower() in one.lower() for one in known)
        return dict(words) if new else None
    timed = any(typed(key, spec.properties.get(key, {})).get("format") in ("time", "date") for key in words)
    if not name or not timed or _RETHINKING.search(sentence):
        return None
    words = {key: _day_alone(str(told)) for key, told in words.items()}
    left = hidden(sentence, list(words.values()))
    told = _called(sentence) or named_here(_SUBJECT.sub("", left))
    known_words = {word for one in known for word in one.lower().split()}
    new_words = [word for word in told.lower().split() if word not in known_words]
    if not new_words or not (_THEN.search(sentence) or _begins(told, sentence)):
        return None
    return {name: told, **words}


def _day_alone(told: str) -> str:
    """Words for a day without the name that was copied with them: "visa office 20 june"."""
    words = Words(told)
    day = next((match for match in GRAMMAR.read(words.text) if match.rule == "day and month" and match.start), None)
    return (
        told[slice(*words.span(day.start, day.end))]
        if day and named_here(told[: words.span(0, day.start)[1]])
        else told
    )


def _begins(told: str, sentence: str) -> bool:
    """Whether a sentence that asks for no change begins with a name, and goes on with when that is."""
    if (place := place_of(told, sentence)) is None or _CHANGING.search(sentence):
        return False
    return not _OPENING.sub("", sentence[: place[0]]) and bool(_WHEN.match(sentence[place[1] :]))


def _called(sentence: str) -> str:
    names = [(match["name"] or match["now"] or match["so"]).strip() for match in _CALLED.finditer(sentence)]
    return names[-1] if names else ""


def _plain(text: str) -> list[str]:
    return [word for word in text.lower().split() if word not in _DETERMINERS]
