"""What work on foreign data may still cost: bytes, nodes, depth, steps. Whoever unpacks, parses or validates spends it.

Counted, not timed: the same data costs the same everywhere, and whoever has spent it stops by itself, in whatever
thread it is. One is handed on to everything inside: a limit that begins anew in each archive is none. Time and memory
of parsers that cannot be trusted to count are limited around their process (knowledge/collect/apart).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from toolmend.base.errors import BadOption

Kind = Literal["bytes", "nodes", "steps"]
_LEAF = (str, int, float, type(None))


class OverBudget(BadOption):
    """Foreign data asks for more work than it is worth; `kind` says of what."""

    def __init__(self, what: str, kind: str) -> None:
        self.kind = kind
        super().__init__(what)


class Budget:
    """What is left of each kind; a kind that is not named is free. `what` begins the sentence of a refusal."""

    def __init__(self, what: str, *, depth: int = 64, **most: int) -> None:
        self.what, self.depth, self._most, self._left = what, depth, most, dict(most)

    def spend(self, kind: Kind, amount: int = 1) -> None:
        """Raise OverBudget where nothing is left of it."""
        if kind in self._left:
            self._left[kind] -= amount
            if self._left[kind] < 0:
                raise OverBudget(f"{self.what} takes more than {self._most[kind]:,} {kind}", kind)

    def left(self, kind: Kind) -> int:
        """How much may still be spent of a kind that has a limit."""
        return max(0, self._left[kind])

    def nodes(self, data: Any) -> Iterator[Any]:
        """The objects and lists in JSON data, in any order, each spent, and four times as many values.

        Raises OverBudget for too many, or where they nest too deep.
        """
        most = self._most.get("nodes")
        waiting, values = [(data, 0)], 0
        while waiting:
            node, depth = waiting.pop()
            if isinstance(node, (dict, list, Mapping)):
                if depth > self.depth or (node and depth == self.depth):
                    raise OverBudget(f"{self.what} is nested more than {self.depth} levels deep", "depth")
                self._left["nodes"] = self._left.get("nodes", 0) - 1
                values += len(node)
                if most is not None and (self._left["nodes"] < 0 or values > 4 * most):
                    text = f"{self.what} has more than {most:,} objects and lists, or {4 * most:,} values"
                    raise OverBudget(text, "nodes")
                parts = node if isinstance(node, list) else node.values()
                waiting += [(part, depth + 1) for part in parts if not isinstance(part, _LEAF)]
                yield node
