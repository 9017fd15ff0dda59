"""Where a world lives from talk to talk: a JSON file, an iCalendar file, a calendar on a CalDAV server.

home = home_of("calendar.json")     home_of("~/work.ics")     home_of("caldav+https://USER@HOST/…")
home.load(box); …; home.save(box)
"""

from __future__ import annotations

from pathlib import Path

from toolmend.base.errors import BadOption
from toolmend.tools.toolboxes.home import Home

__all__ = ["Home", "home_of"]


def home_of(place: str) -> Home:
    """The home of that name. Raises BadOption for one that nobody knows."""
    if place.startswith("caldav+"):
        from toolmend.tools.toolboxes.caldav_home import CaldavHome

        return CaldavHome(place.removeprefix("caldav+"))
    path = Path(place).expanduser()
    if path.suffix not in (".ics", ".json"):
        raise BadOption(f"{place!r} is no place for a world: FILE.json, FILE.ics, caldav+https://…")
    if path.suffix == ".json":
        return Home(path)
    from toolmend.tools.toolboxes.ics_home import IcsHome

    return IcsHome(path)
