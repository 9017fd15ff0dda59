"""`toolmend study`: a question about training, put to the test by one command. Draws; training/studies/ does it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from toolmend.apps.cli import options, screen
from toolmend.apps.cli.progress import HowFar, Meter
from toolmend.apps.cli.train import Watch
from toolmend.apps.cli.tune import figures_line

if TYPE_CHECKING:
    from rich.console import Console

    from toolmend.training.studies.study import Found, Question, Train

F = TypeVar("F", bound=Callable[..., Any])
_folder = click.Path(file_okay=False, path_type=Path)


@click.group()
@options.debug_option
def study() -> None:
    """Put a question about training to the test: two ways of training, equal in all else, several seeds, one suite."""


def _common(tokens: int) -> Callable[[F], F]:
    """The options that every study has."""

    def add(function: F) -> F:
        for option in (
            options.format_option,
            click.option("--cases", type=click.IntRange(min=2), default=400, show_default=True, help="Of the suite."),
            click.option("--seeds", type=click.IntRange(min=1), default=3, show_default=True, help="Of each way."),
            click.option(
                "--tokens",
                type=click.IntRange(min=1),
                default=tokens,
                show_default=True,
                help="Padded tokens that each training sees.",
            ),
            click.option(
                "--work", type=_folder, required=True, help="Where everything is kept; what was stopped goes on."
            ),
        ):
            function = option(function)
        return function

    return add


@options.command
@_common(8_000_000)
@click.option(
    "--size",
    type=click.Choice(["tiny", "plain", "small"]),
    default="plain",
    show_default=True,
    help="Of the models, trained from nothing.",
)
@click.option("--threads", type=click.IntRange(min=1), metavar="N", help="Cores to use. [default: all]")
@click.pass_context
def corrections(
    ctx: click.Context, work: Path, tokens: int, seeds: int, cases: int, size: str, threads: int | None, form: str
) -> None:
    """Does training on corrections raise net fix, over clean calls only, at equal tokens?

    Trains two embedded models a seed from simulated dialogues. Needs the extra `train` (torch). See docs/improving.md.
    """
    from toolmend.training.studies import corrections as asked

    setting = asked.Setting(tokens=tokens, size=size, threads=threads or 0)
    _carry_out(ctx, asked.question(setting), partial(asked.train, setting), (work, cases, seeds), form)


@options.command
@_common(2_000_000)
@click.option("--base", default="builtin/early", show_default=True, metavar="MODEL", help="What is fine-tuned.")
@click.option("--dialogues", type=click.IntRange(min=16), default=2000, show_default=True, help="Simulated ones.")
@click.option("--rate", type=click.FloatRange(min=0, min_open=True), default=3e-4, show_default=True)
@click.option("--every", type=click.IntRange(min=1), default=50, show_default=True, help="Steps between checkpoints.")
@click.pass_context
def hindsight(
    ctx: click.Context,
    work: Path,
    tokens: int,
    seeds: int,
    cases: int,
    base: str,
    dialogues: int,
    rate: float,
    every: int,
    form: str,
) -> None:
    """Does hindsight beat plain fine-tuning on the same corrections, at equal tokens?

    Fine-tunes a base both ways with every seed. Needs the extra `local` (Keras, JAX). See docs/improving.md.
    """
    from toolmend.training.studies import hindsight as asked

    setting = asked.Setting(base, tokens, dialogues, rate=rate, every=every)
    _carry_out(ctx, asked.question(setting), partial(asked.train, setting), (work, cases, seeds), form)


study.add_command(corrections)
study.add_command(hindsight)


class Show:
    """Tells how it goes on standard error: sentences, a meter for samples, a bar for trainings, one after the other."""

    def __init__(self) -> None:
        """Ready; nothing is drawn yet."""
        self._stack = ExitStack()
        self._meter: Meter | None = None
        self._watch: Watch | None = None

    def __enter__(self) -> Show:
        """Begin."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Leave the last state there."""
        self._close()

    def watching(self) -> Any:
        """The same as training takes it."""
        from toolmend.training.studies.arena import Watching

        return Watching(self.say, self.samples, self.row)

    def say(self, text: str) -> None:
        """A sentence: what was drawn before it is done."""
        self._close()
        screen.note(text)

    def samples(self, how_far: HowFar) -> None:
        """Samples of a run."""
        if self._meter is None:
            self._close()
            self._meter = self._stack.enter_context(Meter())
        self._meter.update(how_far)

    def row(self, row: Mapping[str, Any]) -> None:
        """A row of a training."""
        if self._watch is None:
            self._close()
            self._watch = self._stack.enter_context(Watch(None if "held_out" in row else figures_line))
        self._watch.update(row)

    def _close(self) -> None:
        self._stack.close()
        self._meter = self._watch = None


def _carry_out(ctx: click.Context, question: Question, train: Train, sizes: tuple[Path, int, int], form: str) -> None:
    from toolmend.training.studies.study import carry_out, study_json

    work, cases, seeds = sizes
    try:
        with Show() as show:
            found = carry_out(question, train, work, cases, seeds, show.watching())
    except KeyboardInterrupt:
        screen.note(f"stopped; what is finished is in {work}: the same command goes on")
        ctx.exit(130)
    if form == "json":
        screen.print_json(study_json(found))
    else:
        _print(found, screen.console())


def _print(found: Found, console: Console) -> None:
    from toolmend.apps.cli.compare_view import print_grid, say
    from toolmend.evals.figures import BY_NAME
    from toolmend.training.studies.measured import cells

    question = found.question
    first, second = question.arms
    about = f"{screen.counted(found.cases, 'case')}, {screen.counted(len(found.seeds), 'seed')} a way"
    say(console, f"{question.text} ({about})", "bold")
    say(console, f"A  {first}\nB  {second}")
    rows = [["", "A", "B", "B − A", "p (Holm)", "pairs (cases)"]]
    rows += [[*cells(each), f"{each.pairs} ({each.cases})"] for each in found.moved if each.pairs]
    print_grid(rows, console)
    label = BY_NAME[question.decisive].label
    for seed, moved in found.by_seed:
        for each in moved:
            if each.figure == question.decisive and each.pairs:
                _, a, b, difference, _ = cells(each)
                say(console, f"{label}, seed {seed}: {a} and {b}, {difference}", "dim")
    say(console, found.answer, "bold")
