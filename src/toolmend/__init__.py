"""Plain English to the right tool call, and one short sentence to mend it. This is the door: everything public is here.

    import toolmend as tm
    chat = tm.Session(model="builtin/small", tools=tm.toolboxes.Calendar())
    chat.say("Add a lunch with Ada on May 3 at noon")
    chat.correct("It starts at one.")

Names are loaded on first use; importing toolmend itself loads only its values (layer 0).
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from toolmend.base.errors import BadFile, BadOption, MissingExtra, ModelError, ToolError, ToolmendError, UnknownName
from toolmend.base.messages import Call, CallResult, Message, Options, Reply, Request, ToolSpec, Usage
from toolmend.base.mistakes import Correction, Kind, Mark, Mistake

if TYPE_CHECKING:
    from toolmend.evals.store import Store
    from toolmend.evals.suites.suite import load_suite
    from toolmend.extras.arena import ratings
    from toolmend.grading import Expected, ExpectedCall, Grade, grade
    from toolmend.language.corrections import correction_for
    from toolmend.language.resolve import Resolved, Unclear, resolve
    from toolmend.models import Model, load_model
    from toolmend.models.scripted import Recorded, Replayed, Scripted
    from toolmend.reading import Reading, read, render
    from toolmend.session import Answer, Session, ask_once
    from toolmend.strategies import Strategy, load_strategy
    from toolmend.tools import toolboxes
    from toolmend.tools.tool import Tool, tool
    from toolmend.tools.toolbox import Toolbox

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "BadFile",
    "BadOption",
    "Call",
    "CallResult",
    "Correction",
    "Expected",
    "ExpectedCall",
    "Grade",
    "Kind",
    "Mark",
    "Message",
    "MissingExtra",
    "Mistake",
    "Model",
    "ModelError",
    "Options",
    "Reading",
    "Recorded",
    "Replayed",
    "Reply",
    "Request",
    "Resolved",
    "Scripted",
    "Session",
    "Store",
    "Strategy",
    "Tool",
    "ToolError",
    "ToolSpec",
    "Toolbox",
    "ToolmendError",
    "Unclear",
    "UnknownName",
    "Usage",
    "ask_once",
    "correction_for",
    "grade",
    "load_model",
    "load_strategy",
    "load_suite",
    "ratings",
    "read",
    "render",
    "resolve",
    "tool",
    "toolboxes",
]

_HOMES = {
    "toolmend.language.corrections": ("correction_for",),
    "toolmend.evals.suites.suite": ("load_suite",),
    "toolmend.grading": ("Expected", "ExpectedCall", "Grade", "grade"),
    "toolmend.models": ("Model", "load_model"),
    "toolmend.models.scripted": ("Recorded", "Replayed", "Scripted"),
    "toolmend.reading": ("Reading", "read", "render"),
    "toolmend.language.resolve": ("Resolved", "Unclear", "resolve"),
    "toolmend.session": ("Answer", "Session", "ask_once"),
    "toolmend.evals.store": ("Store",),
    "toolmend.strategies": ("Strategy", "load_strategy"),
    "toolmend.tools": ("Tool", "Toolbox", "tool"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name in ("ratings", "toolboxes"):
        return importlib.import_module(f"toolmend.{name}")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'toolmend' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
