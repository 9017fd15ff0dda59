"""Dough planning for a small village bakery."""

import datetime
from typing import Literal


def start_dough(
    bread: Literal["country", "rye", "baguette", "brioche"],
    loaves: int,
    hydration: float = 72.0,
    cold_proof: bool = False,
) -> None:
    """Mix a batch of dough.

    Args:
        bread: kind of bread
        loaves: number of loaves in the batch
        hydration: water as a percentage of flour
        cold_proof: prove overnight in the fridge
    """


def preheat_oven(oven: Literal["deck", "wood", "rack"], degrees: int, ready_at: datetime.time) -> None:
    """Have an oven hot by a given time.

    Args:
        oven: which oven
        degrees: target temperature in Celsius
        ready_at: time of day at which it must be hot
    """


def feed_starter(
    name: str, flour_grams: int, water_grams: int, flour: Literal["wheat", "rye", "spelt"] = "wheat"
) -> None:
    """Feed one of the sourdough starters.

    Args:
        name: what we call the starter
        flour_grams: flour in grams
        water_grams: water in grams
        flour: kind of flour
    """


def note_allergens(product: str, allergens: list[Literal["gluten", "milk", "egg", "nuts", "sesame", "soya"]]) -> None:
    """Put the allergens of a product on its label.

    Args:
        product: name on the label
        allergens: everything in it that must be declared
    """


def write_off(product: str, pieces: int, reason: Literal["burnt", "unsold", "dropped", "stale"]) -> None:
    """Write unsellable goods off.

    Args:
        product: what it was
        pieces: how many
        reason: why it cannot be sold
    """
