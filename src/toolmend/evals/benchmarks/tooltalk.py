"""ToolTalk's conversations (Farn and Shin 2023, MIT) as a suite of lines, from a copy of microsoft/ToolTalk.

What stands in src/tooltalk/apis/*.py is read as text, never imported. A request is answered by the calls that its
conversation has; one answered in words, or by calls whose values only a tool's result tells, has its answer given. The
session token is the program's own business and is left out. Its own check takes texts of like meaning for equal:
these are compared as they are here.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from toolmend.base.errors import BadFile, BadOption
from toolmend.evals.benchmarks.copies import version_of
from toolmend.evals.benchmarks.sgd_services import HALF, loaded_json
from toolmend.evals.suites.lines import ImportedSuite, keep_suite

NAME = "tooltalk"
_GROUPS = {"easy": "easy", "tooltalk": "hard"}
_OURS = frozenset(("session_token",))
_FORMATS = (("%Y-%m-%d %H:%M:%S", "date-time"), ("%Y-%m-%d", "date"), ("%H:%M:%S", "time"))
_HOLDS = ("description", "parameters")


def import_tooltalk(folder: Path) -> ImportedSuite:
    """Write the suite `tooltalk`, groups `easy` and `hard`. Raises BadFile for another folder, or half of one."""
    apis = sorted((folder / "src" / "tooltalk" / "apis").glob("*.py"))
    found = {group: sorted((folder / "data" / name).glob("*.json")) for name, group in _GROUPS.items()}
    tools = {name: tool for path in apis for name, tool in _tools(path)}
    if not tools or not any(found.values()):
        raise BadFile(
            folder, "is no copy of microsoft/ToolTalk: wanted are src/tooltalk/apis/*.py, data/easy, data/tooltalk"
        )
    cases = [case for group, paths in found.items() for path in paths if (case := _case(path, group, tools))]
    if not cases:
        raise BadOption(f"{folder / 'data'}: no conversation has calls of the tools in src/tooltalk/apis")
    version = version_of(folder, [*apis, *(path for paths in found.values() for path in paths)])
    source = f"microsoft/ToolTalk (Farn and Shin 2023), MIT, {version}"
    return keep_suite(NAME, {"about": "ToolTalk's conversations", "source": source}, cases)


def _tools(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, SyntaxError) as error:
        raise BadFile(path, f"cannot be read as Python ({error})") from error
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and "parameters" in (held := dict(_held(node))):
            yield node.name, _tool(node.name, held)


def _held(node: ast.ClassDef) -> Iterator[tuple[str, Any]]:
    for line in node.body:
        if isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name) and line.targets[0].id in _HOLDS:
            try:
                yield line.targets[0].id, ast.literal_eval(line.value)
            except ValueError:  # made by a program: the tool is not known then
                continue


def _tool(name: str, held: Mapping[str, Any]) -> dict[str, Any]:
    given = {key: about for key, about in held["parameters"].items() if key not in _OURS}
    properties = {key: _schema(about) for key, about in given.items()}
    required = [key for key, about in given.items() if about.get("required")]
    parameters = {"type": "object", "properties": properties, "required": required}
    return {"name": name, "description": held.get("description", ""), "parameters": parameters}


def _schema(about: Mapping[str, Any]) -> dict[str, Any]:
    """A parameter's schema; a pattern in its description says what kind of time it is."""
    schema = {key: value for key, value in about.items() if key != "required"}
    told = str(about.get("description", ""))
    kind = next((kind for pattern, kind in _FORMATS if pattern in told), "")
    return {**schema, "format": kind} if kind and schema.get("type") == "string" else schema


def _case(path: Path, group: str, tools: Mapping[str, dict[str, Any]]) -> dict[str, Any] | None:
    """A conversation; None without a call of a tool that is known."""
    talk = loaded_json(path)
    try:
        steps = list(_steps(talk["conversation"]))
        suites = {str(name).casefold() for name in talk.get("suites_used", ())}
        called = dict.fromkeys(call["tool"] for step in steps for call in step["expected"])
        now = str(talk["metadata"]["timestamp"]).replace(" ", "T")
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise BadFile(path, f"is no conversation of ToolTalk ({error!r}): {HALF}") from error
    names = dict.fromkeys((*called, *map(str, talk.get("apis_used", ()))))
    if not called or not set(called) <= set(tools):
        return None
    offered = [tools[name] for name in names if name in tools]
    told = {"id": path.stem, "group": group, "now": now, "tools": offered, "steps": steps}
    return told if suites or offered else None


def _steps(turns: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """What a person said, with the calls that answer it; given where only a result of a tool tells what they say."""
    results, said = "", ""
    for place, turn in enumerate(turns):
        if turn["role"] != "user":
            continue
        said += f" {turn['text']}"
        answer = turns[place + 1] if place + 1 < len(turns) and turns[place + 1]["role"] == "assistant" else None
        if answer is None:
            continue
        calls = [one["request"] for one in answer.get("apis", ()) if not one.get("exception")]
        results += "".join(json.dumps(one.get("response")) for one in answer.get("apis", ()))
        expected = [{"tool": one["api_name"], "arguments": _values(one["parameters"])} for one in calls]
        of_results = any(_of_results(one["parameters"], results, said) for one in calls)
        said += f" {answer['text']}"
        if expected and not of_results:
            yield {"say": turn["text"], "expected": expected}
        else:
            yield {"say": turn["text"], "expected": [], "given": answer["text"]}


def _of_results(parameters: Mapping[str, Any], results: str, said: str) -> bool:
    """Whether a value stands in a tool's result and in nothing that was said."""
    values = [str(value) for name, value in parameters.items() if name not in _OURS and not isinstance(value, list)]
    return any(f'"{value}"' in results and value.casefold() not in said.casefold() for value in values)


def _values(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The values, none of them read as a rule."""
    told = {name: value for name, value in parameters.items() if name not in _OURS}
    return {name: {"value": value} if isinstance(value, dict) else value for name, value in told.items()}
