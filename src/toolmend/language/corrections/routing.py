"""Whether what a person says is a new request or amends the last call.

By cues (cues.py), and where there are none by what is understood of the sentence. A session takes any other router.
Knows calls and sentences; nothing of worlds, models or grading.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from toolmend.base.messages import Call
from toolmend.language.corrections.cues import MORE, UNSURE, RouteDecision, by_cues
from toolmend.language.corrections.understanding import understand
from toolmend.language.corrections.understood import Understood

__all__ = ["RouteDecision", "Router", "amends", "by_words"]

Router = Callable[[str, Sequence[Call], Sequence[str]], RouteDecision]
"""Decides about a text, given the calls in effect and what the person said before, both oldest first."""


def by_words(text: str, calls: Sequence[Call], texts: Sequence[str]) -> RouteDecision:
    """The default router: by cues, else by whether the sentence gives the last call another value."""
    verdict = by_cues(text, calls, texts)
    if verdict.reason != UNSURE:
        return verdict
    understood = understand(text, calls[-1:], (), request=texts[-1])
    return RouteDecision(True, understood.reason) if amends(understood, calls[-1:], verdict) else verdict


def amends(understood: Understood, calls: Sequence[Call], cued: RouteDecision) -> bool:
    """Whether what was understood of a sentence is about these calls. One that gives each of several arguments another
    value is a request of its own, unless a cue says that it amends: "the kitchen to 19" after `heat("bath", 21)`; so is
    one that asks for something more: "Same on Wednesday"."""
    if understood.kind == "edit" and not cued.amends and cued.reason.startswith(MORE):
        return False
    other = [number for number, given in understood.edits.items() if given.keys() >= calls[number].arguments.keys()]
    if understood.kind == "edit" and any(len(calls[number].arguments) > 1 for number in other):
        return cued.amends
    return understood.kind in ("edit", "blame", "wrong")
