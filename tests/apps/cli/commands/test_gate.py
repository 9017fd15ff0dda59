"""`toolmend gate`: exit codes, the one-screen reason, the file to be committed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from toolmend.base.events import Asked, Corrected, Finished, Marked, Replied
from toolmend.base.mistakes import Correction, Kind, Mark, Mistake
from toolmend.evals.store import RunConfig, Sample, Store, StoredContestant

Invoke = Callable[..., Result]

CALL = 'action.add_calendar_entry("Lunch", date="2024-05-03", time="NOON")'
TIME = Mistake(Kind.WRONG_VALUE, "time")


def keep(hour: int, suite_hash: str = "h") -> str:
    """A run of twelve cases of one request, right where the hour is twelve and mended in any case; its id."""
    wrong = () if hour == 12 else (TIME,)
    mark = (Mark.MISTAKE,) if wrong else (Mark.CORRECT,)
    first = [Asked(0, "…"), Replied(0, CALL.replace("NOON", f"{hour}:00"), model="m"), Marked(0, mark, wrong, True, 0)]
    told = [Asked(1, "…", 0), Corrected(1, Correction("…", 2, TIME), 0), Replied(1, CALL), Marked(1, mark, (), True, 0)]
    events = (*first, *(told if wrong else ()), Finished())
    config = RunConfig("many", suite_hash, (StoredContestant("m", "oneline"),), settings={"hour": hour})
    with Store() as store:
        run_id = store.open_run(config)
        for number in range(12):
            store.commit(run_id, Sample(f"quick/lunch/n{number:02}", "m", "oneline", events=events))
        store.finish(run_id)
    return run_id


@pytest.fixture
def runs() -> dict[str, str]:
    """The ids of a run that is right and of one that is late, the last."""
    return {"right": keep(12), "late": keep(13)}


def test_a_worse_run_fails_with_the_reason(invoke: Invoke, runs: dict[str, str]) -> None:
    result = invoke("gate", "--against", runs["right"])
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[0] == f"gate FAILED  many · run {runs['late']} against {runs['right']}"
    (row,) = (line for line in lines if line.startswith("first right"))
    assert row.split()[:7] == ["first", "right", "100", "%", "0", "%", "−100"]
    assert row.split()[-1] == "FAILED"
    shown = lines.index("Where it got worse:")
    assert lines[shown + 1].startswith("quick/lunch/n00, step 1 · m · oneline")
    assert lines[shown + 3].startswith("  base  ") and 'time="12:00")' in lines[shown + 3]
    assert lines[shown + 4].startswith("  run   ") and 'time="13:00")' in lines[shown + 4]
    assert len([line for line in lines if line.startswith("quick/")]) == 3
    assert len(lines) < 40


def test_a_better_run_passes(invoke: Invoke, runs: dict[str, str]) -> None:
    result = invoke("gate", runs["right"], "--against", runs["late"])
    assert result.exit_code == 0
    assert result.stdout.startswith("gate passed  many · run ")
    assert "got worse" not in result.stdout


def test_a_rate_that_did_not_drop_passes(invoke: Invoke, runs: dict[str, str]) -> None:
    result = invoke("gate", "--against", runs["right"], "--rate", "done")
    assert result.exit_code == 0
    assert "note: done: 12 cases show a drop (four times in five) from 42 % on, not one of 5 %" in result.stdout


def test_a_committed_file_is_a_base(invoke: Invoke, runs: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "baseline.jsonl"
    saved = invoke("gate", runs["right"], "--save", path)
    assert (saved.exit_code, saved.stdout) == (0, "")
    assert saved.stderr == f"toolmend: run {runs['right']} with its 12 samples is in {path}\n"
    (tmp_path / "runs.db").unlink()
    assert invoke("gate", path, "--against", path).exit_code == 2  # itself: no store is needed to say so


def test_the_same_samples_make_the_same_file_whatever_their_order(invoke: Invoke, tmp_path: Path) -> None:
    files = []
    for order in (1, -1):
        (tmp_path / "runs.db").unlink(missing_ok=True)
        with Store() as store:
            run_id = store.open_run(RunConfig("many"))
            for number in range(3)[::order]:
                store.commit(run_id, Sample(f"quick/{number}", "m", "oneline"))
        assert invoke("gate", "--save", "saved.jsonl").exit_code == 0
        files.append(Path("saved.jsonl").read_text(encoding="utf-8").splitlines()[1:])
    assert files[0] == files[1]


def test_against_a_file(invoke: Invoke, runs: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "baseline.jsonl"
    invoke("gate", runs["right"], "--save", path)
    result = invoke("gate", "--against", path, "--format", "json")
    data = json.loads(result.stdout)
    assert (result.exit_code, data["passed"], data["run"]["id"], data["base"]["id"]) == (
        1,
        False,
        runs["late"],
        runs["right"],
    )
    rates = {each["figure"]: (each["failed"], each["p"]) for each in data["rates"]}
    assert rates["first_right"] == (True, 2**-12)
    assert len(data["worse"]) == 12


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ([], "say either --against BASE, or --save FILE.jsonl"),
        (["--against", "zzz"], "unknown run 'zzz'"),
        (["--against", "none.jsonl"], "none.jsonl: cannot be read"),
        (["--save", "base.json"], "the name must end in .jsonl"),
        (["--save", "base.jsonl", "--against", "x"], "say either"),
        (["--save", "base.jsonl", "--rate", "done"], "--save keeps the whole run"),
        (["--against", "RIGHT", "--rate", "speed"], "unknown rate 'speed'"),
        (["--against", "LATE"], "both are run"),
        (["--against", "RIGHT", "--drop", "2"], "2.0 is not in the range 0<=x<=1"),
    ],
)
def test_wrong_use_exits_with_2(invoke: Invoke, runs: dict[str, str], words: list[str], what: str) -> None:
    result = invoke("gate", *({"RIGHT": runs["right"], "LATE": runs["late"]}.get(word, word) for word in words))
    assert result.exit_code == 2
    assert what in result.stderr


def test_other_suites_are_refused(invoke: Invoke, runs: dict[str, str]) -> None:
    keep(12, "other")
    assert invoke("gate", "--against", runs["right"]).exit_code == 2
