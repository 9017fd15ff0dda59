"""Lessons book. I teach piano at home, 14 pupils, one cat."""

from datetime import date
from typing import Literal


def set_homework(
    pupil: str, piece: str, bars_from: int = 1, bars_to: int = 0, hands: Literal["left", "right", "both"] = "both"
) -> None:
    """Give a pupil something to practise.

    Args:
        pupil: first name
        piece: title of the piece
        bars_from: first bar
        bars_to: last bar, 0 for the end of the piece
        hands: which hand or hands
    """


def record_payment(pupil: str, pounds: float, method: Literal["cash", "transfer", "cheque"]) -> None:
    """Somebody has paid.

    Args:
        pupil: first name
        pounds: amount in pounds
        method: how it was paid
    """


def enter_exam(pupil: str, grade: int, board: Literal["ABRSM", "Trinity"], exam_day: date) -> None:
    """Put a pupil in for a graded exam.

    Args:
        pupil: first name
        grade: 1 to 8
        board: the examining board
        exam_day: day of the exam
    """


def mark_absence(pupil: str, day: date, charged: bool = True) -> None:
    """Note that a pupil missed or will miss a lesson.

    Args:
        pupil: first name
        day: day of the lesson
        charged: whether the lesson must be paid anyway
    """
