"""`toolmend data`: stored talks and corrections as training data and what a data folder holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from toolmend.apps.cli.kit import options, screen
from toolmend.apps.cli.kit.progress import Meter

_FILE = click.Path(path_type=Path)
_SHARE = click.FloatRange(0, 1)


@dataclass(frozen=True)
class _HowFar:
    """Samples read, or lines curated, so far."""

    done: int
    total: int
    errors: int = 0


class _Bars:
    """One bar after the other: of samples as they are read, then of lines as they are curated."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack, self._noun, self._meter = stack, "", Meter()

    def of(self, noun: str) -> Callable[[int, int], None]:
        """What is told how many are done, and of how many."""

        def tell(done: int, total: int) -> None:
            if noun != self._noun:
                self._stack.close()
                self._noun, self._meter = noun, self._stack.enter_context(Meter(noun))
            self._meter.update(_HowFar(done, total))

        return tell


@click.group()
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
@options.gone("--votes", "stored talks and their corrections are learned from")
@options.gone("--as", "calls are written as lines of Python")
@click.option("--max-chars", type=click.IntRange(min=1), default=8000, show_default=True, help="Longer lines go.")
@click.option(
    "--near",
    type=click.FloatRange(0.5, 1),
    default=0.8,
    show_default=True,
    help="So much alike is a near duplicate (Jaccard).",
)
@click.option("--bleu", type=_SHARE, default=0.2, show_default=True, help="So like a suite's prompt is test leakage.")
@click.option(
    "--dev",
    multiple=True,
    default=["calendar_dev"],
    show_default=True,
    metavar="SUITE",
    help="A suite for development: its prompts may be learned; may be given again.",
)
@click.option("--mask", is_flag=True, help="Mask personal data instead of dropping the line.")
@click.option("--test-share", type=_SHARE, default=0.1, show_default=True, help="Share of talks held out.")
@click.option("--skip-bad", is_flag=True, help="Skip and count broken lines of files.")
@click.option("--force", is_flag=True, help="Replace a data folder.")
@options.format_option
def build(
    out: Path,
    runs: tuple[str, ...],
    store: str | None,
    max_chars: int,
    near: float,
    bleu: float,
    dev: tuple[str, ...],
    mask: bool,
    test_share: float,
    skip_bad: bool,
    force: bool,
    form: str,
) -> None:
    """Write chats, pairs and sequences of hindsight as JSON Lines, curated, with a data card.

    Learned is only what was marked right, or let stand after a correction. See docs/datasets.md.
    """
    from toolmend.errors import MissingExtra
    from toolmend.training.datasets.build import Recipe
    from toolmend.training.datasets.build import build as make
    from toolmend.training.datasets.curation import Limits

    if any(find_spec(library) is None for library in ("datasketch", "py3langid")):  # before every sample is read
        raise MissingExtra("data build", "data")
    limits = Limits(max_chars, near, bleu, mask)
    recipe = Recipe(runs, store, limits, dev, test_share, skip_bad)
    with ExitStack() as stack:
        bars = _Bars(stack)
        found = make(recipe, out, force=force, on_sample=bars.of("sample"), on_line=bars.of("line"))
    _print(found, out, form)


@options.command
@click.argument("folder", type=_FILE)
@click.option("--lines", "count", type=click.IntRange(min=0), default=0, help="Print so many lines of each file, too.")
@click.option("--skip-bad", is_flag=True, help="Skip and count broken lines.")
@options.format_option
def show(folder: Path, count: int, skip_bad: bool, form: str) -> None:
    """Read every line of a data folder, and print what it holds. A broken line is told with its number."""
    from toolmend.training.datasets.folder import read_counts
    from toolmend.training.datasets.lines import KINDS, to_json
    from toolmend.training.datasets.reader import SPLITS, load

    found = read_counts(folder)
    parts = {split: load(folder, split, skip_bad=skip_bad) for split in SPLITS}
    found["read"] = {
        split: {**{kind: len(getattr(part, kind)) for kind in KINDS}, "broken": part.skipped}
        for split, part in parts.items()
    }
    _print(found, folder, form)
    for split, part in parts.items() if form == "text" else ():
        for kind in KINDS:
            for line in getattr(part, kind)[:count]:
                screen.hang(screen.console(), f"{split}/{kind}", _short(to_json(line)), indent=16)


data.add_command(build)
data.add_command(show)


def _print(found: Mapping[str, Any], folder: Path, form: str) -> None:
    """The counts of a folder, as a table or as JSON."""
    from toolmend.apps.cli.kit.compare_view import print_grid
    from toolmend.training.datasets.lines import KINDS

    if form == "json":
        screen.print_json(found)
        return
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
    broken = sum(part["broken"] for part in found.get("read", {}).values())
    screen.note(f"{folder}{f': {broken:,} broken lines skipped' if broken else ''}")


def _numbers(counts: Mapping[str, int]) -> Sequence[str]:
    return [f"{count:,}" for count in counts.values()]


def _reasons(reasons: Mapping[str, int]) -> str:
    return "; ".join(f"{reason}: {count:,}" for reason, count in reasons.items())


def _short(line: Mapping[str, Any]) -> str:
    """A line as JSON, its tools by their names and without the system text."""
    from toolmend.reading.render import as_json

    tools = [tool["function"]["name"] for tool in line["tools"]]
    return as_json(
        {**line, "tools": tools, "messages": [each for each in line["messages"] if each["role"] != "system"]}
    )
