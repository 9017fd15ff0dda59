"""Which kinds of values, and which words beside them, go with which arguments: tables. Knows no call."""

from __future__ import annotations

from collections.abc import Mapping, Set

from toolmend.corrections.slots import Slot

KINDS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("clock", "half", "time shift", "clock range", "minutes"), ("time", "date-time")),
    **dict.fromkeys(("day", "day shift", "month", "year"), ("date", "date-time")),
    "moment": ("date-time",),
    **dict.fromkeys(("length", "length change", "long factor"), ("length",)),
    "until": ("length",),
}
NAMED = {
    "money": {"amount", "price", "sum", "cost", "budget", "total", "limit", "fee"},
    "percent": {
        "volume",
        "brightness",
        "level",
        "percent",
        "percentage",
        "discount",
        "tip",
        "humidity",
        "speed",
        "position",
        "intensity",
    },
    "degrees": {"temperature", "target", "degrees", "heat"},
}
PACKED = frozenset(
    f"{word}{end}"
    for word in "pack box bottle piece bag carton pair packet unit item cup can jar copy".split()
    for end in ("", "s", "es")
)
WHOLE = {"quantity", "count", "number", "amount", "copies", "pieces", "many", "units"}
SMALL = frozenset(
    "the a an at on in to of for by from till until is it's it its it'll take be meet we'll this that "
    "that's was and then only just please starts start "
    "starting begins begin lasts last lasting takes goes ends end than enough better suits suffices shorten "
    "extend lengthen move push bring raise lower "
    "increase reduce turn cut up down back forward until o'clock around about exactly precisely "
    "sharp not's i'm are they there's there us "
    "again now today's same day date time clock instead altogether long total so as over with me my our we "
    "we're all both them 1".split()
)
ROLES: tuple[tuple[Set[str], Set[str]], ...] = tuple(
    (set(labels.split()), set(words.split()))
    for labels, words in (
        ("depart outbound departure", "leave leaving leaves depart departing out outbound fly flying start go going"),
        ("arrival in checkin", "arrive arriving arrival arrives get there check in from start"),
        (
            "departure out checkout",
            "leave leaving leaves depart departing home check out until till to end stay staying",
        ),
        (
            "start from begin pickup",
            "start starts starting from begin pick pickup collect collecting up go going leave",
        ),
        ("return inbound", "back return returning returns home until till inbound come coming bring"),
        (
            "end until to back dropoff finish",
            "back return until till end ends ending finish drop dropping bring hand to home",
        ),
    )
)
"""What is said of the first and of the last day of a journey or a stay, by the names of arguments."""


def role(slot: Slot) -> Set[str]:
    """The words that are said of such a day of a journey or a stay."""
    return set().union(*(words for labels, words in ROLES if labels & set(slot.label.split())))
