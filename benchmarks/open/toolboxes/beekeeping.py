"""My bees, one name for every hive."""

from typing import Literal

HIVES: list[dict] = [
    {"hive": "Matilda", "place": "orchard"},
    {"hive": "Josephine", "place": "orchard"},
]
DIARY: list[dict] = []
HONEY: list[dict] = []


def inspect(
    hive: str,
    queen_seen: bool,
    brood_frames: int | None = None,
    mood: Literal["calm", "nervous", "angry"] | None = None,
) -> str:
    """Write down what I saw when I opened a hive."""
    DIARY.append({"hive": hive, "queen": queen_seen, "brood": brood_frames, "mood": mood})
    return f"{hive} inspected"


def feed(hive: str, kilos: float, food: Literal["syrup", "fondant", "pollen"] = "syrup") -> str:
    """Note that a hive got food."""
    DIARY.append({"hive": hive, "fed": kilos, "food": food})
    return f"{hive}: {kilos} kg {food}"


def harvest(hive: str, kilos: float, honey: str | None = None) -> str:
    """Note how much honey came from a hive."""
    HONEY.append({"hive": hive, "kilos": kilos, "honey": honey})
    return f"{kilos} kg from {hive}"


def treat_mites(hives: list[str], product: str) -> str:
    """Note a mite treatment for one or more hives."""
    for hive in hives:
        DIARY.append({"hive": hive, "treated": product})
    return f"{product}: {', '.join(hives)}"


def move_hive(hive: str, to_place: str) -> str:
    """Carry a hive to another place."""
    for one in HIVES:
        if one["hive"].lower() == hive.lower():
            one["place"] = to_place
    return f"{hive} is now at {to_place}"
