"""BFCL's single-turn categories as a suite of lines, out of the wheel bfcl-eval: fetched through pip, never imported.

Only the data and possible answers of the categories asked for are unpacked. The others of the benchmark (Java,
JavaScript, several turns, memory, the web) are no calls that can be judged by themselves. Apache-2.0; toolmend ships
none of it.
"""

from __future__ import annotations

import json
import os
import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from toolmend.errors import BadFile, BadOption, ModelError, UnknownName
from toolmend.evals.suite_lines import imported_suites
from toolmend.models.gguf.fetch import OnBytes, Shipped, fetch_wheel

NAME = "bfcl"
WHEEL = Shipped(
    "bfcl-eval", "2026.3.23", 1_925_664, "3bb6dfa5f0c68ad403c9ec50b00db2bb3b4cc9b38ab1ff33f48fe30d853d3a0a",
    "", 0, "", "Apache-2.0",
)  # fmt: skip
DEFAULT = ("simple_python", "irrelevance")
WITHOUT_ANSWERS = ("irrelevance", "live_irrelevance", "live_relevance")
CATEGORIES = (
    *("simple_python", "multiple", "parallel", "parallel_multiple"),
    *("live_simple", "live_multiple", "live_parallel", "live_parallel_multiple"),
    *WITHOUT_ANSWERS,
)


@dataclass(frozen=True)
class Imported:
    """Where the suite is, how many cases each category has, and the ids of those whose answer contradicts its tools."""

    path: Path
    cases: dict[str, int]
    left_out: tuple[str, ...]


def import_bfcl(
    categories: Sequence[str] = DEFAULT,
    *,
    corrections: int = 0,
    wheel: Path | None = None,
    on_bytes: OnBytes | None = None,
) -> Imported:
    """Write the suite `bfcl` where `toolmend run bfcl` finds it, in place of one that is there. `wheel` is one that is
    there already, of whatever version.

    Raises UnknownName for a category, BadFile for a wheel that is none of bfcl-eval, ModelError where pip cannot fetch.
    """
    for category in categories:
        if category not in CATEGORIES:
            raise UnknownName("category", category, CATEGORIES)
    target = imported_suites() / f"{NAME}.jsonl"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=target.parent, prefix=".import-") as folder:
            source = wheel or fetch_wheel(NAME, WHEEL, Path(folder), on_bytes or (lambda _what, _done, _of: None))
            version = source.name.split("-")[1] if source.name.count("-") > 1 else "?"
            cases, left_out = _cases(source, list(dict.fromkeys(categories)))
            head = {
                "suite": NAME,
                "about": f"BFCL, single turns: {', '.join(cases)}",
                "source": f"bfcl-eval {version}, Apache-2.0",
                "corrections": corrections,
                "notation": NAME,
            }
            written = Path(folder) / target.name
            rows = [head, *(row for rows in cases.values() for row in rows)]
            written.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), encoding="utf-8")
            os.replace(written, target)
    except OSError as error:
        raise ModelError(f"{NAME}: cannot be kept in {target.parent} ({error.strerror or error})") from error
    return Imported(target, {name: len(rows) for name, rows in cases.items()}, tuple(left_out))


def _cases(wheel: Path, categories: Sequence[str]) -> tuple[dict[str, list[dict[str, Any]]], list[str]]:
    try:
        with zipfile.ZipFile(wheel) as archive:
            made, left_out = dict[str, list[dict[str, Any]]](), list[str]()
            for category in categories:
                answers = {}
                if category not in WITHOUT_ANSWERS:
                    answers = {row["id"]: row["ground_truth"] for row in _rows(archive, f"possible_answer/{category}")}
                made[category] = []
                for row in _rows(archive, category):
                    case = _case(row, category, answers)
                    if _contradicts(case):
                        left_out.append(row["id"])
                    else:
                        made[category].append(case)
    except (zipfile.BadZipFile, OSError) as error:
        raise BadFile(wheel, f"cannot be read as a wheel ({error})") from error
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadFile(wheel, f"holds BFCL's data in another form than is known ({error!r})") from error
    return made, left_out


def _rows(archive: zipfile.ZipFile, name: str) -> Iterator[dict[str, Any]]:
    """The lines of a file of the data: `BFCL_v4_simple_python.json`, whatever the version."""
    folder, _, category = name.rpartition("/")
    wanted = re.compile(rf"bfcl_eval/data/{re.escape(f'{folder}/' if folder else '')}BFCL_v\d+_{category}\.json")
    members = [member for member in archive.namelist() if wanted.fullmatch(member)]
    if len(members) != 1:
        raise BadOption(f"the wheel has no data of the category {category}; is it bfcl-eval?")
    for line in archive.read(members[0]).decode("utf-8").splitlines():
        if line.strip():
            yield json.loads(line)


def _case(row: dict[str, Any], category: str, answers: dict[str, Any]) -> dict[str, Any]:
    said = "\n\n".join(message["content"] for turn in row["question"] for message in turn)
    tools = [{key: tool[key] for key in ("name", "description", "parameters")} for tool in row["function"]]
    case = {"id": row["id"], "group": category, "say": said, "tools": tools}
    if category in WITHOUT_ANSWERS:
        return {**case, "expected": "any" if category == "live_relevance" else []}
    return {**case, "ground_truth": answers[row["id"]]}


def _contradicts(case: dict[str, Any]) -> bool:
    """Whether the answer leaves out what the tool requires, or names a tool that is not offered: nothing would be right."""
    tools = {tool["name"]: tool["parameters"] for tool in case["tools"]}
    for call in case.get("ground_truth", ()):
        ((name, arguments),) = call.items()
        if name not in tools or not set(tools[name].get("required", ())) <= set(arguments):
            return True
    return False
