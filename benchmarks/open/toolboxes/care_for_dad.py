"""What my sister and I write down about Dad."""
from typing import Literal, Optional

DIARY = []


def gave_medicine(medicine: str, dose_mg: float, time: Optional[str] = None, with_food: bool = False):
    """A medicine he has taken. Dose in mg, time as HH:MM."""
    DIARY.append(["medicine", medicine, dose_mg, time, with_food])


def blood_pressure(systolic: int, diastolic: int, pulse: Optional[int] = None):
    """Blood pressure that was measured, upper and lower value."""
    DIARY.append(["bp", systolic, diastolic, pulse])


def appointment(doctor: str, day: str, time: str, who_drives: Literal["Anna", "me", "taxi"] = "me"):
    """An appointment with a doctor. day: as said, like "next Tuesday"; time: HH:MM."""
    DIARY.append(["appointment", doctor, day, time, who_drives])


def slept(hours: float, times_awake: int = 0):
    """How he slept last night."""
    DIARY.append(["sleep", hours, times_awake])


def drank(millilitres: int, what: str = "water"):
    """How much he has drunk."""
    DIARY.append(["drink", millilitres, what])


def todays_entries():
    """Everything in the diary so far today."""
    return DIARY
