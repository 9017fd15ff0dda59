"""Training diary for the spring half marathon."""

from typing import Literal, Optional

RUNS: list = []
SHOES: dict = {"blue": 412.0}


def log_run(
    distance_km: float,
    duration_min: float,
    kind: Literal["easy", "tempo", "intervals", "long", "race"] = "easy",
    shoes: Optional[str] = None,
) -> dict:
    """
    Log a run that has been done.

    :param distance_km: distance in kilometres
    :param duration_min: duration in minutes
    :param kind: kind of run
    :param shoes: name of the pair of shoes worn
    """
    RUNS.append({"km": distance_km, "min": duration_min, "kind": kind, "shoes": shoes})
    return RUNS[-1]


def plan_run(
    day: str,
    distance_km: float,
    kind: Literal["easy", "tempo", "intervals", "long", "race"] = "easy",
) -> dict:
    """
    Plan a run that is still to come.

    :param day: the day, in words as it was said ("tomorrow", "next Friday")
    :param distance_km: distance in kilometres
    :param kind: kind of run
    """
    RUNS.append({"day": day, "km": distance_km, "kind": kind, "planned": True})
    return RUNS[-1]


def log_weight(weight_kg: float) -> dict:
    """
    Log body weight.

    :param weight_kg: weight in kilograms
    """
    return {"kg": weight_kg}


def log_pain(where: str, level: int, side: Optional[Literal["left", "right"]] = None) -> dict:
    """
    Log an ache.

    :param where: part of the body
    :param level: from 1 (hardly) to 10 (unbearable)
    :param side: left or right, if it has a side
    """
    return {"where": where, "level": level, "side": side}


def shoe_mileage(shoes: str) -> float:
    """
    Kilometres on a pair of shoes so far.

    :param shoes: name of the pair of shoes
    """
    return SHOES.get(shoes, 0.0)
