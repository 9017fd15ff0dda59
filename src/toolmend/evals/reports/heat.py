"""Roles × models as heat maps: done, or first right, for each model of one role against each of another.

Draws from the report alone; where more than two roles vary there is a map for every choice of the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from toolmend.evals.reports.tables import Cell, Table, TableRow, rate_cell

Data = Mapping[str, Any]

SHADES = "·░▒▓█"  # for where there are no colours: up to 20 %, 40 %, …
FIGURES = (("done", "Done"), ("first_right", "First right"))


def heat_maps(report: Data) -> list[Table]:
    """Of each strategy that played a grid of at least two roles, one map for each figure; none for other runs."""
    rows = list(enumerate(report["contestants"]))
    made = []
    for strategy in dict.fromkeys(row["strategy"] for _, row in rows):
        mine = [(who, row) for who, row in rows if row["strategy"] == strategy and row["assigned"]]
        roles = varying([row["assigned"] for _, row in mine])
        if len(roles) < 2:
            continue
        for rest in dict.fromkeys(_others(row, roles[:2]) for _, row in mine):
            here = [(who, row) for who, row in mine if _others(row, roles[:2]) == rest]
            made += [_map(here, roles[:2], (strategy, rest), *figure) for figure in FIGURES]
    return made


def varying(assigned: Sequence[Mapping[str, str]]) -> list[str]:
    """The roles that are not played by the same model in all these assignments, in the order given."""
    players: dict[str, set[str]] = {}
    for roles in assigned:
        for role, model in roles.items():
            players.setdefault(role, set()).add(model)
    return [role for role, models in players.items() if len(models) > 1]


def _others(row: Data, roles: Sequence[str]) -> str:
    """Who else plays: the model as stored, but for the roles of the map."""
    shown = {f"{role}={row['assigned'][role]}" for role in roles}
    return " ".join(word for word in row["model"].split(" ") if word not in shown)


def _map(
    rows: Sequence[tuple[int, Data]], roles: Sequence[str], about: tuple[str, str], name: str, title: str
) -> Table:
    down, across = roles
    columns = list(dict.fromkeys(row["assigned"][across] for _, row in rows))
    made = []
    for model in dict.fromkeys(row["assigned"][down] for _, row in rows):
        cells = {
            row["assigned"][across]: rate_cell(row[name], name, who)
            for who, row in rows
            if row["assigned"][down] == model
        }
        made.append(TableRow(model, tuple(_shaded(cells.get(column, Cell("–"))) for column in columns)))
    heading = f"{title}: {down} × {across}"
    note = f"Strategy {about[0]}; the other roles: {about[1]}. {down} down, {across} across."
    return Table(heading, "", (f"{down} \\ {across}", *columns), tuple(made), heat=True, note=note)


def _shaded(cell: Cell) -> Cell:
    """With a block as dark as the share is high."""
    if cell.share is None:
        return cell
    return replace(cell, text=f"{SHADES[min(int(cell.share * len(SHADES)), len(SHADES) - 1)]} {cell.text}")
