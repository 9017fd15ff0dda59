"""Models in memory: a budget in bytes, loading when first asked for, the least recently used goes first.

Knows no model: it is told what one needs and how it is loaded.
"""

from __future__ import annotations

import os
import re
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import cached_property
from pathlib import Path
from typing import Any

from toolmend.base.errors import BadOption, ModelError

VARIABLE = "TOOLMEND_MEMORY"
"""The environment's word on the budget: 12GB, 900MB."""

_SHARE = 0.8
_UNITS = {"GB": 10**9, "MB": 10**6}


class Residents:
    """What is loaded. `budget` finds the bytes when they are first needed; used from one thread."""

    def __init__(self, budget: Callable[[], int]) -> None:
        self._find_budget = budget
        self._held: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()

    @cached_property
    def budget(self) -> int:
        """Bytes that all models together may take."""
        return self._find_budget()

    def get(self, key: Hashable, name: str, need: int, load: Callable[[], Any], plan: str = "") -> Any:
        """The model of a key, loaded if it is not there; others go until its `need` of bytes fits.

        Raises ModelError with the plan where it cannot fit, before anything is loaded or goes.
        """
        if key in self._held:
            self._held.move_to_end(key)
            return self._held[key][0]
        if need > self.budget:
            raise ModelError(
                f"{name} needs {size(need)}{f' ({plan})' if plan else ''}; the budget is {size(self.budget)}; "
                f"less is needed with dtype=bfloat16 or a smaller window; {VARIABLE} sets the budget"
            )
        while need + sum(held for _, held in self._held.values()) > self.budget:
            self._held.popitem(last=False)
        self._held[key] = load(), need
        return self._held[key][0]

    def drop(self, key: Hashable) -> None:
        """Let a model go."""
        self._held.pop(key, None)


def usual_budget(device: int | None = None) -> int:
    """What the environment says, else four fifths of the memory of the device, or of what the machine has free.

    Raises BadOption for what is no size.
    """
    if text := os.environ.get(VARIABLE, ""):
        said = re.fullmatch(r"(\d+(?:\.\d+)?) ?([GM]B)", text.strip(), re.IGNORECASE)
        if not said:
            raise BadOption(f"{VARIABLE} is {text!r}, not a size such as 12GB")
        return int(float(said[1]) * _UNITS[said[2].upper()])
    return int(_SHARE * (device if device is not None else free_memory()))


def free_memory() -> int:
    """Bytes of the machine's memory that are not in use."""
    info = Path("/proc/meminfo")
    if info.is_file() and (found := re.search(r"MemAvailable:\s+(\d+) kB", info.read_text(encoding="utf-8"))):
        return 1024 * int(found[1])
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def size(count: int) -> str:
    """Bytes for people: 16.1 GB."""
    for unit, step in _UNITS.items():
        if count >= step:
            return f"{count / step:.1f} {unit}"
    return f"{count / 1000:.1f} kB"
