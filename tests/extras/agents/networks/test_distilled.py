"""The distilled net: its gradient, its inputs, and that it learns within its talk."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from darkroom_study import distil, gradient, learned_alone, learned_within, save, thinned

from toolmend.base.errors import BadFile
from toolmend.extras.agents.networks.darkroom import distilled, tasks


def test_the_gradient_is_what_a_small_change_does() -> None:
    shown, wanted = thinned(learned_alone(tasks(unseen=False)[:4], 8, seed=1), every=4)
    shown, wanted = shown[:20].astype(np.float64), wanted[:20]
    parts = {name: part.astype(np.float64) for name, part in distilled().items()}
    _, slope = gradient(parts, shown, wanted)
    for name, place in (("w", (4, 7)), ("w", (9, 140)), ("u", (3, 100)), ("b", (5,)), ("v", (2, 1)), ("c", (0,))):
        costs = []
        for step in (1e-5, -1e-5):
            changed = {**parts, name: parts[name].copy()}
            changed[name][place] += step
            costs.append(gradient(changed, shown, wanted)[0])
        assert (costs[0] - costs[1]) / 2e-5 == pytest.approx(float(slope[name][place]), rel=1e-3, abs=1e-8)


def test_a_history_is_thinned_by_episodes() -> None:
    histories = learned_alone(tasks(unseen=False)[:3], 8, seed=1)
    shown, wanted = thinned(histories, every=4)
    assert shown.shape == (28, 3, 21)
    assert (histories.actions[:, 4] == wanted[14:].T).all()
    assert shown[:, 0, -1].tolist() == [1] + [0] * 13 + [1] + [0] * 13
    assert shown[0, 0, 14:20].sum() == 0  # nothing was done before the first step
    expert, _ = thinned(histories, every=4, last=2)
    assert expert.shape == (28, 3, 21)


def test_it_learns_what_is_done_next() -> None:
    lesson = thinned(learned_alone(tasks(unseen=False), 60, seed=1), every=1, last=2)
    losses = [loss for loss, _ in distil(*lesson, batches=60, batch=16)]
    assert np.mean(losses[-5:]) < 0.8 * np.mean(losses[:5])


def test_it_rises_within_a_talk_about_goals_it_was_never_taught() -> None:
    shares = learned_within(distilled(), np.tile(tasks(unseen=True), 8), 20, seed=3).shares().mean(axis=0)
    assert shares[:3].mean() < 0.12
    assert shares[8:12].mean() > shares[:3].mean() + 0.1
    assert shares[-3:].mean() > shares[8:12].mean() + 0.1


def test_a_net_comes_back_from_its_file_and_nothing_else_does(tmp_path: Path) -> None:
    save(distilled(), tmp_path / "net")
    assert all((part == distilled()[name]).all() for name, part in distilled(tmp_path / "net").items())
    (tmp_path / "other").write_bytes(b"none")
    with pytest.raises(BadFile, match="no net"):
        distilled(tmp_path / "other")
