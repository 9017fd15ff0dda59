"""Toolboxes that keep things beyond a talk, with a store apart from the operator's: visitors use them.

Memory is a new one for each talk, in a folder that goes with the arena. A library is that of the arena's own store,
which must not be the operator's default one. Other toolboxes are as they come.
"""

from __future__ import annotations

import os
import tempfile
from functools import cached_property
from pathlib import Path

from toolmend.arena.records import new_id
from toolmend.errors import BadOption
from toolmend.store import default_place
from toolmend.tools import Toolbox


class Apart:
    """`place` is the arena's own store."""

    def __init__(self, place: str) -> None:
        self._place = place

    def load(self, name: str) -> Toolbox:
        """The toolbox of a name, set apart. Raises what is wrong with the name, BadOption for the default library."""
        return self.put(Toolbox.load(name))

    def put(self, box: Toolbox) -> Toolbox:
        """The toolbox itself, with a store of its own if it would open the operator's."""
        if type(box).__module__.startswith("toolmend.toolboxes"):  # nor does an arena of these wait for the imports
            return box
        from toolmend.knowledge.toolbox import KnowledgeTools
        from toolmend.memory.toolbox import MemoryTools

        if isinstance(box, MemoryTools):
            box.place, box.namespace = str(Path(self._folder.name) / "memory.db"), new_id()
        elif isinstance(box, KnowledgeTools):
            if _path(self._place) == _path(default_place()):
                raise BadOption(
                    "knowledge would show visitors the library in your own store: give the arena another --store, "
                    "and fill it with `toolmend know add --store`"
                )
            box.place = self._place
        return box

    @cached_property
    def _folder(self) -> tempfile.TemporaryDirectory[str]:
        return tempfile.TemporaryDirectory(prefix="toolmend-arena-", ignore_cleanup_errors=True)

    def close(self) -> None:
        """Take the memories of all talks away."""
        if "_folder" in self.__dict__:
            self._folder.cleanup()


def _path(place: str) -> str:
    return os.path.realpath(os.path.expanduser(place.removeprefix("sqlite:///")))
