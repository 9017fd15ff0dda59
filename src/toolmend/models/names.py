"""Tool names on the wire: `action.add` is no legal function name for most servers, `action__add` is. Reversible."""

from __future__ import annotations

import re
from collections.abc import Iterable

_LONGEST = 64


class WireNames:
    """Names as they are and as they are sent, both ways, for the tools of one request."""

    def __init__(self, names: Iterable[str]) -> None:
        self._sent: dict[str, str] = {}
        self._own: dict[str, str] = {}
        for name in names:
            self.sent(name)

    def sent(self, name: str) -> str:
        """The name to send: letters, digits, `_` and `-`, starting with a letter or `_`, 64 characters at most."""
        if name not in self._sent:
            legal = re.sub(r"[^A-Za-z0-9_-]", "_", name.replace(".", "__"))
            legal = (legal if re.match(r"[A-Za-z_]", legal) else f"_{legal}")[:_LONGEST]
            unique, number = legal, 2
            while unique in self._own:
                unique, number = f"{legal[: _LONGEST - 4]}_{number}", number + 1
            self._sent[name], self._own[unique] = unique, name
        return self._sent[name]

    def own(self, sent: str) -> str:
        """The tool's own name; a name that was never sent stays as the model wrote it."""
        return self._own.get(sent, sent)
