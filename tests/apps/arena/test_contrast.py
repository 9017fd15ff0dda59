"""Contrast of the pages' text against what it stands on, from the style sheets and the theme: WCAG 2.2 AA, 4.5:1."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

pytest.importorskip("gradio")
pytest.importorskip("itsdangerous")

from toolmend.apps.arena.frame import CSS, theme

AA, THEME = 4.5, theme()
PLAIN = files("toolmend.apps.arena.pages").joinpath("style.css").read_text(encoding="utf-8")
NAMED = {"white": "#ffffff", "black": "#000000"}
PAGE, SECOND, BLOCK = "body_background_fill", "background_fill_secondary", "block_background_fill"
INPUT, BUTTON, BUTTON_OVER = ("input_background_fill", "button_secondary_background_fill",
                              "button_secondary_background_fill_hover")  # fmt: skip
PRESS, PRESS_OVER = "button_primary_background_fill", "button_primary_background_fill_hover"
BODY, DIM = "body_text_color", "body_text_color_subdued"
# What style.css and Gradio put on what; "--" are colours of style.css, the share is the opacity where it is not 1.
PAIRS = (
    *(("--good", PAGE, 1.0), ("--bad", PAGE, 1.0), ("--accent", PAGE, 1.0), (BODY, PAGE, 1.0), (DIM, PAGE, 1.0)),
    *(("--good", BLOCK, 1.0), ("--bad", BLOCK, 1.0), ("--accent", BLOCK, 1.0), (BODY, BLOCK, 1.0), (DIM, BLOCK, 1.0)),
    *((BODY, SECOND, 1.0), (DIM, SECOND, 1.0), (BODY, SECOND, 0.85)),  # calls, steps, calls that are struck through
    *(("--good", SECOND, 1.0), ("--bad", SECOND, 1.0)),  # what a call would change
    *((BODY, BUTTON, 1.0), (BODY, BUTTON, 0.75), ("button_secondary_text_color", BUTTON, 1.0)),  # the keys on a button
    *(("button_secondary_text_color", BUTTON_OVER, 1.0), (BODY, INPUT, 1.0), ("input_placeholder_color", INPUT, 1.0)),
    *(("button_primary_text_color", PRESS, 1.0), ("button_primary_text_color", PRESS_OVER, 1.0)),
    *(("block_title_text_color", BLOCK, 1.0), ("block_label_text_color", BLOCK, 1.0)),
)
RGB = tuple[float, float, float]


def rgb(colour: str) -> tuple[RGB, float]:
    """Red, green and blue from 0 to 1, and how opaque: of #rgb, #rgba, #rrggbb, #rrggbbaa."""
    digits = colour.removeprefix("#")
    digits = "".join(2 * each for each in digits) if len(digits) < 6 else digits
    parts = [int(digits[at : at + 2], 16) / 255 for at in range(0, len(digits), 2)]
    return (parts[0], parts[1], parts[2]), parts[3] if len(parts) > 3 else 1.0


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


def declared(css: str, mode: str) -> dict[str, str]:
    """The custom colours of a style sheet: the first block that declares some is light, the second dark."""
    blocks = [dict(re.findall(r"(--[\w-]+): (#[0-9a-fA-F]+)", each)) for each in re.findall(r"\{([^{}]*)\}", css)]
    light, dark = [each for each in blocks if "--good" in each]
    return light if mode == "light" else {**light, **dark}


def themed(name: str, mode: str) -> str:
    """A colour of the theme, followed to the end."""
    value = getattr(THEME, f"{name}_dark", None) if mode == "dark" else None
    value = value or getattr(THEME, name)
    return themed(value[1:], mode) if value.startswith("*") else NAMED.get(value, value)


def test_the_ratio_is_that_of_the_recommendation() -> None:
    assert contrast(rgb("#000")[0], rgb("#fff")[0]) == pytest.approx(21)
    assert contrast(rgb("#777777")[0], rgb("#ffffff")[0]) == pytest.approx(4.478, abs=0.001)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_the_page_can_be_read(mode: str) -> None:
    own = declared(CSS, mode)
    short = {}
    for text, under, share in PAIRS:
        ground = rgb(themed(under, mode))[0]
        written = rgb(own[text] if text.startswith("--") else themed(text, mode))[0]
        ratio = contrast(over(written, share, ground), ground)
        if ratio < AA:
            short[text, under, share] = round(ratio, 2)
    assert short == {}


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_what_was_said_can_be_read_on_its_tint(mode: str) -> None:
    tint, share = rgb(declared(CSS, mode)["--tint"])
    ground = over(tint, share, rgb(themed(PAGE, mode))[0])
    assert contrast(rgb(themed(BODY, mode))[0], ground) >= AA


@pytest.mark.parametrize(("mode", "text", "page"), [("light", "#000000", "#ffffff"), ("dark", "#ffffff", "#121212")])
def test_the_plain_pages_can_be_read(mode: str, text: str, page: str) -> None:
    """On the browser's own page, black on white or Chromium's dark; `--soft` lies under code, 0.8 is the opacity."""
    own, ground = declared(PLAIN, mode), rgb(page)[0]
    soft, share = rgb(own["--soft"])
    grounds = (ground, over(soft, share, ground))
    ratios = [contrast(rgb(own[name])[0], each) for name in ("--good", "--bad", "--link") for each in grounds]
    ratios += [contrast(over(rgb(text)[0], 0.8, each), each) for each in grounds]
    assert min(ratios) >= AA
