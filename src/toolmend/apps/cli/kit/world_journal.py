"""What talks changed in a world that lives from one to the next, so that "undo" reaches over the end of a talk.

A change is what went and what came of a list of things, or the whole state before and after. Taking one back leaves
alone what was changed since by anybody else, and changes nothing where it cannot be. Knows no screen.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from toolmend.base.atomic import written
from toolmend.base.errors import BadOption
from toolmend.tools import Toolbox

MOST = 50
Rows = list[dict[str, Any]]


class WorldJournal:
    """The changes of the world that lives at `place`, in a file for all places."""

    def __init__(self, path: Path, place: str) -> None:
        self.path, self.place = path, place

    def note(self, said: str, before: Any, after: Any) -> None:
        """Keep a change with what was said for it. Raises BadFile."""
        self._keep([*self._rows(), {"said": said, **_change(before, after)}][-MOST:])

    def forget(self) -> None:
        """The last change was taken back. Raises BadFile."""
        self._keep(self._rows()[:-1])

    def take_back(self, box: Toolbox) -> str:
        """Take the last change back; what had been said for it. Raises BadOption where there is none, or where what it
        made is no longer there."""
        rows = self._rows()
        if not rows:
            raise BadOption("there is nothing to undo yet")
        last, now = rows[-1], box.state()
        if "name" in last:
            things = list(now.get(last["name"], ())) if isinstance(now, Mapping) else []
            if missing := [thing for thing in last["came"] if thing not in things]:
                raise BadOption(f"“{last['said']}” cannot be undone: {_told(missing[0])} was changed or removed since")
            for thing in last["came"]:
                things.remove(thing)
            box.set_state({**now, last["name"]: [*things, *last["went"]]})
        elif now != last["after"]:
            raise BadOption(f"“{last['said']}” cannot be undone: the world was changed in another way since")
        else:
            box.set_state(last["before"])
        self._keep(rows[:-1])
        return str(last["said"])

    def _all(self) -> dict[str, Rows]:
        try:
            kept = json.loads(self.path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return kept if isinstance(kept, dict) else {}

    def _rows(self) -> Rows:
        rows = self._all().get(self.place, [])
        return rows if isinstance(rows, list) else []

    def _keep(self, rows: Rows) -> None:
        with written(self.path, durable=True) as part:
            part.touch(mode=0o600)
            part.write_text(json.dumps({**self._all(), self.place: rows}, ensure_ascii=False, default=str), "utf-8")


def _change(before: Any, after: Any) -> dict[str, Any]:
    """What went and what came, where both are one list of things under the same name."""
    same = isinstance(before, Mapping) and isinstance(after, Mapping) and list(before) == list(after)
    if not same or len(before) != 1 or not all(isinstance(one, list) for one in (*before.values(), *after.values())):
        return {"before": before, "after": after}
    [name] = before
    went, came = list(before[name]), []
    for thing in after[name]:
        if thing in went:
            went.remove(thing)
        else:
            came.append(thing)
    return {"name": name, "went": went, "came": came}


def _told(thing: Any) -> str:
    if isinstance(thing, Mapping):
        return "“" + ", ".join(str(value) for value in thing.values()) + "”"
    return f"“{thing}”"


def journal_of(path: Path, place: str) -> WorldJournal | None:
    """The journal of a world; None for one that lives on a server, where others change it between two looks."""
    return None if place.startswith("caldav+") else WorldJournal(path, place)
