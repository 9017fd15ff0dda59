"""Numbers, codes and addresses that are texts, said anew: a postcode, a room, a phone number. Knows no call."""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolmend.corrections.part import Part, edit
from toolmend.corrections.segments import segments
from toolmend.corrections.slots import Slot
from toolmend.resolve.words import Words

_MAIL = re.compile(r"(?:[\w']+[ :]+){0,7}(\S+@\S+\.\w+)", re.I)
_FIGURES = re.compile(r"(?<!\S)\d(?: \d){2,}(?!\S)")
_CODE = re.compile(r"(?<!\w)(?=[A-Z ]*\d)(?!\d\d?(?!\w))[A-Z\d]{2,}(?: [A-Z\d]{2,})?(?!\w)")


def coded(slots: Sequence[Slot], text: str, request: str) -> Part | None:
    """A number, a code or an address of letters said anew: "SW1A 2AP", "one forty" of room 104, "bryan@mail.test"."""
    for slot in slots:
        old = str(slot.old or "")
        if "@" in old and (mail := _MAIL.fullmatch(text)):
            return edit(slot.name, mail[1], mail[1], f"{mail[1]!r} is the {slot.label}", sure=True)
        runs = [code[0] for code in _CODE.finditer(old)]
        spoken = Words(text).text
        codes = [code[0] for code in _CODE.finditer(text)] + [spoken.replace(" ", "")]
        codes += [run[0].replace(" ", "") for run in _FIGURES.finditer(spoken)]
        asked = re.sub(r"\W", "", request).lower()
        near = {
            (run, code)
            for run in runs
            for code in codes
            if code.lower() != run.lower() and _near(code, run) and re.sub(r"\W", "", code).lower() in asked
        }
        rest = [value for value in segments(text)[0] if value.kind != "number"]
        if len(near) == 1 and len(rest) < 2:
            run, code = near.pop()
            return edit(slot.name, old.replace(run, code), text, f"{code!r} as it was asked for", sure=True)
    return None


def _near(one: str, other: str) -> bool:
    """Whether two codes are as long and differ little, or have the same characters in another order."""
    a, b = one.lower(), other.lower()
    return len(a) == len(b) and (
        sum(x != y for x, y in zip(a, b, strict=True)) <= max(2, len(a) // 3) or sorted(a) == sorted(b)
    )
