"""Does hindsight beat plain fine-tuning? (Chain of Hindsight, Liu et al. 2023, on corrections of tool calls.)

One base, one folder of simulated dialogues with wrong replies and their corrections, equal padded tokens: once learned
as right replies in their conversations, once as sequences from worse to better.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from toolmend import __version__
from toolmend.training.datasets import folder as folders
from toolmend.training.datasets.build import SCHEMA
from toolmend.training.datasets.curation import counts
from toolmend.training.datasets.lines import Line
from toolmend.training.simulate import simulate
from toolmend.training.studies.arena import Watching
from toolmend.training.studies.simulated import Simulated
from toolmend.training.studies.study import Question

SFT, HINDSIGHT = "plain fine-tuning", "hindsight"
_METHODS = {SFT: "sft", HINDSIGHT: "hindsight"}
SLIPS = 0.6
HELD = 0.1
_PATIENT = 10**6  # both see all their tokens


@dataclass(frozen=True)
class Setting:
    """`base` sees `tokens` padded positions of `dialogues` simulated ones (and as many sequences of hindsight)."""

    base: str = "builtin/early"
    tokens: int = 2_000_000
    dialogues: int = 2000
    batch: int = 4096
    rate: float = 3e-4
    every: int = 50


def question(setting: Setting) -> Question:
    """What is asked. Raises what is wrong with the base, MissingExtra without Keras."""
    from toolmend.models.keras.loading import prepare
    from toolmend.training.tune.base import open_base

    prepare()
    base = open_base(setting.base)
    settings = {**asdict(setting), "base": f"{setting.base} {base.identity[:16]}"}
    return Question("hindsight", "Does hindsight beat plain fine-tuning?", (SFT, HINDSIGHT), "net_fix", settings)


def train(setting: Setting, arm: str, seed: int, folder: Path, watching: Watching) -> Mapping[str, Any]:
    """Fine-tune the base one way and write `folder/preset`; the data are another sample for each seed."""
    from toolmend.training.tune.recipe import Recipe
    from toolmend.training.tune.tuning import Asked, tune

    data = folder.parent / f"data-{seed}"
    write_data(setting, seed, data)
    recipe = Recipe(
        _METHODS[arm],
        tokens=setting.tokens,
        batch=setting.batch,
        rate=setting.rate,
        seed=seed,
        every=setting.every,
        patience=_PATIENT,
    )
    asked = Asked(setting.base, data, folder / "preset", folder / "tune", recipe, command="toolmend study hindsight")
    return tune(asked, watching.rows, watching.say)


def write_data(setting: Setting, seed: int, folder: Path) -> None:
    """Chats, pairs and sequences of the same simulator, a tenth of them held out. What is there is left as it is."""
    if folders.is_data(folder):
        return
    simulated = Simulated(dialogue=lambda number, held_out: simulate(number, held_out=held_out, slips=SLIPS))
    parts: dict[str, dict[str, list[Line]]] = {}
    for split, count in (("train", setting.dialogues), ("test", max(8, round(HELD * setting.dialogues)))):
        start, held_out = seed * 10_000_000, split == "test"
        both = list(simulated.complaints(start, count, held_out=held_out))
        parts[split] = {
            "chat": [*simulated.chats(start, count, held_out=held_out)],
            "pairs": [pair for pair, _ in both],
            "hindsight": [hindsight for _, hindsight in both],
        }
    about = {"toolmend": folders.MARK, "schema": SCHEMA, "version": __version__, "study": "hindsight", "seed": seed}
    about |= {"parts": {split: counts(part) for split, part in parts.items()}}
    card = (
        f"# Simulated dialogues, seed {seed}\n\nMade by `toolmend study hindsight`; slips in {SLIPS:.0%} of requests.\n"
    )
    folders.write(folder, parts, about, card, force=False)
