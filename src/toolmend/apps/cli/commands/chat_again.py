"""The last talk of `toolmend chat`, kept for `chat -c`: its tools, the world it began in, its turns."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolmend.apps.cli.kit import screen
from toolmend.errors import BadOption

if TYPE_CHECKING:
    from toolmend.session import Session


def _place() -> Path:
    from toolmend.store.place import beside

    return beside("chat.json")


def last() -> dict[str, Any]:
    """What is kept. Raises BadOption where nothing is."""
    try:
        kept: dict[str, Any] = json.loads(_place().read_text(encoding="utf-8"))
        if kept["turns"]:
            return kept
    except (OSError, ValueError, LookupError, TypeError):
        pass
    raise BadOption("there is no talk to go on with; chat without -c first")


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


def keep(session: Session, tools: str, start: Any) -> None:
    """Keep the talk; where that cannot be, it was had all the same."""
    from toolmend.session.retold import told_of

    turns = [asdict(turn) for turn in told_of(session)]
    if not turns:
        return
    try:
        _place().parent.mkdir(parents=True, exist_ok=True)
        kept = {"tools": tools, "start": start, "turns": turns}
        _place().write_text(json.dumps(kept, ensure_ascii=False, default=str), encoding="utf-8")
    except OSError as error:
        screen.note(f"{_place()}: the talk is not kept for -c ({error.strerror or error})")
