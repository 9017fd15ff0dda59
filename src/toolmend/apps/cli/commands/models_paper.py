"""`toolmend models shard` and `toolmend models plan`: what local models take on several devices. Nothing is loaded."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from toolmend.apps.cli.kit import options, screen

if TYPE_CHECKING:
    from rich.console import Console

    from toolmend.models.keras.paper import Paper, Together

_PIPE = 200
_devices = click.option(
    "--devices", type=click.IntRange(min=1), default=8, show_default=True, help="How many devices share the weights."
)
_replicate = click.option(
    "--replicate", is_flag=True, help="Allow large weights that cannot be cut to lie whole on every device."
)


@options.command
@click.argument("name", metavar="NAME[?dtype=…]")
@_devices
@_replicate
@options.format_option
def shard(name: str, devices: int, replicate: bool, form: str) -> None:
    """Draw which weight of a local model lies where, with bytes per device.

    NAME is one of `toolmend models` (keras/…), here or not, or a folder ./…. The sizes of those that are not here are
    the published ones. Nothing is loaded.
    """
    from toolmend.models.keras import paper
    from toolmend.models.keras.model import WIDTHS

    found = paper.paper_of(name, devices, replicate=replicate)
    rows = paper.as_rows(found.layout, WIDTHS[found.dtype])
    if form == "json":
        about = {"model": found.name, "devices": devices, "dtype": found.dtype, "bytes_per_device": found.weights}
        whole = {"bytes": found.layout.numbers * WIDTHS[found.dtype], "whole": found.layout.whole}
        screen.print_json({"schema": 1, **about, **whole, "variables": rows})
        return
    _print_shards(found, rows)


@options.command
@click.argument("names", nargs=-1, metavar="[NAME[?window=…]]…")
@click.option("--memory", default="128GB", show_default=True, help="Of all devices together, as in 128GB or 8x16GiB.")
@_devices
@_replicate
@options.format_option
def plan(names: tuple[str, ...], memory: str, devices: int, replicate: bool, form: str) -> None:
    """Compute which local models fit together on several devices, and which would have to go.

    Without names: the eight of the published experiment. They are loaded in their order; weights, caches and workspace
    are in bfloat16 unless a name says otherwise. On paper: nothing is loaded.
    """
    from toolmend.models.keras import catalogue, paper

    wanted = names or tuple(f"keras/{entry.name}" for entry in catalogue.ENTRIES)
    found = paper.together(wanted, _bytes(memory), devices, replicate=replicate)
    if form == "json":
        screen.print_json({"schema": 1, "devices": devices, **_plain(found)})
        return
    _print_plan(found, devices)


def _bytes(memory: str) -> int:
    """Bytes of 128GB or 8x16GB. Raises BadOption."""
    from toolmend.errors import BadOption
    from toolmend.models.keras.resident import bytes_of

    times, _, one = memory.rpartition("x")
    if times and not times.strip().isdigit():
        raise BadOption(f"--memory is {memory!r}, not a size such as 128GB or 8x16GB")
    return int(times or 1) * bytes_of(one, "--memory")


def _plain(found: Together) -> dict[str, Any]:
    rows = [
        {
            "model": paper.name,
            "dtype": paper.dtype,
            "window": paper.window,
            "batch": paper.batch,
            "weights": paper.weights,
            "caches": paper.caches,
            "workspace": paper.workspace,
            "fits": _fits(found, paper),
        }
        for paper in found.papers
    ]
    return {"bytes_per_device": found.each, "workspace": found.workspace, "models": rows}


def _fits(found: Together, paper: Paper) -> str:
    if paper.name in found.never:
        return "does not fit alone"
    return "yes" if paper.name in found.stay else "goes to make room"


def _print_shards(found: Paper, rows: Sequence[Mapping[str, Any]]) -> None:
    """One line for the weights of the same name and shape in all layers."""
    from toolmend.models.keras.resident import size

    table = _table("weight", "layers", "shape, and where it is cut", "bytes per device", "by")
    for path, layers, row in _layers(rows):
        table.add_row(
            path, str(layers), _shape(row, found.layout.devices), size(layers * row["bytes_per_device"]), row["by"]
        )
    console = _wide()
    console.print(table)
    made = found.layout
    console.print(
        f"{found.name} in {found.dtype} on {made.devices} devices: {size(found.weights)} on each"
        f"{f'; whole on each: {len(made.whole)} weights' if made.whole else ''}",
        soft_wrap=True,
    )


def _layers(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, int, Mapping[str, Any]]]:
    """Name with a star for the layer, how many layers have it, and its row."""
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        groups.setdefault(re.sub(r"^(\w+_)\d+/", r"\1*/", row["variable"]), []).append(row)
    for path, group in groups.items():
        yield path, len(group), group[0]


def _shape(row: Mapping[str, Any], devices: int) -> str:
    return " x ".join(
        f"{size}/{devices}" if place == row["cut"] else str(size) for place, size in enumerate(row["shape"])
    )


def _print_plan(found: Together, devices: int) -> None:
    from toolmend.models.keras.resident import size

    table = _table("model", "dtype", "rows x tokens", "weights", "caches", "workspace", "fits")
    for paper in found.papers:
        table.add_row(
            paper.name, paper.dtype, f"{paper.batch} x {paper.window}", size(paper.weights), size(paper.caches),
            size(paper.workspace), _fits(found, paper),
        )  # fmt: skip
    console = _wide()
    console.print(table)
    held = sum(paper.held for paper in found.papers if paper.name in found.stay)
    console.print(
        f"each of {devices} devices has {size(found.each)}; {len(found.stay)} of {len(found.papers)} models stay in "
        f"memory with {size(held)}, and {size(found.workspace)} for the one that computes",
        soft_wrap=True,
    )


def _table(*columns: str) -> Any:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for column in columns:
        right = column in ("layers", "bytes per device", "weights", "caches", "workspace")
        table.add_column(column, justify="right" if right else "left", overflow="fold")
    return table


def _wide() -> Console:
    """The screen; a pipe is as wide as a row needs."""
    console = screen.console()
    if not console.is_terminal:
        console.width = _PIPE
    return console
