"""Which words of a sentence say which value: literal sentences and wordings."""

from __future__ import annotations

import pytest

from toolmend.base.messages import Call
from toolmend.tools import Toolbox
from toolmend.training.teach.slots import aligned

MOVE = Call("depot.move", {"crates": 3, "shelf": "B7"})
COLLECT = Call("depot.collect", {"goods": ["apples", "plums"], "day": "2025-05-03", "by": "van"})


def wording(box: Toolbox, said: str, *calls: Call) -> str:
    return aligned(said, calls, {spec.full_name: spec for spec in box.specs}).wording


@pytest.mark.parametrize(
    ("said", "call", "expected"),
    [
        ("Move 3 crates to B7", MOVE, "Move {crates} crates to {shelf}"),
        ("put three on b7, please", MOVE, "put {crates} on {shelf}, please"),
        ("B7 wants them", MOVE, "{shelf} wants them{crates=3}"),
        ("Get apples and plums by van on May 3, 2025", COLLECT, "Get {goods} by {by} on {day}"),
        ("apple, plums tomorrow by van", COLLECT, "{goods} {day} by {by}"),
        (
            "2 pans and 12 lids",
            Call("depot.pack", {"things": [{"what": "pan", "count": 2}, {"what": "Lid", "count": 12}]}),
            "{things__0__count} {things__0__what} and {things__1__count} {things__1__what}",
        ),
    ],
)
def test_a_value_becomes_a_slot(box: Toolbox, said: str, call: Call, expected: str) -> None:
    assert wording(box, said, call) == expected


def test_a_list_that_no_word_says_makes_no_wording(box: Toolbox) -> None:
    assert wording(box, "the usual by van tomorrow", COLLECT) == ""


def test_brackets_of_a_sentence_make_no_wording(box: Toolbox) -> None:
    assert wording(box, "Move 3 crates [soon] to B7", MOVE) == ""


def test_the_words_of_several_calls_are_numbered(box: Toolbox) -> None:
    one = aligned(
        "3 crates to B7 and four to C2",
        [MOVE, Call("depot.move", {"crates": 4, "shelf": "C2"})],
        {spec.full_name: spec for spec in box.specs},
    )
    assert one.words == {"0:crates": "3", "0:shelf": "B7", "1:crates": "four", "1:shelf": "C2"}
    assert one.wording == ""
