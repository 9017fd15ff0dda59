"""The steps of a reply, folded: what was asked, thought, called, returned, and what went over the wire."""

from __future__ import annotations

from collections.abc import Sequence

from toolmend.apps.arena.markup import safe, tag
from toolmend.arena.views import StepView


def steps_html(key: str, steps: Sequence[StepView]) -> str:
    """A fold with one fold inside for each step's wire; "" without steps. `key` is unique on the page."""
    if not steps:
        return ""
    rows = "".join(tag("li", _step(f"{key}-{n}", step)) for n, step in enumerate(steps))
    return tag("details", tag("summary", safe(_headline(steps))) + tag("ol", rows), class_="steps", data_fold=key)


def _headline(steps: Sequence[StepView]) -> str:
    tokens = sum(step.tokens or 0 for step in steps)
    seconds = sum(step.seconds or 0.0 for step in steps)
    parts = [f"{len(steps)} step{'s' * (len(steps) != 1)}"]
    parts += [f"{tokens:,} tokens"] * bool(tokens) + [f"{seconds:.2f} s"] * bool(seconds)
    return ", ".join(parts)


def _step(key: str, step: StepView) -> str:
    cost = [f"{step.tokens:,} tokens"] * bool(step.tokens) + [f"{step.seconds or 0:.2f} s"] * bool(step.seconds)
    head = tag("span", safe(step.kind), class_="kind") + " " + tag("b", safe(step.title))
    head += tag("span", safe(", ".join(cost)), class_="cost") if cost else ""
    body = tag("pre", safe(step.body), tabindex=0) if step.body else ""
    wire = tag("summary", "Raw request and reply") + tag("pre", safe(step.wire), tabindex=0) if step.wire else ""
    return tag("p", head) + body + (tag("details", wire, data_fold=f"{key}-wire") if wire else "")
