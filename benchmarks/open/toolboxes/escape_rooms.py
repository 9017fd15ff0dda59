"""Our escape rooms behind the station."""

from typing import Literal

ROOMS: list[str] = ["Pharaoh's Tomb", "The Submarine", "Moriarty's Study"]
BOOKINGS: list[dict] = []
RESULTS: list[dict] = []
CLOSED: list[dict] = []


def book_room(room: str, players: int, when: str, level: Literal["easy", "normal", "hard"] = "normal") -> str:
    """Book a room for a group."""
    BOOKINGS.append({"room": room, "players": players, "when": when, "level": level})
    return f"{room} for {players}, {when}"


def log_result(team: str, room: str, escaped: bool, minutes: int | None = None) -> str:
    """Write a team and how it went on the board."""
    RESULTS.append({"team": team, "room": room, "escaped": escaped, "minutes": minutes})
    return f"{team} in {room}: " + ("out" if escaped else "lost")


def add_time(room: str, minutes: int) -> str:
    """Give the people in a room some more minutes."""
    return f"{minutes} more minutes in {room}"


def close_room(room: str, until: str | None = None, broken: str | None = None) -> str:
    """Close a room for now."""
    CLOSED.append({"room": room, "until": until, "broken": broken})
    return f"{room} closed"
