"""The ballot of a blind battle, and what its vote brought to light, as HTML. Knows views, no names before the vote."""

from __future__ import annotations

from collections.abc import Sequence

from toolmend.apps.arena.markup import safe, tag
from toolmend.arena import TAGS, DeskView, Reveal

CHOICES = (
    ("left", "A is better", "A"),
    ("tie", "Tie", "T"),
    ("both_bad", "Both bad", "X"),
    ("right", "B is better", "B"),
)
ENDS = ("A much better", "B much better")
WON = {"a": "A won", "b": "B won", "tie": "a tie", "both_bad": "both bad"}
LIKERT = range(1, 9)
LONGEST_REASON = 2000


def ballot_html(view: DeskView) -> str:
    """The form, if there is something to vote on; one button is one vote."""
    answered = min(len(view.left.turns), len(view.right.turns))
    turns = [turn.n for turn in view.left.turns[:answered] if turn.n not in view.voted]
    if not view.open or not _ready(view):
        return ""
    choices = "".join(_press(value, words, key) for value, words, key in CHOICES)
    scale = "".join(_press(str(n), str(n), str(n), f"{n} of 8: 1 is {ENDS[0]}, 8 is {ENDS[1]}") for n in LIKERT)
    scale = tag("div", scale, class_="scale", role="group", aria_label="1 to 8")
    ends = tag("span", ENDS[0]) + scale + tag("span", ENDS[1])
    fold = tag("summary", "Reason, mistakes, only the last reply") + _more(turns)
    form = tag("div", choices, class_="choices", role="group", aria_label="Which is better?")
    form += tag("input", type="hidden", name="desk", value=view.id)
    form += tag("div", ends, class_="likert") + tag("details", fold, data_fold="more")
    return tag("form", tag("h2", "Which is better?") + form, class_="vote", data_do="vote")


def _ready(view: DeskView) -> bool:
    """Whether both were asked and nobody is writing; one of them may have given no answer."""
    sides = (view.left, view.right)
    asked = all((side.turns or side.waiting) and not side.busy for side in sides)
    return asked and any(side.turns for side in sides)


def reveal_html(reveal: Reveal) -> str:
    """Who it was, or that the battle goes on."""
    if reveal.left is None or reveal.right is None:
        return tag("p", "Your vote on this reply is kept. The battle goes on: the names come with the last vote.")
    names = zip("AB", (reveal.left, reveal.right), strict=True)
    rows = "".join(tag("li", f"{letter}: {tag('b', safe(name))}") for letter, name in names)
    won = WON[reveal.winner]
    said, more = tag("p", f"You said: {safe(won)}."), tag("p", "What you write below begins another battle.")
    return tag("section", said + tag("ul", rows) + more, class_="reveal", role="status")


def _press(value: str, words: str, key: str, about: str | None = None) -> str:
    shown = safe(words) + (tag("kbd", key, aria_hidden="true") if words != key else "")
    return tag(
        "button", shown, type="button", data_do="vote", data_choice=value, data_key=key.lower(), aria_label=about
    )


def _more(turns: Sequence[int]) -> str:
    boxes = [tag("label", _box(f"tag {each}", "yes") + safe(each.replace("_", " "))) for each in TAGS]
    reason = tag("input", name="reason", type="text", maxlength=LONGEST_REASON, autocomplete="off")
    last = _box("turn", turns[-1]) if turns else ""
    only = tag("label", last + "This vote is on the last reply only; the battle goes on") if turns else ""
    tags = tag("legend", "What was wrong") + "".join(boxes)
    return tag("label", "Why" + reason, class_="why") + tag("fieldset", tags) + only


def _box(name: str, value: object) -> str:
    return tag("input", type="checkbox", name=name, value=value)
