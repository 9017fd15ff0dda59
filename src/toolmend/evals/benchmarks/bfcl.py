"""BFCL's single-turn categories as a suite of lines, out of the wheel bfcl-eval: fetched through pip, never imported.

Only the data and possible answers of the categories asked for are unpacked. The others of the benchmark (several
turns, memory, the web) are no calls that can be judged by themselves. Values of Java and JavaScript are taken as JSON,
where the benchmark's own checker reads them as texts of source. Apache-2.0; toolmend ships none of it.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from toolmend.base.errors import BadFile, BadOption, UnknownName
from toolmend.evals.suites.lines import ImportedSuite, keep_suite
from toolmend.models.gguf.fetch import Shipped, fetch_wheel

NAME = "bfcl"
WHEEL = Shipped(
    "bfcl-eval", "2026.3.23", 1_925_664, "3bb6dfa5f0c68ad403c9ec50b00db2bb3b4cc9b38ab1ff33f48fe30d853d3a0a",
    "", 0, "", "Apache-2.0",
)  # fmt: skip
DEFAULT = ("simple_python", "irrelevance")
WITHOUT_ANSWERS = ("irrelevance", "live_irrelevance", "live_relevance")
CATEGORIES = (
    *("simple_python", "multiple", "parallel", "parallel_multiple"),
    *("simple_java", "simple_javascript"),
    *("live_simple", "live_multiple", "live_parallel", "live_parallel_multiple"),
    *WITHOUT_ANSWERS,
)


def import_bfcl(
    categories: Sequence[str] = DEFAULT,
    *,
    corrections: int = 0,
    wheel: Path | None = None,
) -> ImportedSuite:
    """Write the suite `bfcl` where `toolmend run bfcl` finds it, in place of one that is there. `wheel` is one that is
    there already, of whatever version. Cases whose answer contradicts their own tools are left out.

    Raises UnknownName for a category, BadFile for a wheel that is none of bfcl-eval, ModelError where pip cannot fetch.
    """
    for category in categories:
        if category not in CATEGORIES:
            raise UnknownName("category", category, CATEGORIES)
    with TemporaryDirectory() as folder:
        source = wheel or fetch_wheel(NAME, WHEEL, Path(folder))
        version = source.name.split("-")[1] if source.name.count("-") > 1 else "?"
        wanted = list(dict.fromkeys(categories))
        cases = _cases(source, wanted)
    head = {
        "about": f"BFCL, single turns: {', '.join(wanted)}",
        "source": f"bfcl-eval {version}, Apache-2.0",
        "corrections": corrections,
        "notation": NAME,
    }
    return keep_suite(NAME, head, cases)


def _cases(wheel: Path, categories: Sequence[str]) -> list[dict[str, Any]]:
    try:
        with zipfile.ZipFile(wheel) as archive:
            made = list[dict[str, Any]]()
            for category in categories:
                answers = {}
                if category not in WITHOUT_ANSWERS:
                    answers = {row["id"]: row["ground_truth"] for row in _rows(archive, f"possible_answer/{category}")}
                made += [_case(row, category, answers) for row in _rows(archive, category)]
            return made
    except (zipfile.BadZipFile, OSError) as error:
        raise BadFile(wheel, f"cannot be read as a wheel ({error})") from error
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadFile(wheel, f"holds BFCL's data in another form than is known ({error!r})") from error


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
