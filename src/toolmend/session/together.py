"""Calls of one act that take several things away, or change several: shown as a list, and asked about once, whatever a
policy allows.

Knows no screen and asks nobody.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from toolmend.base.messages import Call
from toolmend.language.resolve.filters import says_several
from toolmend.session.mend.grounds import removes


@dataclass(slots=True)
class SharedAct:
    """The calls of the act that is under way, and what was decided about them: whether they may run, by whom, why."""

    calls: tuple[Call, ...] = ()
    goes: bool = True
    decided: tuple[bool, str, str] | None = None

    def begin(self, calls: Sequence[Call], changing: Sequence[Call]) -> None:
        """An act of these calls begins; those belong together that take something away, where several do or are spoken
        of; else those `changing` what stands."""
        away = tuple(call for call in calls if removes(call.tool))
        several = len(away) > 1 or any(says_several(words, ()) for call in away for words in call.said.values())
        self.calls, self.goes, self.decided = away if several else (), several, None
        if not several and len(changing) > 1:
            self.calls = tuple(changing)

    def has(self, call: Call) -> bool:
        """Whether the call is one of several that go together."""
        return any((one.tool, one.arguments) == (call.tool, call.arguments) for one in self.calls)

    def decide(self, allowed: bool, by: str, reason: str) -> None:
        """What a person said of one of them holds for all; where nobody answered, nothing was said."""
        if by == "person":
            self.decided = allowed, by, reason

    def listed(self) -> str:
        """What goes, as one line: "all 2 of these go: Dentist, 2026-12-01, 09:00; Yoga, 2026-12-01, 18:00"."""
        shown = "; ".join(", ".join(map(str, call.arguments.values())) for call in self.calls)
        if len(self.calls) == 1:
            return f"of all only this goes: {shown}"
        return f"all {len(self.calls)} of these {'go' if self.goes else 'change, and become'}: {shown}"
