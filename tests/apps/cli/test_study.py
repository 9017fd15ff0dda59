"""`toolmend study`: what arrives, what is shown; training is somebody else's."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from toolmend.training.studies.arena import Watching
from toolmend.training.studies.measured import Moved
from toolmend.training.studies.study import Found, Question, Train

Invoke = Callable[..., Result]
NET = Moved("net_fix", 80, 40, 0.1, (0.0, 0.2), 0.3, (0.2, 0.4), 0.2, (0.1, 0.3), "wilcoxon", 0.002, 0.006)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """A study that trains nothing; what was asked of it."""
    calls: list[tuple[Any, ...]] = []

    def carry_out(question: Question, _train: Train, work: Path, cases: int, seeds: int, _watching: Watching) -> Found:
        calls.append((question, work, cases, seeds))
        return Found(question, cases, (1, 2), (NET,), ((1, (NET,)), (2, (NET,))), ({"arm": "x", "seed": 1},))

    monkeypatch.setattr("toolmend.training.studies.study.carry_out", carry_out)
    return calls


def test_sizes_arrive(invoke: Invoke, asked: list[tuple[Any, ...]]) -> None:
    words = "--work w --tokens 5000 --seeds 2 --cases 40 --size tiny --threads 1"
    assert invoke("study", "corrections", *words.split()).exit_code == 0
    [(question, *sizes)] = asked
    assert (sizes, question.settings["tokens"], question.settings["size"]) == ([Path("w"), 40, 2], 5000, "tiny")


def test_the_base_of_hindsight_is_pinned(invoke: Invoke, asked: list[tuple[Any, ...]]) -> None:
    pytest.importorskip("keras_hub")
    words = "--work w --base builtin/plain --dialogues 50 --rate 0.1 --every 3"
    assert invoke("study", "hindsight", *words.split()).exit_code == 0
    settings = asked[0][0].settings
    assert settings["base"].startswith("builtin/plain ") and len(settings["base"].split()[1]) == 16
    assert (settings["dialogues"], settings["rate"], settings["every"]) == (50, 0.1, 3)


def test_what_is_printed(invoke: Invoke, asked: list[tuple[Any, ...]]) -> None:
    lines = [" ".join(line.split()) for line in invoke("study", "corrections", "--work", "w").stdout.splitlines()]
    assert lines[1:3] == ["A clean calls only", "B corrections"]
    assert "net fix 10 % 30 % +20 % 0.006 80" in lines and "(0…20) (20…40) (+10…+30) (40)" in lines
    assert lines[-3:] == [
        "net fix, seed 1: 10 % (0…20) and 30 % (20…40), +20 % (+10…+30)",
        "net fix, seed 2: 10 % (0…20) and 30 % (20…40), +20 % (+10…+30)",
        "yes: corrections is better than clean calls only",
    ]


def test_json_stands_alone(invoke: Invoke, asked: list[tuple[Any, ...]]) -> None:
    data = json.loads(invoke("study", "corrections", "--work", "w", "--format", "json").stdout)
    assert (data["study"], data["decisive"], data["seeds"]) == ("corrections", "net_fix", [1, 2])
    assert data["figures"][0]["ends"] == [0.1, 0.3]


def test_ctrl_c_says_how_to_go_on(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("toolmend.training.studies.study.carry_out", interrupted)
    result = invoke("study", "corrections", "--work", "w")
    said = "toolmend: stopped; what is finished is in w: the same command goes on\n"
    assert (result.exit_code, result.stderr) == (130, said)
