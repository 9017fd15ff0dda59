"""A toolbox of whatever somebody named: a class, a function that makes one, an instance, tools. Says what will not do.

Each is a new one: samples of a run play side by side, and none may act on the world of another.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from copy import copy, deepcopy
from typing import Any

from toolmend.errors import BadOption, ToolmendError
from toolmend.tools.tool import Tool, marking
from toolmend.tools.toolbox import Toolbox


def toolbox_of(name: str, found: Any) -> Toolbox:
    """A new toolbox of what stands under a name. Raises BadOption, naming it."""
    if callable(found) and not isinstance(found, (Toolbox, Tool)) and not marking(found):
        found = _called(name, found)
    elif isinstance(found, Toolbox):
        found = _copied(name, found)
    try:
        if isinstance(found, (list, tuple)):
            return Toolbox.of(*found)
        if isinstance(found, Tool) or marking(found):
            return Toolbox.of(found)
    except ToolmendError as error:
        raise BadOption(f"{name!r}: {error}") from error
    if not isinstance(found, Toolbox):
        raise BadOption(f"{name!r} gives a {type(found).__name__}, no Toolbox (a function is used if marked @tool)")
    return found


def _called(name: str, maker: Callable[..., Any]) -> Any:
    """What a class or a function makes without arguments."""
    try:
        return maker()
    except ToolmendError:
        raise
    except Exception as error:  # whatever somebody's own code does
        if needed := _needed(maker):
            what, instead = "function", "mark it with @tool, or name a list of functions, to have it as a tool"
            if inspect.isclass(maker):
                what, instead = "class", "name an instance, or a function that makes one"
            raise BadOption(f"{name!r} is a {what} that needs {', '.join(needed)}; {instead}") from error
        raise BadOption(f"{name!r} cannot be made: {type(error).__name__}: {error}") from error


def _needed(maker: Callable[..., Any]) -> list[str]:
    """The arguments that have no default."""
    try:
        parameters = inspect.signature(maker).parameters.values()
    except (ValueError, TypeError):  # some built-ins do not tell
        return []
    named = [each for each in parameters if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)]
    return [each.name for each in named if each.default is each.empty]


def _copied(name: str, box: Toolbox) -> Toolbox:
    """Another toolbox with an equal world, which has made no call yet."""
    bare = copy(box)
    for made in ("_tools", "_specs", "_journal"):
        vars(bare).pop(made, None)
    try:
        return deepcopy(bare)
    except Exception as error:  # whatever somebody's own world holds: open files, locks
        raise BadOption(f"{name!r} cannot be copied ({error}); name its class, or a function that makes it") from error
