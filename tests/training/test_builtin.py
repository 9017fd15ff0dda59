"""The recipes of the models that ship."""

import sys

import pytest

from toolmend.errors import MissingExtra, UnknownName
from toolmend.models.builtin.spelling import MAX_SHORTHANDS
from toolmend.toolboxes import Calendar
from toolmend.training.builtin import BUILTIN, data_hash, shorthands, train_builtin


def test_the_calendars_shorthands():
    assert shorthands(Calendar().specs) == [
        'action.add_calendar_entry("', 'action.remove_calendar_entry("', '", date="', '", time="', '", duration=',
        '", "', '")',
    ]  # fmt: skip
    assert len(shorthands(Calendar().specs)) <= MAX_SHORTHANDS


@pytest.mark.parametrize("name", BUILTIN)
def test_each_recipe_fits_together(name):
    recipe = BUILTIN[name]
    assert recipe.name == name
    assert recipe.width % (2 * recipe.heads) == 0
    ends = [stage.until for stage in recipe.stages]
    assert ends == sorted(set(ends)) and ends[0] > 0
    assert all(stage.batch >= 1024 for stage in recipe.stages)


def test_stages_have_seeds_of_their_own():
    """Another seed is how the trainer knows that another stage begins."""
    for recipe in BUILTIN.values():
        seeds = [stage.seed for stage in recipe.stages]
        assert len(set(seeds)) == len(seeds)


def test_an_unknown_model_is_named(tmp_path):
    with pytest.raises(UnknownName, match=r"unknown embedded model 'smal' \(did you mean small\?\)"):
        train_builtin("smal", tmp_path / "work", tmp_path / "out", print)
    assert not (tmp_path / "work").exists()


def test_without_torch_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    for name in ("net", "trainer", "exam", "export"):
        monkeypatch.delitem(sys.modules, f"toolmend.training.{name}", raising=False)
    with pytest.raises(MissingExtra, match=r"needs the extra 'train': pip install 'toolmend\[train\]'"):
        train_builtin("small", tmp_path / "work", tmp_path / "out", print)


def test_the_generator_is_identified_by_what_it_makes():
    assert data_hash() == data_hash()
    assert len(data_hash()) == 16
