"""The two ways of each study differ in what they read, and in nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolmend.errors import BadOption
from toolmend.training.datasets.reader import load
from toolmend.training.studies import corrections, hindsight

NUMBERS = range(200, 240)


def test_the_clean_way_has_nothing_wrong_in_it() -> None:
    exchanges = [each for n in NUMBERS for each in corrections.dialogue(corrections.CLEAN, n, False)]
    assert exchanges and all(each.gold for each in exchanges)
    assert not [each.op for each in exchanges if each.op.startswith("fix") or each.op == "groundless"]


def test_the_other_way_has_mistakes_and_fixes() -> None:
    exchanges = [each for n in NUMBERS for each in corrections.dialogue(corrections.CORRECTED, n, False)]
    assert {each.gold for each in exchanges} == {True, False}
    assert any(each.op.startswith("fix") and each.gold for each in exchanges)


def test_a_size_nobody_knows_is_refused() -> None:
    with pytest.raises(BadOption, match="unknown size 'huge'; known: tiny, plain, small"):
        corrections.question(corrections.Setting(size="huge"))


def test_threads_change_no_study() -> None:
    one, two = (corrections.question(corrections.Setting(threads=number)) for number in (1, 2))
    assert one == two


def test_both_ways_read_the_same_folder(tmp_path: Path) -> None:
    setting = hindsight.Setting(dialogues=20)
    hindsight.write_data(setting, 1, tmp_path / "a")
    hindsight.write_data(setting, 1, tmp_path / "b")
    hindsight.write_data(setting, 2, tmp_path / "c")
    found = [load(tmp_path / name) for name in "abc"]
    assert (len(found[0].chat), len(found[0].hindsight), len(load(tmp_path / "a", "test").chat)) == (20, 20, 8)
    assert found[0] == found[1] != found[2]
