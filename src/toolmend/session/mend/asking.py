"""Questions: to a model, which words give one argument; to the person, which of a few readings is meant."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from toolmend.base.messages import Call, Constraint, Message
from toolmend.language.corrections.clauses import cores
from toolmend.language.corrections.segments import segments
from toolmend.language.corrections.slots import Slot
from toolmend.language.corrections.values import value_for
from toolmend.reading import read_json, read_python
from toolmend.session.mend.candidates import Candidate
from toolmend.session.mend.case import Edits, MendCase
from toolmend.strategies import Ask

_SYSTEM = "You find words in what a person said. Answer with those words only, as they were said. No explanation."
_QUOTED = re.compile(r"[\"“'‘`]([^\"”'’`]+)[\"”'’`]")
_YES = re.compile(
    r"(?i)(?:y|yes|yeah|yep|yup|aye|right|correct|exactly|that one|that's (?:it|right|fine)|do it|go ahead|please do"
    r"|sure|ok|okay|fine|alright|all right)(?:,? (?:please|thanks|thank you|do|do it|go ahead))?"
)
NOTHING_ASKED = "Nothing was waiting for a yes or no, and nothing was changed."
WHAT = "What should be different? Please say it in your words."
SAY_WHAT = "Please say what it should be."
YOUR_WORDS = "Or say it in your words."
_RANKS = ("first", "second", "third")


def question(case: MendCase, number: int, slot: Slot) -> Ask:
    """The question for one argument, the model being told what it is not; of members the blamed one is left out."""
    said = "\n".join(f"The person said: {text}" for text in (case.request, case.said) if text)
    wrong = f"The {slot.label} is not {json.dumps(slot.old, ensure_ascii=False)}." if slot.old is not None else ""
    left = [str(member) for member in slot.schema.get("enum", ()) if member != slot.old]
    ask = f"Which one is the {slot.label}: {', '.join(left)}?" if left else f"Which words give the {slot.label}?"
    text = f"{said}\n{wrong}\n{ask}".replace("\n\n", "\n")
    schema = {
        "type": "object",
        "properties": {slot.name: {"type": "string", **({"enum": left} if left else {"maxLength": 200})}},
        "required": [slot.name],
        "additionalProperties": False,
    }
    constraint = Constraint("json_schema", schema) if case.constrains else None
    return Ask((Message("system", _SYSTEM), Message("user", text)), constraint=constraint)


def answered(case: MendCase, number: int, slot: Slot, text: str) -> tuple[Any, str] | None:
    """The value that a model's answer gives and its words; None where that is none, several, or the one it was."""
    for words in _answers(case, number, slot, text):
        if not isinstance(words, str):
            if words != slot.old:
                return words, str(words)
            continue
        said = words.strip(" .!\n\"'")
        if slot.kind == "text":
            if said and said != slot.old and len(said) <= 200 and _is_said(said, case):
                return said, said
            continue
        for core in cores(said):
            if len(segments(core)[0]) > 1 and slot.kind not in ("date-time", "list"):
                continue
            values = value_for(slot, core, case.background).values
            if len(values) == 1 and values[0] != slot.old:
                return values[0], core
    return None


def _answers(case: MendCase, number: int, slot: Slot, text: str) -> list[Any]:
    """What an answer can be read as: an object, a call, quoted words, a line."""
    answers: list[Any] = []
    for read in (read_json, read_python):
        answers += [call.arguments.get(slot.name) for call in read(text, case.specs).calls]
    if match := re.search(r"\{.*\}", text, re.DOTALL):
        try:
            values = json.loads(match[0])
        except ValueError:
            values = None
        if isinstance(values, dict):
            answers.append(values.get(slot.name))
    lines = [line for line in text.strip().splitlines() if line.strip()]
    answers += _QUOTED.findall(text)
    if lines:
        answers.append(re.sub(rf"(?i)^(?:the )?{re.escape(slot.label)}(?: is)?\s*[:=]?\s*", "", lines[0]))
    return [answer for answer in answers if answer not in (None, "")]


def _is_said(words: str, case: MendCase) -> bool:
    """Whether the person used these words, every one."""
    heard = set(re.findall(r"\w+", f"{case.request} {case.said}".lower()))
    return set(re.findall(r"\w+", words.lower())) <= heard


def choice(case: MendCase, offers: Sequence[Candidate | Edits]) -> str:
    """The question to the person, with numbered answers."""
    lines = [f"{place}: {_told(offer)}" for place, offer in enumerate(offers, 1)]
    return " ".join(["Which is right?", *(f"{line}." for line in lines), YOUR_WORDS])


def asks_person(text: str) -> bool:
    """Whether a text is such a question."""
    return text.rstrip().endswith((SAY_WHAT, YOUR_WORDS, WHAT))


def assents(text: str) -> bool:
    """Whether a sentence says yes, and nothing else."""
    return bool(_YES.fullmatch(text.strip(" .!")))


def _told(offer: Candidate | Edits) -> str:
    edits = offer.edits if isinstance(offer, Candidate) else offer
    parts = [
        f"{name.replace('_', ' ')} {value}" if value is not None else f"no {name.replace('_', ' ')}"
        for changes in edits.values()
        for name, value in changes.items()
    ]
    return ", ".join(parts)


def shown(call: Call, name: str, said: str = "") -> str:
    """An argument as it is, and what it stands on."""
    label, value = name.replace("_", " "), call.arguments[name]
    if said and not said.startswith("as "):
        return f"You said {said!r}: {label} {value}."
    return f"{label.capitalize()} {value}{f', {said}' if said else ''}."


def chosen(text: str, offers: Sequence[Edits]) -> Edits | None:
    """The offer that an answer names by its place, or by yes where there is one."""
    said = text.strip(" .!").lower()
    if len(offers) == 1 and assents(said):
        return offers[0]
    match = re.fullmatch(
        r"(?:the |number |no\.? |option |answer )*(\d|first|second|third|last)(?: one)?(?:,? please)?", said
    )
    if not match:
        return None
    word = match[1]
    place = len(offers) if word == "last" else _RANKS.index(word) + 1 if word in _RANKS else int(word)
    return offers[place - 1] if 1 <= place <= len(offers) else None


def picks(text: str) -> bool:
    """Whether a sentence does nothing but pick an answer that was offered: no words to learn from."""
    return any(chosen(text, ({},) * count) is not None for count in (1, 3))
