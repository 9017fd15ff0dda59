"""`toolmend data`: stored talks and corrections as training data, and repairs beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from toolmend.apps.cli.commands.data_repairs import repairs
from toolmend.apps.cli.kit import options, screen
from toolmend.apps.cli.kit.progress import Meter

_FILE = click.Path(path_type=Path)


@click.group(cls=options.Group)
def data() -> None:
    """Make training data of stored talks and corrections; say whether talks learn from them."""


@options.command
@click.option("--out", type=_FILE, required=True, metavar="FOLDER", help="Where the data are written.")
@click.option(
    "--run",
    "runs",
    multiple=True,
    metavar="RUN|FILE.jsonl",
    help="A stored run (the beginning of its id) or a saved one; may be given again. [default: every stored run]",
)
@options.store_option
@click.option("--mask", is_flag=True, help="Mask personal data instead of dropping the line.")
@click.option("--force", is_flag=True, help="Replace a data folder.")
@options.format_option
def build(out: Path, runs: tuple[str, ...], store: str | None, mask: bool, force: bool, form: str) -> None:
    """Write chats, pairs and sequences of hindsight as JSON Lines, curated, with a data card.

    Learned is only what was marked right, or let stand after a correction. See docs/datasets.md.
    """
    from toolmend.errors import MissingExtra
    from toolmend.training.datasets.build import Recipe
    from toolmend.training.datasets.build import build as make
    from toolmend.training.datasets.curation import Limits

    if any(find_spec(library) is None for library in ("datasketch", "py3langid")):  # before every sample is read
        raise MissingExtra("data build", "data")
    with ExitStack() as stack:
        meters = dict[str, Meter]()

        def tell(noun: str, done: int, total: int) -> None:
            """One bar after the other: of samples as they are read, then of lines as they are curated."""
            if noun not in meters:
                stack.close()
                meters[noun] = stack.enter_context(Meter(noun))
            meters[noun].update(done, total)

        heard = {f"on_{noun}": partial(tell, noun) for noun in ("sample", "line")}
        found = make(Recipe(runs, store, Limits(mask=mask)), out, force=force, **heard)
    if form == "json":
        screen.print_json(found)
    else:
        _print(found, out)


data.add_command(build)
data.add_command(repairs)


def _print(found: Mapping[str, Any], folder: Path) -> None:
    """The counts of a folder, as a table."""
    from toolmend.apps.cli.kit.compare_view import print_grid
    from toolmend.training.datasets.lines import KINDS

    console = screen.console()
    left = found["intake"]["left_out"]
    screen.hang(console, f"{screen.counted(found['intake']['samples'], 'sample')} read", _reasons(left))
    rows = [["", *KINDS, "talks"], ["made", *_numbers(found["made"]), ""]]
    rows += [[each["rule"], *_numbers(each["after"]), ""] for each in found["steps"]]
    rows += [[part, *_numbers(each), f"{found['talks'][part]:,}"] for part, each in found["parts"].items()]
    print_grid(rows, console)
    for each in found["steps"]:
        if each["reasons"]:
            screen.hang(console, each["rule"], _reasons(each["reasons"]), indent=16)
    screen.note(str(folder))


def _numbers(counts: Mapping[str, int]) -> Sequence[str]:
    return [f"{count:,}" for count in counts.values()]


def _reasons(reasons: Mapping[str, int]) -> str:
    return "; ".join(f"{reason}: {count:,}" for reason, count in reasons.items())
