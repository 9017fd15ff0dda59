"""Which contestants the votes can tell apart by a finite distance: the strongly connected groups of "x beat y".

Bradley–Terry has a finite best estimate if and only if there is one group (Ford 1957): from everybody a chain of wins
leads to everybody. Knows no rating.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Table = NDArray[np.bool_]

_NAMED = 5  # contestants named in a warning


def strong_groups(beaten: Table) -> list[list[int]]:
    """The strongly connected groups of a table `beaten[x, y]`, the largest first, ties by their first member.

    Forward and backward search from one node at a time (Fleischer, Hendrickson & Pınar 2000).
    """
    groups = []
    rest = [np.arange(len(beaten))]
    while rest:
        nodes = rest.pop()
        if not len(nodes):
            continue
        table = beaten[np.ix_(nodes, nodes)]
        middle = len(nodes) // 2  # in a chain the first would split off one at a time
        ahead, behind = _reached(table, middle), _reached(table.T, middle)
        groups.append(sorted(nodes[ahead & behind].tolist()))
        rest += [nodes[ahead & ~behind], nodes[behind & ~ahead], nodes[~ahead & ~behind]]
    return sorted(groups, key=lambda group: (-len(group), group))


def met_groups(beaten: Table) -> list[list[int]]:
    """The groups that met at all, by whatever chain of votes."""
    return strong_groups(beaten | beaten.T)


def is_strong(beaten: Table) -> bool:
    """Whether there is one group only; also of nobody."""
    return not len(beaten) or bool(_reached(beaten).all() and _reached(beaten.T).all())


def _reached(table: Table, start: int = 0) -> NDArray[np.bool_]:
    """What a chain leads to from the node `start`, itself included."""
    seen = np.zeros(len(table), dtype=np.bool_)
    seen[start] = True
    front = seen
    while front.any():
        front = table[front].any(axis=0) & ~seen
        seen = seen | front
    return seen


def connectivity_warnings(beaten: Table, names: Sequence[str]) -> list[str]:
    """What a reader must know where the votes do not hold all contestants together; nothing if they do."""
    if is_strong(beaten):
        return []
    met = met_groups(beaten)
    warnings = []
    if len(met) > 1:
        listed = " | ".join(_listed(group, names) for group in met[:_NAMED])
        more = f" | and {len(met) - _NAMED} more" if len(met) > _NAMED else ""
        warnings.append(
            f"disconnected: {len(met)} groups never met, and ratings compare within a group only: {listed}{more}"
        )
    for group in met:
        parts = strong_groups(beaten[np.ix_(group, group)])
        if len(parts) > 1:
            outside = [group[place] for part in parts[1:] for place in part]
            warnings.append(
                f"separable: {_listed(outside, names)} won, or lost, every vote against the others, so the votes set "
                "no limit to the distance"
            )
    return warnings


def _listed(group: Sequence[int], names: Sequence[str]) -> str:
    named = ", ".join(names[place] for place in group[:_NAMED])
    return f"{named} and {len(group) - _NAMED} more" if len(group) > _NAMED else named
