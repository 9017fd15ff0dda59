"""Whether a complaint says more than that something is wrong: only without that may code act on it before the model
has heard it. Knows one call's arguments and the words; changes nothing.
"""

from __future__ import annotations

import re

from toolmend.language.corrections.complaining import complains
from toolmend.language.corrections.names import split_name
from toolmend.language.corrections.segments import segments
from toolmend.language.corrections.slots import Slot
from toolmend.session.mend.case import MendCase

_WORD = re.compile(r"[^\W_]+(?:['.:&/-][^\W_]+)*")
_NAME = re.compile(r"(?<=[^\W_] )(?!(?:I|API)\b)[A-Z][\w'-]+")


def says_more(case: MendCase) -> bool:
    """Whether a complaint also gives something: a value of a kind, a member, a name that nobody had said. The values
    that the calls have are no news."""
    olds = [str(value).casefold() for call in case.calls for value in call.arguments.values()]
    heard = "\n".join((case.request, *olds)).casefold()
    slots = [slot for number in range(len(case.calls)) for slot in case.slots(number)]
    for value in segments(case.said)[0]:
        if not any(slot.old in case.background.read(value.text, slot.schema).values for slot in slots if _typed(slot)):
            return True
    if any(name.casefold() not in heard for name in _NAME.findall(case.said)):
        return True
    words = {word.casefold() for word in _WORD.findall(case.said)}
    members = {str(member).casefold() for slot in slots for member in slot.schema.get("enum", ())}
    return any(set(member.split()) <= words for member in members if member not in olds)


def only_complains(case: MendCase) -> bool:
    """Whether a complaint has no words but those of complaints, and those of the calls."""
    slots = [slot for number in range(len(case.calls)) for slot in case.slots(number)]
    own = {word for slot in slots for label in slot.labels for word in label.split()}
    own |= {word for slot in slots for word in re.findall(r"[^\W_]+", str(slot.old or "").casefold())}
    own |= {word for call in case.calls for word in split_name(call.tool.rpartition(".")[2])}
    return not says_more(case) and complains(case.said, own)


def _typed(slot: Slot) -> bool:
    return slot.kind not in ("text", "list", "object", "any") and slot.old is not None
