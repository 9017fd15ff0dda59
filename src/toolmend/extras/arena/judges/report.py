"""A judge as JSON-able data and as tables: its habits, and how it stands to people. Computes nothing but verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from toolmend.evals.reports.tables import Cell, Table, TableRow
from toolmend.extras.arena.judges.calibration import Agreed, Calibration, Estimate
from toolmend.extras.arena.judges.habits import Habits, Share
from toolmend.extras.arena.judges.judgements import JudgingTerms

Data = Mapping[str, Any]


def habits_as_dict(terms: JudgingTerms, found: Habits, *, band: bool, errors: int) -> dict[str, Any]:
    """Everything about a judge's habits."""
    figures = asdict(found)
    for name in ("flips", "halves", "first", "longer"):
        figures[name] = {"value": getattr(found, name).value, **figures[name]}
    told = {"schema": 1, "judge": asdict(terms), "band": band, "errors": errors, "habits": figures}
    return {**told, "warnings": list(habit_notes(found, errors))}


def habit_tables(terms: JudgingTerms, found: Habits) -> list[Table]:
    """One table: a figure on each line."""
    whole = found.matches - found.incomplete
    counts = (
        ("matches judged in both orders", whole, found.matches),
        ("answers that cannot be read", found.unreadable, found.judgements),
        ("answers out of range", found.out_of_range, found.judgements),
        ("questions that did not fit", found.truncated, found.judgements),
    )
    rows = [TableRow(head, (Cell(f"{count:,} of {every:,}"), Cell(""))) for head, count, every in counts]
    rows += [
        _share_row("flips when the sides are exchanged", found.flips),
        _share_row("names a side in one order only", found.halves),
        _share_row("names the side shown first", found.first),
        _share_row("prefers the longer side", found.longer),
        TableRow("ties, and both bad", (Cell(f"{found.ties:,}"), Cell(f"{whole:,}"))),
    ]
    debias = ", debiasing" if terms.debias else ""
    about = f"{terms.way}{debias}, prompt {terms.prompt_hash}; 95 % intervals, clustered by prompt"
    return [Table(f"{terms.model} as a judge", about, ("", "share", "of"), tuple(rows))]


def habit_notes(found: Habits, errors: int) -> Iterator[str]:
    """What a reader must know of a judge's habits."""
    if errors:
        yield f"{errors:,} questions could not be put; the same command puts them again"
    if not found.judgements:
        yield "no judgement: nothing can be said"
        return
    if lost := found.unreadable + found.out_of_range + found.truncated:
        yield f"{lost:,} of {found.judgements:,} answers say nothing that may be counted; their matches give no vote"
    if found.first.n and (found.first.low > 0.5 or found.first.high < 0.5):
        place = "first" if found.first.low > 0.5 else "second"
        yield f"position bias: it prefers what is shown {place}"
    if found.longer.n and found.longer.low > 0.5:
        yield "it prefers longer answers; whether they are better, people say (toolmend judge calibrate)"


def calibration_as_dict(found: Calibration) -> dict[str, Any]:
    """Everything a calibration found."""
    return {"schema": 1, **asdict(found), "warnings": list(found.warnings)}


def calibration_tables(found: Calibration) -> list[Table]:
    """Agreement, by category too, and the weight that follows."""
    columns = ("", "comparisons", "agreement", "decided", "kappa", "correlation")
    rows = [_agreed_row("judge and people", found.judge)]
    rows += [_agreed_row(f"  {name}", agreed) for name, agreed in found.categories.items()]
    if found.people is not None:
        rows.append(_agreed_row("people among themselves", found.people))
    note = f"Weight of a vote of the judge: {found.weight:.3f}."
    return [Table("Judge against people", "95 % intervals, prompts resampled", columns, tuple(rows), note=note)]


def calibration_notes(found: Calibration) -> list[str]:
    """What a reader must know of a calibration."""
    left = f"left out: {found.alone:,} comparisons that only the judge has, {found.unjudged:,} that only people have"
    return [*found.warnings, *([left] if found.alone or found.unjudged else [])]


def _share_row(head: str, found: Share) -> TableRow:
    if found.value is None:
        return TableRow(head, (Cell("–"), Cell("0")))
    small = f"{100 * found.low:.0f}–{100 * found.high:.0f}"
    return TableRow(head, (Cell(f"{100 * found.value:.0f} %", small), Cell(f"{found.n:,}")))


def _agreed_row(head: str, found: Agreed) -> TableRow:
    shares = [_percent(estimate) for estimate in (found.agreement, found.decided)]
    rest = [_estimate(estimate) for estimate in (found.kappa, found.correlation)]
    return TableRow(head, (Cell(f"{found.comparisons:,}", f"{found.prompts:,} prompts"), *shares, *rest))


def _percent(found: Estimate) -> Cell:
    if found.value is None:
        return Cell("–")
    small = "" if found.low is None or found.high is None else f"{100 * found.low:.0f}–{100 * found.high:.0f}"
    return Cell(f"{100 * found.value:.0f} %", small)


def _estimate(found: Estimate) -> Cell:
    if found.value is None:
        return Cell("–")
    ends = [] if found.low is None or found.high is None else [found.low, found.high]
    small = " to ".join(f"{end:.2f}".replace("-", "−") for end in ends)
    return Cell(f"{found.value:.2f}".replace("-", "−"), small)
