"""API-Bank's dialogues (levels 1 and 2) as a suite of lines, from a copy of its folder that the user has.

What stands in `apis/*.py` is read as text, never imported. A request that is answered in words has those words given;
one that is answered by calls is asked. Its own check of nine tools takes texts that share half their words: these are
compared as they are here.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from toolmend.base.errors import BadFile, BadOption
from toolmend.evals.suites.lines import ImportedSuite, keep_suite

NAME = "api_bank"
_SAMPLES = "lv1-lv2-samples"
_MEMBERS = ("description", "input_parameters")


def import_api_bank(folder: Path) -> ImportedSuite:
    """Write the suite `api_bank`, a group for each folder of samples. Raises BadFile for a folder that is not
    API-Bank's.
    """
    tools = dict(_tools(folder))
    if not tools or not (folder / _SAMPLES).is_dir():
        raise BadFile(folder, f"is no folder of API-Bank: wanted are apis/*.py and {_SAMPLES}/*/*.jsonl")
    cases = [
        case
        for level in sorted(path for path in (folder / _SAMPLES).iterdir() if path.is_dir())
        for path in sorted(level.glob("*.jsonl"))
        if (case := _case(path, level.name, tools))
    ]
    if not cases:
        raise BadOption(f"{folder / _SAMPLES}: no dialogue with calls of the tools in apis/ is there")
    return keep_suite(NAME, {"about": "API-Bank's dialogues", "source": "API-Bank"}, cases)


def _tools(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for path in sorted((folder / "apis").glob("*.py")):
        try:
            tree = ast.parse(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, SyntaxError) as error:
            raise BadFile(path, f"cannot be read as Python ({error})") from error
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and {"input_parameters"} <= (members := dict(_members(node))).keys():
                yield node.name, _tool(node.name, members)


def _members(node: ast.ClassDef) -> Iterator[tuple[str, Any]]:
    for line in node.body:
        if isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name) and line.targets[0].id in _MEMBERS:
            try:
                yield line.targets[0].id, ast.literal_eval(line.value)
            except ValueError:  # made by a program: the tool is not known then
                continue


def _tool(name: str, members: Mapping[str, Any]) -> dict[str, Any]:
    given: Mapping[str, Any] = members["input_parameters"]
    properties = {key: _schema(about) for key, about in given.items()}
    required = [key for key, about in given.items() if about.get("required", True)]
    parameters = {"type": "object", "properties": properties, "required": required}
    return {"name": name, "description": members.get("description", ""), "parameters": parameters}


def _schema(about: Mapping[str, Any]) -> dict[str, Any]:
    """`list(str)` is a list of texts; other types are translated when the suite is read."""
    outer, _, inner = str(about.get("type", "any")).rstrip(")").partition("(")
    made = {"type": outer, "description": about.get("description", "")}
    return {**made, "items": {"type": inner}} if inner else made


def _case(path: Path, level: str, tools: Mapping[str, dict[str, Any]]) -> dict[str, Any] | None:
    """A dialogue; None without a call of a tool that is known."""
    try:
        turns = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        steps: list[dict[str, Any]] = []
        names = dict.fromkeys(turn["api_name"] for turn in turns if turn["role"] == "API")
        for turn in turns:
            if turn["role"] == "User":
                steps.append({"say": turn["text"], "expected": []})
            elif turn["role"] == "API" and steps:
                steps[-1]["expected"].append({"tool": turn["api_name"], "arguments": _values(turn["param_dict"])})
            elif turn["role"] == "AI" and steps and not steps[-1]["expected"]:
                steps[-1]["given"] = turn["text"]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadFile(path, f"is no dialogue of API-Bank ({error!r})") from error
    if not names or not set(names) <= set(tools):
        return None
    return {"id": path.stem, "group": level, "tools": [tools[name] for name in names], "steps": steps}


def _values(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The values, none of them read as a rule."""
    return {name: {"value": value} if isinstance(value, dict) else value for name, value in arguments.items()}
