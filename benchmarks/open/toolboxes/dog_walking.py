"""My dog walking round."""

from typing import Literal

DOGS: dict[str, dict] = {}
WALKS: list[dict] = []


def new_dog(name: str, owner: str, breed: str | None = None, bites: bool = False) -> str:
    """Take on a dog with its owner."""
    DOGS[name] = {"owner": owner, "breed": breed, "bites": bites}
    return f"{name} of {owner}"


def walk(dogs: list[str], minutes: int, route: Literal["park", "canal", "woods", "beach"] = "park") -> str:
    """Write down a walk with one or more dogs."""
    WALKS.append({"dogs": dogs, "minutes": minutes, "route": route})
    return f"{', '.join(dogs)}: {minutes} min {route}"


def pick_up(dog: str, at: str, key: str | None = None) -> str:
    """Plan when a dog is picked up ("HH:MM") and where the key is."""
    WALKS.append({"dog": dog, "pick_up": at, "key": key})
    return f"{dog} at {at}"


def charge(owner: str, euros: float, what: str = "walk") -> str:
    """Put something on an owner's bill."""
    WALKS.append({"owner": owner, "euros": euros, "what": what})
    return f"{owner}: {euros:.2f} for {what}"


def treat_stop(dog: str) -> str:
    """Give a dog no more treats, because of an allergy or its weight."""
    DOGS.setdefault(dog, {})["treats"] = False
    return f"no treats for {dog}"
