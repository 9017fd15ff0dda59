"""A member of an enum by its name or synonym, and yes or no. By what is written, never by likeness."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from toolmend.language.resolve import vocabulary
from toolmend.language.resolve.changes import SAME
from toolmend.language.resolve.lists import SPAN
from toolmend.language.resolve.results import Finding, nothing
from toolmend.language.resolve.shapes import Frame
from toolmend.language.resolve.words import MONTHS, WEEKDAYS, Words, normalised

_NAMED = {f"weekday{n}": name for n, name in enumerate(WEEKDAYS)} | {
    f"month{n}": name for n, name in enumerate(MONTHS, 1)
}
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?[+#]*")
_YES = vocabulary.words("yes")
_NO = vocabulary.words("no")
# Yes only where nothing else is said: "good question" is none.
_YES_ALONE = frozenset(("k", "kk", "good", "great", "cool", "perfect", "let's", "very good", "all good"))
# Neither, although a yes or a no is in it.
_NEITHER = vocabulary.words("neither")
_TRUTH: dict[str, bool | None] = {
    **dict.fromkeys(_YES, True),
    **dict.fromkeys(_NO, False),
    **dict.fromkeys(_NEITHER, None),
}
_SORTED = "|".join(sorted(map(re.escape, _TRUTH), key=len, reverse=True))
_TRUTHS = re.compile(rf"(?<!\S)(?:{_SORTED})(?!\S)")
_NO_BEFORE = re.compile(r"^\s*(?:no|nope|nah|oh no)\s*,", re.IGNORECASE)
_EXCEPT = re.compile(r" (?:any|every|all)(?:thing|one|where)?(?: [a-z]+)? but | (?:apart from|other than|excluding) ")
_EVERY = (
    r"(?:all|every|each|both)(?: single)?(?: of)?(?: (?:the|these|those|them|my|our))?"
    r"(?: (?:days?(?: of the week)?|rooms?|ones?|things?|options?|places?|areas?|"
    r"items?|week|of (?:them|it)|[2-9]))?|everything|everywhere|everyone|the (?:whole )?lot|the whole (?:week|"
    r"house)|all (?:week|of them|of it)"
)
_GROUP = re.compile(
    r"(?:(?:at|on|over|during|in|only|just) )*(?:the )?(?:"
    rf"(?P<every>{_EVERY})|(?P<working>(?:every |each |all )?(?:week ?days?|working days?|work days?|working week|"
    rf"work week|business days?))|"
    r"(?P<free>(?:every |each )?week ?ends?))"
    r"(?: only)?(?: (?:but not|but|except|except for|apart from|other than|without|excluding|not)"
    r"(?: (?:at|on|in|for))? (?P<out>.+))?"
)
# "on Friday" says neither.
_ON = re.compile(r"(?<!\S)on(?= (?!please|now|again|then|not ))")


def plain(text: str) -> str:
    """Lower-case words with single spaces: "Living_Room!" → "living room"."""
    return " ".join(_WORD.findall(text.lower().replace("’", "'")))


def read_truth(text: str, frame: Frame) -> Finding:
    """Yes or no."""
    words = _ON.sub("~", plain(text))
    if isinstance(frame.like, bool):
        if SAME.fullmatch(words):
            return Finding((frame.like,), 0, len(text), "same")
        if re.fullmatch(
            r"(?:the )?(?:opposite|other way (?:a?round)|reverse|toggle|flip|invert)(?: (?:it|that))?", words
        ):
            return Finding((not frame.like,), 0, len(text), "the opposite")
    if words in _YES_ALONE:
        return Finding((True,), 0, len(text), "yes or no")
    said = [match[0] for match in _TRUTHS.finditer(words)]
    values = list(dict.fromkeys(_TRUTH[name] for name in said if name != "please" or set(said) == {"please"}))
    if not values or None in values:
        return nothing("neither yes nor no")
    return Finding(tuple(values), 0, len(text), "yes or no", "both yes and no")


def read_member(text: str, frame: Frame) -> Finding:
    """The member whose name or synonym is in the words; the whole text first, then the longest names in it."""
    members = frame.schema["enum"]
    if frame.like is not None and frame.like in members and SAME.fullmatch(plain(text)):
        return Finding((frame.like,), 0, len(text), "same")
    if text.strip() in members:
        return Finding((text.strip(),), 0, len(text), "member")
    names = _names(members, frame.schema.get("x-synonyms"))
    words = plain(_NO_BEFORE.sub("", text))
    forms = [*_forms(words), words.replace(" ", ""), _calendar(words), plain(Words(text).text)]
    whole = next((names[form] for form in forms if form in names), None)
    if whole is not None:
        return Finding(tuple(whole), *_place(text, words), "member", "more than one member fits")
    values: list[Any] = []
    if not any(f" {name} " in f" {words} " for name in names):
        words = _calendar(words)
    rest, read = f" {words} ", []
    for name in sorted(names, key=len, reverse=True):
        if f" {name} " in rest:
            rest = rest.replace(f" {name} ", " ~ ")
            read.append(_place(text, name))
            values += [member for member in names[name] if member not in values]
    if not values:
        return nothing("none of the members is named")
    if _EXCEPT.search(rest) or re.search(r" (?:not|no|without|except|neither|nor|never|isn't|don't) ", rest):
        return nothing("a member is refused, none is named instead")
    start, end = min(place[0] for place in read), max(place[1] for place in read)
    return Finding(tuple(values), start, end, "member", "more than one member fits")


def read_range(text: str, frame: Frame) -> list[Any]:
    """The members from one to another, in the order of the schema: "Monday to Friday"; none if it is no such range."""
    match = SPAN.fullmatch(text)
    ends = [read_member(match[group], frame).values for group in (1, 2)] if match else []
    if not all(len(values) == 1 for values in ends) or not ends:
        return []
    members = list(frame.schema["enum"])
    return members[members.index(ends[0][0]) : members.index(ends[1][0]) + 1]


def read_group(text: str, frame: Frame) -> tuple[list[Any], str]:
    """The members that "every day", "weekdays", "all rooms" name together, and the words for those to leave out."""
    match = _GROUP.fullmatch(plain(text))
    if match is None:
        return [], ""
    members = list(frame.schema["enum"])
    if match["every"]:
        if match["every"].startswith("both") and len(members) != 2:
            return [], ""
        return members, match["out"] or ""
    days = WEEKDAYS[:5] if match["working"] else WEEKDAYS[5:]
    named = [member for member in members if _calendar(plain(str(member))) in days]
    return (named if len(named) == len(days) else []), match["out"] or ""


def _place(text: str, words: str) -> tuple[int, int]:
    """Where plain words stand in the text."""
    match = re.search(r"[\W_]*".join(map(re.escape, words.split())), text.replace("’", "'"), re.IGNORECASE)
    return match.span() if match else (0, len(text))


def _names(members: Any, synonyms: Any) -> dict[str, list[Any]]:
    """Every way to write a member, normalised."""
    names: dict[str, list[Any]] = {}
    for member in members:
        own = synonyms.get(str(member), ()) if isinstance(synonyms, Mapping) else ()
        for name in (str(member), *([own] if isinstance(own, str) else own)):
            written = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", str(name))
            for form in (*_forms(plain(written)), plain(written).replace(" ", ""), _calendar(plain(written))):
                if member not in names.setdefault(form, []):
                    names[form].append(member)
    names.pop("", None)
    return names


def _calendar(words: str) -> str:
    """The words with weekdays and months by their full names: "tues" → "tuesday"."""
    return " ".join([_NAMED.get(normalised(word), word) for word in words.split(" ")])


def _forms(words: str) -> list[str]:
    """The words without an article, in one and in many."""
    words = re.sub(r"^(?:the|a|an|my|our) ", "", words)
    forms = [words]
    if len(words) > 3 and words.endswith("s") and not words.endswith("ss"):
        forms += [words[:-1]] + ([words[:-2]] if words.endswith("es") else [])
        forms += [words[:-3] + "y"] if words.endswith("ies") else []
    elif len(words) > 2:
        forms += [f"{words}s", f"{words}es"]
    return forms
