"""A toolbox out of a Python file: its one Toolbox, or all its functions marked with `@tool`.

The file is somebody's own code and is run, as an import would.
"""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

from toolmend.errors import BadFile, BadOption, ToolmendError
from toolmend.tools.making import toolbox_of
from toolmend.tools.tool import Tool, marking
from toolmend.tools.toolbox import Toolbox

_TOOL = re.compile(r"(?:\w+\.)*tool\b")


def toolbox_of_file(path: Path) -> Toolbox:
    """A new toolbox of what a file defines. Raises BadFile, BadOption."""
    module = _module(path)
    own = {name: each for name, each in vars(module).items() if not name.startswith("_")}
    boxes = {name: each for name, each in own.items() if _is_box(each, module)}
    made = {name: each for name, each in boxes.items() if isinstance(each, Toolbox)}
    found = made or boxes
    if len(found) > 1:
        raise BadOption(
            f"{path} has several toolboxes: {', '.join(found)}; name one as {path.stem}:{next(iter(found))}"
        )
    if found:
        return toolbox_of(str(path), next(iter(found.values())))
    functions = [each for each in own.values() if marking(each)]
    if not functions:
        raise BadFile(path, "has no function marked with @tool and no Toolbox; see docs/toolboxes.md")
    for function in functions:
        try:
            Tool.of(function)
        except ToolmendError as error:
            raise BadFile(
                path, str(error), getattr(getattr(function, "__code__", None), "co_firstlineno", None)
            ) from error
    _not_twice(path)
    return toolbox_of(str(path), functions)


def _not_twice(path: Path) -> None:
    """Raise BadFile where a tool is defined twice: Python would keep the last one and say nothing."""
    lines: dict[str, int] = {}
    functions = [
        node for node in ast.parse(path.read_bytes()).body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    for node in functions:
        if any(_TOOL.match(ast.unparse(mark)) for mark in node.decorator_list):
            if node.name in lines:
                raise BadFile(
                    path,
                    f"two tools are called {node.name!r}, this one and that of line {lines[node.name]}",
                    node.lineno,
                )
            lines[node.name] = node.lineno


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
    try:
        spec.loader.exec_module(module)
    except ToolmendError as error:
        raise BadFile(path, str(error), _line_of(error, path)) from error
    except Exception as error:  # whatever somebody's own code does
        what = f"{type(error).__name__}: {error.msg if isinstance(error, SyntaxError) else error}"
        raise BadFile(path, f"cannot be run: {what}", _line_of(error, path)) from error
    return module


def _line_of(error: Exception, path: Path) -> int | None:
    """The last line of the file that was run before it went wrong."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return error.lineno
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    return lines[-1] if lines else None
