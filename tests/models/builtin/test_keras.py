"""The numpy engine is held equal to KerasHub's Llama on the same folder: a random one, and every preset that ships."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from toolmend.models.builtin import PRESETS, names
from toolmend.models.builtin.engine import KeyValueCache
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


RANDOM = ["random", "untied"]


@pytest.fixture(scope="module")
def folders(tmp_path_factory, sizes, make_weights, write_preset):
    """Preset folders by name. Small embeddings, so that the layers decide what comes next."""
    found = {name: PRESETS / name for name in names()}
    for seed, name in enumerate(RANDOM):
        weights = make_weights(sizes, seed)
        weights["model.embed_tokens.weight"] *= 0.05
        if name == "untied":
            weights["lm_head.weight"] = np.random.default_rng(9).normal(size=(sizes.vocabulary, sizes.width))
        found[name] = write_preset(tmp_path_factory.mktemp("keras"), sizes, weights, window=256, tied=name != "untied")
    return found


@pytest.fixture(scope="module")
def ours(folders):
    """Our logits and greedy ids by preset, and what KerasHub is to be asked."""
    answers, asked = {}, {}
    for name, folder in folders.items():
        engine, tokens = Preset.read(folder).load()
        begun = tokens.prompt(TALK)
        whole = [*begun, *tokens.encode('action.remove_calendar_entry("Picnic with Olga", "2023-05-03", "17:00")')]
        cache, said = KeyValueCache(engine.sizes, len(whole) + MORE), list(begun)
        for _ in range(MORE):
            said.append(int(engine.logits(said, cache).argmax()))
        cache = KeyValueCache(engine.sizes, len(whole))
        logits = np.stack([engine.logits(whole[: count + 1], cache) for count in range(len(whole))])
        answers[name] = logits, said[len(begun) :], tokens
        asked[name] = {"folder": str(folder), "whole": whole, "begun": begun, "more": MORE}
    return answers, asked


@pytest.fixture(scope="module")
def theirs(ours, tmp_path_factory):
    """What KerasHub makes of the same presets, by `NAME logits` and `NAME said`."""
    work = tmp_path_factory.mktemp("keras")
    (work / "asked.json").write_text(json.dumps(ours[1]), encoding="utf-8")
    environment = {**os.environ, "KERAS_BACKEND": "jax", "JAX_PLATFORMS": "cpu", "HF_HUB_OFFLINE": "1"}
    command = [sys.executable, HERE / "keras_logits.py", work / "asked.json", work / "out.npz"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    with np.load(work / "out.npz") as results:
        return dict(results)


@pytest.mark.parametrize("name", [*RANDOM, *names()])
def test_logits_are_equal(ours, theirs, name):
    """Within 1e-4, or a hundred-thousandth of the largest logit: both are that far from float64 in a trained model."""
    logits = ours[0][name][0]
    np.testing.assert_allclose(logits, theirs[f"{name} logits"], rtol=0, atol=max(1e-4, 1e-5 * np.abs(logits).max()))


@pytest.mark.parametrize("name", [*RANDOM, *names()])
def test_the_greedy_text_is_equal(ours, theirs, name):
    _, said, tokens = ours[0][name]
    assert tokens.decode(said) == tokens.decode(theirs[f"{name} said"].tolist())
    assert said == theirs[f"{name} said"].tolist()
    assert len(set(said)) > 1
