"""A member of an enum by its name or synonym, and yes or no. By what is written, never by likeness."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from toolmend.resolve.results import Finding, nothing
from toolmend.resolve.shapes import Frame

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_YES = (
    "yes|yeah|yep|yup|yea|aye|sure|sure thing|ok|okay|of course|definitely|absolutely|certainly|please|please do|true|on|"
    "correct|right|go ahead|why not|by all means|sounds good|fine|gladly|you bet|affirmative|enable|enabled|with|indeed|"
    "exactly|totally|for sure|do it|do|turn it on|switch it on|active|i do|it is|it does|go for it|uh huh|mhm|allowed|1"
).split("|")
_NO = (
    "no|nope|nah|never|no way|not really|not|don't|do not|false|off|negative|rather not|i'd rather not|no thanks|not at all|"
    "absolutely not|of course not|certainly not|definitely not|without|disable|disabled|no need|turn it off|switch it off|"
    "inactive|no thank you|not needed|not necessary|please don't|please do not|not today|not now|by no means|no chance|0"
).split("|")
_TRUTH = {**dict.fromkeys(_YES, True), **dict.fromkeys(_NO, False)}
_TRUTHS = re.compile(rf"(?<!\S)(?:{'|'.join(sorted(map(re.escape, _TRUTH), key=len, reverse=True))})(?!\S)")


def plain(text: str) -> str:
    """Lower-case words with single spaces: "Living_Room!" → "living room"."""
    return " ".join(_WORD.findall(text.lower().replace("’", "'")))


def read_truth(text: str, frame: Frame) -> Finding:
    """Yes or no."""
    words = plain(text.replace("isn't", "not"))
    if isinstance(frame.like, bool):
        if re.fullmatch(r"(?:the )?(?:same|unchanged)(?: as before)?", words):
            return Finding((frame.like,), 0, len(text), "same")
        if re.fullmatch(r"(?:the )?(?:opposite|other way (?:a?round)|reverse|toggle)(?: it)?", words):
            return Finding((not frame.like,), 0, len(text), "the opposite")
    values = list(dict.fromkeys(_TRUTH[match[0]] for match in _TRUTHS.finditer(words)))
    if not values:
        return nothing("neither yes nor no")
    return Finding(tuple(values), 0, len(text), "yes or no", "both yes and no")


def read_member(text: str, frame: Frame) -> Finding:
    """The member whose name or synonym is in the words; the whole text first, then the longest names in it."""
    members = frame.schema["enum"]
    if (
        frame.like is not None
        and frame.like in members
        and re.fullmatch(r"(?:the )?(?:same|unchanged)(?: one)?", plain(text))
    ):
        return Finding((frame.like,), 0, len(text), "same")
    if text.strip() in members:
        return Finding((text.strip(),), 0, len(text), "member")
    names = _names(members, frame.schema.get("x-synonyms"))
    words = plain(text)
    whole = next((names[form] for form in _forms(words) if form in names), None)
    if whole is not None:
        return Finding(tuple(whole), 0, len(text), "member", "more than one member fits")
    values: list[Any] = []
    rest = f" {words} "
    for name in sorted(names, key=len, reverse=True):
        if f" {name} " in rest:
            rest = rest.replace(f" {name} ", " ~ ")
            values += [member for member in names[name] if member not in values]
    if not values:
        return nothing("none of the members is named")
    if re.search(r" (?:not|no|without|except|neither|nor|never) ", rest):
        return nothing("a member is refused, none is named instead")
    return Finding(tuple(values), 0, len(text), "member", "more than one member fits")


def _names(members: Any, synonyms: Any) -> dict[str, list[Any]]:
    """Every way to write a member, normalised."""
    names: dict[str, list[Any]] = {}
    for member in members:
        own = synonyms.get(str(member), ()) if isinstance(synonyms, Mapping) else ()
        for name in (str(member), *([own] if isinstance(own, str) else own)):
            written = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", str(name))
            for form in _forms(plain(written)):
                if member not in names.setdefault(form, []):
                    names[form].append(member)
    names.pop("", None)
    return names


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
