"""The creativity of a run's contestants as one JSON-able report, and as tables; published examples beside it.

docs/creativity.md names every field. Computes nothing itself: creativity.py measures, creativity_items.py finds
the texts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from importlib.resources import files
from typing import Any

from toolmend.evals.reports.report import played_suite
from toolmend.evals.reports.tables import FEW, FEW_SIGN, Cell, Row, Table, name_of, percent
from toolmend.evals.studies.creativity import Item, measured
from toolmend.evals.studies.creativity_items import READ, Arguments, created
from toolmend.store import Run, Sample, Store

SCHEMA = 1
MODES = ("Freyr", "Tools")

Data = Mapping[str, Any]


def creativity_report(store: Store, run: Run) -> dict[str, Any]:
    """The measures of every contestant of a run, and those of the published examples."""
    arguments = Arguments.of(played_suite(run, []))
    items = _by_contestant(store.samples(run.id, only=READ), arguments)
    rows = [
        _row(each.model, each.strategy, items.get((each.model, each.strategy), [])) for each in run.config.contestants
    ]
    return {
        "schema": SCHEMA,
        "run": run.head(),
        "arguments": asdict(arguments),
        "contestants": rows,
        "published": published(),
        "notes": _notes(rows),
    }


def _by_contestant(samples: Iterable[Sample], arguments: Arguments) -> dict[tuple[str, str], list[Item]]:
    found: dict[tuple[str, str], list[Item]] = {}
    for sample in samples:
        found.setdefault(sample.contestant, []).extend(created(sample, arguments))
    return found


def _row(model: str, strategy: str, items: Sequence[Item], *, intervals: bool = True) -> dict[str, Any]:
    figures = {name: asdict(figure) for name, figure in measured(items).items()}
    for figure in () if intervals else figures.values():
        figure |= {"low": None, "high": None}
    return {"model": model, "strategy": strategy, "items": len(items), **figures}


def published() -> dict[str, Any]:
    """The examples of table 3 by the same measures: each mode, and each model in it. Too few for any interval."""
    path = files("toolmend.suites").joinpath("published", "freyr_creativity.json")
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    rows = []
    for mode in MODES:
        items = {each["model"]: list[Item]() for each in data["examples"]}
        for each in data["examples"]:
            items[each["model"]] += _examples(each, mode)
        every = [item for found in items.values() for item in found]
        rows += [_row(model, mode, found, intervals=False) for model, found in {"all": every, **items}.items()]
    return {**{name: data[name] for name in ("title", "source", "date", "notes")}, "rows": rows}


def _examples(example: Data, mode: str) -> list[Item]:
    asked, type_ = example["request"], example["type"]
    return [Item(asked, (asked, 0), type_, True, name, text, asked) for name, text in example[mode]]


def _notes(rows: Sequence[Data]) -> list[str]:
    described = {row["words"]["trials"] for row in rows}
    if not any(described):
        return ["no call of this run made or changed anything with a description"]
    if len(described) > 1:
        return ["not all wrote the same number of descriptions: distinct-n falls with the amount of text"]
    return []


# as tables -----------------------------------------------------------------------------------------------------------


def tables(report: Data) -> list[Table]:
    """One table: the run's contestants, and below them the published examples."""
    columns = ("", "texts", "words", "distinct", "by case 1", "by case 2", "overlap", "copied", "same name")
    made = [Row(name_of(row), _cells(row)) for row in report["contestants"]]
    printed = report["published"]
    made += [Row(_published_name(row), _cells(row), True) for row in printed["rows"]]
    about = "distinct-1 and distinct-2, over all and by case; 95 % intervals, clustered by case"
    note = f"Below the line: Published, {printed['date']}: {printed['source']}; two examples a model and mode."
    return [Table("What was made up", about, columns, tuple(made), note=note)]


def _published_name(row: Data) -> str:
    """The mode, and below it its models."""
    return f"{row['strategy']} (all)" if row["model"] == "all" else f"  {row['model']}"


def _cells(row: Data) -> tuple[Cell, ...]:
    texts = f"{row['words']['trials']:,}"
    whole = [_cell(row[name], 2).text for name in ("distinct_1", "distinct_2")]
    by_case = [_cell(row[name], 2) for name in ("distinct_1_by_case", "distinct_2_by_case")]
    return (
        Cell(texts),
        _cell(row["words"], 1),
        Cell("–" if whole[0] == "–" else " ".join(whole)),
        *by_case,
        _cell(row["overlap"], None),
        _cell(row["copied"], 1),
        _cell(row["same_name"], None),
    )


def _cell(figure: Data, digits: int | None) -> Cell:
    """A figure with its interval; `digits` None for a share in per cent."""
    value, low, high = figure["value"], figure["low"], figure["high"]
    if value is None:
        return Cell("–")
    few = FEW_SIGN if low is not None and figure["cases"] < FEW else ""
    if digits is None:
        small = "" if low is None else f"{100 * low:.0f}–{100 * high:.0f}{few}"
        return Cell(percent(value), small)
    return Cell(f"{value:.{digits}f}", "" if low is None else f"{low:.{digits}f}–{high:.{digits}f}{few}")
