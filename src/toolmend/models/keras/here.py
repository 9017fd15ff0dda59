"""What of the catalogue can run on this machine, and why the rest cannot. Looks at files and memory; loads nothing."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from typing import Any

from toolmend.errors import ToolmendError
from toolmend.models.keras.catalogue import ENTRIES, Entry
from toolmend.models.keras.folder import Folder, locate
from toolmend.models.keras.resident import size, usual_budget

_NEEDED = ("keras", "keras_hub", "jax")
_SMALLEST = 2  # bytes of a weight in bfloat16


def rows(budget: int | None = None) -> list[dict[str, Any]]:
    """Every model of the catalogue as plain values; `why_not` lists what keeps it from running, nothing if it can."""
    allowed = usual_budget() if budget is None else budget
    return [_row(entry, list(_reasons(entry, allowed))) for entry in ENTRIES]


def _row(entry: Entry, why_not: list[str]) -> dict[str, Any]:
    return {
        "model": f"keras/{entry.name}",
        "label": entry.label,
        "parameters": entry.parameters,
        "bytes": entry.bytes(_SMALLEST),
        "context": entry.context,
        "licence": entry.licence,
        "template": entry.template,
        "stops": list(entry.stops),
        "handles": list(entry.handles),
        "elsewhere": entry.elsewhere,
        "why_not": why_not,
    }


def _reasons(entry: Entry, budget: int) -> Iterator[str]:
    if any(importlib.util.find_spec(name) is None for name in _NEEDED):
        yield "the extra 'local' is not installed"
    try:
        Folder.read(locate(entry.name, str, download=False))
    except ToolmendError as error:
        here = "is not on this machine" not in str(error)
        yield str(error) if here else f"not fetched: hf download {entry.linked}"
    if entry.bytes(_SMALLEST) > budget:
        yield f"{size(entry.bytes(_SMALLEST))} in bfloat16, and the budget is {size(budget)}"
