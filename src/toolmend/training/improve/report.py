"""An improvement as one JSON-able report, versioned: docs/improving.md names every field. Computes nothing."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolmend.training.improve.improve import Improved, Round
    from toolmend.training.improve.measured import Moved, Part

SCHEMA = 1


def report(found: Improved) -> dict[str, Any]:
    """The whole of it."""
    asked, checked = found.checked.asked, found.checked
    return {
        "schema": SCHEMA,
        "model": asked.model,
        "suite": checked.suite.name,
        "suite_hash": checked.suite.hash,
        "strategy": asked.strategy,
        "kept": found.out is not None,
        "preset": None if found.out is None else str(found.out),
        "store": str(asked.work / "runs.db"),
        "hold": checked.hold,
        "held_cases": sorted(checked.held),
        "mix": checked.mix,
        "recipe": asdict(asked.recipe),
        "rounds": [_round(each) for each in found.rounds],
        "notes": list(checked.notes),
    }


def _round(each: Round) -> dict[str, Any]:
    verdict = each.verdict
    return {
        "round": each.number,
        "model": each.model,
        "preset": each.preset or None,
        "mistakes": each.mistakes,
        "data": dict(each.data),
        "training": dict(each.training),
        "kept": each.kept,
        "why": list(verdict.why) if verdict else ["no mistake to learn from"],
        "parts": [part_json(one) for one in each.parts],
    }


def part_json(part: Part) -> dict[str, Any]:
    """Some cases of a suite, before and after."""
    return {
        "name": part.name,
        "suite": part.suite,
        "decides": part.decides,
        "cases": part.cases,
        "runs": {"before": part.runs[0], "after": part.runs[1]},
        "figures": [moved_json(each) for each in part.moved],
    }


def moved_json(moved: Moved) -> dict[str, Any]:
    """One rate."""
    return {**asdict(moved), "way": moved.way}
