"""Tools for organising our geology excursions (students, vans, samples)."""

import datetime as _dt
from typing import List, Literal


def register_student(name: str, van: int, vegetarian: bool = False, room_with: str = "") -> bool:
    """Put a student on the excursion.

    Args:
        name: Full name of the student.
        van: Number of the van the student rides in.
        vegetarian: Whether the student eats vegetarian.
        room_with: Name of the person to share a room with.
    """
    return True


def bag_sample(
    code: str,
    rock: Literal["granite", "basalt", "limestone", "sandstone", "schist", "unknown"],
    weight_g: int,
    fossils: bool = False,
) -> bool:
    """Record a rock sample that was bagged.

    Args:
        code: Code on the bag, capital letters and digits, for example "K12".
        rock: The rock.
        weight_g: Weight in grams.
        fossils: Whether there are fossils in it.
    """
    return True


def plan_stop(place: str, arrive: _dt.time, minutes: int, hard_hats: bool = False) -> bool:
    """Add a stop to the route of the day.

    Args:
        place: Name of the outcrop, quarry or viewpoint.
        arrive: Time of arrival.
        minutes: Length of the stop in minutes.
        hard_hats: Whether helmets must be worn.
    """
    return True


def message_vans(vans: List[int], text: str) -> bool:
    """Send a text to the radios of some vans.

    Args:
        vans: Numbers of the vans.
        text: The message.
    """
    return True
