"""What a sample made its model do."""

from __future__ import annotations

from collections.abc import Callable

from toolmend.base.events import Asked, Finished, Replied, Tried
from toolmend.base.messages import Usage
from toolmend.base.mistakes import Correction
from toolmend.evals.metrics.roles import used
from toolmend.evals.store import Sample

EVENTS = [
    Asked(0, "hi"),
    Replied(0, "x", usage=Usage(10, 1, 0.5)),
    Replied(1, "x", model="given", usage=Usage(1000, 0)),
    Replied(2, "x", usage=Usage(200, 2), cached=True),
    Tried(2, "level 0", Correction("Again."), "x", usage=Usage(30, 3)),
    Tried(2, "level 1", Correction("Wrong."), "x", usage=Usage(4000, 4), cached=True),
    Finished(),
]


def test_replies_and_branches_count_where_the_model_was_asked(sample: Callable[..., Sample]) -> None:
    assert used(sample(EVENTS)) == Usage(40, 4, 0.5)
