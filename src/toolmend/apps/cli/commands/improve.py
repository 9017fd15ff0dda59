"""`toolmend improve`: a model learns from its mistakes in a suite, and is kept if it is better. Only draws."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from toolmend.apps.cli.commands.run import as_given
from toolmend.apps.cli.commands.train import Watch
from toolmend.apps.cli.commands.train_tune import figures_line
from toolmend.apps.cli.kit import names, options, screen
from toolmend.apps.cli.kit.progress import HowFar, Meter

if TYPE_CHECKING:
    from rich.console import Console

    from toolmend.training.improve.improve import Improved, Round
    from toolmend.training.improve.measured import Part

_folder = click.Path(file_okay=False, path_type=Path)
_above_0 = click.FloatRange(min=0, min_open=True)
_share = click.FloatRange(min=0, max=1, max_open=True)


@options.command
@click.argument("model", metavar="MODEL")
@click.option("--suite", type=names.SUITE, required=True, metavar="SUITE", help="Learned from: for development only.")
@click.option("--out", type=_folder, required=True, help="Where a model that is better is written.")
@click.option(
    "--work", type=_folder, help="Where everything else is kept; what was stopped goes on. [default: OUT.work]"
)
@click.option(
    "--guard",
    "guards",
    type=names.SUITE,
    multiple=True,
    metavar="SUITE",
    help="Another suite on which it must not be worse; never learned from; may be given again.",
)
@click.option("--rounds", type=click.IntRange(min=1), default=1, show_default=True, help="At most.")
@click.option("--method", type=click.Choice(["sft", "hindsight", "preference"]), default="sft", show_default=True)
@click.option("--strategy", type=names.STRATEGY, default="oneline", show_default=True, metavar="NAME")
@click.option("--attempts", type=click.IntRange(min=1), help="Of every case. [default: what the suite says]")
@options.temperature_option
@click.option(
    "--hold",
    type=_share,
    metavar="SHARE",
    help="Of the talks, never learned from, to judge by. [default: 0.5; of under 20 talks none]",
)
@click.option(
    "--mix",
    type=_share,
    metavar="SHARE",
    help="Of the lessons simulated dialogues, so that nothing is forgotten. [default: 0.5 for the calendar]",
)
@click.option("--epochs", type=_above_0, default=3.0, show_default=True)
@click.option("--tokens", type=click.IntRange(min=1), help="Padded tokens to see, instead of epochs.")
@click.option("--batch", type=click.IntRange(min=1), default=4096, show_default=True, help="Padded tokens in a step.")
@click.option("--rate", type=_above_0, default=3e-4, show_default=True, help="Highest learning rate.")
@click.option("--every", type=click.IntRange(min=1), default=50, show_default=True, help="Steps between checkpoints.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
@click.option("--lora", "rank", type=click.IntRange(min=1), metavar="RANK", help="Train adapters of that rank only.")
@click.option("--force", is_flag=True, help="Learn even from a suite that is kept for testing.")
@options.format_option
@click.pass_context
def improve(ctx: click.Context, /, form: str, **given: Any) -> None:
    """Play a suite, learn from the mistakes, play again; keep the new MODEL only if it is better and nowhere worse.

    MODEL is builtin/NAME, a preset ./FOLDER or keras/NAME. Needs the extra `local`. Stopped or killed, the same command
    goes on. See docs/improving.md.
    """
    from toolmend.training.improve.asked import Asked
    from toolmend.training.improve.improve import improve as turn
    from toolmend.training.improve.report import report
    from toolmend.training.tune.recipe import Recipe

    own = ("method", "epochs", "tokens", "batch", "rate", "every", "seed")
    recipe = Recipe(**{name: given.pop(name) for name in own}, rank=given.pop("rank") or 0)
    work = given.pop("work") or given["out"].with_name(f"{given['out'].name}.work")
    asked = Asked(**given, work=work, recipe=recipe, command=as_given(ctx))
    try:
        with Show() as show:
            found = turn(asked, show.watching())
    except KeyboardInterrupt:
        screen.note(f"stopped; what is finished is in {work}: the same command goes on")
        ctx.exit(130)
    if form == "json":
        screen.print_json(report(found))
    else:
        _print(found, screen.console())


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
        from toolmend.training.improve.arena import Watching

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


def _print(found: Improved, console: Console) -> None:
    from toolmend.apps.cli.kit.compare_view import print_notes, say

    for each in found.rounds:
        _print_round(each, console)
    if found.out is None:
        say(console, f"{found.checked.asked.model} stays; nothing was written to {found.checked.asked.out}", "bold")
    else:
        say(console, f"{found.out} is better: use it with --model {_model(found)}", "bold")
    print_notes(found.checked.notes, console)
    screen.note(f"whole reports: toolmend show RUN --store {found.checked.asked.work / 'runs.db'}")


def _print_round(each: Round, console: Console) -> None:
    from toolmend.apps.cli.kit.compare_view import say

    title = f"round {each.number}: {each.model}"
    if each.verdict is None:
        say(console, f"{title} made no mistake to learn from", "bold")
        return
    lessons, held = each.data["lessons"]["train"], each.training
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in lessons.items())
    say(console, f"{title}, {screen.counted(each.mistakes, 'mistake')}; lessons: {kinds}", "bold")
    say(console, f"training kept step {held['kept_step']:,} of {held['steps']:,}: {figures_line(held['after'])}", "dim")
    for part in each.parts:
        _print_part(part, console)
    say(console, "kept:" if each.kept else "not kept:", "bold green" if each.kept else "bold red")
    for why in each.verdict.why:
        say(console, f"  {why}")


def _print_part(part: Part, console: Console) -> None:
    from toolmend.apps.cli.kit.compare_view import print_grid, say
    from toolmend.training.improve.product import cells

    role = "decides" if part.decides else "must not be worse"
    say(console, f"\n{part.name} · {role} · {screen.counted(part.cases, 'case')} · runs {' and '.join(part.runs)}")
    rows = [["", "before", "after", "after − before", "p (Holm)", "pairs (cases)"]]
    for moved in part.moved:
        if moved.pairs:
            rows.append([*cells(moved), f"{moved.pairs} ({moved.cases})"])
    print_grid(rows, console)


def _model(found: Improved) -> str:
    out = found.out
    assert out is not None
    folder = str(out) if out.is_absolute() else f"./{out}"
    return f"keras/{folder}" if found.checked.asked.model.startswith("keras/") else folder
