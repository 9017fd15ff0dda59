"""Example files: every error with its line."""

import pytest

from toolmend.base.errors import BadFile
from toolmend.base.messages import Call
from toolmend.training.teach.examples import missing, read_examples

MOVE = Call("depot.move", {"crates": 3, "shelf": "B7"})


def read(tmp_path, box, text, name="e.txt"):
    (tmp_path / name).write_text(text, encoding="utf-8")
    return read_examples(tmp_path / name, box)


def test_a_plain_line(tmp_path, box):
    [found] = read(tmp_path, box, '# how\n\nMove 3 crates to B7 => depot.move(3, "B7")\n')
    assert (found.said, found.calls, found.amends, found.line) == ("Move 3 crates to B7", (MOVE,), None, 3)


def test_an_indented_line_corrects_the_one_above(tmp_path, box):
    first, second = read(tmp_path, box, 'Go => depot.move(3, "B7")\n  No, 4 => depot.move(4, "B7")\n')
    assert second.amends is first
    assert second.calls[0].arguments == {"crates": 4, "shelf": "B7"}


def test_several_calls_and_words_without_one(tmp_path, box):
    both, thanks = read(tmp_path, box, 'Go => depot.move(3, "B7") => depot.move(4, "C1")\nThanks => "Fine."\n')
    assert (len(both.calls), thanks.calls, thanks.reply) == (2, (), "Fine.")


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("Move it", r"e.txt:2: should be `what somebody says => the call`"),
        ('Move => depot.mvoe(3, "B7")', "e.txt:2: .*depot.mvoe"),
        ('Move => depot.move("three", "B7")', "e.txt:2: .*crates"),
        ('Move => depot.move("3", "B7")', "e.txt:2: .*value of another type"),
        ('Move => Sure! depot.move(3, "B7")', "e.txt:2: .*is not one plain call"),
        ('Move => depot.move(3, "B7"', "e.txt:2: .*is not one plain call"),
        ('Thanks => "Fine', "e.txt:2: .*no quoted text"),
        (' => depot.move(3, "B7")', "e.txt:2: should be `what somebody says"),
    ],
)
def test_a_broken_line_is_named(tmp_path, box, line, what):
    with pytest.raises(BadFile, match=what):
        read(tmp_path, box, f"# first\n{line}\n")


def test_the_first_line_cannot_correct(tmp_path, box):
    with pytest.raises(BadFile, match=r"e\.txt:1: an indented line"):
        read(tmp_path, box, '  No => depot.move(3, "B7")\n')


def test_too_few_examples_are_counted_by_tool(tmp_path, box):
    found = read(tmp_path, box, 'Go => depot.move(3, "B7")\n')
    assert missing(found, box) == [
        "depot.move: 1 of 5 examples", "depot.collect: 0 of 5 examples", "depot.pack: 0 of 5 examples",
    ]  # fmt: skip
