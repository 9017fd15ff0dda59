"""Bases by name, and what is wrong with them, before a weight is loaded."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("keras_hub")

from toolmend.errors import BadFile, BadOption
from toolmend.models.builtin import PRESETS
from toolmend.training.tune.hub import open_base


@pytest.mark.parametrize("name", ["a.pkl", "a.pickle", "a.pt", "a.pth", "pytorch_model.bin", "last.ckpt"])
def test_pickles_are_refused_by_name(name: str) -> None:
    with pytest.raises(BadFile, match=rf"{name}: pickled weights are never loaded"):
        open_base(f"./{name}")


@pytest.mark.parametrize("name", ["builtin/small", str(PRESETS / "small")])
def test_embedded_models_are_not_trained_any_more(name: str) -> None:
    with pytest.raises(BadOption, match="toolmend train adapter"):
        open_base(name)


def test_names_nobody_knows(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match=r"neither a folder \./FOLDER nor keras/NAME"):
        open_base("small")
    with pytest.raises(BadFile):
        open_base(str(tmp_path / "nowhere"))
