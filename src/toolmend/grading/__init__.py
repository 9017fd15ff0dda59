"""Replies against what was expected -> mistakes -> marks, exactly as docs/measures.md says.

`grade` is the door; `mark_history` marks a conversation, `grade_lines` serves JSONL.
"""

from toolmend.grading.expected import (
    Any_,
    Date,
    Duration,
    Expected,
    ExpectedCall,
    OneOf,
    Optional_,
    Regex,
    Time,
    accepted,
)
from toolmend.grading.grade import Grade, grade
from toolmend.grading.history import GradedTurn, mark_history, outcomes
from toolmend.grading.lines import grade_lines

__all__ = [
    "Any_",
    "Date",
    "Duration",
    "Expected",
    "ExpectedCall",
    "Grade",
    "GradedTurn",
    "OneOf",
    "Optional_",
    "Regex",
    "Time",
    "accepted",
    "grade",
    "grade_lines",
    "mark_history",
    "outcomes",
]
