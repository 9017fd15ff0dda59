"""The CSV reader: what it reads, and what it refuses with which line."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from toolmend.base.errors import BadFile
from toolmend.extras.arena.ratings import read_votes

FULL = """\
a,b,winner,weight,prompt,rater,turn,length_a,length_b
x,y,a,1,p1,ann,0,10,20
y,z,tie,0.5,p1,,1,5,5
"z",x,both_bad,2,p2,ben,0,7,0
"""


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "votes.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_every_column(tmp_path: Path) -> None:
    votes = read_votes(written(tmp_path, FULL))
    assert votes.names == ("x", "y", "z")
    assert (votes.a.tolist(), votes.b.tolist(), votes.winner.tolist()) == ([0, 1, 2], [1, 2, 0], [0, 2, 3])
    assert votes.weight is not None and votes.weight.tolist() == [1.0, 0.5, 2.0]
    assert votes.prompt is not None and (votes.prompt.codes.tolist(), votes.prompt.names) == ([0, 0, 1], ("p1", "p2"))
    assert votes.rater is not None and (votes.rater.codes.tolist(), votes.rater.names) == ([0, -1, 1], ("ann", "ben"))
    assert votes.notes == ()


@pytest.mark.parametrize(
    "text",
    [
        "a,b,winner\nx,y,a\n",
        "\ufeffa,b,winner\r\nx,y,a\r\n",
        "winner,b,a\na,y,x\n",
        " a , b ,winner\n x, y , a \n\n",
        'a,b,winner\n"x","y","a"',
    ],
    ids=["plain", "mark and CRLF", "other order", "blanks", "quotes, no line break at the end"],
)
def test_ways_to_write_one_vote(tmp_path: Path, text: str) -> None:
    votes = read_votes(written(tmp_path, text))
    pair = (votes.names[int(votes.a[0])], votes.names[int(votes.b[0])])
    assert (pair, votes.winner.tolist(), votes.weight, votes.notes) == (("x", "y"), [0], None, ())


def test_a_column_that_is_not_used_is_said(tmp_path: Path) -> None:
    votes = read_votes(written(tmp_path, "a,b,winner,wieght\nx,y,a,2\n"))
    assert votes.notes == ("columns not used: 'wieght'",)


def test_a_file_without_votes(tmp_path: Path) -> None:
    assert len(read_votes(written(tmp_path, "a,b,winner,weight,prompt\n"))) == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", ": is empty; its first line must name the columns a, b, winner"),
        ("a,b\nx,y\n", ":1: there is no column 'winner' (columns are a, b)"),
        ("a,b,winner,a\n", ":1: two columns are called 'a'"),
        ("a,b,winner\nx,y,a\nx,x,a\n", ":3: 'x' stands on both sides"),
        ("a,b,winner\nx, x ,a\n", ":2: 'x' stands on both sides"),
        ("a,b,winner\nx,y,A\n", ":2: winner is one of a, b, tie, both_bad, not 'A'"),
        ("a,b,winner\nx,y,\n", ":2: winner is one of a, b, tie, both_bad, not ''"),
        ("a,b,winner\nx,y\n", ":2: 2 cells where the first line names 3 columns"),
        ("a,b,winner\nx,y,a,1\n", ":2: 4 cells where the first line names 3 columns"),
        ("a,b,winner\nx,,a\n", ":2: a contestant has no name"),
        ("a,b,winner,weight\nx,y,a,-1\n", ":2: weight is a number from 0 to 1,000,000,000, not '-1'"),
        ("a,b,winner,weight\nx,y,a,nan\n", ":2: weight is a number from 0 to 1,000,000,000, not 'nan'"),
        ("a,b,winner,weight\nx,y,a,inf\n", ":2: weight is a number from 0 to 1,000,000,000, not 'inf'"),
        ("a,b,winner,weight\nx,y,a,1e10\n", ":2: weight is a number from 0 to 1,000,000,000, not '1e10'"),
        ("a,b,winner,weight\nx,y,a,1_0\n", ":2: weight is a number from 0 to 1,000,000,000, not '1_0'"),
        ("a,b,winner,weight\nx,y,a,\n", ":2: weight is a number from 0 to 1,000,000,000, not ''"),
        ('a,b,winner,prompt\nx,y,a,"two\nlines"\n\nx,y,c,p\n', ":5: winner is one of a, b, tie, both_bad, not 'c'"),
        ('a,b,winner\nx,"y,a\n', ":2: not CSV (unexpected end of data)"),
        (b"a,b,winner\nx,\xff,a\n", ":2: not UTF-8 text (invalid start byte)"),
    ],
)
def test_what_is_refused(tmp_path: Path, text: str | bytes, said: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(BadFile) as caught:
        read_votes(path)
    assert str(caught.value) == f"{path}{said}"


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"cannot be read \(No such file or directory\)"):
        read_votes(tmp_path / "none.csv")


def test_too_many_contestants(tmp_path: Path) -> None:
    rows = "".join(f"x{i},y{i},a\n" for i in range(1001))
    with pytest.raises(BadFile, match="more than 2,000 contestants; is this the right column"):
        read_votes(written(tmp_path, "a,b,winner\n" + rows))


NAME = some.text(min_size=1, max_size=5).filter(lambda text: text == text.strip() and "\x00" not in text)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(some.lists(some.tuples(NAME, NAME, some.sampled_from(["a", "b", "tie", "both_bad"]), NAME), max_size=6))
def test_whatever_is_written_is_read_back(tmp_path: Path, rows: list[tuple[str, str, str, str]]) -> None:
    rows = [row for row in rows if row[0] != row[1]]
    buffer = io.StringIO(newline="")
    csv.writer(buffer).writerows([("a", "b", "winner", "prompt"), *rows])
    try:
        path = written(tmp_path, buffer.getvalue())
    except UnicodeEncodeError:
        return
    votes = read_votes(path)
    assert [votes.names[int(place)] for place in votes.a] == [row[0] for row in rows]
    assert [votes.names[int(place)] for place in votes.b] == [row[1] for row in rows]
    assert set(votes.names) == {name for row in rows for name in row[:2]}


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(some.text(max_size=60))
def test_nothing_but_one_line_is_raised(tmp_path: Path, text: str) -> None:
    try:
        read_votes(written(tmp_path, ("a,b,winner,weight\nx,y,a,1\n" + text).encode(errors="replace")))
    except BadFile as error:
        assert "\n" not in str(error).replace(str(tmp_path), "")
