"""Contrast of the pages' text against what it stands on, from the one list of colours: WCAG 2.2 AA, 4.5:1."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("starlette")

from toolmend.apps.site.rendering import style

RGB = tuple[float, float, float]
LIGHT, DARK, *_ = (
    dict(re.findall(r"--(\w+): #([0-9a-f]{6})", block)) for block in re.findall(r":root \{([^}]*)\}", style())
)


def rgb(digits: str) -> RGB:
    """Red, green and blue from 0 to 1, of rrggbb."""
    red, green, blue = (int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4))
    return red, green, blue


def over(top: RGB, share: float, ground: RGB) -> RGB:
    """A colour of this opacity on another."""
    red, green, blue = (share * upper + (1 - share) * lower for upper, lower in zip(top, ground, strict=True))
    return red, green, blue


def contrast(text: RGB, ground: RGB) -> float:
    """The contrast ratio of WCAG 2.2, 1 to 21."""

    def luminance(colour: RGB) -> float:
        parts = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in colour]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    low, high = sorted((luminance(text), luminance(ground)))
    return (high + 0.05) / (low + 0.05)


def test_the_ratio_is_that_of_the_recommendation() -> None:
    assert contrast(rgb("000000"), rgb("ffffff")) == pytest.approx(21)
    assert contrast(rgb("777777"), rgb("ffffff")) == pytest.approx(4.478, abs=0.001)


@pytest.mark.parametrize("own", [LIGHT, DARK], ids=["light", "dark"])
def test_every_colour_of_text_can_be_read_wherever_it_stands(own: dict[str, str]) -> None:
    paper, raised = rgb(own["paper"]), rgb(own["raised"])
    said = over(rgb(own["accent"]), 0x22 / 255, raised)  # --strong
    pairs = [(name, ground) for name in ("ink", "soft", "accent", "bad", "good") for ground in (paper, raised)]
    ratios = {(name, ground): contrast(rgb(own[name]), ground) for name, ground in [*pairs, ("ink", said)]}
    ratios["button", said] = contrast(paper, rgb(own["accent"]))
    assert {pair: ratio for pair, ratio in ratios.items() if ratio < 4.5} == {}
