"""Does training on corrections raise net fix, over training on clean calls only, at equal tokens?

Two embedded models from nothing (torch), equal in everything but what they read: dialogues without a wrong reply, or
dialogues in which 30 % of the requests are answered wrongly first, complained about and mended.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from toolmend.errors import BadOption, MissingExtra
from toolmend.models.builtin.spelling import Spelling
from toolmend.tools import Toolbox
from toolmend.training.corpus import Source
from toolmend.training.meaning import Exchange
from toolmend.training.simulate import simulate
from toolmend.training.studies.arena import Watching
from toolmend.training.studies.simulated import TOOLBOX
from toolmend.training.studies.study import Question

CLEAN, CORRECTED = "clean calls only", "corrections"
SLIPS = 0.3
SIZES = {  # vocabulary, width, inner, layers, heads
    "tiny": (512, 48, 96, 2, 2),
    "plain": (704, 192, 512, 4, 6),
    "small": (2048, 192, 384, 6, 6),
}
WINDOW = 768
EXAM = 60


@dataclass(frozen=True)
class Setting:
    """`tokens` counts padded positions of each training, `batch` those of a step; `size` is a name in SIZES.

    Rates are those at which the models that ship were trained, falling in a line to nothing.
    """

    tokens: int = 8_000_000
    size: str = "plain"
    batch: int = 4096
    muon: float = 0.01
    adam: float = 0.001
    apart: float = 0.3
    swap: float = 0.4
    threads: int = 0


def question(setting: Setting) -> Question:
    """What is asked. Raises BadOption for a size that nobody knows."""
    if setting.size not in SIZES:
        raise BadOption(f"unknown size {setting.size!r}; known: {', '.join(SIZES)}")
    text = "Does training on corrections raise net fix, over clean calls only, at equal tokens?"
    settings = {name: value for name, value in asdict(setting).items() if name != "threads"}
    return Question("corrections", text, (CLEAN, CORRECTED), "net_fix", settings)


def dialogue(arm: str, number: int, held_out: bool) -> Sequence[Exchange]:
    """One dialogue of a way of training; the clean way has nothing wrong in it, and no complaint."""
    if arm == CORRECTED:
        return simulate(number, held_out=held_out, slips=SLIPS)
    return [each for each in simulate(number, held_out=held_out, slips=0.0) if each.gold and each.op != "groundless"]


def train(setting: Setting, arm: str, seed: int, folder: Path, watching: Watching) -> Mapping[str, Any]:
    """Train one model and write `folder/preset`. Raises MissingExtra without torch."""
    try:
        from toolmend.training.exam import exam
        from toolmend.training.net import Shape
        from toolmend.training.trainer import Recipe
        from toolmend.training.trainer import train as learn
    except ImportError as error:
        raise MissingExtra("the study of corrections", "train") from error
    from toolmend.training.builtin import calendar_source, shorthands, vocabulary
    from toolmend.training.export import write_preset

    size = SIZES[setting.size]
    spelling = Spelling(shorthands(Toolbox.load(TOOLBOX).specs))
    (folder / "net").mkdir(parents=True, exist_ok=True)
    tokens = vocabulary(size[0], spelling, folder.parent / "tokenizer.json")
    source = Source(lambda number, held_out: dialogue(arm, number, held_out), calendar_source().needed)
    recipe = Recipe(
        Shape(*size),
        setting.tokens,
        setting.batch,
        setting.muon,
        setting.adam,
        decay=1.0,
        apart=setting.apart,
        swap=setting.swap,
        seed=seed,
        threads=setting.threads,
        exam_every=10**9,
        compile=setting.size != "tiny",
    )
    net = learn(recipe, tokens, folder / "net", watching.rows, source)
    marks = exam(net, tokens, calendar_source(), EXAM)
    told = {"exact_same": marks.share("same"), "exact_held_out": marks.share("held_out")}
    about = {"name": f"{arm}, seed {seed}", "license": "Apache-2.0", "figures": told}
    card = f"# {arm}, seed {seed}\n\nMade by `toolmend study corrections`; for nothing else.\n"
    write_preset(folder / "preset", net, tokens, toolboxes=[TOOLBOX], window=WINDOW, about=about, card=card)
    return told
