"""Every family's replies are read; what is cut or wrongly closed is a problem with its name, and no call."""

from __future__ import annotations

import pytest

from fakes.replies import BROKEN, REPLIES, SPECS
from toolmend.base.messages import Call
from toolmend.reading import read


@pytest.mark.parametrize(("family", "text", "calls", "words"), REPLIES)
def test_a_reply_is_read(family: str, text: str, calls: tuple[Call, ...], words: str | None) -> None:
    reading = read(text, SPECS)
    assert (reading.calls, reading.problem) == (calls, None)
    assert words is None or reading.rest == words


@pytest.mark.parametrize(("family", "text", "problem"), BROKEN)
def test_what_is_cut_is_a_problem(family: str, text: str, problem: str) -> None:
    reading = read(text, SPECS)
    assert (reading.calls, reading.problem) == ((), "syntax")
    assert problem in reading.detail


def test_sixty_replies_of_eighteen_families() -> None:
    assert len(REPLIES) >= 60
    assert len({family for family, *_ in REPLIES}) >= 18
