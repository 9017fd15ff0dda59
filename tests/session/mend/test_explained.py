"""Whether a complaint says more than that something is wrong (sentences: ours)."""

import datetime as dt

import pytest

from toolmend.base.messages import Call, ToolSpec
from toolmend.session.mend.case import MendCase
from toolmend.session.mend.explained import only_complains, says_more

BOOK = ToolSpec(
    "book_table",
    parameters={
        "type": "object",
        "properties": {
            "restaurant": {"type": "string"},
            "city": {"type": "string"},
            "date": {"type": "string", "format": "date"},
            "time": {"type": "string", "format": "time"},
            "guests": {"type": "integer"},
            "seating": {"type": "string", "enum": ["indoor", "terrace"]},
            "smoking": {"type": "boolean"},
        },
        "required": ["restaurant", "city", "date", "time"],
    },
)
TABLE = Call(
    "book_table",
    {
        "restaurant": "Oliva",
        "city": "Kiel",
        "date": "2026-03-06",
        "time": "19:00",
        "guests": 2,
        "seating": "indoor",
        "smoking": False,
    },
    id="c1",
)


def case(said: str) -> MendCase:
    request = "A table at Oliva in Kiel on Friday at seven in the evening"
    return MendCase(said, (TABLE,), (BOOK,), request, (TABLE,), now=dt.datetime(2026, 3, 4, 9))


@pytest.mark.parametrize(
    ("said", "more"),
    [
        ("That's wrong.", False),
        ("The time is wrong.", False),
        ("Not at seven in the evening!", False),
        ("Wrong API call.", False),
        ("That's wrong, it is at 9 pm.", True),
        ("Wrong, I meant Lübeck.", True),
        ("No, the terrace.", True),
    ],
)
def test_a_complaint_says_more_where_it_gives_something_new(said, more):
    assert says_more(case(said)) is more


@pytest.mark.parametrize(
    ("said", "only"),
    [("The date is wrong.", True), ("That's the wrong restaurant.", True), ("The date is wrong, it is Monday.", False)],
)
def test_a_complaint_alone_has_no_other_words(said, only):
    assert only_complains(case(said)) is only
