"""Accepted repairs in a file: off until switched on, per person, toolbox and model, and gone when deleted."""

from pathlib import Path

import pytest

from toolmend.base.errors import BadFile
from toolmend.session.leaning_file import LeaningFile, delete
from toolmend.session.mend.leanings import Leaning

ANNA = ("anna", "calendar", "smol/calendar")
EVENING = Leaning("add", "time", "the other half of the day", True)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "below" / "repairs.jsonl"


def test_it_is_off_until_it_is_switched_on(path: Path):
    assert not LeaningFile(path).learn
    LeaningFile(path).switch(True)
    assert LeaningFile(path).learn
    LeaningFile(path).switch(False)
    assert not LeaningFile(path).learn


def test_it_is_its_owners_alone(path: Path):
    LeaningFile(path).keep(ANNA, EVENING)
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    LeaningFile(path).keep(("ben", *ANNA[1:]), EVENING)
    delete(path, "ben")
    assert path.stat().st_mode & 0o777 == 0o600


def test_what_is_kept_is_there_in_the_next_talk(path: Path):
    LeaningFile(path).keep(ANNA, EVENING)
    LeaningFile(path).keep(ANNA, EVENING)
    assert LeaningFile(path).counts == {(ANNA, EVENING): 2}


def test_no_value_and_no_word_is_kept(path: Path):
    LeaningFile(path).keep(ANNA, EVENING)
    assert path.read_text(encoding="utf-8") == (
        '{"person": "anna", "tools": "calendar", "model": "smol/calendar", '
        '"tool": "add", "argument": "time", "why": "the other half of the day", "meant": true}\n'
    )


def test_one_person_is_deleted_and_the_others_and_the_switch_stay(path: Path):
    kept, ben = LeaningFile(path), ("ben", "calendar", "smol/calendar")
    kept.switch(True)
    kept.keep(ANNA, EVENING)
    kept.keep(ben, EVENING)
    assert delete(path, "anna") == 1
    assert (LeaningFile(path).counts, LeaningFile(path).learn) == ({(ben, EVENING): 1}, True)


def test_all_is_deleted_with_the_file(path: Path):
    LeaningFile(path).switch(True)
    assert (delete(path), path.exists(), delete(path)) == (1, False, 0)


def test_a_broken_line_is_named(path: Path):
    LeaningFile(path).switch(True)
    path.write_text('{"learn": true}\n{"person": 1}\n', encoding="utf-8")
    with pytest.raises(BadFile, match=r"repairs\.jsonl:2.*no line of repairs"):
        LeaningFile(path)
