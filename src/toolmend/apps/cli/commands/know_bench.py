"""`toolmend know bench`: families of inner product search side by side, table and plot. Measures nothing."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from toolmend.apps.cli.kit import options, screen
from toolmend.apps.cli.kit.options import Command, debug_option

if TYPE_CHECKING:
    from toolmend.knowledge.search.families import Speed
    from toolmend.plots import Plot


@click.command(cls=Command)
@click.option("--count", type=click.IntRange(100, 10_000_000), default=20_000, show_default=True, help="Vectors.")
@click.option("--width", type=click.IntRange(2, 4096), default=96, show_default=True, help="Numbers in a vector.")
@click.option("--queries", type=click.IntRange(1, 10_000), default=200, show_default=True, help="Asked one by one.")
@click.option("--k", type=click.IntRange(1, 100), default=10, show_default=True, help="Greatest products wanted.")
@click.option("--family", "names", multiple=True, metavar="NAME", help="This family alone; may be given again.")
@click.option("--plot", type=click.Path(dir_okay=False, path_type=Path), help="Draw recall against speed there (SVG).")
@options.format_option
@debug_option
def bench(count: int, width: int, queries: int, k: int, names: tuple[str, ...], plot: Path | None, form: str) -> None:
    """Compare LSH, ANNOY, HNSW, FAISS and ScaNN: recall, queries a second, build time, size.

    All search the same vectors for the greatest inner products, on one thread. Those that are not installed are named.
    """
    from toolmend.errors import BadFile
    from toolmend.knowledge.search.families import FAMILIES, clustered, compare_families

    wanted = names or tuple(FAMILIES)
    vectors, asked = clustered(count, width, seed=1), clustered(queries, width, seed=2)
    rows = []
    if form == "text":
        click.echo(f"{count:,} vectors of {width} numbers, {queries} queries, recall@{k}, one thread")
        click.echo(f"{'family':<8}{'setting':<13}{'recall':>7}{'queries/s':>11}{'build s':>9}{'MB':>8}")
    for row in compare_families(wanted, vectors, asked, k):
        rows.append(row)
        if form == "text":
            figures = (
                f"{row.recall:>7.3f}{row.queries_per_second:>11,.0f}{row.build_seconds:>9.1f}{row.megabytes:>8.1f}"
            )
            click.echo(f"{row.family:<8}{row.setting:<13}{figures}")
    absent = [FAMILIES[name].package for name in wanted if not FAMILIES[name].there]
    if form == "json":
        screen.print_json({"schema": 1, "rows": [asdict(row) for row in rows], "not_installed": absent})
    elif absent:
        click.echo(f"not installed: {', '.join(absent)} (pip install {' '.join(absent)})")
    if plot is not None:
        try:
            plot.write_text(_plot(rows, k).svg, encoding="utf-8")
        except OSError as error:
            raise BadFile(plot, f"cannot be written ({error.strerror})") from error


def _plot(rows: list[Speed], k: int) -> Plot:
    from toolmend.plots import curve_plot

    curves = {
        name: [(row.recall, row.queries_per_second, row.setting) for row in rows if row.family == name]
        for name in dict.fromkeys(row.family for row in rows)
    }
    return curve_plot("Inner product search, one thread", curves, f"recall@{k}", "queries a second", log=True)
