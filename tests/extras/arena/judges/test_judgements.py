"""A file of judgements survives a kill in the middle of a line, and is never mixed with another."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmend.base.errors import BadFile
from toolmend.extras.arena.judges.judgements import Judgement, JudgingTerms, open_book, read_judgements

TERMS = JudgingTerms("scripted/judge", "likert", "likert", "0123456789ab")
ONE, TWO = Judgement("p", "ab", "x", "y", "3"), Judgement("p", "ba", "x", "y", "6")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with open_book(tmp_path / "j.jsonl", TERMS) as book:
        book.add(ONE)
        book.add(TWO)
    return tmp_path / "j.jsonl"


def test_what_is_written_is_read(path: Path) -> None:
    assert read_judgements(path) == (TERMS, (ONE, TWO))


def test_wherever_the_file_was_cut_it_goes_on(path: Path) -> None:
    whole = path.read_bytes()
    for end in range(0, len(whole), 13):
        path.write_bytes(whole[:end])
        with open_book(path, TERMS) as book:
            book.add(ONE)
            book.add(TWO)
        assert path.read_bytes() == whole


def test_half_a_line_at_the_end_is_not_read(path: Path) -> None:
    with path.open("ab") as stream:
        stream.write(b'{"pair": "q", "or')
    assert len(read_judgements(path)[1]) == 2


def test_nothing_is_written_twice(path: Path) -> None:
    with open_book(path, TERMS) as book:
        book.add(replace(ONE, text="8"))
    assert read_judgements(path)[1] == (ONE, TWO)


def test_other_terms_want_another_file(path: Path) -> None:
    with pytest.raises(BadFile, match=r"judgements made otherwise \(debias False, not True\): name another file"):
        open_book(path, replace(TERMS, debias=True))


@pytest.mark.parametrize("text", ["a letter", "a letter\n", '{"pair": "p"}\n'])
def test_a_foreign_file_stays_as_it_is(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text(text)
    with pytest.raises(BadFile):
        open_book(path, TERMS)
    assert path.read_text() == text


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("[1]", "one JSON object"),
        ("{", "no JSON"),
        ('{"pair": "q"}', "no judgement"),
        ('{"pair": 1, "order": "ab", "a": "x", "b": "y"}', "no judgement"),
    ],
)
def test_a_broken_line_is_named(path: Path, line: str, why: str) -> None:
    with path.open("a") as stream:
        stream.write(f"{line}\n")
    with pytest.raises(BadFile, match=f":4: .*{why}"):
        read_judgements(path)


@given(st.text(), st.text())
def test_any_text_comes_back(tmp_path_factory: pytest.TempPathFactory, text: str, prompt: str) -> None:
    path = tmp_path_factory.mktemp("j") / "j.jsonl"
    with open_book(path, TERMS) as book:
        book.add(replace(ONE, text=text, prompt=prompt))
    [found] = read_judgements(path)[1]
    assert (found.text, found.prompt) == (text, prompt)
