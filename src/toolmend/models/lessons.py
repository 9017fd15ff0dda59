"""What the models that ship were trained on, to be said wherever a table sets them beside others. Loads nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable

LESSONS = {
    "builtin/small": "simulated talks with the toolbox calendar alone",
    "smol/calendar": "made-up tools, then talks with the toolbox calendar",
    "smol/tools": "made-up tools and the toolbox calendar",
}
"""By the model's name. All of them know the calendar; a test sees that none that ships is missing."""


def taught(names: Iterable[str]) -> list[str]:
    """Those of these names, options and roles left out, that are models that ship, each once."""
    return [name for name in dict.fromkeys(re.split(r"[? ]", text, maxsplit=1)[0] for text in names) if name in LESSONS]


def lessons(names: Iterable[str]) -> str:
    """` smol/tools: trained on …` for each that ships, to be put behind a note; nothing for all others."""
    return "".join(f" {name}: trained on {LESSONS[name]}." for name in taught(names))
