"""Which kinds of values, and which words beside them, go with which arguments: tables. Knows no call."""

from __future__ import annotations

from collections.abc import Mapping, Set

from toolmend.language.corrections.slots import Slot
from toolmend.language.resolve import vocabulary

KINDS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("clock", "half", "time shift", "clock range", "minutes"), ("time", "date-time")),
    **dict.fromkeys(("day", "day shift", "month", "year"), ("date", "date-time")),
    "moment": ("date-time",),
    **dict.fromkeys(("length", "length change", "long factor"), ("length",)),
    "until": ("length",),
}
NAMED = vocabulary.table("named by kind")
PACKED = frozenset(
    f"{word}{end}"
    for word in "pack box bottle piece bag carton pair packet unit item cup can jar copy".split()
    for end in ("", "s", "es")
)
WHOLE = {"quantity", "count", "number", "amount", "copies", "pieces", "many", "units"}
DEGREES = vocabulary.words("degrees")
COMMON = vocabulary.words("common")
"""Words that people put around a value and that change nothing in it: preference, manner, reasons."""
SMALL = vocabulary.words("beside values")
ROLES = vocabulary.table("roles")
"""What is said of the first and of the last day of a journey or a stay, by the names of arguments."""


def role(slot: Slot) -> Set[str]:
    """The words that are said of such a day of a journey or a stay."""
    return set().union(*(ROLES[word] for word in slot.label.split() if word in ROLES))
