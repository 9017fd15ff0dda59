"""Ratings that others published, as rows to stand beside measured ones and never to be mixed into them.

They ship as evals/suites/shipped/published/labels.json: people and GPT-4 as labellers of the same four models, 2023.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """One line of a published table; no interval where none was printed."""

    contestant: str
    rating: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Published:
    """One published table. `percentiles` are those of its intervals, which differ from table to table."""

    id: str
    title: str
    labeller: str
    ties: bool
    percentiles: tuple[float, float] | None
    rows: tuple[PublishedRow, ...]
    source: str
    date: str


def published_tables() -> tuple[Published, ...]:
    """Every table that ships, in the order of its source."""
    text = files("toolmend.evals.suites.shipped").joinpath("published", "labels.json").read_text(encoding="utf-8")
    data = json.loads(text)
    return tuple(
        Published(
            table["id"],
            table["title"],
            table["labeller"],
            table["ties"],
            tuple(table["percentiles"]) if table["percentiles"] else None,
            tuple(PublishedRow(row["model"], row["rating"], row.get("low"), row.get("high")) for row in table["rows"]),
            data["source"],
            data["date"],
        )
        for table in data["tables"]
    )
