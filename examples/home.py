"""What our flat can do."""

from typing import Literal

Room = Literal["bath", "kitchen", "bedroom"]


def heat(room: Room, degrees: float) -> str:
    """Set the temperature of a room, in degrees Celsius."""
    return f"{room}: {degrees} °C"


def lights(room: Room, on: bool) -> str:
    """Switch the lights of a room on or off."""
    return f"{room}: {'on' if on else 'off'}"


def wake(time: str, song: str = "birds") -> str:
    """Set the alarm clock."""
    return f"alarm at {time} with {song}"
