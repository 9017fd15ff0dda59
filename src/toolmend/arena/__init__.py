"""The arena: two talks side by side, corrections, blind battles, votes, a queue for raters, and a leaderboard.

`Arena` is the door, `Desk` what one person has in front of them, views.py what may be shown. Knows no screen.
"""

from toolmend.arena.arena import Arena
from toolmend.arena.desk import Desk
from toolmend.arena.side import Flow
from toolmend.arena.views import (
    Asks,
    AttemptView,
    CaseView,
    Contestant,
    DecisionView,
    Delta,
    DeskView,
    Failed,
    QuestionView,
    Reveal,
    SideView,
    StepView,
    To,
    TurnDone,
    TurnView,
    Update,
    Which,
    WorldRow,
    WorldView,
)
from toolmend.arena.votes import CHOICES, TAGS

__all__ = [
    "CHOICES",
    "TAGS",
    "Arena",
    "Asks",
    "AttemptView",
    "CaseView",
    "Contestant",
    "DecisionView",
    "Delta",
    "Desk",
    "DeskView",
    "Failed",
    "Flow",
    "QuestionView",
    "Reveal",
    "SideView",
    "StepView",
    "To",
    "TurnDone",
    "TurnView",
    "Update",
    "Which",
    "WorldRow",
    "WorldView",
]
