"""Every open phrase means what its line says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolmend.resolve import Resolved, Unclear, resolve

LINES = [
    json.loads(line)
    for path in sorted((Path(__file__).parent / "data").glob("phrases*.jsonl"))
    for line in path.read_text("utf-8").splitlines()
]
GIVEN = ("now", "like", "hours", "locale")


@pytest.mark.parametrize("line", LINES, ids=[f"{number}: {line['text']}" for number, line in enumerate(LINES, 1)])
def test_a_phrase_means_what_its_line_says(line: dict[str, Any]) -> None:
    result = resolve(line["text"], line["schema"], **{name: line[name] for name in GIVEN if name in line})
    if "unclear" in line:
        assert isinstance(result, Unclear), result
        assert sorted(result.candidates) == sorted(line["unclear"])
    else:
        assert isinstance(result, Resolved), result
        assert (result.value, type(result.value) is bool) == (line["value"], type(line["value"]) is bool)


def test_there_are_enough_phrases_of_every_kind() -> None:
    kinds = [
        line["schema"].get("format") or line["schema"].get("x-unit") or line["schema"].get("type") for line in LINES
    ]
    assert len(LINES) >= 320
    assert {"date", "time", "date-time", "minutes", "EUR", "percent", "boolean", "array"} <= set(kinds)
