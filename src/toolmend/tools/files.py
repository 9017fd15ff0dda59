"""A toolbox out of a Python file: its one Toolbox, or all its functions marked with `@tool`.

The file is somebody's own code and is run, as an import would.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from toolmend.errors import BadFile, BadOption, ToolmendError
from toolmend.tools.making import toolbox_of
from toolmend.tools.tool import marking
from toolmend.tools.toolbox import Toolbox


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
    return toolbox_of(str(path), functions)


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
    except ToolmendError:
        raise
    except Exception as error:  # whatever somebody's own code does
        raise BadFile(path, f"cannot be run: {type(error).__name__}: {error}") from error
    return module
