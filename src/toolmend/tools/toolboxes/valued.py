"""A world of values that are replaced and never changed: what it was is kept by holding on to them."""

from __future__ import annotations

from typing import Any

from toolmend.tools import Toolbox


class ValueBox(Toolbox):
    """The attributes named in `kept` are all that changes."""

    quick = True
    kept: tuple[str, ...] = ()

    def snapshot(self) -> Any:
        """The values."""
        return tuple(getattr(self, name) for name in self.kept)

    def restore(self, state: Any) -> None:
        """Exactly these."""
        for name, value in zip(self.kept, state, strict=True):
            setattr(self, name, value)
