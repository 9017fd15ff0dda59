"""The net of digits as a tool."""

from __future__ import annotations

import pytest

from toolmend.messages import Call
from toolmend.tools import Toolbox


def test_most_of_what_it_draws_it_reads() -> None:
    box, right = Toolbox.load("digits"), 0
    for digit in range(10):
        for variant in (1, 2):
            drawn = box.run_sync(Call("digits.draw_digit", {"digit": digit, "variant": variant}))
            seen = box.run_sync(Call("digits.read_digit", {"picture": drawn.value})).value
            right += seen["digit"] == digit
            assert 1 >= seen["bright"] >= seen["second_bright"] >= 0
    assert right >= 18


@pytest.mark.parametrize("picture", ["", "a 3", "@@@\n@@@\n@@@", "\n".join(["@" * 30] * 28), "\n".join(["seven"] * 8)])
def test_what_is_no_picture_is_told(picture: str) -> None:
    result = Toolbox.load("digits").run_sync(Call("digits.read_digit", {"picture": picture}))
    assert result.error is not None
    assert "no picture of a digit" in result.error
