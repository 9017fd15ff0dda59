"""`toolmend train --base … --data …`: from names and folders to a preset that works, everything checked first.

Knows the order of things; each of them is another file's.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from toolmend.models.keras.loading import prepare
from toolmend.training.datasets.reader import Data, load
from toolmend.training.tune.card import card
from toolmend.training.tune.curve import curve_svg
from toolmend.training.tune.examples import Examples, enough, make_examples
from toolmend.training.tune.exams import HeldOut, References
from toolmend.training.tune.hub import HubBase, open_base
from toolmend.training.tune.loop import Loop, State
from toolmend.training.tune.lora import add_adapters, merge_adapters
from toolmend.training.tune.net import Net
from toolmend.training.tune.recipe import Recipe
from toolmend.training.tune.stream import Stream

Report = Callable[[Mapping[str, Any]], None]
Say = Callable[[str], None]


@dataclass(frozen=True)
class Asked:
    """What was asked for. `skip_bad` leaves broken lines out instead of refusing."""

    base: str
    data: Path
    out: Path
    work: Path
    recipe: Recipe = field(default_factory=Recipe)
    skip_bad: bool = False
    command: str = ""


def tune(asked: Asked, report: Report, say: Say) -> dict[str, Any]:
    """Train, or go on with it, and write the preset; its figures before and after.

    Raises what is wrong with base, data and options before any weight is loaded; MissingExtra without Keras.
    """
    prepare()
    base = open_base(asked.base)
    examples = read_examples(asked, base)
    recipe = asked.recipe
    stream = Stream(examples.train, recipe.batch, recipe.seed, base.pad, forget=recipe.method == "hindsight")
    steps = _tell_plan(asked, examples, stream, say)
    asked.work.mkdir(parents=True, exist_ok=True)
    net = _net(base, recipe, steps)
    learned = References.of_base(net, stream) if recipe.method == "preference" else References()
    held = Stream(examples.held, recipe.batch, recipe.seed, base.pad)
    exam = HeldOut(held, References.of_base(net, held) if recipe.method == "preference" else References())
    run = _run(asked, base)
    loop = Loop(net, stream, exam, learned, recipe=recipe, work=asked.work, run=run, report=report)
    state = loop.run()
    figures = _figures(state)
    about: dict[str, Any] = {
        "name": asked.out.name,
        "about": f"{base.name} after {recipe.method}",
        "license": base.license,
    }
    about |= {"figures": figures, "trained": {"command": asked.command, **run}}
    lm = net.assigned()
    if recipe.rank:
        merge_adapters(lm)
    base.write(lm, asked.out, about, card(about, examples))
    (asked.out / "loss.svg").write_text(curve_svg(state.curve), encoding="utf-8")
    return figures


def read_examples(asked: Asked, base: HubBase) -> Examples:
    """The examples of the data folder, enough of them. Raises BadFile as FILE:LINE, BadOption where too few."""
    train = load(asked.data, "train", skip_bad=asked.skip_bad)
    held = load(asked.data, "test", skip_bad=asked.skip_bad) if (asked.data / "test").is_dir() else Data()
    recipe = asked.recipe
    longest = min(recipe.length or base.window, base.window)
    found = make_examples(train, held, recipe.method, base.form(), longest, recipe.seed)
    enough(found, asked.data, recipe.method)
    return found


def _tell_plan(asked: Asked, examples: Examples, stream: Stream, say: Say) -> int:
    """Say what a person should know before it starts; the number of steps."""
    places = list(stream.places(asked.recipe.epochs, asked.recipe.tokens))
    tokens = sum(stream.size(stream.plan(epoch)[place][0]) for epoch, place in places)
    left = {"too long": examples.long, "with nothing to learn": examples.empty, "broken": examples.skipped}
    out = "".join(f", {number:,} {why} left out" for why, number in left.items() if number)
    say(
        f"{asked.recipe.method} on {asked.base}: {len(examples.train):,} examples, {len(examples.held):,} held out{out}"
    )
    say(f"{len(places):,} steps, {tokens:,} padded tokens; a checkpoint every {asked.recipe.every:,} in {asked.work}")
    return len(places)


def _net(base: HubBase, recipe: Recipe, steps: int) -> Net:
    """The base's weights, ready to learn."""
    import keras

    keras.utils.set_random_seed(recipe.seed)
    lm = base.load()
    if recipe.rank:
        add_adapters(lm, recipe.rank, recipe.alpha)
    return Net(lm, recipe, steps)


def _run(asked: Asked, base: HubBase) -> dict[str, Any]:
    """What makes two trainings the same training."""
    digest = hashlib.sha256()
    for path in sorted(asked.data.glob("t*/*.jsonl")):
        digest.update(path.name.encode() + path.read_bytes())
    weights = {"base": f"{asked.base} {base.identity[:16]}", "data": digest.hexdigest()[:16]}
    return {**weights, **asdict(asked.recipe), "skip_bad": asked.skip_bad}


def _figures(state: State) -> dict[str, Any]:
    """What was measured of the base and of what is kept, and what it took."""

    def marks(step: int) -> dict[str, Any]:
        row = next(row for row in state.curve if row["step"] == step)
        return {name: value for name, value in row.items() if name == "held_out_loss"}

    return {"before": marks(0), "after": marks(state.best), "kept_step": state.best, "steps": state.step,
            "tokens": state.tokens}  # fmt: skip
