"""Models in memory: a budget in bytes, loading when first asked for, the least recently used goes first, pinned stay.

Knows no model: it is told what one needs and how it is loaded. One at a time loads, and nothing is loaded twice.
"""

from __future__ import annotations

import os
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolmend.errors import BadOption, ModelError

VARIABLE = "TOOLMEND_MEMORY"
"""The environment's word on the budget: 12GB, 900MB, 16GiB."""

_SHARE = 0.8
_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
_BINARY = {"K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}


@dataclass
class Resident:
    """A model in memory."""

    what: Any
    name: str
    bytes: int
    pinned: bool


class Residents:
    """What is loaded. `budget` is bytes, or finds them when they are first needed."""

    def __init__(self, budget: int | Callable[[], int]) -> None:
        self._budget = budget
        self._held: OrderedDict[Hashable, Resident] = OrderedDict()
        self._lock = threading.RLock()

    @property
    def budget(self) -> int:
        """Bytes that all models together may take."""
        if not isinstance(self._budget, int):
            self._budget = self._budget()
        return self._budget

    @property
    def names(self) -> list[str]:
        """The models in memory, the least recently used first."""
        return [held.name for held in self._held.values()]

    def get(
        self, key: Hashable, name: str, need: int, load: Callable[[], Any], *, pinned: bool = False, plan: str = ""
    ) -> Any:
        """The model of a key, loaded if it is not there; others go until its `need` of bytes fits.

        Raises ModelError with the plan where it cannot fit, before anything is loaded or goes.
        """
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
                return self._held[key].what
            self._make_room(name, need, plan)
            what = load()
            self._held[key] = Resident(what, name, need, pinned)
            return what

    def drop(self, key: Hashable) -> None:
        """Let a model go, pinned or not."""
        with self._lock:
            self._held.pop(key, None)

    def _make_room(self, name: str, need: int, plan: str) -> None:
        stay = [held for held in self._held.values() if held.pinned]
        pinned = sum(held.bytes for held in stay)
        if need + pinned > self.budget:
            held = f", of which pinned models hold {size(pinned)} ({', '.join(h.name for h in stay)})" if stay else ""
            raise ModelError(
                f"{name} needs {size(need)}{f' ({plan})' if plan else ''}; the budget is {size(self.budget)}{held}; "
                f"less is needed with dtype=bfloat16, a smaller window or batch=1; {VARIABLE} sets the budget"
            )
        for key in [key for key, held in self._held.items() if not held.pinned]:
            if need + sum(held.bytes for held in self._held.values()) <= self.budget:
                return
            del self._held[key]


def bytes_of(text: str, what: str) -> int:
    """Bytes of `12GB`, `900MB` or `16GiB`. Raises BadOption saying `what` that was."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(i?)B?\s*", text, re.IGNORECASE)
    if not found or (found[3] and not found[2]):
        raise BadOption(f"{what} is {text!r}, not a size such as 12GB")
    units = _BINARY if found[3] else _UNITS
    return int(float(found[1]) * units[found[2].upper()])


def usual_budget(device: int | None = None) -> int:
    """What the environment says, else four fifths of the memory of the device, or of what the machine has free."""
    if text := os.environ.get(VARIABLE, ""):
        return bytes_of(text, VARIABLE)
    return int(_SHARE * (device if device is not None else free_memory()))


def free_memory() -> int:
    """Bytes of the machine's memory that are not in use."""
    info = Path("/proc/meminfo")
    if info.is_file() and (found := re.search(r"MemAvailable:\s+(\d+) kB", info.read_text(encoding="utf-8"))):
        return 1024 * int(found[1])
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def size(count: int) -> str:
    """Bytes for people: 16.1 GB."""
    for unit, step in (("GB", 10**9), ("MB", 10**6)):
        if count >= step:
            return f"{count / step:.1f} {unit}"
    return f"{count / 1000:.1f} kB"
