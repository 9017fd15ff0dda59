"""gym log. kg only, sorry americans"""

from datetime import date
from typing import Literal, Optional

Lift = Literal["squat", "bench", "deadlift", "overhead press", "row"]


def logSet(lift: Lift, weight: float, reps: int, sets: int = 1, day: Optional[date] = None):
    """Log what I lifted.

    Args:
        lift: the exercise
        weight: kilograms on the bar, bar included
        reps: repetitions in each set
        sets: number of sets with that weight
        day: the day it was done, today if not given
    """


def setGoal(lift: Lift, weight: float, by: date):
    """Set a target for a lift.

    Args:
        lift: the exercise
        weight: target in kilograms
        by: the day I want to get there
    """


def logInjury(part: Literal["shoulder", "back", "knee", "wrist", "other"], pain: int, rest_days: int = 0):
    """Note that something hurts.

    Args:
        part: where
        pain: 1 (a niggle) to 10 (hospital)
        rest_days: days off because of it
    """
