"""`toolmend rank`: a file in, a table out, in three forms."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Invoke = Callable[..., Result]

HALF = 1.959963984540054 * 400 / math.log(10) * math.sqrt(1 / 3)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Three to one, and one vote that both were bad."""
    path = tmp_path / "votes.csv"
    rows = ["x,y,a,5,1"] * 2 + ["y,x,b,1,5"] + ["x,y,b,2,2"] + ["x,y,both_bad,1,1"]
    path.write_text("\n".join(["a,b,winner,length_a,length_b", *rows]), encoding="utf-8")
    return path


def test_json(invoke: Invoke, file: Path) -> None:
    done = invoke("rank", "--votes", file, "--format", "json")
    assert (done.exit_code, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert found["warnings"] == []
    first, second = found["ratings"]
    rating = 1000 + 200 * math.log10(3)
    assert first == {
        "contestant": "x",
        "rating": pytest.approx(rating),
        "low": pytest.approx(rating - HALF),
        "high": pytest.approx(rating + HALF),
        "rank_low": 1,
        "rank_high": 2,
        "votes": 4,
        "both_bad": 1,
    }
    assert second["rating"] == pytest.approx(2000 - rating)


def test_text(invoke: Invoke, file: Path) -> None:
    lines = [line.split() for line in invoke("rank", "--votes", file).stdout.splitlines()]
    assert ["x", "1095.4", "898.8", "to", "1292.0", "1–2", "4", "1"] in lines
    assert ["Bradley-Terry,", "sandwich;", "intervals", "of", "95%"] in lines


def test_elo(invoke: Invoke, file: Path) -> None:
    found = json.loads(invoke("rank", "--votes", file, "--elo", "32", "--format", "json").stdout)
    assert found["method"].startswith("Elo, K = 32")
    assert sum(row["rating"] for row in found["ratings"]) == pytest.approx(2000)


def test_a_file_without_votes(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "none.csv").write_text("a,b,winner\n", encoding="utf-8")
    for form in ("text", "json"):
        done = invoke("rank", "--votes", tmp_path / "none.csv", "--format", form)
        assert done.exit_code == 0
        assert "no votes: nothing can be said" in done.stdout


def test_wrong_input_is_one_line(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_text("a,b,winner\nx,x,a\n", encoding="utf-8")
    done = invoke("rank", "--votes", tmp_path / "bad.csv")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == f"toolmend: {tmp_path / 'bad.csv'}:2: 'x' stands on both sides\n"


def test_what_does_not_go_together(invoke: Invoke, file: Path) -> None:
    done = invoke("rank", "--votes", file, "--elo", "32", "--cluster", "prompt")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "elo has resampled intervals by vote only" in done.stderr


def test_the_door_of_the_package(file: Path) -> None:
    import toolmend as tm

    assert tm.ratings.fit(tm.ratings.read_votes(file)).rows[0].contestant == "x"
