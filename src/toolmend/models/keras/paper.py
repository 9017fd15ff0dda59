"""What models would take, on paper: weights, caches and workspace on each device, and which fit together.

Sizes come from a folder where there is one, else from what is published (catalogue). Nothing is loaded, and the
policy is that of the models in memory (resident.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from toolmend.errors import BadOption, ModelError
from toolmend.models.keras import catalogue
from toolmend.models.keras.engine import PIECES
from toolmend.models.keras.folder import Folder, locate
from toolmend.models.keras.model import WIDTHS, WORK, KerasSettings
from toolmend.models.keras.resident import Residents
from toolmend.models.keras.shards import ShardPlan, plan
from toolmend.models.keras.sizes import Sizes
from toolmend.options import read_options, split_name

_REAL = 4  # bytes of a number in the parts that are computed in float32: attention and logits


@dataclass(frozen=True)
class Paper:
    """What one model takes on each device, in bytes."""

    name: str
    dtype: str
    window: int
    batch: int
    layout: ShardPlan
    weights: int
    caches: int
    workspace: int

    @property
    def held(self) -> int:
        """What stays in memory of one device while others compute."""
        return self.weights + self.caches


@dataclass(frozen=True)
class Together:
    """Models loaded one after another on devices of `each` bytes, of which `workspace` is kept free for the one that
    computes: those in memory at the end, those that had to go, and those that do not fit alone."""

    each: int
    workspace: int
    papers: tuple[Paper, ...]
    stay: tuple[str, ...]
    go: tuple[str, ...]
    never: tuple[str, ...]


def sizes_of(name: str, *, download: bool = False) -> Sizes:
    """The sizes of `keras/NAME`: of its folder, or those published for a model of the catalogue.

    Raises ModelError for one that is neither here nor in the catalogue, and BadFile.
    """
    entry = catalogue.find(name)
    try:
        return Sizes.read(Folder.read(locate(name, _preset, download=download)))
    except ModelError:
        if entry is None:
            raise
        return catalogue.SIZES[entry.name]


def paper_of(named: str, devices: int | None = None, *, replicate: bool = False) -> Paper:
    """What a model named with its options takes; `devices` stands for those of its name.

    Raises BadOption where it would lie whole on every device without that being allowed.
    """
    bare, given = split_name(named.removeprefix("keras/"))
    name = f"keras/{bare}"
    settings = read_options(KerasSettings, given, name)
    dtype, sizes = settings.dtype or "bfloat16", sizes_of(bare)
    made = plan(sizes, settings.devices if devices is None else devices)
    made.check(name, replicate=replicate or settings.replicate)
    width = WIDTHS[dtype]
    caches = made.caches_each(WORK * settings.batch * sizes.row_bytes(settings.window, width))
    work = workspace(sizes, settings.window, settings.batch, width)
    return Paper(name, dtype, settings.window, settings.batch, made, made.numbers_each * width, caches, work)


def workspace(sizes: Sizes, window: int, batch: int, width: int) -> int:
    """Bytes that a device needs while it computes: the larger of a piece of a prompt and a step of all rows.

    An estimate from above of what is there at once: two layers' activations, one layer's attention, the logits, whole
    on every device. XLA's copy of the caches counts with them. For builtin/small with five rows of 768 tokens on a CPU
    it says 7.5 MB, and XLA (memory_analysis) 6.1 MB for a piece of a prompt and 4.0 MB for a step, copies left out.
    """

    def step(tokens: int) -> int:
        activations = 2 * tokens * (4 * sizes.width + 3 * sizes.inner + 2 * (sizes.heads + sizes.keys) * sizes.head)
        return width * activations + 2 * _REAL * tokens * sizes.heads * window

    return max(step(max(PIECES)), step(batch) + 2 * _REAL * batch * sizes.vocabulary)


def together(names: Sequence[str], memory: int, devices: int, *, replicate: bool = False) -> Together:
    """What of several models fits into `memory` bytes of `devices` devices together, loaded in this order.

    Raises BadOption for a model named twice, and what `paper_of` raises.
    """
    if memory < devices or devices < 1:
        raise BadOption(f"{memory} bytes on {devices} devices: nothing fits there")
    papers = tuple(paper_of(name, devices, replicate=replicate) for name in names)
    if len({paper.name for paper in papers}) < len(papers):
        raise BadOption("a model is named twice")
    work = max(paper.workspace for paper in papers)
    held, never = Residents(memory // devices - work), []
    for paper in papers:
        try:
            held.get(paper.name, paper.name, paper.held, lambda: None)
        except ModelError:
            never.append(paper.name)
    stay = tuple(held.names)
    go = tuple(paper.name for paper in papers if paper.name not in (*stay, *never))
    return Together(memory // devices, work, papers, stay, go, tuple(never))


def as_rows(made: ShardPlan, width: int) -> list[dict[str, Any]]:
    """Every weight of a plan as plain values."""
    return [
        {
            "variable": each.path,
            "shape": list(each.shape),
            "cut": each.axis,
            "part": list(each.part(made.devices)),
            "bytes_per_device": width * prod(each.part(made.devices)),
            "by": each.by,
        }
        for each in made.placed
    ]


def _preset(name: str) -> str:
    from toolmend.models.keras.loading import preset_handle
    from toolmend.models.keras.worker import worker

    return worker().call(lambda: preset_handle(name))
