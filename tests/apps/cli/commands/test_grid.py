"""`toolmend run --grid`: models in the roles of a strategy, every combination, and the heat maps of the report."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Invoke = Callable[..., Result]
GRID = ("--grid", "intent=canned/late,canned/right", "--grid", "params=canned/late,canned/right")


def test_every_combination_is_played(invoke: Invoke, suite: Path) -> None:
    result = invoke("run", suite, "--strategy", "freyr", *GRID, "--attempts", 1, "--format", "json")
    assert result.exit_code == 0
    rows = json.loads(result.stdout)["contestants"]
    assert [(row["assigned"]["intent"], row["assigned"]["params"]) for row in rows] == [
        ("canned/late", "canned/late"),
        ("canned/late", "canned/right"),
        ("canned/right", "canned/late"),
        ("canned/right", "canned/right"),
    ]
    assert rows[1]["model"] == "canned/late intent=canned/late params=canned/right"
    assert rows[3]["roles"]["intent"]["model"] == "canned/right"


@pytest.mark.parametrize(
    ("form", "shown"),
    [("text", "Done: intent × params"), ("markdown", "**First right: intent × params**"), ("html", "Roles × models")],
)
def test_heat_maps_are_in_every_form(invoke: Invoke, suite: Path, form: str, shown: str) -> None:
    invoke("run", suite, "--strategy", "freyr", *GRID, "--attempts", 1)
    result = invoke("show", "--format", form)
    assert (result.exit_code, shown in result.stdout) == (0, True)


def test_another_model_for_the_other_roles(invoke: Invoke, suite: Path) -> None:
    words = (
        "--model",
        "canned/right",
        "--grid",
        "intent=canned/late",
        "--attempts",
        1,
        "--dry-run",
        "--format",
        "json",
    )
    found = json.loads(invoke("run", suite, "--strategy", "freyr", *words).stdout)
    assert [row["model"] for row in found["contestants"]] == ["canned/right intent=canned/late"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--grid", "intent"), "is no ROLE=MODEL,MODEL"),
        (("--grid", "wishes=canned/late"), "asks in no role 'wishes'"),
        ((*GRID, "--max-cost", "1"), "--max-tokens-total can limit it"),
    ],
)
def test_what_is_refused(invoke: Invoke, suite: Path, words: tuple[str, ...], said: str) -> None:
    result = invoke("run", suite, "--strategy", "freyr", *words)
    assert (result.exit_code, said in result.stderr) == (2, True)


def test_short_names_stand_for_their_models(invoke: Invoke, suite: Path) -> None:
    words = ("--model", "canned/right", "--grid", "summary=canned/late,small", "--dry-run", "--format", "json")
    found = json.loads(invoke("run", suite, "--strategy", "freyr", *words).stdout)
    assert [row["model"] for row in found["contestants"]] == [
        "canned/right summary=canned/late",
        "canned/right summary=builtin/small",
    ]
