"""`toolmend judge`: asked, killed, gone on with, counted again, held against people."""

from __future__ import annotations

import csv
import json
import re
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from fakes.judges import scripted
from toolmend import registry

Invoke = Callable[..., Result]


def _judge(name: str) -> Any:
    """judges/long prefers the longer answer, judges/first what is shown first."""
    return {
        "long": scripted(lambda first, second: "2" if len(first) > len(second) else "7"),
        "first": scripted(lambda first, second: "1"),
        "mute": scripted(lambda first, second: "Well."),
    }[name]


@pytest.fixture(autouse=True)
def _judges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.models._table, "judges", _judge)


@pytest.fixture
def pairs() -> Path:
    """Forty pairs of answers of x and y; that of x is longer in thirty."""
    path = Path("pairs.jsonl")
    with path.open("w") as stream:
        for n in range(40):
            sides = {
                "left": {"contestant": "x", "reply": "words " * (3 if n < 30 else 1)},
                "right": {"contestant": "y", "reply": "words " * 2},
            }
            line = {"pair": str(n), "request": f"ask {n}", "prompt": f"p{n}", "category": "ab"[n % 2], **sides}
            stream.write(json.dumps(line) + "\n")
    return path


def run(invoke: Invoke, pairs: Path, judge: str, *words: object) -> Result:
    out = f"{judge}.jsonl"
    return invoke("judge", "run", "--model", f"judges/{judge}", "--pairs", pairs, "--out", out, *words)


def rows(path: str) -> list[dict[str, str]]:
    with open(path, newline="") as stream:
        return list(csv.DictReader(stream))


def test_habits_and_votes(invoke: Invoke, pairs: Path) -> None:
    done = run(invoke, pairs, "long", "--votes", "votes.csv", "--format", "json")
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    assert found["judge"]["way"] == "likert"
    figures = found["habits"]
    assert (figures["judgements"], figures["flips"]["k"], figures["first"]["value"]) == (80, 0, 0.5)
    assert (figures["longer"]["k"], figures["longer"]["n"]) == (40, 40)
    assert found["warnings"] == [
        "it prefers longer answers; whether they are better, people say (toolmend judge calibrate)"
    ]
    votes = sorted(rows("votes.csv"), key=lambda row: int(row["prompt"][1:]))  # they stand as they were given
    assert [row["winner"] for row in votes] == ["a"] * 30 + ["b"] * 10
    assert votes[0] == {
        "a": "x", "b": "y", "winner": "a", "prompt": "p0", "rater": "scripted/judge", "category": "a",
        "length_a": "3", "length_b": "2",
    }  # fmt: skip
    ranked = json.loads(invoke("rank", "--votes", "votes.csv", "--format", "json").stdout)
    assert [round(row["rating"], 1) for row in ranked["ratings"]] == [1095.4, 904.6]


def test_position_bias_is_told(invoke: Invoke, pairs: Path) -> None:
    done = run(invoke, pairs, "first")
    assert "toolmend: position bias: it prefers what is shown first" in done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    assert ["flips", "when", "the", "sides", "are", "exchanged", "100", "%", "40"] in lines


def test_flips_are_ties(invoke: Invoke, pairs: Path) -> None:
    run(invoke, pairs, "first", "--votes", "ties.csv")
    assert [row["winner"] for row in rows("ties.csv")] == ["tie"] * 40


def test_nothing_readable_gives_no_vote(invoke: Invoke, pairs: Path) -> None:
    done = run(invoke, pairs, "mute", "--votes", "votes.csv")
    assert done.exit_code == 0
    assert re.search(r"answers that cannot be read +80 of 80", done.stdout)
    assert "80 of 80 answers say nothing that may be counted" in done.stderr
    assert rows("votes.csv") == []


def test_the_same_command_asks_nothing_again(invoke: Invoke, pairs: Path) -> None:
    run(invoke, pairs, "long")
    before = Path("long.jsonl").read_bytes()
    done = run(invoke, pairs, "long")
    assert "going on: 80 of 80 judgements are in long.jsonl" in done.stderr
    assert Path("long.jsonl").read_bytes() == before


def test_other_terms_are_refused(invoke: Invoke, pairs: Path) -> None:
    run(invoke, pairs, "long")
    done = run(invoke, pairs, "long", "--debias")
    assert (done.exit_code, "holds judgements made otherwise" in done.stderr) == (2, True)


def test_a_limit_ends_it_and_the_rest_comes_later(invoke: Invoke, pairs: Path) -> None:
    done = run(invoke, pairs, "long", "--max-tokens-total", 1000)
    assert (done.exit_code, "tokens are spent" in done.stderr) == (3, True)
    assert 0 < len(Path("long.jsonl").read_text().splitlines()) - 1 < 80
    assert run(invoke, pairs, "long").exit_code == 0
    assert len(Path("long.jsonl").read_text().splitlines()) == 81


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--run", "last"], "give --pairs FILE.jsonl, or --run RUN"),
        (["--a", "x"], "a file of pairs is judged whole"),
        (["--by", "dice"], "unknown way of judging 'dice'"),
        (["--max-cost", "1"], "--max-cost needs to know what tokens cost"),
    ],
)
def test_wrong_use(invoke: Invoke, pairs: Path, words: list[str], why: str) -> None:
    done = run(invoke, pairs, "long", *words)
    assert (done.exit_code, why in done.stderr) == (2, True)
    assert not Path("long.jsonl").exists()


# people --------------------------------------------------------------------------------------------------------------


def test_calibration_and_the_mixed_file(invoke: Invoke, pairs: Path) -> None:
    run(invoke, pairs, "long", "--votes", "judge.csv")
    human = [("a" if n < 26 else "b") for n in range(40)]
    lines = [f"x,y,{winner},p{n},ann" for n, winner in enumerate(human)]
    Path("human.csv").write_text("\n".join(["a,b,winner,prompt,rater", *lines]), encoding="utf-8")
    words = ["judge", "calibrate", "--human", "human.csv", "--judge", "judge.csv", "--mixed", "mixed.csv"]
    found = json.loads(invoke(*words, "--format", "json").stdout)
    assert (found["judge"]["comparisons"], found["judge"]["agreement"]["value"]) == (40, 0.9)
    assert found["judge"]["kappa"]["value"] == pytest.approx(0.8)
    assert sorted(found["categories"]) == ["a", "b"]
    assert found["weight"] == pytest.approx(found["judge"]["correlation"]["low"] ** 2)
    mixed = rows("mixed.csv")
    assert [float(row["weight"]) for row in mixed] == pytest.approx([1.0] * 40 + [found["weight"]] * 40, abs=1e-6)
    assert {row["rater"] for row in mixed} == {"ann", "scripted/judge"}
    assert invoke("rank", "--votes", "mixed.csv").exit_code == 0
    text = invoke(*words[:-2]).stdout
    assert "judge and people" in text and "Weight of a vote of the judge" in text


def test_blind_pairs_of_a_run(invoke: Invoke, suite: Path) -> None:
    invoke("run", suite, "--model", "canned/late", "--model", "canned/right")
    invoke("pairs", "--a", "late", "--b", "right", "--out", "blind.jsonl", "--key", "key.jsonl")
    judged = ["judge", "run", "--model", "judges/mute", "--out", "j.jsonl"]
    assert invoke(*judged, "--pairs", "blind.jsonl", "--key", "key.jsonl").exit_code == 0
    done = invoke(*judged[:-1], "k.jsonl", "--run", "last", "--format", "json")
    assert json.loads(done.stdout)["habits"]["matches"] == 2


# killed --------------------------------------------------------------------------------------------------------------


def test_killed_it_loses_nothing_and_asks_nothing_twice(program: Any, pairs: Path) -> None:
    words = ["judge", "run", "--model", "slowly/one", "--pairs", pairs, "--out", "j.jsonl", "--concurrency", 1]
    with program.start(*words, SLOWLY_UNTIL="31") as process:
        program.asked(31)
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=60)
    assert len(Path("j.jsonl").read_text().splitlines()) == 31
    code, _, err = program.run(*words)
    assert (code, "going on: 30 of 80 judgements" in err) == (0, True)
    assert len(program.asked_since()) == 50
    lines = [json.loads(line) for line in Path("j.jsonl").read_text().splitlines()[1:]]
    assert len({(line["pair"], line["order"]) for line in lines}) == len(lines) == 80


def test_ctrl_c_keeps_what_was_judged(program: Any, pairs: Path) -> None:
    words = ["judge", "run", "--model", "slowly/one", "--pairs", pairs, "--out", "j.jsonl", "--concurrency", 1]
    with program.start(*words, SLOWLY_UNTIL="6") as process:
        program.asked(6)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, "stopped: what was judged is in j.jsonl" in err) == (130, True)
    assert len(Path("j.jsonl").read_text().splitlines()) == 6
