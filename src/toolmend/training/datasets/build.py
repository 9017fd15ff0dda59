"""`toolmend data build`: talks in, lines made, curated, parted and written, with everything counted.

The same sources and settings make the same bytes. Knows no screen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from toolmend import __version__, registry
from toolmend.errors import BadOption, ToolmendError
from toolmend.evals.suites.suite import Suite, load_suite, shipped
from toolmend.training.datasets import folder as folders
from toolmend.training.datasets.card import card
from toolmend.training.datasets.curation import Limits, Lines, OnDone, counts, curate, in_test
from toolmend.training.datasets.leakage import Prompts
from toolmend.training.datasets.lines import KINDS, Line
from toolmend.training.datasets.making import Maker
from toolmend.training.datasets.reader import SPLITS
from toolmend.training.datasets.sources import Intake, OnSample, find, talks

SCHEMA = 1
DEV = ("calendar_dev",)
"""Suites whose prompts may be learned: they are for development, and figures on them are no test."""


@dataclass(frozen=True)
class Recipe:
    """What is built. `runs` are ids and `*.jsonl` files, none for every run of the store at `place`.

    `dev` are suites whose prompts are no leak; `test_share` is the share of talks held out.
    """

    runs: tuple[str, ...] = ()
    place: str | None = None
    limits: Limits = field(default_factory=Limits)
    dev: tuple[str, ...] = DEV
    test_share: float = 0.1
    skip_bad: bool = False


def build(
    recipe: Recipe,
    folder: Path,
    *,
    force: bool = False,
    on_sample: OnSample | None = None,
    on_line: OnDone | None = None,
) -> dict[str, Any]:
    """Write the data folder; what its counts.json says. With BadFile, BadOption, MissingExtra nothing is written."""
    folders.check_place(folder, force=force)
    tested, intake = suite_prompts(recipe.dev), Intake()
    prompts = Prompts(prompt for each in tested.values() for prompt in each)
    made = _made(recipe, intake, on_sample)
    kept, steps = curate(made, recipe.limits, prompts, on_line)
    parts = _parts(kept, recipe.test_share)
    found = {
        "toolmend": folders.MARK,
        "schema": SCHEMA,
        "version": __version__,
        "settings": _settings(recipe, tested, len(prompts)),
        "runs": _runs(intake),
        "intake": {"samples": intake.samples, "left_out": dict(sorted(intake.left_out.items()))},
        "made": counts(made),
        "steps": [asdict(step) for step in steps],
        "parts": {split: counts(part) for split, part in parts.items()},
        "talks": {split: len(_talks(part)) for split, part in parts.items()},
    }
    folders.write(folder, parts, found, card(found), force=force)
    return found


def suite_prompts(dev: Sequence[str]) -> dict[str, list[str]]:
    """By suite every request of it, but those of the suites for development. Raises UnknownName for one that is none.

    Suites that need a file of somebody else's to be made are left out where that is not given.
    """
    own = {load_suite(name).name for name in dev}
    found = {name: list(prompts) for name, prompts in _shipped_prompts().items()}
    for name in registry.suites.names():
        try:
            suite = load_suite(name)
        except (ToolmendError, TypeError):
            continue
        found[suite.name] = _prompts(suite)
    return {name: prompts for name, prompts in found.items() if name not in own}


@cache
def _shipped_prompts() -> Mapping[str, list[str]]:
    suites = [load_suite(name) for name in shipped()]
    return {suite.name: _prompts(suite) for suite in suites}


def _prompts(suite: Suite) -> list[str]:
    return [step.say for case in suite.cases().values() for step in case.steps]


def _made(recipe: Recipe, intake: Intake, on_sample: OnSample | None) -> Lines:
    """The lines of all sources, before any rule. Raises BadOption where there is none."""
    made: dict[str, list[Line]] = {kind: [] for kind in KINDS}
    kinds = {each: name for name, each in KINDS.items()}
    for line in _lines(recipe, intake, on_sample):
        made[kinds[type(line)]].append(line)
    if not any(made.values()):
        why = "; ".join(f"{reason}: {count}" for reason, count in sorted(intake.left_out.items()))
        raise BadOption(f"nothing to learn from in {intake.samples} talks{f' ({why})' if why else ''}: no right reply")
    return made


def _lines(recipe: Recipe, intake: Intake, on_sample: OnSample | None) -> Iterator[Line]:
    maker = Maker(__version__)
    with ExitStack() as stack:
        found = find(recipe.runs, recipe.place, intake, skip_bad=recipe.skip_bad, stack=stack)
        for talk in talks(found, intake, on_sample):
            yield from maker.lines(talk)


def _parts(lines: Lines, share: float) -> dict[str, dict[str, list[Line]]]:
    return {
        split: {
            kind: [line for line in each if in_test(line, share) == (split == "test")] for kind, each in lines.items()
        }
        for split in SPLITS
    }


def _talks(part: Mapping[str, Sequence[Line]]) -> set[str]:
    return {str(line.source.get("talk")) for each in part.values() for line in each}


def _settings(recipe: Recipe, tested: Mapping[str, Sequence[str]], prompts: int) -> dict[str, Any]:
    return {
        **asdict(recipe.limits),
        "dev": list(recipe.dev),
        "tested": list(tested),
        "untested": sorted(set(registry.suites.names()) - set(tested)),
        "prompts": prompts,
        "test_share": recipe.test_share,
        "skip_bad": recipe.skip_bad,
    }


def _runs(intake: Intake) -> list[dict[str, Any]]:
    return [
        {
            "run": run.id,
            "suite": run.config.suite,
            "tools": intake.tools.get(run.id, ""),
            "created": run.created,
            "contestants": [f"{each.model} · {each.strategy}" for each in run.config.contestants],
        }
        for run in intake.runs
    ]
