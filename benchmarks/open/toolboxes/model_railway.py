"""The layout in the attic."""

from typing import Literal

LOCOS: dict[str, dict] = {
    "Heidi": {"speed": 0, "forward": True, "lights": False},
    "Big Boy": {"speed": 0, "forward": True, "lights": False},
    "Snail": {"speed": 0, "forward": True, "lights": False},
}
POINTS: dict[int, str] = {
    1: "straight",
    2: "straight",
    3: "branch",
    4: "straight",
    5: "straight",
    6: "branch",
    7: "straight",
}
LOG: list[str] = []


def drive(loco: str, speed: int, direction: Literal["forward", "backward"] = "forward") -> str:
    """Let a locomotive run at a speed from 1 to 120."""
    LOCOS.setdefault(loco, {"lights": False}).update(speed=speed, forward=direction == "forward")
    return f"{loco} runs {direction} at {speed}"


def halt(loco: str) -> str:
    """Stop one locomotive."""
    LOCOS.setdefault(loco, {})["speed"] = 0
    return f"{loco} stopped"


def set_points(number: int, position: Literal["straight", "branch"]) -> str:
    """Throw a set of points."""
    POINTS[number] = position
    return f"points {number} {position}"


def headlights(loco: str, on: bool) -> str:
    """Switch the headlights of a locomotive on or off."""
    LOCOS.setdefault(loco, {})["lights"] = on
    return f"{loco}: lights {'on' if on else 'off'}"


def note_wagon(wagon: str, fault: str, track: int | None = None) -> str:
    """Write down what is wrong with a wagon, and on which track it stands."""
    LOG.append(f"{wagon}: {fault} ({track or '?'})")
    return LOG[-1]
