"""Replies against what was expected -> mistakes -> marks, exactly as docs/measures.md says.

`grade` is the door; `mark_history` marks a conversation, `self_test` tries a suite, `grade_lines` serves JSONL.
"""

from toolmend.grading.expected import (
    AcceptedValue,
    Any_,
    Contains,
    Date,
    Duration,
    Expected,
    ExpectedCall,
    OneOf,
    Optional_,
    Range,
    Regex,
    Time,
    accepted,
)
from toolmend.grading.grade import Grade, grade
from toolmend.grading.history import GradedTurn, StepOutcome, mark_history, outcomes
from toolmend.grading.lines import grade_lines
from toolmend.grading.selftest import SelfTestReport, self_test

__all__ = [
    "AcceptedValue",
    "Any_",
    "Contains",
    "Date",
    "Duration",
    "Expected",
    "ExpectedCall",
    "Grade",
    "GradedTurn",
    "OneOf",
    "Optional_",
    "Range",
    "Regex",
    "SelfTestReport",
    "StepOutcome",
    "Time",
    "accepted",
    "grade",
    "grade_lines",
    "mark_history",
    "outcomes",
    "self_test",
]
