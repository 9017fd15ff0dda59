"""A side's talk as HTML: what was said, the call, its marks and mistakes, and what one can do about it.

Every button and form carries `data-do`, which page.js tells the server. Knows views, and neither desks nor Gradio.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from toolmend.apps.arena.markup import button, safe, tag
from toolmend.apps.arena.steps import steps_html
from toolmend.arena.views import TurnView
from toolmend.mistakes import Mark

WORDS = {
    Mark.CORRECT: "correct",
    Mark.MISTAKE: "mistake",
    Mark.GARBAGE: "no usable call",
    Mark.FIXED: "fixed",
    Mark.RECURRING: "the same mistake again",
    Mark.REGRESSED: "was right before",
}
ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Shown:
    """How a talk is shown: `key` is unique on the page; `fixing` offers corrections, `other` names where to copy to."""

    key: str
    label: str
    fixing: bool = True
    other: str = ""


def talk_html(shown: Shown, turns: Sequence[TurnView], suggestions: Sequence[str], empty: str) -> str:
    """The whole talk as a log; under the last reply what can be done about it. `empty` is said where there is none."""
    if not turns:
        return tag("p", safe(empty), class_="empty")
    standing = [turn for turn in turns if not turn.undone]
    last = standing[-1] if standing else None
    rows = []
    for turn in turns:
        fix = _fixing(shown, turn, suggestions) if shown.fixing and turn is last else ""
        rows.append(_turn(shown, turn, fix))
    return tag("ol", "".join(rows), class_="turns", role="log", aria_label=f"Talk on the {shown.label}")


def live_html(label: str, text: str, busy: bool) -> str:
    """What is being written; "" when nobody writes."""
    if not busy:
        return ""
    words = tag("span", safe(text), class_="text") if text else tag("span", "thinking", class_="waiting")
    return tag("div", words, class_="live", aria_label=f"{label} is answering")


def _turn(shown: Shown, turn: TurnView, fix: str) -> str:
    key = f"{shown.key}-{turn.n}"
    state = " undone" if turn.undone else " replaced" if turn.corrected_by is not None else ""
    body = _said(shown, key, turn) + _reply(turn) + steps_html(f"{key}-steps", turn.steps) + fix
    return tag("li", body, class_=f"turn{state}", id=key)


def _said(shown: Shown, key: str, turn: TurnView) -> str:
    link = ""
    if turn.amends is not None:
        target = tag("a", f"message {turn.amends + 1}", href=f"#{shown.key}-{turn.amends}")
        link = tag("p", f"corrects {target}", class_="chain")
    words = tag("p", safe(turn.said), class_="words", dir="auto")
    if not shown.fixing:
        return tag("div", link + words, class_="said")
    area = tag("textarea", safe(turn.said), name="text", rows=2, required=True, maxlength=4000)
    form = tag("label", "Say instead" + area) + tag("button", "Go on from here", type="submit")
    about = f"Edit message {turn.n + 1}"
    edit = tag("summary", "Edit", aria_label=about) + tag("form", form, data_do="edit", data_n=turn.n, aria_label=about)
    return tag("div", link + words + tag("details", edit, class_="edit", data_fold=f"{key}-edit"), class_="said")


def _reply(turn: TurnView) -> str:
    text = turn.reply.strip()
    calls = "\n".join([turn.calls] if isinstance(turn.calls, str) else turn.calls).strip()
    parts = [tag("pre", tag("code", safe(calls)), class_="call", tabindex=0)] if calls else []
    if text and text != calls:
        parts.append(tag("p", safe(text), class_="words", dir="auto"))
    if not parts:
        parts.append(tag("p", "(no words and no call)", class_="empty"))
    notes = ["taken back"] * bool(turn.undone)
    if turn.corrected_by is not None and not turn.undone:
        notes.append(f"replaced by message {turn.corrected_by + 1}")
    state = "".join(tag("span", safe(note), class_="state") for note in notes)
    marks = "".join(map(_mark, turn.marks))
    parts.append(tag("p", marks + state, class_="marks") if marks or state else "")
    mistakes = "".join(tag("li", safe(mistake)) for mistake in turn.mistakes)
    parts.append(tag("ul", mistakes, class_="mistakes", aria_label="Mistakes") if mistakes else "")
    return tag("div", "".join(parts), class_="reply")


def _mark(mark: str) -> str:
    known = Mark(mark)
    return tag("span", tag("span", known.glyph, aria_hidden="true") + " " + WORDS[known], class_=f"mark {known.value}")


def _fixing(shown: Shown, turn: TurnView, suggestions: Sequence[str]) -> str:
    said = [button(text, "correct", about=f"Send to {shown.label}: {text}", n=turn.n, text=text) for text in suggestions]
    offers = tag("div", "".join(said), class_="offers") if said else ""
    box = tag("input", name="text", type="text", maxlength=4000, required=True, autocomplete="off")
    own = tag("label", "What is wrong with it?" + box) + tag("button", "Correct", type="submit")
    forms = tag("form", own, data_do="correct", data_n=turn.n, aria_label=f"Correct the {shown.label}")
    if shown.other:
        many = tag("input", name="k", type="number", min=1, max=10, value=ATTEMPTS, inputmode="numeric")
        give = tag("button", f"Give this mistake to the {safe(shown.other)} model", type="submit")
        copy = give + tag("label", "attempts" + many)
        about = f"Give this mistake to the {shown.other} model"
        forms += tag("form", copy, data_do="copy", data_n=turn.n, class_="copy", aria_label=about)
    return tag("div", offers + forms, class_="fixing")
