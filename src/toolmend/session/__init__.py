"""A talk with a model: requests, corrections, undoing. `Session` is the door; the rest of the room is behind it."""

from toolmend.session.answer import Answer
from toolmend.session.approval import ApprovalRequest, Approvals, Policy, Verdict
from toolmend.session.context import Context, Shown
from toolmend.session.guards import Limits
from toolmend.session.once import ask_once
from toolmend.session.session import Session

__all__ = [
    "Answer",
    "ApprovalRequest",
    "Approvals",
    "Context",
    "Limits",
    "Policy",
    "Session",
    "Shown",
    "Verdict",
    "ask_once",
]
