"""What a simulated calendar talk comes to as values: entries and calls, and when two of them are the same."""

from __future__ import annotations

from typing import Any

from toolmend.messages import ToolSpec
from toolmend.resolve.background import Computed
from toolmend.strategies.spoken_signature import spoken_spec
from toolmend.toolboxes.calendar import Calendar
from toolmend.training.meaning import Entry, Meant

ADD, REMOVE = "action.add_calendar_entry", "action.remove_calendar_entry"
SPECS: tuple[ToolSpec, ...] = Calendar().specs
NAMED = {REMOVE: {"entry": "entry"}}
SHOWN = tuple(spoken_spec(spec, NAMED) for spec in SPECS)
"""The tools as the notation has them."""


def entries_of(meant: Meant) -> list[Entry]:
    """Every entry that is meant, in the order of saying."""
    return [meant.entry, *(other.entry for other in meant.also)]


def values_of(entry: Entry) -> dict[str, Any]:
    """An entry as the arguments of the call that adds it."""
    return {
        "title": entry.title,
        "date": entry.date.isoformat(),
        "time": f"{entry.time:%H:%M}",
        "duration": entry.duration,
    }


def removed_values(entry: Entry) -> dict[str, Any]:
    """An entry as the arguments of the call that removes it."""
    return {name: value for name, value in values_of(entry).items() if name != "duration"}


def same_thing(values: Any, arguments: Any) -> bool:
    """Whether both name the same entry, whatever its length."""
    return all(str(values.get(name)).lower() == str(arguments.get(name)).lower() for name in ("title", "date", "time"))


def same_values(arguments: Any, values: Any) -> bool:
    """Whether both are the same, titles apart from their case, 30 minutes where no duration is given."""
    names = {*arguments, *values}
    return all(str(arguments.get(name, 30)).casefold() == str(values.get(name, 30)).casefold() for name in names)


def same_calls(computed: Computed, meant: Meant) -> bool:
    """Whether the calls are those that are due, in any order, titles apart from their case."""

    def key(tool: str, values: Any) -> tuple[Any, ...]:
        title = str(values.get("title", "")).casefold()
        return (tool, title, values.get("date"), values.get("time"), values.get("duration", 30) if tool == ADD else 0)

    due = sorted(key(REMOVE if one.remove else ADD, values_of(one.entry)) for one in (meant, *meant.also))
    return due == sorted(key(call.tool, call.arguments) for call in computed.calls)
