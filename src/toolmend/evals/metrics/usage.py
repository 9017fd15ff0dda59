"""What a stored sample made its model do: the tokens and seconds of its replies, those of branches too."""

from __future__ import annotations

from toolmend.events import Replied, Tried
from toolmend.messages import Usage
from toolmend.store import Sample

USES = (Replied, Tried)  # the events that tell


def used(sample: Sample, *, cached: bool = False) -> Usage:
    """What was asked for in a sample; with `cached`, also what would have been but for the cache.

    Replies that a suite gave are nobody's.
    """
    found = [
        event.usage
        for event in sample.events
        if isinstance(event, Tried) or (isinstance(event, Replied) and event.model != "given")
        if cached or not event.cached
    ]
    return sum(found, Usage())
