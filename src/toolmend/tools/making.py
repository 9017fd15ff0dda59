"""A toolbox of whatever somebody named: a class, a function that makes one, an instance, tools, or a Python file (its
one Toolbox, else its functions marked with `@tool`, else all its functions). Says what will not do.

Each is a new one: samples of a run play side by side, and none may act on the world of another. A file is somebody's
own code and is run, as an import would.
"""

from __future__ import annotations

import ast
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable
from copy import copy, deepcopy
from pathlib import Path
from types import ModuleType
from typing import Any

from toolmend.base.errors import BadFile, BadOption, ToolmendError, UnknownName
from toolmend.tools.tool import Tool, marking, tool
from toolmend.tools.toolbox import Toolbox

_READS = ("get", "list", "show", "find", "search", "read", "look", "count", "is", "has", "describe", "tell", "check")
"""How the name of a function begins that only reads, if it gives something back too."""


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
        raise BadOption(f"{name!r} gives a {type(found).__name__}, no Toolbox; functions are marked @tool")
    return found


def _called(name: str, maker: Callable[..., Any]) -> Any:
    """What a class or a function makes without arguments."""
    try:
        return maker()
    except ToolmendError:
        raise
    except Exception as error:  # whatever somebody's own code does
        hint = "name an instance, a function that makes one without arguments, or a list of functions"
        raise BadOption(f"{name!r} cannot be made: {type(error).__name__}: {error}; {hint}") from error


def _copied(name: str, box: Toolbox) -> Toolbox:
    """Another toolbox with an equal world, which has made no call yet."""
    bare = copy(box)
    for made in ("_tools", "_specs", "_journal"):
        vars(bare).pop(made, None)
    try:
        return deepcopy(bare)
    except Exception as error:  # whatever somebody's own world holds: open files, locks
        raise BadOption(f"{name!r} cannot be copied ({error}); name its class, or a function that makes it") from error


def toolbox_of_file(path: Path, name: str = "") -> Toolbox:
    """A new toolbox of what a file defines, or of `name` in it alone. Raises BadFile, BadOption, UnknownName."""
    module = _module(path)
    if name:
        if not hasattr(module, name):
            raise UnknownName(f"name in {path}", name, [known for known in vars(module) if not known.startswith("_")])
        return toolbox_of(f"{path}:{name}", getattr(module, name))
    own = {name: value for name, value in vars(module).items() if not name.startswith("_")}
    boxes = {name: value for name, value in own.items() if _is_box(value, module)}
    made = {name: value for name, value in boxes.items() if isinstance(value, Toolbox)}
    found = made or boxes
    if len(found) > 1:
        raise BadOption(f"{path} has several toolboxes: {', '.join(found)}; name one as {path}:{next(iter(found))}")
    if found:
        return toolbox_of(str(path), next(iter(found.values())))
    _check_names(path)
    functions = [value for value in own.values() if marking(value)]
    functions = functions or [_marked(value) for value in own.values() if _is_own(value, module)]
    if not functions:
        raise BadFile(path, "has no function and no Toolbox; see docs/toolboxes.md")
    for function in functions:
        _check(path, function)
    return toolbox_of(str(path), functions)


def _check_names(path: Path) -> None:
    """Raise BadFile where a function takes the place of an earlier one of its name."""
    names = set[str]()
    for node in ast.parse(path.read_bytes()).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            bare = all("tool" in ast.unparse(decorator) for decorator in node.decorator_list)
            if node.name in names and bare and not node.name.startswith("_"):
                raise BadFile(path, f"two functions are called {node.name!r}; rename one", node.lineno)
            names.add(node.name)


def _is_own(thing: Any, module: ModuleType) -> bool:
    return inspect.isfunction(thing) and thing.__module__ == module.__name__


def _marked(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function as a tool: one that reads where its name says so and it gives something back."""
    first = function.__name__.partition("_")[0]
    gives = inspect.get_annotations(function).get("return", ...) not in (None, "None")
    return tool(effect="read" if first in _READS and gives else "write")(function)


def _check(path: Path, function: Any) -> None:
    """Raise BadFile with the line of a function that cannot be a tool."""
    try:
        if not isinstance(function, Tool):
            Tool.of(function)
    except ToolmendError as error:
        raise BadFile(path, str(error), inspect.unwrap(function).__code__.co_firstlineno) from error


def _is_box(thing: Any, module: ModuleType) -> bool:
    """Whether it is a toolbox, or a class of one that the file itself defines."""
    return isinstance(thing, Toolbox) or (
        isinstance(thing, type) and issubclass(thing, Toolbox) and thing.__module__ == module.__name__
    )


def _module(path: Path) -> ModuleType:
    name = f"toolmend_file_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if not path.is_file() or spec is None or spec.loader is None:
        raise BadFile(path, "no such Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # where dataclasses and pydantic look names up
    if (folder := str(path.parent.resolve())) not in sys.path:
        sys.path.append(folder)  # its neighbours, as where Python runs it
    try:
        spec.loader.exec_module(module)
    except ToolmendError as error:
        raise BadFile(path, str(error), _line(path, error)) from error
    except (Exception, SystemExit) as error:  # whatever somebody's own code does
        what = error.msg if isinstance(error, SyntaxError) else error
        raise BadFile(path, f"cannot be run: {type(error).__name__}: {what}", _line(path, error)) from error
    return module


def _line(path: Path, error: BaseException) -> int | None:
    """The last line of the file that an error went through."""
    if isinstance(error, SyntaxError):
        return error.lineno
    frames = traceback.extract_tb(error.__traceback__)
    return next((frame.lineno for frame in reversed(frames) if Path(frame.filename).resolve() == path.resolve()), None)
