"""Which weight lies on which device: one dimension of each is cut into equal parts, or it lies whole on every device.

The cuts are those of KerasHub's layout maps where it has one and its cut divides (Llama, Gemma, Qwen 2), and our own
where it has none (Mistral, Qwen 3, the untied output head) or where heads or vocabulary do not divide. Arithmetic
only: mesh.py carries a plan out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import prod

from toolmend.errors import BadOption
from toolmend.models.keras.sizes import Sizes

MAPPED = ("llama", "qwen2", "gemma")
"""Kinds that KerasHub has a layout map for."""

ALLOWED = "replicate=true"
"""The option that allows weights to lie whole on every device although they are large."""

# What to cut, the best first: pattern of a path, dimensions in order. The first is that of KerasHub's map.
_CUTS: tuple[tuple[str, tuple[int, ...]], ...] = (
    (r"token_embedding/embeddings", (0, 1)),
    (r"token_embedding/reverse_embeddings", (1, 0)),
    (r".*attention/(query|key|value)/kernel", (0, 1, 2)),
    (r".*attention_output/kernel", (0, 1, 2)),
    (r".*(feedforward_(intermediate|gate)_dense|ffw_gating|ffw_gating_2)/kernel", (1, 0)),
    (r".*(feedforward_output_dense|ffw_linear)/kernel", (0, 1)),
)
_NAMED = 4  # variables that an error names
_CACHE = (4, 5)  # dimensions of (rows, layers, 2, length, heads, size) that a cache can be cut in


@dataclass(frozen=True)
class Placed:
    """One weight and where it lies: cut in dimension `axis`, or whole everywhere (None). `by` says whose choice it
    is: `KerasHub`, `own`, `small` (scales and biases, always whole), or `whole` (nothing divides)."""

    path: str
    shape: tuple[int, ...]
    axis: int | None
    by: str

    def part(self, devices: int) -> tuple[int, ...]:
        """The shape that one device holds."""
        return tuple(size // devices if place == self.axis else size for place, size in enumerate(self.shape))


@dataclass(frozen=True)
class ShardPlan:
    """All weights of a model on `devices` devices, and the dimension in which its caches are cut (None: whole)."""

    devices: int
    placed: tuple[Placed, ...]
    cache_axis: int | None

    @property
    def numbers_each(self) -> int:
        """How many numbers one device holds; every device holds as many."""
        return sum(prod(each.part(self.devices)) for each in self.placed)

    @property
    def whole(self) -> list[str]:
        """Large weights that would lie whole on every device, and `the caches` where they would."""
        return [each.path for each in self.placed if each.by == "whole"] + (
            [] if self.cache_axis is not None or self.devices == 1 else ["the caches"]
        )

    def caches_each(self, count: int) -> int:
        """Bytes on one device of caches of `count` bytes in all."""
        return count if self.cache_axis is None else count // self.devices

    def check(self, name: str, *, replicate: bool) -> ShardPlan:
        """This plan. Raises BadOption naming what would lie whole on every device, unless that is allowed."""
        if self.whole and not replicate:
            more = len(self.whole) - _NAMED
            shown = ", ".join(self.whole[:_NAMED]) + (f" and {more} more" if more > 0 else "")
            raise BadOption(
                f"{name} on {self.devices} devices: {shown} would lie whole on each of them, because no dimension "
                f"divides by {self.devices}; another number of devices, or {ALLOWED} to allow it"
            )
        return self


def plan(sizes: Sizes, devices: int) -> ShardPlan:
    """Where every weight of a model goes. Raises BadOption for a number of devices that is none."""
    if devices < 1:
        raise BadOption(f"devices={devices}: at least one")
    placed = tuple(_place(sizes.kind, path, shape, devices) for path, shape in sizes.variables())
    around = (sizes.keys, sizes.head)
    axis = next((each for each, size in zip(_CACHE, around, strict=True) if size % devices == 0), None)
    return ShardPlan(devices, placed, axis if devices > 1 else None)


def _place(kind: str, path: str, shape: tuple[int, ...], devices: int) -> Placed:
    cuts = next((cuts for pattern, cuts in _CUTS if re.fullmatch(pattern, path)), ())
    if not cuts or devices == 1:
        return Placed(path, shape, None, "small" if not cuts else "one device")
    axis = next((each for each in cuts if shape[each] % devices == 0), None)
    if axis is None:
        return Placed(path, shape, None, "whole")
    theirs = kind in MAPPED and axis == cuts[0] and not path.endswith("reverse_embeddings")
    return Placed(path, shape, axis, "KerasHub" if theirs else "own")
