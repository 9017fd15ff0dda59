"""The recipes of the models that ship, and what `toolmend train builtin` does with them.

Each recipe is a list of stages that continue from one another; a killed run goes on from its work folder. The product
is a preset folder with its card. Needs the extra `train` (torch).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from toolmend.errors import BadOption, MissingExtra, UnknownName
from toolmend.messages import ToolSpec
from toolmend.models.builtin.spelling import Spelling
from toolmend.models.builtin.tokens import Tokens
from toolmend.training.corpus import Source
from toolmend.training.simulate import simulate
from toolmend.training.words import sections

WINDOW = 768
_VOCABULARY_SEED = 900_000_000


@dataclass(frozen=True)
class Stage:
    """Padded positions seen by the end of it, batch size in positions, learning rates (`muon` 0: AdamW for everything),
    seed of its dialogues, share of the stage that decays, share of dialogues whose tokens are taken apart,
    and whose content words are swapped for random ones (see segments.py), and of copying drills (drills.py); `stop`
    ends it before `until`, for an early checkpoint."""

    until: int
    batch: int = 4096
    muon: float = 0.006
    adam: float = 0.001
    seed: int = 1
    decay: float = 0.0
    apart: float = 0.6
    swap: float = 0.0
    drills: float = 0.0
    stop: int | None = None


@dataclass(frozen=True)
class Builtin:
    """A model that ships: its vocabulary, sizes (see net.Shape) and stages."""

    name: str
    about: str
    vocabulary: int
    width: int
    inner: int
    layers: int
    heads: int
    stages: tuple[Stage, ...]


_FIRST_STAGES = (
    Stage(10_250_000, 10_240, 0.02, 0.003, seed=1, apart=0.0),
    Stage(16_040_000, 4096, 0.02, 0.003, seed=2, apart=0.0),
    Stage(21_930_000, 4096, 0.02, 0.003, seed=3),
    Stage(25_850_000, 4096, 0.02, 0.003, seed=4),
)
_THIRD_GENERATION = (
    Stage(27_500_000, muon=0.01, adam=0.0015, seed=21, decay=1.0, apart=0.3, swap=0.4),
    Stage(64_000_000, muon=0.008, adam=0.0012, seed=31, decay=1.0, apart=0.3, swap=0.3),
    Stage(72_000_000, muon=0.008, adam=0.0012, seed=41, apart=0.3, swap=0.3, drills=0.15),
    Stage(102_000_000, muon=0.0047, adam=0.0007, seed=42, decay=0.3, apart=0.3, swap=0.3, drills=0.08),
)
BUILTIN = {
    "small": Builtin("small", "the default", 2048, 192, 384, 6, 6, _THIRD_GENERATION),
    "early": Builtin(
        "early", "of the first generation, stopped before it had learned to copy well", 2048, 192, 384, 6, 6,
        (*_FIRST_STAGES, Stage(46_000_000, seed=5, decay=0.4, apart=0.4, swap=0.4, stop=31_740_000)),
    ),
    "plain": Builtin(
        "plain", "fewer layers, a smaller vocabulary, eight minutes of training", 704, 192, 512, 4, 6,
        (Stage(45_000_000, 2048, 0.0, 0.002, seed=1, decay=0.8, apart=0.25, stop=7_370_000),),
    ),
}  # fmt: skip


def shorthands(specs: tuple[ToolSpec, ...]) -> list[str]:
    """The strings of a toolbox's calls that get one character each in the spelling, from its signatures."""
    made = [f'{spec.full_name}("' for spec in specs]
    for spec in specs:
        for name, schema in list(spec.properties.items())[1:]:
            if name in spec.required and len(spec.required) == len(spec.properties):
                continue
            made.append(f'", {name}="' if schema.get("type") == "string" else f'", {name}=')
    return [*dict.fromkeys(made), '", "', '")']


def calendar_source() -> Source:
    """The simulated calendar's dialogues."""
    names = ("phrases.txt", "moves.txt", "complaints.txt", "replies.txt")
    needed = tuple(line for name in names for lines in sections(name).values() for line in lines)
    return Source(lambda number, held_out: simulate(number, held_out=held_out), needed)


def vocabulary(size: int, spelling: Spelling, cached: Path | None = None, texts: Iterable[str] | None = None) -> Tokens:
    """A vocabulary of that many ids, learned from these texts, else simulated talk (or read back from `cached`)."""
    from tokenizers import Tokenizer

    from toolmend.training.vocabulary import train_vocabulary

    if cached and cached.exists():
        return Tokens(Tokenizer.from_file(str(cached)), spelling)
    tokens = train_vocabulary(_texts() if texts is None else texts, size, spelling)
    if cached:
        tokens.tokenizer.save(str(cached))
    return tokens


def _texts() -> Iterator[str]:
    for number in range(8000):
        for exchange in simulate(_VOCABULARY_SEED + number):
            yield exchange.user
            yield exchange.reply


def data_hash() -> str:
    """Identifies the generator: its data files and a thousand dialogues."""
    digest = hashlib.sha256()
    for path in sorted(files("toolmend.training").joinpath("data").iterdir(), key=lambda each: each.name):
        digest.update(path.read_bytes())
    for number in range(1000):
        digest.update(repr(simulate(number)).encode())
    return digest.hexdigest()[:16]


def train_builtin(name: str, work: Path, out: Path, report: Any) -> dict[str, Any]:
    """Train (or go on training) a model that ships and write its preset to `out`; the exam's figures.

    Raises UnknownName, MissingExtra without torch, BadOption for a work folder of another model.
    """
    if name not in BUILTIN:
        told = "schema gave way to smol/tools: toolmend train adapter --talks tools" if name == "schema" else ""
        raise UnknownName("embedded model", name, BUILTIN, told)
    try:
        from toolmend.training.net import Net, Shape
        from toolmend.training.trainer import Recipe, train
    except ImportError as error:
        raise MissingExtra("training an embedded model", "train") from error
    from toolmend.tools import Toolbox

    recipe = BUILTIN[name]
    work.mkdir(parents=True, exist_ok=True)
    marker = work / "model.json"
    if marker.exists() and json.loads(marker.read_text()) != {"model": name}:
        raise BadOption(f"{work} holds the training of another model; choose another --work folder")
    marker.write_text(json.dumps({"model": name}))
    tokens = vocabulary(
        recipe.vocabulary, Spelling(shorthands(Toolbox.load("calendar").specs)), work / "tokenizer.json"
    )
    shape = Shape(recipe.vocabulary, recipe.width, recipe.inner, recipe.layers, recipe.heads)
    net: Net | None = None
    for stage in recipe.stages:
        settings = Recipe(
            shape,
            stage.until,
            stage.batch,
            stage.muon,
            stage.adam,
            seed=stage.seed,
            decay=stage.decay,
            apart=stage.apart,
            swap=stage.swap,
            drills=stage.drills,
            stop=stage.stop,
        )
        net = train(replace(settings, compile=True), tokens, work, report, calendar_source())
    assert net is not None
    return finish(name, net, tokens, out, f"toolmend train builtin {name}")


def finish(
    name: str, net: Any, tokens: Tokens, out: Path, command: str, remark: str = "", dialogues: int = 400
) -> dict[str, Any]:
    """Examine a net and write it as the preset of that name; the figures."""
    from toolmend.training.exam import exam
    from toolmend.training.export import write_preset

    recipe = BUILTIN[name]
    result = exam(net, tokens, calendar_source(), dialogues)
    figures: dict[str, Any] = result.summary()
    about = {
        "name": name,
        "about": recipe.about,
        "license": "Apache-2.0",
        "figures": figures,
        "trained": {
            "command": command,
            "stages": [vars(stage) for stage in recipe.stages],
            "data": data_hash(),
            "remark": remark,
        },
    }
    misses = [row for row in result.missed if row[0] == "held_out"][:6]
    write_preset(
        out,
        net,
        tokens,
        toolboxes=["calendar"],
        window=WINDOW,
        about=about,
        card=_card(recipe, figures, misses, command, remark),
    )
    return figures


def _card(
    recipe: Builtin, figures: dict[str, Any], misses: list[tuple[str, str, str, str]], command: str, remark: str
) -> str:
    rows = "\n".join(f"| {kind} | {share} |" for kind, share in figures["by_op"].items())
    wrong = "\n".join(f"- *{said}*\n  due: `{due}`\n  said: `{got}`" for _, said, due, got in misses)
    return f"""# builtin/{recipe.name}: {recipe.about}

A Llama of {recipe.layers} layers, width {recipe.width}, {recipe.heads} heads, a specialist: trained on the API of
the `calendar` toolbox in one line of Python, which others read in the prompt, and on nothing else. It reads the
conversation; it does not read system text, does not know what day it is unless told, takes an unstated
year for 2023 and an unstated duration for 30 minutes, as the published experiment does.

Trained from nothing but simulated dialogues with corrections (src/toolmend/training), on two cores:
`{command}`. {remark}

| exam: whole reply exact, greedy, history as it should have been | share |
|---|---|
| names and wordings as in training | {100 * figures["same"]:.1f} % |
| **held-out names, 60 % held-out wordings** (n={figures["n"]}) | **{100 * figures["held_out"]:.1f} %** |

By kind of request (held-out): `fix N` are corrections of level N.

| request | exact |
|---|---|
{rows}

How it fails (the first held-out misses):
{wrong}

It writes whatever comes out when asked for anything but calendar entries, loses the oldest turns of a talk longer than
{WINDOW} tokens, and knows a weekday only from one that was said. English only.
"""
