"""My three tanks and everything I do to them."""

import datetime
from typing import Literal, Optional


def log_water_test(
    tank: Literal["reef", "planted", "quarantine"],
    ph: float,
    nitrate: Optional[float] = None,
    temperature: Optional[float] = None,
) -> str:
    """Write down what the test kit said.

    Args:
        tank: which tank the water came from
        ph: acidity, as a number
        nitrate: nitrate in mg per litre
        temperature: in degrees Celsius
    """
    return "logged"


def change_water(tank: Literal["reef", "planted", "quarantine"], percent: int, conditioner: bool = True) -> str:
    """Record a partial water change.

    Args:
        tank: which tank
        percent: how much of the water was or is to be swapped, 1 to 100
        conditioner: whether conditioner goes in with the new water
    """
    return "changed"


def set_lights(tank: Literal["reef", "planted", "quarantine"], on: datetime.time, off: datetime.time) -> str:
    """Set the light timer of one tank.

    Args:
        tank: which tank
        on: when the lights come on
        off: when they go out
    """
    return "set"


def add_fish(tank: Literal["reef", "planted", "quarantine"], species: str, count: int = 1) -> str:
    """Note new animals in a tank.

    Args:
        tank: where they were put
        species: what they are, in the singular, as the shop calls them
        count: how many
    """
    return "added"


def feed(
    tank: Literal["reef", "planted", "quarantine"],
    food: Literal["flakes", "frozen", "live"],
    at: Optional[datetime.time] = None,
) -> str:
    """Feed a tank through the automatic feeder.

    Args:
        tank: which tank
        food: what to give
        at: when; straight away if left out
    """
    return "fed"
