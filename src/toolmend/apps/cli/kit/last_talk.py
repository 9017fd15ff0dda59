"""The last talk of `toolmend chat` and of `toolmend ask`, kept beside the store for `-c`."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from toolmend.apps.cli.kit import screen
from toolmend.base.errors import BadOption
from toolmend.evals.store.place import beside

if TYPE_CHECKING:
    from toolmend.session import Session

Said = list[tuple[str, str]]


def said(tools: str = "") -> tuple[str, Said]:
    """The tools, these if any are named, and what was asked and replied about them, with who said it. Raises BadOption
    where nothing was."""
    kept = _read("ask.json")
    if (tools and kept.get("tools") != tools) or not kept.get("said"):
        raise BadOption(f"there is no talk{f' about {tools}' if tools else ''} to go on with; ask without -c first")
    return str(kept["tools"]), [(str(role), str(text)) for role, text in kept["said"]]


def keep_said(tools: str, said: Said) -> None:
    """Keep it; where that cannot be, the reply was given all the same."""
    _write("ask.json", {"tools": tools, "said": said})


def talk() -> dict[str, Any]:
    """The last chat: its tools, the world it began in, its turns. Raises BadOption where there was none."""
    if not (kept := _read("chat.json")).get("turns"):
        raise BadOption("there is no talk to go on with; chat without -c first")
    return kept


def go_on(session: Session, kept: dict[str, Any], *, housed: bool) -> None:
    """Tell the session what was said; what tools did is done. A `housed` world lives on its own: BadOption where it is
    another one by now."""
    from toolmend.session.retold import Told, retell

    now = session.tools.state()
    if now is not None:
        session.tools.set_state(kept["start"])
    turns = [Told(turn["text"], turn["reply"], turn["amends"], tuple(turn["values"])) for turn in kept["turns"]]
    retell(session, turns)
    if housed and session.tools.state() != now:
        raise BadOption(f"{kept['tools']} was changed since that talk, which cannot be gone on with; chat without -c")
    screen.note(f"going on with {screen.counted(len(turns), 'message')} about {kept['tools']}")


def keep_talk(session: Session, tools: str, start: Any) -> None:
    """Keep the chat; where that cannot be, it was had all the same."""
    from toolmend.session.retold import told_of

    if turns := [asdict(turn) for turn in told_of(session)]:
        _write("chat.json", {"tools": tools, "start": start, "turns": turns})


def _read(name: str) -> dict[str, Any]:
    try:
        kept = json.loads(beside(name).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return kept if isinstance(kept, dict) else {}


def _write(name: str, kept: dict[str, Any]) -> None:
    path = beside(name)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(kept, ensure_ascii=False, default=str), encoding="utf-8")
    except OSError as error:
        screen.note(f"{path}: the talk is not kept for -c ({error.strerror or error})")
