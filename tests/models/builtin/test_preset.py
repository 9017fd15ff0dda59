"""What the folder of an embedded model says, and the model that ships."""

import numpy as np
import pytest
from safetensors.numpy import load_file

from toolmend.base.errors import BadOption, UnknownName
from toolmend.models import builtin, load_model
from toolmend.models.builtin.preset import Preset
from toolmend.models.builtin.tokens import SPECIAL


def test_a_whole_folder_is_read(preset):
    read = Preset.read(preset)
    assert (read.toolboxes, read.window, len(read.shorthands)) == (("calendar",), 96, 3)


def test_what_ships_is_whole():
    read = Preset.read(builtin.PRESETS / "small")
    engine, tokens = read.load()
    assert (engine.embedding.dtype, engine.embedding.shape) == (np.float32, (2048, 192))
    assert [tokens.tokenizer.id_to_token(number) for number in range(5)] == list(SPECIAL)
    assert read.parameters == sum(weight.size for weight in load_file(read.folder / "model.safetensors").values())


def test_the_default_models_are_those_that_know_the_toolbox():
    assert builtin.trained_for("calendar") == list(Preset.read(builtin.PRESETS / "small").toolboxes and ["small"])
    assert builtin.trained_for("growth-5") == []


def test_a_removed_name_is_told_with_its_successor():
    with pytest.raises(UnknownName, match="'schema' is gone: smol/tools"):
        builtin.load("schema")


def test_a_folder_is_no_model():
    with pytest.raises(BadOption, match=r"an adapter's folder is smol/\./FOLDER"):
        load_model("./mine")
