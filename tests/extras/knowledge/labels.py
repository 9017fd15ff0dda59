"""The labelled sources of labelled.md, read as any Markdown is, and how well scores agree with the labels."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np
import yaml

from toolmend.extras.knowledge import Others, Outside, Source, Trust, canonical, judge
from toolmend.extras.knowledge.collect import Item
from toolmend.extras.knowledge.collect.reading import read

FILE = Path(__file__).with_name("labelled.md")
AS_OF = date(2026, 11, 20)


@dataclass(frozen=True)
class Labelled:
    """A source, its label (0 to 100), and what the file says about it from outside."""

    number: int
    label: int
    source: Source
    outside: tuple[Outside, ...]


def labelled() -> list[Labelled]:
    """All of them; odd numbers are the dev half."""
    made = []
    for number, piece in enumerate(FILE.read_text(encoding="utf-8").split("=====\n")[1:], start=1):
        (source,) = read(Item(piece.encode(), f"{number}.md", f"file:///{number}.md"))
        assert isinstance(source, Source), source
        header = yaml.safe_load(piece.split("---")[1])
        outside = [
            Outside(canonical(header["url"]), fact["says"], fact["by"], str(fact["date"]), "", fact.get("quote", ""))
            for fact in header.get("outside", ())
        ]
        made.append(Labelled(number, header["label"], source, tuple(outside)))
    return made


def judged(rows: list[Labelled]) -> list[Trust]:
    """Their trust, each beside all others."""
    others = Others.of([row.source for row in rows], [fact for row in rows for fact in row.outside])
    return [judge(row.source, AS_OF, others) for row in rows]


def correlation(rows: list[Labelled], trusts: list[Trust], rest: int | None = None) -> float:
    """Spearman's rank correlation of labels and scores; `rest` 1 the odd numbers, 0 the even ones, None all."""
    pairs = [(row.label, each.score) for row, each in zip(rows, trusts, strict=True) if rest in (None, row.number % 2)]
    labels, scores = np.array(pairs).T
    return float(np.corrcoef(_ranks(labels), _ranks(scores))[0, 1])


def _ranks(values: np.ndarray) -> np.ndarray:
    """Ranks; equal values share the mean of theirs."""
    return np.array([(values < each).sum() + ((values == each).sum() - 1) / 2 for each in values])
