"""Which argument a correction blames, in a person's own words: "The date is wrong" → date.

Says None when unsure: whoever is told a part that was right would change it. Knows no call's values and no model.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from toolmend.base.messages import Call, Wrong
from toolmend.language.corrections.names import label
from toolmend.language.corrections.slots import SYNONYMS, Slot
from toolmend.language.resolve import vocabulary

_BLAMES = re.compile(rf"\b({vocabulary.either('blames')})\b")
_PRAISES = re.compile(
    r"(?<!not )(?<!n't )(?<!not the )(?<!not quite )\b(right|fine|good|great|ok|okay|perfect|keep|leave|stays?)\b"
)
_NO_PART = re.compile(  # words of a part that name none here
    r"\b((one|once) more|another|this|last|next|first|second|third|every|each|in|on) time\b"
    r"|\btime (and again|after time)\b|\btimes\b|\bone day\b|\b(an?|half|one|per) hour\b|\bhours\b"
    r"|\b(function|tool|call|api)('s)? name\b|\bname of the (function|tool|call|api)\b"
)


def blamed(said: str, arguments: Iterable[str]) -> str | None:
    """The one of these arguments that is said to be wrong; None where it is none, or more than one, or not clear."""
    text = _NO_PART.sub(" ", " ".join(said.casefold().replace("’", "'").split()))
    praised, but, rest = text.rpartition(" but ")
    if but and _PRAISES.search(praised):
        clear, text = True, rest
    else:
        clear = _BLAMES.search(text) is not None
    if not clear or _PRAISES.search(text):
        return None
    named = [argument for argument in arguments if any(_stands(name, text) for name in _names(argument))]
    return named[0] if len(named) == 1 else None


def _names(argument: str) -> tuple[str, ...]:
    readable = label(argument)
    return (readable, *SYNONYMS.get(readable, ()))


def _stands(name: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(name)}s?\b", text) is not None


_PRAISED = re.compile(
    r"\b(?:right|correct|fine|good|great|ok|okay|perfect|stays?|keep|leave|true|as it (?:is|was)|spot on|alright)\b"
)
_FAULTY = re.compile(rf"\b(?:{vocabulary.either('faulty')})\b")
_IDLE = vocabulary.words("beside blame")


def judged(said: str, slots: Sequence[Slot]) -> tuple[set[str], set[str]]:
    """The arguments that a clause blames and those it praises, by name; none where it says anything besides."""
    text = _NO_PART.sub(" ", " ".join(said.casefold().replace("’", "'").split()))
    rest = re.search(
        r"(?:everything|all|the rest|the others?)(?: else| of it)?(?:'s| is| are| was)? ?(?:else )?(?:right"
        r"|fine|correct|good|ok|okay|perfect|stays?)(?: as it (?:is|was))?",
        text,
    )
    except_ = re.search(r"\b(?:except(?: for)?|but(?: not)?|apart from|only|just)\b(.*)$", text)
    if rest and not except_:
        others = text[: rest.start()] + text[rest.end() :]
        blamed = _judged_names(others, slots)
        return (
            (blamed, {slot.name for slot in slots} - blamed)
            if _is_idle(others, slots) and (blamed or not others.strip(" ,."))
            else (set(), set())
        )
    if rest and except_:
        blamed = _judged_names(except_[1], slots)
        return (blamed, {slot.name for slot in slots} - blamed) if _is_idle(except_[1], slots) else (set(), set())
    named = _judged_names(text, slots)
    several = re.search(r"[,.;]|\bbut\b", text)
    if len(named) > 1 and several and (_PRAISED.search(text) or re.search(r"[;,.] .*\b(?:is|are|was|were)$", text)):
        return set(), set()  # each clause by itself
    if not named or not _is_idle(text, slots):
        return set(), set()
    if _FAULTY.search(text) and not re.fullmatch(
        r"(?!neither)(?:the |its )?[\w ]+? (?:is|are|was) (?:correct|right)(?: though)?", text
    ):
        return named, set()
    return (
        (set(), named)
        if _PRAISED.search(text) or re.fullmatch(r"(?:the )?[\w ,]+ (?:is|are)", text)
        else (set(), set())
    )


def _judged_names(text: str, slots: Sequence[Slot]) -> set[str]:
    """The arguments named: by their own names before by other words for them."""
    text = re.sub(r"\b(\w+)'s name\b|\bname of the (\w+)\b", lambda match: match[1] or match[2], text)
    names = {slot.name for slot in slots if re.search(rf"\b{re.escape(slot.label)}s?\b", text)}
    others = {
        slot.name: [
            label for label in slot.labels if label != slot.label and re.search(rf"\b{re.escape(label)}\b", text)
        ]
        for slot in slots
        if slot.name not in names
    }
    taken = {word for slot in slots if slot.name in names for word in (slot.label, *slot.label.split())}
    also = {name for name, labels in others.items() if set(labels) - taken - {f"{word}s" for word in taken}}
    return names | also


def _is_idle(text: str, slots: Sequence[Slot]) -> bool:
    """Whether nothing is said but names, fault and praise."""
    labels = {word for slot in slots for label in slot.labels for word in label.split()}
    left = _FAULTY.sub(" ", _PRAISED.sub(" ", text))
    return all(word in labels or word in _IDLE for word in re.findall(r"[\w']+", re.sub(r"'s\b", "", left)))


def wrong(text: str, calls: Sequence[Call], said: str) -> Wrong:
    """The reply as one to avoid, told `said`. Where one argument of its one call is blamed, only that shall change."""
    head, opened, _ = text.partition("(")
    if len(calls) != 1 or not opened or head.strip() != calls[0].tool:
        return Wrong(text)
    name = blamed(said, calls[0].arguments)
    part = _spelled(text, name, calls[0].arguments[name]) if name else ""
    return Wrong(text, head + opened, part) if part else Wrong(text)


def _spelled(text: str, name: str, value: Any) -> str:
    """The argument as it stands in the reply, with its name if that is there; "" where it is spelled otherwise."""
    plain = json.dumps(value, ensure_ascii=False)
    return next((spelling for spelling in (f"{name}={plain}", plain) if text.count(spelling) == 1), "")
