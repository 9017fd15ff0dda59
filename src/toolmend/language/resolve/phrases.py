"""A text of any tool as its sentence and its description have it: whole words, quotations, no other argument in it.

"Chinese cuisine" for a type of cuisine is "Chinese", "AL2562" of "docket 2022/AL2562" is all of it, "New York" where a
city and its state are due is "New York, NY". Pure: knows words and a tool's schema.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from toolmend.base.messages import ToolSpec
from toolmend.language.resolve.allotted import allotted, words_of
from toolmend.language.resolve.cities import with_state
from toolmend.language.resolve.edges import TITLES, is_text
from toolmend.language.resolve.implied import implied
from toolmend.language.resolve.objects import in_fields
from toolmend.language.resolve.parameters import typed
from toolmend.language.resolve.remains import LITTLE
from toolmend.language.resolve.roles import in_their_roles
from toolmend.language.resolve.said import MISSING, place_of
from toolmend.language.resolve.unsaid import borne_out
from toolmend.language.resolve.words import MONTH_SHORT, UNIT_NAMES, WEEKDAY, WEEKDAY_OR_SHORT

_QUOTED = re.compile(r"(?<!\w)'(?P<one>[^'\n]+(?:'\w[^'\n]*)*)'(?!\w)|[\"“](?P<two>[^\"”\n]+)[\"”]")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PATH = re.compile(
    r"(?<!\S)(?:~|[A-Za-z]:|\.{1,2})?[\\/](?!/)[^\s,;?'\"]+|(?<!\S)[\w-]+\.(?:csv|txt|json|pdf|png|jpg|xlsx)\b"
)
_KIND = re.compile(
    r"(?i)\b(?:type|kind|genre|style|sort|category|name)s?(?: or \w+)? (?:of|for) "
    r"(?:the |an? |your )?(?P<what>[a-z]+(?: [a-z]+){0,3})"
)
_KINDS = frozenset("type kind genre style sort category name".split())
_DAY = re.compile(
    rf"(?i)\b(?:{WEEKDAY_OR_SHORT}|today|tonight|tomorrow"
    rf"|\d+(?:st|nd|rd|th)|{MONTH_SHORT}[a-z]*|week|weekend)\b[^,;]*$"
)
_CLOCK = r"(?:(?:half|quarter) (?:past|to) \w+|\d?\d[:.]\d\d(?: ?[ap]m)?|\d?\d ?[ap]m\b|\d?\d o'clock|noon|midnight)"
_WEEKDAY = re.compile(rf"(?i)(?:(?:on|every|next|this) )?(?:{WEEKDAY}|tomorrow)")
_HOUR = re.compile(rf"(?i),? (?:at (?:{_CLOCK}|\d?\d\b|{'|'.join(UNIT_NAMES[1:13])}\b)|{_CLOCK})(?! ?\w*(?:%|€|£))")
_PLAIN = "the|this|that|any|all|some|our|your|his|her|their|which|what|each|every|and|for|with|one|two|three|new|same"
_JOINED = re.compile(r" (?:in|at|on|for|from|to|with|by|and|near|of) (?:the )?")
_OWNED, _OWNS = re.compile(r"^(?:my|our) "), re.compile(r"(?<=\w)['’]s$")
_IN_WORD = re.compile(r"[\w/@~#\\+-]")


def in_place(spec: ToolSpec, words: Mapping[str, Any], sentence: str, *, alone: bool) -> dict[str, Any]:
    """Each part of the sentence with the argument that it belongs to: numbers, members, defaults, texts. Where the
    sentence stands `alone`, no correction and no answer, what it does not bear out is left out."""
    said = in_fields(spec, words, sentence)
    said = borne_out(spec, in_their_roles(spec, said, sentence), sentence) if alone else said
    return phrased(spec, implied(spec, allotted(spec, said, sentence), sentence), sentence)


def phrased(spec: ToolSpec, words: Mapping[str, Any], sentence: str) -> dict[str, Any]:
    """The words, each text of them whole and alone."""
    texts = {
        name: text.strip()
        for name, text in words.items()
        if isinstance(text, str) and text != MISSING and is_text(spec, name) and text.strip()
    }
    whole = dict(words)
    for name, text in texts.items():
        bare = _OWNED.sub("", text)
        if name not in TITLES and all(word[:1].isupper() for word in bare.split()[1:]):  # no "dinner at Luigi's"
            bare = _OWNS.sub("", bare) if _owns(bare, sentence) else bare
        text = _quoted(bare, sentence, [str(other) for key, other in words.items() if key != name])
        text = _as_described(spec, name, _in_full(text, sentence), sentence)
        others = [str(other) for key, other in words.items() if key != name and isinstance(other, str)]
        whole[name] = with_state(_without_kind(spec, name, _without_others(text, others)), _told(spec, name))
    return _of_kind(spec, _to_the_hour(spec, whole, texts, sentence), sentence)


def _owns(text: str, sentence: str) -> bool:
    """Whether the sentence goes on with what somebody owns: "Bassi's trousers", not "at Bassi's, forty"."""
    return any(next[1].lower() not in LITTLE for next in re.finditer(rf"{re.escape(text)} ([^\W\d_]{{3,}})", sentence))


def _to_the_hour(spec: ToolSpec, words: dict[str, Any], texts: Mapping[str, str], sentence: str) -> dict[str, Any]:
    """A text that is a day, with the hour said behind it, which is no number of anything: "Saturday at 11"."""
    if any(typed(name, schema).get("format") in ("time", "date-time") for name, schema in spec.properties.items()):
        return words
    for name in texts:
        text = str(words.get(name, ""))
        place = place_of(text, sentence)
        hour = _HOUR.match(sentence, place[1]) if place and _DAY.search(text) else None
        others = [str(other) for key, other in words.items() if key != name and is_text(spec, key)]
        if hour is None or any(place_of(hour[0].strip(" at"), other) for other in others):
            continue
        said = hour[0].lower()
        kept = {key: told for key, told in words.items() if key == name or key in texts
                or str(told).lower() not in said or sentence.lower().count(str(told).lower()) > 1}  # fmt: skip
        words = {**kept, name: sentence[place[0] : hour.end()] if place else text}
    return words


def _of_kind(spec: ToolSpec, words: dict[str, Any], sentence: str) -> dict[str, Any]:
    """The word before what a text that must be given is a kind of: "a single room" for a type of room."""
    for name in list(_lacking(spec, words)):
        match = _KIND.search(_told(spec, name))
        kinds = [match["what"].split()[0]] if match else re.findall(r"(?i)^(\w+?)_?(?:type|kind)$", name)
        for kind in kinds:
            said = re.findall(
                rf"(?i)(?<![\w-])(?!(?:{_PLAIN})\b)([a-z-]{{3,}}) {re.escape(kind.rstrip('s'))}s?\b", sentence
            )
            if len(said) == 1:
                words[name] = said[0]
    return words


def _told(spec: ToolSpec, name: str) -> str:
    return str(spec.properties.get(name, {}).get("description", ""))


def _quoted(text: str, sentence: str, others: list[str]) -> str:
    """The quotation that the text is a part of, or that it has in it; no quotation that has another argument, which is
    said nowhere else."""
    for match in _QUOTED.finditer(sentence):
        quotation, beside = match["one"] or match["two"], sentence[: match.start()] + "~" + sentence[match.end() :]
        anothers = (place_of(other, quotation) and not place_of(other, beside) for other in others)
        if quotation in text or (place_of(text, quotation) and not any(anothers)):
            return quotation
    return text


def _in_full(text: str, sentence: str) -> str:
    """The text to the ends of what stands together: "AL2562" of "2022/AL2562", "myfMRI" of "~/data/myfMRI.nii"; a
    weekday with its part of the day."""
    if parted := re.search(rf"(?i)\b{re.escape(text)} (?:morning|afternoon|evening|night)\b", sentence):
        return parted[0] if _WEEKDAY.fullmatch(text) else text
    place = sentence.find(text)
    if place < 0 or sentence.count(text) > 1:
        return text
    start, end = place, place + len(text)
    while start > 0 and _IN_WORD.match(sentence[start - 1]):
        start -= 1
    while end < len(sentence) and (_IN_WORD.match(sentence[end]) or re.match(r"[.:]\w", sentence[end : end + 2])):
        end += 1
    return sentence[start:end]


def _as_described(spec: ToolSpec, name: str, text: str, sentence: str) -> str:
    """The one address or path of the sentence, where the argument is one and the text is none."""
    told = f"{name} {_told(spec, name)}".lower()
    for sign, pattern in (("email", _EMAIL), ("path", _PATH)):
        there = pattern.findall(sentence)
        if sign in told and len(there) == 1 and not pattern.search(text) and not _named_alone(name):
            return str(there[0]).rstrip(".?!")
    return text


def _named_alone(name: str) -> bool:
    """Whether the name itself says that it is a text about something: the subject of an email is no address."""
    return bool(re.search(r"(?i)subject|body|title|message|content|text|format|sort", name))


def _without_others(text: str, others: list[str]) -> str:
    """The text without another argument behind it: "theft crimes in Los Angeles" where that is the place."""
    for other in [*others, *(other.partition(",")[0] for other in others)]:
        if len(other) > 1 and text.lower().endswith(other.lower()) and len(other) < len(text):
            lead = text[: -len(other)]
            if (joint := re.search(_JOINED.pattern + "$", lead)) and lead[: joint.start()].strip():
                return lead[: joint.start()].strip()
    return text


def _without_kind(spec: ToolSpec, name: str, text: str) -> str:
    """The text without the word for what it is a kind of: "jazz music" for a genre of music."""
    words = [word for word in words_of(name) if word.isalpha()]
    match = _KIND.search(_told(spec, name))
    kinds = set(match["what"].lower().split()) if match else set[str]()
    kinds |= set(words) if _KINDS & set(words[-1:]) else set()
    told = text.split()
    while len(told) > 1 and told[-1].islower() and any(_alike(told[-1], kind) for kind in kinds - _KINDS):
        told.pop()
    if len(told) > 1 and re.match(r"[A-Z\d]", told[-2]) and told[-1:] == words[-1:]:  # "2019-2020 season"
        told.pop()
    if len(told) == 2 and told[0].lower() in words and re.search(r"[_\d/]", told[1]):  # "dataset my_data"
        told.pop(0)
    return " ".join(told)


def _alike(word: str, kind: str) -> bool:
    return word.rstrip("s") == kind.rstrip("s")


def _lacking(spec: ToolSpec, words: Mapping[str, Any]) -> Iterator[str]:
    return (name for name in spec.required if words.get(name, MISSING) == MISSING and is_text(spec, name))
