"""Curation: one rule after the other, each a pure function from lines to verdicts, with counts before and after.

The rules are those of Koala (Geng et al. 2023) and what a store of talks needs beside: duplicates, language, length,
personal data, test leakage. Reads and writes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from toolmend.training.datasets import duplicates, personal
from toolmend.training.datasets.language import other_language
from toolmend.training.datasets.leakage import Prompts
from toolmend.training.datasets.lines import KINDS, Line
from toolmend.training.datasets.texts import changed, gist, length, spoken, whole

Verdict = Line | str
"""The line, changed perhaps, or the reason why it is dropped."""
Rule = Callable[[Sequence[Line]], Iterator[Verdict]]
Lines = Mapping[str, Sequence[Line]]
OnDone = Callable[[int, int], None]
"""Told how many are done, and of how many."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What is kept. `most` characters a line; `near` the Jaccard index and `bleu` the share from which one is dropped.

    `mask` puts `[e-mail]` for personal data instead of dropping the line.
    """

    most: int = 8000
    near: float = 0.8
    bleu: float = 0.2
    mask: bool = False


@dataclass(frozen=True, slots=True)
class Counted:
    """What a rule did: lines by kind before and after, and by reason how many were dropped or changed."""

    rule: str
    before: Mapping[str, int]
    after: Mapping[str, int]
    reasons: Mapping[str, int]


def curate(
    lines: Lines, limits: Limits, prompts: Prompts, on_line: OnDone | None = None
) -> tuple[Lines, list[Counted]]:
    """The lines that every rule lets through, and what each rule did. `on_line` hears of each line and rule."""
    counted, rules = [], _rules(limits, prompts)
    meter = _Meter(on_line, sum(map(len, lines.values())), len(rules))
    for number, (name, rule) in enumerate(rules.items()):
        before, reasons = lines, Counter[str]()
        meter.begin(number)
        lines = {kind: _kept(rule, each, reasons, meter) for kind, each in before.items()}
        counted.append(Counted(name, counts(before), counts(lines), dict(sorted(reasons.items()))))
    return lines, counted


def counts(lines: Lines) -> dict[str, int]:
    """Lines by kind."""
    return {kind: len(lines.get(kind, ())) for kind in KINDS}


def in_test(line: Line, share: float) -> bool:
    """Whether a line's talk is held out: by a hash of its id, so that a talk stays where it is as others come."""
    talk = str(line.source.get("talk", line.id))
    return int(sha256(talk.encode()).hexdigest()[:13], 16) / 16**13 < share


def _rules(limits: Limits, prompts: Prompts) -> dict[str, Rule]:
    return {
        "length": lambda lines: too_long(lines, limits.most),
        "language": not_english,
        "personal data": lambda lines: private(lines, mask=limits.mask),
        "exact duplicates": repeated,
        "near duplicates": lambda lines: nearly_repeated(lines, limits.near),
        "test leakage": lambda lines: leaking(lines, prompts, limits.bleu),
    }


class _Meter:
    """Tells how far all the rules are, as lines: those that a rule dropped count as done by the others."""

    def __init__(self, hear: OnDone | None, lines: int, rules: int) -> None:
        self._hear, self._lines, self._rules, self._done = hear, lines, rules, 0.0

    def begin(self, rule: int) -> None:
        self._done = self._lines * rule / self._rules

    def line(self) -> None:
        self._done += 1 / self._rules
        if self._hear is not None:
            self._hear(int(self._done), self._lines)


def _kept(rule: Rule, lines: Sequence[Line], reasons: Counter[str], meter: _Meter) -> list[Line]:
    kept = []
    for line, verdict in zip(lines, rule(lines), strict=True):
        meter.line()
        if isinstance(verdict, str):
            reasons[verdict] += 1
        else:
            kept.append(verdict)
            reasons.update(["masked"] if verdict is not line else [])
    return kept


# rules ---------------------------------------------------------------------------------------------------------------


def too_long(lines: Sequence[Line], most: int) -> Iterator[Verdict]:
    """Drops lines of more than so many characters, and those in which nobody says anything."""
    for line in lines:
        if length(line) > most:
            yield f"more than {most:,} characters"
        else:
            yield line if "".join(spoken(line)).strip() else "no words"


def not_english(lines: Sequence[Line]) -> Iterator[Verdict]:
    """Drops lines in which people surely speak another language."""
    for line in lines:
        other = other_language(" ".join(spoken(line)))
        yield f"language {other}" if other else line


def private(lines: Sequence[Line], *, mask: bool) -> Iterator[Verdict]:
    """Drops, or masks, lines with personal data in what was said."""
    for line in lines:
        kinds = sorted({kind for text in whole(line) for kind, _ in personal.find(text)})
        yield line if not kinds else changed(line, personal.mask) if mask else ", ".join(kinds)


def repeated(lines: Sequence[Line]) -> Iterator[Verdict]:
    """Drops lines that say the same as one before them, wherever they are from."""
    for line, earlier in zip(lines, duplicates.exact([_same(line) for line in lines]), strict=True):
        yield line if earlier is None else "the same as an earlier line"


def nearly_repeated(lines: Sequence[Line], threshold: float) -> Iterator[Verdict]:
    """Drops lines that teach nearly the same as one before them: requests and learned replies, not the history."""
    for line, earlier in zip(lines, duplicates.near([gist(line) for line in lines], threshold), strict=True):
        yield line if earlier is None else "nearly the same as an earlier line"


def leaking(lines: Sequence[Line], prompts: Prompts, most: float) -> Iterator[Verdict]:
    """Drops lines in which any message of a person is too like a prompt of a suite."""
    known: dict[str, float] = {}
    for line in lines:
        for text in spoken(line):
            if text not in known:
                known[text] = prompts.nearest(text)
        yield f"BLEU above {most:.0%}" if any(known[text] > most for text in spoken(line)) else line


def _same(line: Line) -> str:
    """Everything that is trained on but the system text; why a reply is worse is not trained on in pairs."""
    messages = [said for said in line.messages if said.role != "system"]
    return repr([[(m.role, m.learn, m.content) for m in messages], gist(line)])
