"""`toolmend run --dry-run`: what a run would come to, on a screen or as JSON. Draws; computes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from toolmend.apps.cli.kit import screen
from toolmend.apps.cli.kit.form import Form
from toolmend.base.errors import BadOption
from toolmend.evals.costs.estimate import done_of, estimate
from toolmend.evals.costs.prices import Prices
from toolmend.evals.running.plan import Plan
from toolmend.evals.store import Store, default_place


def print_estimate(plan: Plan, place: str | None, form: Form, *, prices: Prices | None) -> None:
    """Estimate what is left of a plan and print it. The store is only read, and only if there is one.

    Raises BadOption for a form that an estimate does not come in.
    """
    if form.name not in ("text", "json"):
        raise BadOption(f"--dry-run comes as text or json, not as {form.name}")
    done = set[str]()
    if _exists(place):
        with Store(place, create=False) as store:
            done = done_of(plan, store)
    found = estimate(plan, done=done, prices=prices)
    if form.name == "json":
        form.json(found)
    else:
        with form.console() as out:
            _draw(found, out)


def _exists(place: str | None) -> bool:
    """Whether there is a store: a database on a server is, a file may not be."""
    named = (place or default_place()).removeprefix("sqlite:///")
    return "://" in named or Path(named).expanduser().exists()


def _draw(found: Mapping[str, Any], out: Console) -> None:
    total = found["total"]
    earlier = found["planned"] - total["samples"]
    there = f", {earlier:,} more {'is' if earlier == 1 else 'are'} there" if earlier else ""
    out.print(f"{found['suite']}: {screen.counted(total['samples'], 'sample')} to play{there}; nothing was asked")
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("contestant", overflow="fold")
    for name in ("samples", "replies", "tokens in", "tokens out", *(["cost"] if found["currency"] else [])):
        table.add_column(name, justify="right", overflow="fold")
    for row in found["contestants"]:
        table.add_row(Text(f"{row['model']} · {row['strategy']}"), *_cells(row, found["currency"]))
    if len(found["contestants"]) > 1:
        table.add_section()
        table.add_row("all", *_cells(total, found["currency"]))
    out.print(table)
    out.print("from all right at once to every correction needed; one reply a turn")
    out.print("tokens are characters / 4")


def _cells(row: Mapping[str, Any], currency: str | None) -> list[str]:
    cells = [f"{row['samples']:,}", *(_span(row[name]) for name in ("replies", "input_tokens", "output_tokens"))]
    return [*cells, f"{_money(row['cost'])} {currency}"] if currency else cells


def _span(span: Mapping[str, int]) -> str:
    least, most = f"{span['least']:,}", f"{span['most']:,}"
    return least if least == most else f"{least}–{most}"


def _money(cost: Mapping[str, float]) -> str:
    least, most = f"{cost['least']:,.2f}", f"{cost['most']:,.2f}"
    return least if least == most else f"{least}–{most}"
