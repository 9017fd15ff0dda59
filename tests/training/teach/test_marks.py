"""What the exam's answers come to, the curve, the card and the plan."""

from dataclasses import dataclass
from xml.etree import ElementTree

import pytest

from toolmend.errors import BadFile, BadOption
from toolmend.training.teach import plan as plans
from toolmend.training.teach.card import card, percent
from toolmend.training.teach.marks import figures, share
from toolmend.training.teach.plot import loss_plot


@dataclass(frozen=True)
class Answer:
    part: str
    op: str
    due: str
    got: str


RIGHT, WRONG = 'depot.move(3, shelf="B7")', 'depot.move(3, shelf="B8")'
ANSWERS = [
    Answer("same", "move", RIGHT, RIGHT),
    Answer("held_out", "move", RIGHT, WRONG),
    Answer("held_out", "move", RIGHT, "Sorry?"),
    Answer("held_out", "fix 2 wrong_value(shelf)", RIGHT, RIGHT),
    Answer("held_out", "no call", "You're welcome.", "You're welcome."),
]


def test_shares_are_counted_apart(box):
    found = figures(ANSWERS, box.specs)
    assert [(found[key]["k"], found[key]["n"]) for key in ("same", "held_out", "requests", "fix")] == [
        (1, 1),
        (2, 4),
        (1, 3),
        (1, 1),
    ]
    assert found["by_kind"] == {"fix": "1/1", "move": "0/2", "no call": "1/1"}
    assert found["fix_by_level"]["2"]["n"] == 1


def test_arguments_are_counted_one_by_one(box):
    assert figures(ANSWERS, box.specs)["by_argument"] == {"depot.move crates": "2/3", "depot.move shelf": "1/3"}


def test_a_share_has_its_wilson_interval():
    assert share([True] * 8 + [False] * 2) == {"k": 8, "n": 10, "share": 0.8, "low": 0.4902, "high": 0.9433}
    assert percent(share([True])) == "100.0 % [20.6, 100.0], 1 of 1"


def test_the_plot_is_an_svg_with_both_curves():
    rows = [{"tokens": 1000, "loss": 3.0}, {"tokens": 2000, "loss": 0.5}, {"tokens": 2000, "held_out": 0.4}]
    root = ElementTree.fromstring(loss_plot(rows, "a < b"))
    lines = [each.get("points") for each in root if each.tag.endswith("polyline")]
    assert len(lines[0].split()) == 2 and len(lines[1].split()) == 1


def test_a_plot_without_rows_is_still_one():
    ElementTree.fromstring(loss_plot([], "nothing"))


def test_the_card_says_what_was_found(box):
    trained = {
        "parameters": 1,
        "command": "c",
        "examples": 11,
        "teacher": "",
        "positions": 2,
        "held_out": 2,
        "start": "builtin/small",
    }
    text = card("p", "depot", trained, figures(ANSWERS, box.specs), [("say", "due", "got")])
    assert "50.0 % [15.0, 85.0], 2 of 4" in text and "said: `got`" in text


def test_the_plan_fits_the_minutes():
    assert plans.plan_for(5, 60, 5000, "x").positions == 4_500_000 // 4096 * 4096
    assert plans.plan_for(5, 10, 5000, "x").positions == 2_850_000 // 4096 * 4096
    with pytest.raises(BadOption, match=r"--minutes 0.1 is too short to learn anything here; give 0.6 at least"):
        plans.plan_for(5, 0.1, 5000, "x")


def test_a_plan_is_kept_and_known_again(tmp_path):
    assert plans.kept(tmp_path, "x") is None
    plan = plans.plan_for(5, 10, 5000, "x")
    plans.keep(tmp_path, plan)
    assert plans.kept(tmp_path, "x") == plan
    with pytest.raises(BadOption, match="the training of other tools or examples"):
        plans.kept(tmp_path, "y")


def test_a_broken_plan_is_named(tmp_path):
    (tmp_path / "plan.json").write_text("{", encoding="utf-8")
    with pytest.raises(BadFile, match=r"plan.json: no plan of a training"):
        plans.kept(tmp_path, "x")
