"""A comparison as one JSON-able report, versioned, with one honest English sentence on every two sides.

docs/comparing.md names every field. Computes nothing itself: compare.py does.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from toolmend.evals.comparing.compare import Compared, Comparison, Contrast
from toolmend.evals.comparing.figures import BY_NAME, chance, change

SCHEMA = 1


def comparison_report(comparison: Comparison) -> dict[str, Any]:
    """A comparison as JSON-able data."""
    return {
        "schema": SCHEMA,
        "runs": [{**played.run.head(), "config": played.run.config.to_json()} for played in comparison.runs],
        "by": comparison.by,
        "differs": [{"field": name, "a": a, "b": b} for name, a, b in comparison.differs],
        "comparisons": [{**asdict(contrast), "verdict": verdict(contrast)} for contrast in comparison.contrasts],
        "notes": list(comparison.notes),
    }


def verdict(contrast: Contrast) -> str:
    """`B is better at first replies: +12 % (+3…+21), p 0.012 after Holm; nothing else differs beyond chance.`"""
    tested = [figure for figure in contrast.figures if figure.p is not None]
    if not tested:
        return f"{contrast.a} and {contrast.b} have nothing in common that could be compared."
    found = [figure for figure in tested if figure.beyond_chance]
    if not found:
        return _nothing(contrast, tested)
    said = [f"{_words(figure)}: {_figure(figure)}" for figure in found]
    rest = "; nothing else differs beyond chance" if len(found) < len(tested) else ""
    return f"{contrast.b} {', and '.join(said)}{rest}."


def _nothing(contrast: Contrast, tested: list[Compared]) -> str:
    cases = max(figure.cases for figure in tested)
    where = f"{cases} case{'s' if cases > 1 else ''}"
    if not any(figure.difference for figure in tested) and not contrast.cases:
        return f"{contrast.a} and {contrast.b} do not differ at all on {where}."
    nearest = min(tested, key=lambda figure: figure.p_holm if figure.p_holm is not None else 1.0)
    about = f"the nearest is {BY_NAME[nearest.figure].label} {_figure(nearest)}"
    return f"Nothing differs beyond chance between {contrast.a} and {contrast.b} on {where}; {about}."


def _words(compared: Compared) -> str:
    figure = BY_NAME[compared.figure]
    better = (compared.difference or 0.0) * figure.better > 0
    return figure.wins if better else figure.loses


def _figure(compared: Compared) -> str:
    p = chance(compared.p_holm)
    shown = change(compared.difference, compared.low, compared.high, BY_NAME[compared.figure])
    return f"{shown}, p {p} after Holm"
