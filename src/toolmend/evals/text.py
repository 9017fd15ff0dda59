"""A report on a terminal: toolmend's own rates, and the published tables in their notation. Draws; computes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from toolmend.mistakes import Mark, glyphs

Cell = str | Text

_PUBLISHED = "Published, 2024-12-05: Keras chatbot arena blog"


def print_report(report: Mapping[str, Any], console: Console, notation: str = "both") -> None:
    """Everything a person wants to see of a run. `notation` is own, blog or both."""
    run = report["run"]
    about = f" · run {run['id']} · {run['samples']} samples · {run['status']}"
    console.print(Text.assemble((run["suite"], "bold"), about), highlight=False)
    if notation in ("blog", "both") and "blog" in report:
        _blog(report["blog"], console)
    if notation in ("own", "both"):
        _own(report["contestants"], console)
    for note in report["notes"]:
        console.print(Text.assemble(("note:", "yellow"), f" {note}"), highlight=False)


def _grid(console: Console, rows: Sequence[Sequence[Cell]]) -> Table:
    """Rows under the first one as heading; lying on its side where the terminal is too narrow for the columns."""
    wide = sum(max(len(line) for row in rows for line in row[column].split("\n")) + 3 for column in range(len(rows[0])))
    cells = rows if wide <= console.width else [list(column) for column in zip(*rows, strict=True)]
    table = _table(*cells[0])
    for row in cells[1:]:
        table.add_row(*row)
    return table


def _own(contestants: Sequence[Mapping[str, Any]], console: Console) -> None:
    console.print("\n[bold]Who fixes what when told[/] (95 % intervals, clustered by case)", highlight=False)
    shown: list[list[Cell]] = [["contestant", "first right", "fix@1", "control", "net fix", "fix@3", "regress", "done"]]
    for row in contestants:
        shares = (row["first_right"], row["fix_at_1"], row["control"])
        rest = (row["fix_at_k"]["3"], row["regress"], row["done"])
        shown.append([_name(row), *map(_rate, shares), _difference(row["net_fix"]), *map(_rate, rest)])
    console.print(_grid(console, shown))
    console.print("\n[bold]fix@1 by what the correction gives away[/]", highlight=False)
    shown = [["contestant", "0 try again", "1 it is wrong", "2 what is wrong", "3 the value", "named gone"]]
    for row in contestants:
        levels = row["fix_at_1_by_level"]
        shown.append([_name(row), *(_rate(levels[str(level)]) for level in range(4)), _rate(row["fix_at_1_named"])])
    console.print(_grid(console, shown))
    kinds = sorted({kind for row in contestants for kind in row["by_kind"]})
    if kinds:
        console.print("\n[bold]fix@1 by kind of mistake[/] (headline level; control in brackets)", highlight=False)
        shown = [["mistake", *map(_name, contestants)]]
        shown += [[kind, *(_kind(row["by_kind"].get(kind)) for row in contestants)] for kind in kinds]
        console.print(_grid(console, shown))
    _cost(contestants, console)


def _cost(contestants: Sequence[Mapping[str, Any]], console: Console) -> None:
    shown: list[list[Cell]] = [["contestant", "replies", "tokens in", "tokens out", "s median", "s p95", "errors"]]
    for row in contestants:
        cost = row["cost"]
        counts = (str(cost[name]) for name in ("replies", "input_tokens", "output_tokens"))
        seconds = (_seconds(cost["seconds_median"]), _seconds(cost["seconds_p95"]))
        shown.append([_name(row), *counts, *seconds, str(row["errors"])])
    console.print("\n[bold]Cost[/]", highlight=False)
    console.print(_grid(console, shown))


def _blog(blog: Mapping[str, Any], console: Console) -> None:
    rows, published = blog["rows"], blog["published"]
    if any(row["reliability"] for row in rows.values()):
        _reliability(rows, published, console)
    if any(row["complete"] for row in rows.values()):
        _complete(rows, console)
    if any(row["fixing"] for row in rows.values()):
        _fixing(rows, published, console)
    _recap(rows, published, console)


def _reliability(rows: Mapping[str, Any], published: Mapping[str, Any], console: Console) -> None:
    console.print("\n[bold]4.1 Reliability[/]: the first prompt, five attempts", highlight=False)
    table = _table("model", "attempts", right=False)
    for name, row in rows.items():
        table.add_row(Text(name), " ".join(_glyph(mark, "✓") for mark in row["reliability"]))
    table.add_section()
    for name, marks in published["reliability"].items():
        table.add_row(Text(name, style="dim"), " ".join(_glyph(mark, "✓") for mark in marks))
    _captioned(table, console)


def _complete(rows: Mapping[str, Any], console: Console) -> None:
    console.print("\n[bold]4.2 The complete chat[/]: mistakes corrected as they come", highlight=False)
    for name, row in rows.items():
        table = _table(Text(name), "marks", right=False)
        for line in row["complete"]:
            said = Text(("  ↳ " if line["correction"] else "") + line["turn"])
            table.add_row(said, glyphs([Mark(mark) for mark in line["marks"]]))
        if row["gave_up"]:
            table.add_row("--giving up--", "")
        console.print(table)
    console.print(
        "The published talks stand in `--format json` under blog.published.complete.", style="dim", highlight=False
    )


def _fixing(rows: Mapping[str, Any], published: Mapping[str, Any], console: Console) -> None:
    fixing = published["fixing"]
    console.print("\n[bold]4.3 Mistakes that others made[/]: three attempts each", highlight=False)
    table = _table("model", *fixing["columns"], right=False)
    for name, row in rows.items():
        table.add_row(
            Text(name),
            *(" ".join(_glyph(mark) for mark in row["fixing"].get(column, [])) for column in fixing["columns"]),
        )
    table.add_section()
    for name, cells in fixing["rows"].items():
        table.add_row(Text(name, style="dim"), *(" ".join(_glyph(mark) for mark in cell) for cell in cells))
    _captioned(table, console)


def _recap(rows: Mapping[str, Any], published: Mapping[str, Any], console: Console) -> None:
    console.print("\n[bold]5 Recap[/]: glyphs over all three", highlight=False)
    table = _table("model", "✔", "🥦", "🍄", "🔥")
    for name, row in rows.items():
        table.add_row(Text(name), *(str(row["recap"][key]) for key in ("correct", "fixed", "mistake", "garbage")))
    table.add_section()
    for name, counts in published["recap"].items():
        table.add_row(
            Text(name, style="dim"), *(str(counts[key]) for key in ("correct", "fixed", "mistake", "garbage"))
        )
    _captioned(table, console)


def _captioned(table: Table, console: Console) -> None:
    console.print(table)
    console.print(f"Below the line: {_PUBLISHED}.", style="dim", highlight=False)


def _table(first: str | Text, *others: str | Text, right: bool = True) -> Table:
    from rich import box

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(first, overflow="fold")
    for other in others:
        table.add_column(other, justify="right" if right else "left", overflow="fold")
    return table


def _name(row: Mapping[str, Any]) -> Text:
    """As plain text: a folder may be called what rich takes for markup."""
    return Text(row["model"] if row["strategy"] == "oneline" else f"{row['model']} · {row['strategy']}")


def _glyph(mark: str, correct: str = "✔") -> str:
    return correct if mark == "correct" else Mark(mark).glyph


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.0f} %"


def _rate(rate: Mapping[str, Any]) -> str:
    if rate["value"] is None:
        return "–"
    return f"{_percent(rate['value'])}\n{100 * rate['low']:.0f}–{100 * rate['high']:.0f} n={rate['trials']}"


def _difference(difference: Mapping[str, Any]) -> str:
    if difference["value"] is None:
        return "–"
    return f"{100 * difference['value']:+.0f} %\n{100 * difference['low']:+.0f}…{100 * difference['high']:+.0f}"


def _kind(fixes: Mapping[str, Any] | None) -> str:
    if not fixes or fixes["fix_at_1"]["value"] is None:
        return "–"
    fixed, control = fixes["fix_at_1"], fixes["control"]
    return f"{_percent(fixed['value'])} ({_percent(control['value'])}) n={fixed['trials']}"


def _seconds(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
