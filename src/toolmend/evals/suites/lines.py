"""Suites of lines: a dialogue a line, each with tools of its own, as benchmarks have them. docs/suites.md.

    {"suite": "mine", "about": "…", "corrections": 1}
    {"id": "a1", "group": "simple", "say": "Factorial of 5", "tools": [{"name": "factorial", "parameters": {…}}],
     "expected": [{"tool": "factorial", "arguments": {"n": 5}}]}

Tools and what is expected are written as in the lines that `toolmend grade` reads; `now` is the time it is in a case
("2019-03-01T09:00"). Runs nothing.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolmend.base.atomic import written
from toolmend.base.errors import BadFile, BadOption, ToolmendError
from toolmend.base.messages import ToolSpec
from toolmend.evals.suites.stub_tools import OWN
from toolmend.evals.suites.suite import Case, Experiment, Step, Suite
from toolmend.grading.compare import table_of
from toolmend.grading.lines import BadLine, expected_of, loaded, tools_of, typed
from toolmend.grading.references import references

_HEAD = frozenset({"suite", "about", "corrections", "notation", "source"})
_STEP = frozenset({"say", "expected", "ground_truth", "ordered", "asks", "given"})
_CASE = _STEP | {"id", "group", "tools", "steps", "now"}
NOTATIONS = ("bfcl",)
_ABOUT = "each case with its own tools"


def imported_suites() -> Path:
    """The folder of suites that `toolmend suites import` wrote."""
    from platformdirs import user_cache_path

    return user_cache_path("toolmend") / "suites"


@dataclass(frozen=True)
class ImportedSuite:
    """A suite that was imported: where it is, how many cases each group has, the ids of those that could not be."""

    path: Path
    cases: Mapping[str, int]
    left_out: tuple[str, ...] = ()


def keep_suite(
    name: str, head: Mapping[str, Any], cases: Sequence[Mapping[str, Any]], left_out: tuple[str, ...] = ()
) -> ImportedSuite:
    """Write an imported suite, in place of one of that name; cases that nothing could be right for are left out.

    Raises BadOption for a name that would be no file's, BadFile where it cannot be written.
    """
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,60}", name):
        raise BadOption(f"a suite cannot be imported as {name!r}: letters, digits, _ and - make a name")
    groups: dict[str, int] = {}
    lines, unfit = [json.dumps({"suite": name, **head}, ensure_ascii=False)], list(left_out)
    for case in cases:
        line = json.dumps(case, ensure_ascii=False)
        try:
            _case(json.loads(line), 0)
        except (BadLine, ToolmendError):
            unfit.append(str(case["id"]))
            continue
        groups[case["group"]] = groups.get(case["group"], 0) + 1
        lines.append(line)
    target = imported_suites() / f"{name}.jsonl"
    with written(target) as part:
        part.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return ImportedSuite(target, groups, tuple(unfit))


def read_lines(path: Path, tools: str | None = None) -> Suite:
    """The suite of a file of lines; its groups are its experiments. Raises BadFile with the line, BadOption for another
    toolbox than the cases' own.
    """
    if tools not in (None, OWN):
        raise BadOption(f"{path.name}: its cases bring tools of their own; there is nothing for --tools to replace")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadFile(path, f"cannot be read ({error.strerror or error})") from error
    head: Mapping[str, Any] = {}
    groups: dict[str, dict[str, Case]] = {}
    for number, line in enumerate(content.splitlines(), 1):
        if not line.strip():
            continue
        try:
            data = loaded(line, _HEAD | _CASE)
            if "suite" in data:
                head = _head(data)
                continue
            case = _case(data, number)
            if case.id in groups.setdefault(case.group, {}):
                raise BadLine(f"two cases are called {case.id!r}; give each an id of its own")
            groups[case.group][case.id] = case
        except (BadLine, ToolmendError) as fault:
            raise BadFile(path, str(fault), number) from None
    if not groups:
        raise BadFile(path, "no case is in it")
    corrections = head.get("corrections", 0)
    experiments = tuple(
        Experiment(group, _ABOUT, tuple(cases.values()), 1, corrections, "own", ()) for group, cases in groups.items()
    )
    digest = hashlib.sha256(content).hexdigest()[:16]
    name, about = head.get("suite", path.stem), head.get("about", "")
    return Suite(name, 1, OWN, None, experiments, digest, str(path), head.get("notation"), about)


def _head(data: Mapping[str, Any]) -> Mapping[str, Any]:
    typed(data, "suite", str, None)
    corrections = data.get("corrections", 0)
    if type(corrections) is not int or corrections < 0:
        raise BadLine(f"'corrections' must be a whole number of at least 0, got {corrections!r:.60}")
    if data.get("notation", "bfcl") not in NOTATIONS:
        raise BadLine(f"'notation' must be {' or '.join(NOTATIONS)}, got {data['notation']!r:.60}")
    return {**data, "about": typed(data, "about", str, "")}


def _case(data: Mapping[str, Any], number: int) -> Case:
    specs, _ = tools_of(data)
    group = typed(data, "group", str, "chat")
    if "/" in group or not group.strip():
        raise BadLine(f"'group' is a name without '/', got {group!r:.60}")
    written = typed(data, "steps", list, [data])
    return Case(str(data.get("id", number)), group, tuple(_steps(written, specs)), specs, _now(data))


def _now(data: Mapping[str, Any]) -> dt.datetime | None:
    try:
        return dt.datetime.fromisoformat(data["now"]) if "now" in data else None
    except (TypeError, ValueError):
        raise BadLine(f"'now' must be a time as YYYY-MM-DDTHH:MM, got {data['now']!r:.40}") from None


def _steps(written: list[Any], specs: tuple[ToolSpec, ...]) -> Iterator[Step]:
    for data in written:
        if not isinstance(data, dict) or not typed(data, "say", str, "").strip():
            raise BadLine(f"a step says something: {data!r:.60} does not")
        if unknown := sorted(set(data) - _CASE):
            raise BadLine(f"unknown key {unknown[0]!r} of a step; known: {', '.join(sorted(_STEP))}")
        expected = expected_of(data, specs)
        for call in expected.calls:
            table_of(specs).target(call)  # raises for a tool or an argument that is not there
        reference = (
            next(iter(references(expected, table_of(specs)))).text if expected.calls or expected.any_call else ""
        )
        yield Step(data["say"], expected, reference, given=data.get("given") and typed(data, "given", str, None))
