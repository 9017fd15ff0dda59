"""The choir on tour: rooms, concerts, coach, lost things."""

from typing import Literal

Voice = Literal["soprano", "alto", "tenor", "bass"]
ROOMS: dict[int, list[str]] = {}
PROGRAMME: list[dict] = []
CALLS: list[dict] = []
LOST: list[dict] = []


def share_room(room: int, singers: list[str]) -> str:
    """Put singers into a hotel room."""
    ROOMS.setdefault(room, []).extend(singers)
    return f"room {room}: {', '.join(ROOMS[room])}"


def add_piece(title: str, composer: str, soloist: str | None = None) -> str:
    """Add a piece to the concert programme."""
    PROGRAMME.append({"title": title, "composer": composer, "soloist": soloist})
    return f"{len(PROGRAMME)}. {title}"


def call_voice(voice: Voice, at: str, place: str = "lobby") -> str:
    """Call a voice group together at a time ("HH:MM")."""
    CALLS.append({"voice": voice, "at": at, "place": place})
    return f"{voice} at {at}, {place}"


def lost(item: str, owner: str, where: str | None = None) -> str:
    """Write down that a singer lost something."""
    LOST.append({"item": item, "owner": owner, "where": where})
    return f"{owner} misses {item}"


def found(item: str) -> str:
    """Strike a lost thing off the list because it was found."""
    LOST[:] = [one for one in LOST if one["item"] != item]
    return f"{item} found"
