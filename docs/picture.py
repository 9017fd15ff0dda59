"""Draws the rooms of the package from their imports: which room stands directly on which.

    python docs/picture.py            prints the picture
    python docs/picture.py --write    puts it into docs/architecture.md

An arrow that follows from others (a room that is reached through another one) is left out.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

DOCS = Path(__file__).parent
PACKAGE = DOCS.parent / "src" / "toolmend"
BEGIN, END = "<!-- made by docs/picture.py -->\n", "<!-- to here -->\n"


def room_of(path: Path) -> str:
    """`store` of `evals/store/values.py`, `events` of `base/events.py`."""
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def imported(path: Path) -> Iterator[str]:
    """The rooms that a file imports, wherever the import stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module == "toolmend":
            names = [f"toolmend.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        yield from (name.split(".")[1] for name in names if name.startswith("toolmend."))


def arrows() -> dict[str, set[str]]:
    """By room the rooms that it imports."""
    files = [path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE or not path.stem.startswith("__")]
    made: dict[str, set[str]] = {room_of(path): set() for path in files}
    for path in files:
        made[room_of(path)] |= {room for room in imported(path) if room in made and room != room_of(path)}
    return {room: rooms for room, rooms in made.items() if rooms or any(room in others for others in made.values())}


def below(room: str, made: Mapping[str, set[str]], seen: frozenset[str] = frozenset()) -> set[str]:
    """Every room that is reached from one."""
    return {far for near in made[room] - seen for far in {near, *below(near, made, seen | {near})}}


def direct(made: Mapping[str, set[str]]) -> dict[str, list[str]]:
    """The arrows that follow from no others."""
    reached = {room: below(room, made) for room in made}
    return {
        room: sorted(near for near in rooms if not any(near in reached[other] for other in rooms - {near}))
        for room, rooms in made.items()
    }


def picture() -> str:
    """The picture as Mermaid draws it, from the top down."""
    made = arrows()
    depth = {room: len(below(room, made)) for room in made}
    rooms = sorted(made, key=lambda room: (-depth[room], room))
    shown = direct(made)
    lines = [f"  {room} --> {' & '.join(shown[room])}" for room in rooms if shown[room]]
    return "\n".join(["```mermaid", "flowchart TD", *lines, "```"]) + "\n"


def put(text: str) -> str:
    """The page with the picture of today."""
    head, _, rest = text.partition(BEGIN)
    return head + BEGIN + picture() + END + rest.partition(END)[2]


if __name__ == "__main__":
    page = DOCS / "architecture.md"
    if sys.argv[1:] == ["--write"]:
        page.write_text(put(page.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        print(picture(), end="")
