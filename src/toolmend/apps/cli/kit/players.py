"""What `toolmend run` plays beside suites of talks: found in the registry by the name that is asked for, or by a run.

Knows what a player does, and no player.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from toolmend import registry
from toolmend.apps.cli.kit.form import Form
from toolmend.evals.store import RunConfig, Store


class RunPlayer(Protocol):
    """Plays and reports runs of its own kind; such runs have its name among their settings."""

    def names(self) -> Sequence[str]:
        """What can be asked for."""
        ...

    def plan(self, asked: Mapping[str, Any]) -> Any:
        """A plan as the runner of suites takes one, with a `play` of its own. Raises BadOption."""
        ...

    def write_report(self, store: Store, run_id: str, form: Form) -> None:
        """The report of a run. Raises BadOption for a form that it does not come in."""
        ...

    def write_about(self, name: str, *, self_test: bool) -> int:
        """What a name stands for, or how it is judged, on the screen; the exit code."""
        ...


def players() -> Iterator[RunPlayer]:
    """Every player that is here."""
    for name in registry.players.names():
        yield registry.players.get(name)()


def player_for(asked: str) -> RunPlayer | None:
    """The player of a name, with or without options; None where it is none's."""
    return next((each for each in players() if asked.partition("?")[0] in each.names()), None)


def player_of(config: RunConfig) -> RunPlayer | None:
    """The player of a stored run; None for a run of talks."""
    return next((registry.players.get(name)() for name in registry.players.names() if name in config.settings), None)
