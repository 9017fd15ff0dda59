"""The published tables that ship, and the picture of them."""

from __future__ import annotations

import xml.etree.ElementTree as Xml

from toolmend.extras.arena.ratings import interval_plot, published_tables


def test_the_tables() -> None:
    tables = {table.id: table for table in published_tables()}
    assert len(tables) == 8
    assert sum(len(table.rows) for table in tables.values()) == 36
    human = tables["human_no_ties"]
    assert (human.labeller, human.ties, human.percentiles, human.date) == ("human", False, (5, 95), "2023-06-12")
    assert [(row.contestant, row.rating, row.low, row.high) for row in human.rows] == [
        ("Vicuna-13B", 1140, 1061, 1219),
        ("Koala-13B", 1073, 999, 1147),
        ("Oasst-12B", 986, 913, 1061),
        ("Dolly-12B", 802, 730, 878),
    ]
    assert tables["gpt4_scores_not_likert_no_ties"].rows[0].low is None


def test_a_plot_is_well_formed_and_escaped() -> None:
    rows = [(row.contestant, row.rating, row.low, row.high) for row in published_tables()[0].rows]
    plot = interval_plot("a < b & c", {"published": rows, "<own>": [("Dolly-12B", 800.0, None, None)]})
    texts = [each.text for each in Xml.fromstring(plot.svg).iter("{http://www.w3.org/2000/svg}text")]
    assert texts[0] == "a < b & c"
    assert {"700", "1200", "Vicuna-13B", "<own>"} <= set(texts)
    assert len(list(Xml.fromstring(plot.svg).iter("{http://www.w3.org/2000/svg}circle"))) == 5
    assert plot._repr_svg_() == plot.svg


def test_a_plot_of_one_value_and_of_nothing() -> None:
    Xml.fromstring(interval_plot("one", {"g": [("x", 1000.0, 1000.0, 1000.0)]}).svg)
    Xml.fromstring(interval_plot("none", {}).svg)
