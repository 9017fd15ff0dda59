"""The first lines of a talk at a terminal: who answers, what it can be asked for, what day it is. Decides nothing."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from toolmend.apps.cli.kit.screen import hang

if TYPE_CHECKING:
    from rich.console import Console

    from toolmend.session import Session
    from toolmend.toolboxes.homes import Home

_MOST = 8


def greet(session: Session, tools: str, console: Console, home: Home | None) -> None:
    """Model, tools, clock, where the world lives; and how to leave."""
    from toolmend.strategies.signature import signature

    specs, now = session.tools.specs, session.tools.clock
    zone = (now if now.tzinfo else dt.datetime.now().astimezone()).tzname()
    hang(console, "model", f"{session.model.name}, strategy {session.strategy.name}", indent=5)
    hang(console, "tools", tools + (f", kept in {home.place}" if home else ""), indent=5)
    for spec in specs[:_MOST]:
        hang(console, "", signature(spec), indent=7)
    if len(specs) > _MOST:
        hang(console, "", f"… {len(specs) - _MOST} more", indent=7)
    hang(console, "today", f"{now:%A}, {now.day} {now:%B %Y, %H:%M} ({zone})", indent=5)
    hang(console, "", "Say it, then say what is wrong. /why, /undo; /help, or Ctrl-D to leave.", indent=5)
