"""A side's talk as HTML: what was said, the call, its marks and mistakes, and what one can do about it.

Every button and form carries `data-do`, which page.js tells the server. Knows views, and neither desks nor Gradio.
"""

from __future__ import annotations

from collections.abc import Sequence

from toolmend.apps.arena.markup import button, safe, tag
from toolmend.apps.arena.question import decisions_html, question_html
from toolmend.apps.arena.steps import steps_html
from toolmend.arena.views import AttemptView, SideView, TurnView, other
from toolmend.mistakes import Mark

WORDS = {
    Mark.CORRECT: "correct",
    Mark.MISTAKE: "mistake",
    Mark.GARBAGE: "garbage",
    Mark.FIXED: "fixed",
    Mark.RECURRING: "the same mistake again",
    Mark.REGRESSED: "was right before",
}
LONGEST = 4000
ATTEMPTS = 3
_EMPTY = "Nothing said yet. Write below, to this side or to both."
_BLIND_EMPTY = "Nothing said yet. Both answer the same words."


def talk_html(side: SideView, suggestions: Sequence[str] = (), *, fixing: bool = True) -> str:
    """The whole talk as a log. `fixing` offers edits, and below the last reply corrections."""
    rows = [_turn(side, turn, fixing) for turn in side.turns]
    if side.waiting:
        stopped = "" if side.busy else tag("p", safe(side.problem or "no answer yet: Retry asks again"), class_="state")
        rows.append(tag("li", _words(side.waiting, "said") + stopped, class_="turn"))
    told = tag("p", safe(side.origin), class_="origin") if side.origin else ""
    if not rows:
        return told + tag("p", safe(_EMPTY if fixing else _BLIND_EMPTY), class_="empty") + _next(side)
    talk = tag("ol", "".join(rows), class_="turns", role="log", aria_label=f"Talk on the {side.side}")
    after = [_attempts(side.attempts), question_html(side.side, side.question) if side.question else ""]
    if fixing and not side.busy:
        after += [_fixing(side, suggestions) if side.turns else "", _next(side)]
    return told + talk + "".join(after)


def live_html(side: str, text: str, busy: bool) -> str:
    """What is being written; "" when nobody writes."""
    if not busy:
        return ""
    words = tag("span", safe(text), class_="text") if text else tag("span", "thinking", class_="waiting")
    return tag("div", words, class_="live", role="status", aria_label=f"{side} is answering", aria_live="off")


def _turn(side: SideView, turn: TurnView, fixing: bool) -> str:
    key = f"{side.side}-{turn.n}"
    state = " replaced" if turn.corrected_by is not None or turn.undone else ""
    body = _said(side, turn, key, fixing) + _reply(turn) + steps_html(f"{key}-steps", turn.steps)
    return tag("li", body, class_=f"turn{state}", id=key)


def _words(text: str, name: str) -> str:
    return tag("div", tag("p", safe(text), class_="words", dir="auto"), class_=name)


def _said(side: SideView, turn: TurnView, key: str, fixing: bool) -> str:
    parts = []
    if turn.amends is not None:
        target = tag("a", f"message {turn.amends + 1}", href=f"#{side.side}-{turn.amends}")
        parts.append(tag("p", f"{'corrects' if turn.correction else 'changes'} {target}", class_="chain"))
    parts.append(tag("p", safe(turn.said), class_="words", dir="auto"))
    if fixing:
        area = tag("textarea", safe(turn.said), name="text", rows=2, required=True, maxlength=LONGEST)
        form = tag("label", "Say instead" + area) + tag("button", "Go on from here", type="submit")
        about = f"Edit message {turn.n + 1}"
        fold = tag("summary", "Edit", aria_label=about) + tag("form", form, data_do="edit", data_n=turn.n)
        parts.append(tag("details", fold, class_="edit", data_fold=f"{key}-edit"))
    return tag("div", "".join(parts), class_="said")


def _reply(turn: TurnView) -> str:
    text, calls = turn.reply.strip(), "\n".join(turn.calls)
    unrun = [each.call for each in turn.decisions if each.decision != "allowed"]
    parts = [tag("pre", tag("code", safe(calls)), class_="call", tabindex=0)] if calls else []
    if text and not _is_call(text, [*turn.calls, *unrun]):
        parts.append(tag("p", safe(text), class_="words", dir="auto"))
    parts += [decisions_html(turn.decisions)] * bool(turn.decisions)
    if not parts:
        parts.append(tag("p", "(no words and no call)", class_="empty"))
    parts.append(_verdict(turn))
    found = [*turn.mistakes, *(f"the tool refused: {error}" for error in turn.errors)]
    if found:
        mistakes = "".join(tag("li", safe(mistake)) for mistake in found)
        parts.append(tag("ul", mistakes, class_="mistakes", aria_label="Mistakes"))
    return tag("div", "".join(parts), class_="reply")


def _is_call(text: str, calls: Sequence[str]) -> bool:
    """Whether a reply is no more than its calls, perhaps written otherwise; the steps have it to the letter."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    heads = [call.partition("(")[0].rpartition(".")[2] for call in calls]
    return len(lines) == len(calls) and all(
        line.endswith(")") and line.partition("(")[0].rpartition(".")[2] == head
        for line, head in zip(lines, heads, strict=True)
    )


def _verdict(turn: TurnView) -> str:
    notes = ["brought along"] * turn.given
    if turn.corrected_by is not None:
        notes.append(f"corrected in message {turn.corrected_by + 1}")
    elif turn.undone:
        notes.append("taken back")
    if turn.judged == "tool" and turn.marks:
        notes.append("no case loaded: only what the tool accepted")
    states = "".join(tag("span", safe(note), class_="state") for note in notes)
    marks = "".join(mark_html(mark, turn.marks.count(mark)) for mark in dict.fromkeys(turn.marks))
    return tag("p", marks + states, class_="marks") if marks or states else ""


def mark_html(mark: Mark, times: int = 1) -> str:
    """A mark as the blog's sign and a word, and how many times it was given."""
    sign, words = tag("span", mark.glyph, aria_hidden="true"), WORDS[mark] + f" ×{times}" * (times > 1)
    return tag("span", f"{sign} {words}", class_=f"mark {mark.value}")


def _fixing(side: SideView, suggestions: Sequence[str]) -> str:
    n, where = side.turns[-1].n, side.side
    said = [button(text, "correct", about=f"Correct the {where} side: {text}", n=n, text=text) for text in suggestions]
    offers = tag("div", "".join(said), class_="offers", role="group", aria_label="Corrections") if said else ""
    box = tag("input", name="text", type="text", maxlength=LONGEST, required=True, autocomplete="off")
    own = tag("label", "What is wrong? (said to this side only)" + box)
    correct = tag("form", own + tag("button", "Correct", type="submit"), data_do="correct", data_n=n)
    many = tag("input", name="k", type="number", min=1, max=10, value=ATTEMPTS, inputmode="numeric")
    give = tag("button", "Give this mistake to the other model", type="submit", title=f"to the {other(where)} side")
    copy = tag("form", give + tag("label", "attempts" + many), data_do="copy", data_n=n, class_="copy")
    return tag("div", offers + correct + copy, class_="fixing")


def _next(side: SideView) -> str:
    if not side.next:
        return ""
    press = button(side.next, "say", about=f"Say to the {side.side} side: {side.next}", text=side.next)
    begin = "The case goes on:" if side.turns else "The case begins:"
    return tag("div", tag("span", begin) + press, class_="offers goes-on")


def _attempts(attempts: Sequence[AttemptView]) -> str:
    if not attempts:
        return ""
    rows = []
    for number, attempt in enumerate(attempts, 1):
        link = tag("a", f"attempt {number}", href=f"/c/{attempt.conversation}")
        rows.append(tag("li", link + _reply(attempt.turn)))
    many = f"{len(attempts)} attempt{'s' * (len(attempts) != 1)}"
    fixed = sum(Mark.FIXED in attempt.turn.marks for attempt in attempts)
    known = any(attempt.turn.judged == "case" for attempt in attempts)
    head = tag("h3", f"{fixed} of {many} fixed it" if known else f"{many}, no case loaded to judge by")
    return tag("section", head + tag("ol", "".join(rows)), class_="attempts")
