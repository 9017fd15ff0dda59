"""The numpy engine is held equal to KerasHub's Llama on the same folder: a random one, and every preset that ships."""

import importlib.util
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from toolmend.models.builtin import PRESETS, names
from toolmend.models.builtin.engine import Cache
from toolmend.models.builtin.preset import Preset

HERE = Path(__file__).parent
MORE = 12
TALK = [
    ("user", "Add a picnic with Olga on May 3 at 5pm for two hours"),
    ("assistant", 'action.add_calendar_entry("Picnic with Olga", date="2023-05-03", time="17:00", duration=120)'),
    ("user", "Cancel it"),
]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        any(importlib.util.find_spec(name) is None for name in ("keras_hub", "jax")), reason="needs the extra 'local'"
    ),
]


@pytest.fixture(scope="module", params=["random", "fewer-key-heads", *names()])
def folder(request, tmp_path_factory, sizes, make_weights, write_preset):
    """A preset folder."""
    if request.param in names():
        return PRESETS / request.param
    its = replace(sizes, key_heads=2) if request.param == "fewer-key-heads" else sizes
    return write_preset(tmp_path_factory.mktemp(request.param), its, make_weights(its, 5), window=256)


@pytest.fixture(scope="module")
def both(folder, tmp_path_factory):
    """Our logits and greedy ids, and KerasHub's."""
    engine, tokens = Preset.read(folder).load()
    begun = tokens.prompt(TALK)
    whole = [*begun, *tokens.encode('action.remove_calendar_entry("Picnic with Olga", "2023-05-03", "17:00")')]
    work = tmp_path_factory.mktemp("keras")
    (work / "ids.json").write_text(json.dumps({"whole": whole, "begun": begun, "more": MORE}), encoding="utf-8")
    environment = {**os.environ, "KERAS_BACKEND": "jax", "JAX_PLATFORMS": "cpu", "HF_HUB_OFFLINE": "1"}
    command = [sys.executable, HERE / "keras_logits.py", work / "ids.json", work / "out.npz", folder]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    cache, said = Cache(engine.sizes, len(whole) + MORE), list(begun)
    for _ in range(MORE):
        said.append(int(engine.logits(said, cache).argmax()))
    logits = engine.logits(whole, Cache(engine.sizes, len(whole)), every=True)
    with np.load(work / "out.npz") as theirs:
        return logits, theirs["logits0"], tokens.decode(said[len(begun) :]), tokens.decode(theirs["said0"].tolist())


def test_logits_are_equal(both):
    np.testing.assert_allclose(both[0], both[1], rtol=0, atol=1e-4)


def test_the_greedy_text_is_equal(both):
    assert both[2] == both[3]
    assert both[2]
