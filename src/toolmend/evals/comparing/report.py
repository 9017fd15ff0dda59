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
        "runs": [{**each.run.head(), "config": each.run.config.to_json()} for each in comparison.runs],
        "by": comparison.by,
        "differs": [{"field": name, "a": a, "b": b} for name, a, b in comparison.differs],
        "comparisons": [{**asdict(each), "verdict": verdict(each)} for each in comparison.contrasts],
        "notes": list(comparison.notes),
    }


def verdict(contrast: Contrast) -> str:
    """`B is better at first replies: +12 % (+3…+21), p 0.012 after Holm; nothing else differs beyond chance.`"""
    tested = [each for each in contrast.figures if each.p is not None]
    if not tested:
        return f"{contrast.a} and {contrast.b} have nothing in common that could be compared."
    found = [each for each in tested if each.beyond_chance]
    if not found:
        return _nothing(contrast, tested)
    said = [f"{_words(each)}: {_figure(each)}" for each in found]
    rest = "; nothing else differs beyond chance" if len(found) < len(tested) else ""
    return f"{contrast.b} {', and '.join(said)}{rest}."


def _nothing(contrast: Contrast, tested: list[Compared]) -> str:
    cases = max(each.cases for each in tested)
    where = f"{cases} case{'s' if cases > 1 else ''}"
    if not any(each.difference for each in tested) and not contrast.cases:
        return f"{contrast.a} and {contrast.b} do not differ at all on {where}."
    nearest = min(tested, key=lambda each: each.p_holm if each.p_holm is not None else 1.0)
    about = f"the nearest is {BY_NAME[nearest.figure].label} {_figure(nearest)}"
    return f"Nothing differs beyond chance between {contrast.a} and {contrast.b} on {where}; {about}."


def _words(each: Compared) -> str:
    figure = BY_NAME[each.figure]
    better = (each.difference or 0.0) * figure.better > 0
    return figure.wins if better else figure.loses


def _figure(each: Compared) -> str:
    p = chance(each.p_holm)
    shown = change(each.difference, each.low, each.high, BY_NAME[each.figure])
    return f"{shown}, p {p} after Holm"
