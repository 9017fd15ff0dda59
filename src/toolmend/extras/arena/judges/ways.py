"""How a judge may be asked to say which answer is better, and how what it wrote is read. Nothing is guessed.

    likert     1 to 8: 1 the first is far better, 8 the second; 4 and 5 may count as ties
    ranking    1, 2, tie or both bad

Only the first line that is not blank is read. Knows no order: "first" and "second" are those the judge saw.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, Protocol

Outcome = Literal["first", "second", "tie", "both_bad"]
Problem = Literal["", "unreadable", "out_of_range", "truncated"]

_SIGNS = " \t*_`#>\"'()[]{}<>“”‘’"  # what models put around a verdict
_ENDS = f"{_SIGNS}.,;:!"
_NAMES = "rating|preference|verdict|answer|scores?|ranking"
_LABEL = re.compile(rf"^(?:(?:my|the|final)\s+)*(?:{_NAMES})(?:\s+(?:is|are))?\s*[:=\s]\s*", re.IGNORECASE)
_NUMBER = r"[-−+]?\d+(?:[.,]\d+)?"
_PLAIN = re.compile(rf"({_NUMBER})")
_OF_8 = re.compile(rf"({_NUMBER})(?:\s*(?:/|out of)\s*8)?")
_BETTER = re.compile(r"(?:assistant )?([12])(?: is better)?")
_WORDS: dict[str, Outcome] = {
    "first": "first",
    "second": "second",
    **dict.fromkeys(("tie", "equal", "equally good", "draw"), "tie"),
    **dict.fromkeys(("both bad", "both_bad", "both are bad"), "both_bad"),
}


@dataclass(frozen=True, slots=True)
class JudgeVerdict:
    """What a judge's answer says: who is better as it was shown, the number or numbers written, or what is wrong.

    `outcome` is None exactly where there is a `problem`.
    """

    outcome: Outcome | None
    values: tuple[float, ...] = ()
    problem: Problem = ""


class Way(Protocol):
    """A way of asking: the name of its prompt, and how an answer is read."""

    name: str

    def read(self, text: str, *, band: bool = False) -> JudgeVerdict:
        """The verdict of an answer. `band`: what is better by very little counts as a tie."""
        ...


class Likert:
    """One whole number from 1 to 8; with `band` 4 and 5 are ties (Hugging Face blog, 2023-06-12)."""

    name = "likert"

    def read(self, text: str, *, band: bool = False) -> JudgeVerdict:
        """Unreadable where the first line is no number, out of range where it is another than those eight."""
        found = _OF_8.fullmatch(_head(text))
        if found is None:
            return _UNREADABLE
        value = _float(found[1])
        if value not in range(1, 9):
            return JudgeVerdict(None, (value,), "out_of_range")
        if band and value in (4, 5):
            return JudgeVerdict("tie", (value,))
        return JudgeVerdict("first" if value <= 4 else "second", (value,))


class Ranking:
    """1, 2, tie or both bad. There is no band: a tie is what the judge calls one."""

    name = "ranking"

    def read(self, text: str, *, band: bool = False) -> JudgeVerdict:
        """Unreadable for any other word, out of range for any other number."""
        line = " ".join(_head(text).lower().split())
        if (better := _BETTER.fullmatch(line)) is not None:
            return JudgeVerdict("first" if better[1] == "1" else "second")
        if (word := _WORDS.get(line)) is not None:
            return JudgeVerdict(word)
        if (found := _PLAIN.fullmatch(line)) is not None:
            return JudgeVerdict(None, (_float(found[1]),), "out_of_range")
        return _UNREADABLE


_UNREADABLE = JudgeVerdict(None, (), "unreadable")


def _head(text: str) -> str:
    """The first line that is not blank, without a label before it and signs around it."""
    lines = (line.lstrip(_SIGNS).rstrip(_ENDS) for line in text.splitlines())
    return _LABEL.sub("", next((line for line in lines if line), "")).lstrip(_SIGNS)


def _float(text: str) -> float:
    return float(text.replace("−", "-").replace(",", "."))
