"""What may be seen of a battle before its vote: no name, nothing that tells one, nothing that takes the vote's place.

Marks, steps, tokens and seconds are left out: they would tell strategies apart, or say who is right.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from toolmend.arena.views import Contestant, DecisionView, SideView, TurnView, Which, WorldRow, WorldView
from toolmend.evals.judges.anonymize import NameMask

LETTERS: dict[Which, str] = {"left": "A", "right": "B"}
SILENT = "this side gave no answer"


class Blind:
    """Masks the names of these contestants, and those of all known makers and families of models."""

    def __init__(self, contestants: Iterable[Contestant]) -> None:
        self._mask = NameMask(dict.fromkeys(name for each in contestants for name in (each.model, each.name)))

    def text(self, text: str) -> str:
        """The text without names."""
        return self._mask.text(text)

    def side(self, view: SideView) -> SideView:
        """A side as A or B."""
        return SideView(
            view.side,
            LETTERS[view.side],
            "",
            None,
            view.toolbox,
            tuple(self.turn(turn) for turn in view.turns),
            self.world(view.world),
            view.busy,
            waiting=view.waiting,
            problem=SILENT if view.problem or (view.waiting and not view.busy) else "",
        )

    def turn(self, turn: TurnView) -> TurnView:
        """A turn with what was said and done in it."""
        return TurnView(
            turn.n,
            turn.said,
            self.text(turn.reply),
            tuple(map(self.text, turn.calls)),
            corrected_by=turn.corrected_by,
            amends=turn.amends,
            undone=turn.undone,
            correction=turn.correction,
            errors=tuple(map(self.text, turn.errors)),
            decisions=tuple(map(self.decision, turn.decisions)),
            answers=tuple((self.text(shown), said) for shown, said in turn.answers),
        )

    def decision(self, decision: DecisionView) -> DecisionView:
        """What was not run, for both sides by the same policy."""
        shown = [self.text(text) for text in (decision.call, decision.reason, decision.preview)]
        return DecisionView(shown[0], decision.decision, decision.by, *shown[1:])

    def world(self, world: WorldView) -> WorldView:
        """The world without names in it."""
        rows = tuple(
            WorldRow(tuple(map(self.text, row.cells)), row.change, tuple(map(self.text, row.was))) for row in world.rows
        )
        return replace(world, rows=rows, changes=tuple(map(self.text, world.changes)))
