"""A call that waits for a yes, and what was decided over others, as HTML. Knows views, and neither desks nor Gradio."""

from __future__ import annotations

from collections.abc import Sequence

from toolmend.apps.arena.markup import safe, tag
from toolmend.arena.views import DecisionView, QuestionView, Which

LONGEST = 500
EFFECTS = {
    "read": "It only reads",
    "write": "It changes something",
    "danger": "It does what cannot be taken back",
}


def question_html(side: Which, question: QuestionView) -> str:
    """The call, what it would change, and the two answers; Enter in the reason is the no."""
    call = tag("pre", tag("code", safe(question.call)), class_="call", tabindex=0)
    known = ":" if question.preview else "; what would change cannot be told before it runs."
    effect = tag("p", tag("b", EFFECTS[question.effect]) + known)
    parts = [tag("h3", "May this call run?"), call, effect]
    parts += [preview_html(question.preview)] if question.preview else []
    yes = tag("button", "Allow", type="button", data_do="allow", data_id=question.id, class_="yes")
    reason = tag("input", name="reason", type="text", maxlength=LONGEST, autocomplete="off")
    why = tag("label", "Why not? (optional, told to the model)" + reason)
    no = tag("button", "Deny", type="submit")
    parts.append(tag("form", yes + no + why, data_do="deny", data_id=question.id))
    late = f"With no answer within {question.within} it is not run. Stop takes the message back."
    parts.append(tag("p", safe(late), class_="late"))
    return tag("section", "".join(parts), class_="question", aria_label=f"The {side} side waits for your answer")


def decisions_html(decisions: Sequence[DecisionView]) -> str:
    """What a person allowed, and what was not run, with the words why; "" where nothing was decided."""
    return "".join(map(_decision, decisions))


def preview_html(preview: str) -> str:
    """Lines that would come and go, each in its colour behind its sign."""
    return tag("pre", "\n".join(map(_line, preview.splitlines())), class_="preview", tabindex=0)


def _decision(decision: DecisionView) -> str:
    if decision.decision == "allowed":
        words = f"{decision.call.partition('(')[0]}: {decision.words}"
        return tag("p", safe(words), class_="decision")
    call = tag("pre", tag("code", safe(decision.call)), class_="call unrun", tabindex=0)
    would = preview_html(decision.preview) if decision.decision == "dry-run" and decision.preview else ""
    return call + tag("p", safe(decision.words), class_="decision no") + would


def _line(line: str) -> str:
    style = {"+": "new", "-": "gone"}.get(line[:1])
    shown = line.replace("- ", "\N{MINUS SIGN} ", 1) if style == "gone" else line
    return tag("span", safe(shown), class_=style) if style else safe(shown)
