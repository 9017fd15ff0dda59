"""The last talk of `toolmend chat` and of `toolmend ask`, kept beside the store for `-c`."""

from __future__ import annotations

import difflib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolmend.apps.cli.kit import screen
from toolmend.base.atomic import private_folder, written
from toolmend.base.errors import BadFile, BadOption
from toolmend.evals.store.place import beside
from toolmend.tools.preview import world_lines

if TYPE_CHECKING:
    from toolmend.session import Session

Said = list[tuple[str, str]]
VERSION = 2
"""Of the form that a chat is kept in."""


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
    """The last chat: its tools, the world it began and ended in, its turns. Raises BadOption where there was none."""
    kept = _read("chat.json")
    if kept.get("version") != VERSION or not kept.get("turns"):
        raise BadOption("there is no talk to go on with; chat without -c first")
    return kept


def go_on(session: Session, kept: dict[str, Any], *, housed: bool) -> None:
    """Tell the session what was said; what tools did is done. A `housed` world lives on its own: it stays as it is now,
    and what others changed of it since is said. Raises BadOption for a talk that cannot be read."""
    from toolmend.session.record import resume

    box, now, was = session.tools, session.tools.snapshot(), session.tools.state()
    if was is not None:
        box.set_state(kept["start"])
    try:
        resume(session, kept["turns"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadOption(f"that talk cannot be read ({type(error).__name__}: {error}); chat without -c") from error
    screen.note(f"going on with {screen.counted(len(kept['turns']), 'message')} about {kept['tools']}")
    if was is None:
        return
    if not housed:
        if box.state() != kept["end"]:
            box.set_state(kept["end"])
    elif box.state() != was:
        then = world_lines(box)
        box.restore(now) if box.has_snapshots else box.set_state(was)
        changes = [line for line in difflib.ndiff(then, world_lines(box)) if line[:2] in ("+ ", "- ")]
        screen.note("\n  ".join([f"{kept['tools']} was changed since that talk:", *changes]))


class TalkFile:
    """Where a chat is kept for -c, after every turn, whole or as it was. Where that cannot be, it is said once."""

    def __init__(self, session: Session, tools: str, start: Any) -> None:
        """`start` is the world that the talk began in."""
        self._session, self._tools, self._start = session, tools, start
        self._written, self._failed = "", False

    def keep(self) -> None:
        """Keep what was said so far, if anything new was."""
        from toolmend.session.record import recorded

        turns, end = recorded(self._session), self._session.tools.state()
        if not turns and not self._written:
            return
        kept = {"version": VERSION, "tools": self._tools, "start": self._start, "end": end, "turns": turns}
        text = json.dumps(kept, ensure_ascii=False, default=str)
        if text == self._written or self._failed:
            return
        try:
            _put(beside("chat.json"), text)
            self._written = text
        except BadFile as error:
            self._failed = True
            screen.note(f"{error}; the talk is not kept for -c")


def _read(name: str) -> dict[str, Any]:
    try:
        kept = json.loads(beside(name).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return kept if isinstance(kept, dict) else {}


def _write(name: str, kept: dict[str, Any]) -> None:
    path = beside(name)
    try:
        _put(path, json.dumps(kept, ensure_ascii=False, default=str))
    except BadFile as error:
        screen.note(f"{error}; the talk is not kept for -c")


def _put(path: Path, text: str) -> None:
    """Write a file that only its owner reads, whole or not at all. Raises BadFile."""
    try:
        private_folder(path.parent)
    except OSError as error:
        raise BadFile(path, f"cannot be written ({error.strerror or error})") from error
    with written(path, durable=True) as part:
        part.touch(mode=0o600)
        part.write_text(text, encoding="utf-8")
