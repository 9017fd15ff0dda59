"""What a screen may show of an arena, as frozen values: sides, turns, steps, worlds.

Whoever draws knows these and nothing else. Before the vote of a battle they hold no name of a model, nothing that
tells one, and nothing that takes the place of the vote: steps, tokens and seconds are left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from toolmend.extras.arena.judges.anonymize import NameMask

Which = Literal["left", "right"]
SIDES: tuple[Which, Which] = ("left", "right")
LETTERS: dict[Which, str] = {"left": "A", "right": "B"}
SILENT = "this side gave no answer"


@dataclass(frozen=True, slots=True)
class Contestant:
    """Who answers: a model's name and a strategy's."""

    model: str
    strategy: str = "auto"

    @property
    def name(self) -> str:
        """`builtin/small · auto`, as runs, votes, pairs and judges name it."""
        return f"{self.model} · {self.strategy}"

    @classmethod
    def of(cls, name: str) -> Contestant:
        """The contestant of such a name; all of it is the model where it names no strategy."""
        model, dot, strategy = name.rpartition(" · ")
        return cls(model, strategy) if dot else cls(name, "")


@dataclass(frozen=True, slots=True)
class StepView:
    """One thing that happened in a turn, for the fold under a message.

    `kind` is reply, thought, read, decided, call, result, refused or note.
    """

    kind: str
    title: str
    body: str = ""
    tokens: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class QuestionView:
    """A call that waits for a person's yes: as it will run, in Python notation, and what it would change ("" if that
    is not known). `id` is what an answer names; `within` says how long it waits, `doubts` why it may not be meant."""

    id: str
    call: str
    effect: str
    preview: str = ""
    within: str = ""
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DecisionView:
    """What was decided over a call: allowed, denied or dry-run; `by` is person, nobody or policy."""

    call: str
    decision: str
    by: str = "policy"
    reason: str = ""
    preview: str = ""

    @property
    def words(self) -> str:
        """What was decided, for a screen."""
        if self.decision == "allowed":
            return "a person allowed it"
        if self.decision == "dry-run":
            return "a dry run: it was not run"
        said = ": ".join(filter(None, ("a person said no" if self.by == "person" else "", self.reason)))
        return f"not run: {said}"


@dataclass(frozen=True, slots=True)
class TurnView:
    """One thing said and what came of it.

    `calls` are Python notation. `corrected_by` is the turn that corrected
    this one, `amends` the one it corrects itself. `undone` tells that its calls do not stand any more. `given` tells
    that the reply was brought along with a copied talk. `errors` are what tools answered instead of doing it,
    `decisions` what a person was asked about, and what was not run. `origins` say which words a value was computed
    from; `answers` are those to the question that was asked back, as shown and as said.
    """

    n: int
    said: str
    reply: str
    calls: tuple[str, ...] = ()
    corrected_by: int | None = None
    amends: int | None = None
    undone: bool = False
    steps: tuple[StepView, ...] = ()
    shown: bool = False
    correction: bool = False
    given: bool = False
    errors: tuple[str, ...] = ()
    tokens: int = 0
    seconds: float = 0.0
    decisions: tuple[DecisionView, ...] = ()
    origins: tuple[str, ...] = ()
    answers: tuple[tuple[str, str], ...] = ()

    @property
    def words(self) -> str:
        """The reply where it is more than its calls, perhaps written otherwise; the steps have it to the letter."""
        calls = [*self.calls, *(decision.call for decision in self.decisions if decision.decision != "allowed")]
        heads = [call.partition("(")[0].rpartition(".")[2] for call in calls]
        lines = [line.strip() for line in self.reply.splitlines() if line.strip()]
        only_calls = len(lines) == len(calls) and all(
            line.endswith(")") and line.partition("(")[0].rpartition(".")[2] == head
            for line, head in zip(lines, heads, strict=True)
        )
        return "" if only_calls else self.reply.strip()


@dataclass(frozen=True, slots=True)
class WorldRow:
    """One line of a world: `cells` of a table (or one text), and `change`: "", "added", "gone" or "changed".

    `was` are the cells of a line that changed, before it did.
    """

    cells: tuple[str, ...]
    change: str = ""
    was: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WorldView:
    """The world beside the talk, with what the last turn changed.

    `columns` is empty for a world shown as lines of text. `mono` asks for a font of equal widths (a map). `changes`
    says in words what the last turn changed.
    """

    toolbox: str
    rows: tuple[WorldRow, ...] = ()
    columns: tuple[str, ...] = ()
    mono: bool = False
    changes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """All of it as text; what is gone is left out."""
        return "\n".join("  ".join(row.cells) for row in self.rows if row.change != "gone")


@dataclass(frozen=True, slots=True)
class SideView:
    """One side of a desk. `name` is "A" or "B" in a battle before its vote; then contestant and system are None.

    `partial` is what has been streamed of a reply that is still coming, `waiting` what was said and has no answer
    (it was stopped, or the process was killed), `problem` the last thing that went wrong, in one line. `origin` says
    in words where a copied or edited talk comes from. `question` is the call that waits for a person's yes.
    """

    side: Which
    name: str
    conversation: str
    contestant: Contestant | None
    toolbox: str
    turns: tuple[TurnView, ...]
    world: WorldView
    busy: bool = False
    partial: str = ""
    waiting: str = ""
    problem: str = ""
    system: str | None = None
    temperature: float = 0.0
    origin: str = ""
    question: QuestionView | None = None


@dataclass(frozen=True, slots=True)
class DeskView:
    """Two sides. `kind` is chat, battle or pair; `open` tells that a battle or pair has no vote yet.

    `prompt` is what a battle began with, `names` are there after the vote.
    """

    id: str
    kind: str
    left: SideView
    right: SideView
    open: bool = False
    prompt: str = ""
    names: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Reveal:
    """What a vote brought to light: the names, and who won."""

    left: str
    right: str
    winner: str


@dataclass(frozen=True, slots=True)
class ToolsView:
    """What can be said in a world: what it is called, its tools with what each does, and requests to begin with."""

    title: str
    tools: tuple[tuple[str, str], ...]
    examples: tuple[str, ...]


class Blind:
    """Masks the names of these contestants, and those of all known makers and families of models."""

    def __init__(self, contestants: Iterable[Contestant]) -> None:
        self._mask = NameMask(
            dict.fromkeys(name for contestant in contestants for name in (contestant.model, contestant.name))
        )

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
