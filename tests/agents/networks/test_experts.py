"""The net of digits as a tool."""

from __future__ import annotations

import pytest

from toolmend.messages import Call
from toolmend.tools import Toolbox


@pytest.mark.parametrize("digit", range(10))
def test_what_it_draws_it_reads(digit: int) -> None:
    box = Toolbox.load("digits")
    picture = box.run_sync(Call("digits.draw_digit", {"digit": digit, "variant": 3})).value
    seen = box.run_sync(Call("digits.read_digit", {"picture": picture})).value
    assert seen["digit"] == digit
    assert seen["bright"] > seen["second_bright"]


@pytest.mark.parametrize("picture", ["", "a 3", "@@@\n@@@\n@@@", "\n".join(["@" * 30] * 28), "\n".join(["seven"] * 8)])
def test_what_is_no_picture_is_told(picture: str) -> None:
    result = Toolbox.load("digits").run_sync(Call("digits.read_digit", {"picture": picture}))
    assert result.error is not None
    assert "no picture of a digit" in result.error
