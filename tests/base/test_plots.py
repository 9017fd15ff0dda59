"""Curves and grids as pictures: whole XML, whole PNG, marks where the figures say."""

from __future__ import annotations

import struct
import zlib
from xml.etree import ElementTree as Xml

from pictures import pixel_grids

from toolmend.base.plots import curve_plot, table_html

SVG = "{http" + "://www.w3.org/2000/svg}"


def test_a_curve_has_a_mark_for_each_point_and_its_name() -> None:
    plot = curve_plot("a < b", {"LSH": [(0.2, 100, "one"), (0.9, 10, "two")]}, "recall", "queries", log=True)
    tree = Xml.fromstring(plot.svg)
    marks = tree.findall(f"{SVG}circle")
    assert [mark.findtext(f"{SVG}title") for mark in marks] == ["LSH one", "LSH two"]
    assert float(marks[0].attrib["cx"]) < float(marks[1].attrib["cx"])
    assert float(marks[0].attrib["cy"]) < float(marks[1].attrib["cy"])
    words = [node.text for node in tree.findall(f"{SVG}text")]
    assert {"a < b", "recall", "queries", "LSH"} <= set(words)


def test_one_point_and_none_are_drawn() -> None:
    Xml.fromstring(curve_plot("one", {"x": [(1.0, 1.0, "")]}, "a", "b").svg)
    Xml.fromstring(curve_plot("none", {}, "a", "b", log=True).svg)


def test_grids_are_a_picture_of_their_size_green_above_zero_and_red_below() -> None:
    png = pixel_grids([[[1.0, -0.5]], [[0.0, 2.0]], [[0.0, 0.0]]], across=2, zoom=1).png
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    wide, tall = struct.unpack(">II", png[16:24])
    assert (wide, tall) == (6, 4)
    size = struct.unpack(">I", png[33:37])[0]
    rows = zlib.decompress(png[41 : 41 + size])
    assert len(rows) == tall * (1 + 3 * wide)
    assert list(rows[1:7]) == [63, 255, 63, 127, 25, 25]


def test_a_table_escapes_its_cells_and_keeps_their_lines() -> None:
    table = table_html(("a", "<"), [(1, None), ("x\ny", "<i>")])
    assert table == (
        "<table><tr><th>a</th><th>&lt;</th></tr><tr><td>1</td><td></td></tr>"
        "<tr><td>x<br>y</td><td>&lt;i&gt;</td></tr></table>"
    )
