"""The picture of a training."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from toolmend.training.adapter.curve import curve_svg

CURVE = [
    {"step": 0, "tokens": 0, "loss": None, "held_out_loss": 2.0},
    {"step": 9, "tokens": 1000, "loss": 1.5, "held_out_loss": 1.0},
]


def test_lines_of_what_was_measured() -> None:
    root = ET.fromstring(curve_svg(CURVE))
    lines = [each.attrib["points"] for each in root if each.tag.endswith("polyline")]
    assert lines == ["624.0,82.0", "56.0,16.0 624.0,148.0"]
    assert [each.text for each in root if each.tag.endswith("text")] == [
        "2.00", "0", "1,000 padded tokens", "learning", "held out",
    ]  # fmt: skip


def test_nothing_measured_is_an_empty_picture() -> None:
    assert ET.fromstring(curve_svg([{"step": 0, "tokens": 0}])) is not None
