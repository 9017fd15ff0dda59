"""What a visitor may choose on a side: the models, worlds and cases of this arena. No other name is even looked up.

Names can be more than names: a toolbox may be a file or a command, a model a folder, a suite a file. Those are for
whoever starts the arena.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolmend.arena.case import loadable
from toolmend.arena.setup import Setup
from toolmend.arena.views import Contestant
from toolmend.errors import UnknownName


@dataclass(frozen=True, slots=True)
class Offer:
    """`suites` are those whose cases can be loaded, none named: all that ship."""

    models: Collection[str]
    toolboxes: Collection[str]
    suites: Sequence[str] = ()

    def check(self, now: Setup, changes: Mapping[str, Any]) -> None:
        """Raise UnknownName for a change of these settings to what is not offered; what stands there already may."""
        contestant: Contestant = changes.get("contestant") or now.contestant
        toolbox: str = changes.get("toolbox") or now.toolbox
        suite = (changes.get("case") or "").partition(":")[0]
        if contestant.model != now.contestant.model and contestant.model not in self.models:
            raise UnknownName("model", contestant.model[:80], self.models)
        if toolbox != now.toolbox and toolbox not in self.toolboxes:
            raise UnknownName("toolbox", toolbox[:80], self.toolboxes)
        if suite and suite not in (known := loadable(self.suites)):
            raise UnknownName("suite", suite[:80], known)
