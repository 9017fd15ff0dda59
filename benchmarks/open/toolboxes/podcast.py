"""Show runner's notes for "Salt & Gravel"."""

from typing import Literal, TypedDict


class Clip(TypedDict):
    episode: int
    at: str
    label: str


EPISODES: dict[int, dict] = {}
CLIPS: list[Clip] = []


def new_episode(number: int, title: str, guests: list[str] | None = None, explicit: bool = False) -> str:
    """Create an episode."""
    EPISODES[number] = {"title": title, "guests": guests or [], "explicit": explicit}
    return f"#{number} {title}"


def rename_episode(number: int, new_title: str) -> str:
    """Change the title of an existing episode."""
    EPISODES.setdefault(number, {})["title"] = new_title
    return f"#{number} is now {new_title}"


def mark_clip(episode: int, at: str, label: str) -> str:
    """Mark a good moment, at a time in the recording ("MM:SS")."""
    CLIPS.append({"episode": episode, "at": at, "label": label})
    return f"{label} @ {at}"


def cut_out(episode: int, start: str, end: str) -> str:
    """Remove everything between two times in the recording ("MM:SS")."""
    return f"#{episode}: {start}-{end} removed"


def set_loudness(episode: int, lufs: float) -> str:
    """Set the target loudness in LUFS, a negative number such as -16."""
    EPISODES.setdefault(episode, {})["lufs"] = lufs
    return f"#{episode} {lufs} LUFS"


def publish(episode: int, platform: Literal["spotify", "apple", "youtube", "all"] = "all") -> str:
    """Publish an episode."""
    return f"#{episode} on {platform}"
