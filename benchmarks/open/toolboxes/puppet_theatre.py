"""Our puppet theatre in the barn."""

from typing import Literal

SHOWS: list[dict] = [
    {"play": "Hansel and Gretel", "when": "Sunday at 3", "seats": 60},
]
SEATS: list[dict] = []
WORKSHOP: list[dict] = []
CASTS: list[dict] = []


def plan_show(play: str, when: str, seats: int = 60) -> str:
    """Put a play on the programme."""
    SHOWS.append({"play": play, "when": when, "seats": seats})
    return f"{play}, {when}"


def reserve(name: str, play: str, children: int, adults: int = 0) -> str:
    """Reserve seats in a play for somebody."""
    SEATS.append({"name": name, "play": play, "children": children, "adults": adults})
    return f"{name}: {children + adults} seats for {play}"


def cast_puppets(player: str, puppets: list[str], play: str | None = None) -> str:
    """Say which puppets a player plays."""
    CASTS.append({"player": player, "puppets": puppets, "play": play})
    return f"{player} plays {', '.join(puppets)}"


def mend(puppet: str, damage: str, hours: float | None = None) -> str:
    """Send a damaged puppet to the workshop."""
    WORKSHOP.append({"puppet": puppet, "damage": damage, "hours": hours})
    return f"{puppet} in the workshop"


def build_puppet(
    character: str, kind: Literal["glove", "rod", "string", "shadow"], height_cm: int | None = None
) -> str:
    """Put a new puppet on the list to build."""
    WORKSHOP.append({"puppet": character, "kind": kind, "height": height_cm})
    return f"new {kind} puppet: {character}"
