"""A log of Inspect AI as a suite of lines: its samples with the tools that the model was offered, as far as they fit.

A sample fits where its target is calls of those tools, written in Python. Knows inspect-ai by its published schema
(logs of version 2, JSON) only.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from toolmend.base.errors import BadFile
from toolmend.evals.suites.lines import ImportedSuite, keep_suite
from toolmend.grading.lines import BadLine, tools_of
from toolmend.reading import read_python


def import_log(path: Path, name: str | None = None) -> ImportedSuite:
    """Write the suite, called after the log's task unless `name` says otherwise; every sample once, whatever epochs.

    Raises BadFile for a file that is no such log, or has no sample that fits.
    """
    try:
        log = json.loads(path.read_bytes())
        task, samples = str(log["eval"]["task"]), log["samples"]
        cases, unfit = dict[str, dict[str, Any]](), list[str]()
        for sample in samples:
            case = _case(sample)
            if case is None:
                unfit.append(str(sample["id"]))
            else:
                cases.setdefault(str(sample["id"]), case)
    except OSError as error:
        raise BadFile(path, f"cannot be read ({error.strerror or error})") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        hint = "make JSON of an .eval file with: inspect log convert --to json"
        raise BadFile(path, f"is no log of Inspect in JSON ({error!r:.80}); {hint}") from error
    if not cases:
        raise BadFile(path, "no sample fits: wanted are tools offered to the model, and a target that is calls of them")
    head = {"about": f"Inspect's task {task}", "source": path.name}
    return keep_suite(name or task, head, list(cases.values()), tuple(dict.fromkeys(unfit)))


def _case(sample: Mapping[str, Any]) -> dict[str, Any] | None:
    offered: list[Any] = next(
        (event["tools"] for event in sample["events"] if event["event"] == "model" and event["tools"]), []
    )
    tools = [{key: tool[key] for key in ("name", "description", "parameters") if key in tool} for tool in offered]
    target = sample["target"] if isinstance(sample["target"], str) else "\n".join(sample["target"])
    try:
        specs, _ = tools_of({"tools": tools})
    except BadLine:
        return None
    reading = read_python(target, specs, lenient=False)
    say = _said(sample["input"])
    names = {spec.full_name for spec in specs}
    if reading.problem or reading.rest or not {call.tool for call in reading.calls} <= names or not say:
        return None
    expected = [
        {"tool": call.tool, "arguments": {key: {"value": value} for key, value in call.arguments.items()}}
        for call in reading.calls
    ]
    return {"id": str(sample["id"]), "group": "samples", "say": say, "tools": tools, "expected": expected}


def _said(given: Any) -> str:
    """The request: the input's text, or what people say in its messages."""
    if isinstance(given, str):
        return given.strip()
    contents = [message["content"] for message in given if message["role"] == "user"]
    return "\n\n".join(content for content in contents if isinstance(content, str)).strip()
