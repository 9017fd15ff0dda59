"""The net of digits: its size, its gradient, what it reads, and its file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from digit_net import Net, drawn, trained
from digit_study import begun, gradient, right, save, scanned, size, train

from toolmend.base.errors import BadFile


def test_it_has_the_thirteen_thousand_and_two_numbers_of_the_film() -> None:
    assert size(begun()) == 13_002


def test_the_gradient_is_what_a_small_change_does() -> None:
    pictures, digits = drawn(6, seed=3)
    net = begun(seed=1)
    exact = Net(*(tuple(part.astype(np.float64) for part in parts) for parts in (net.weights, net.biases)))
    _, slope = gradient(exact, pictures.astype(np.float64), digits)
    for layer, place in ((0, (3, 400)), (1, (5, 7)), (2, (9, 0))):
        costs = []
        for step in (1e-5, -1e-5):
            weights = [part.copy() for part in exact.weights]
            weights[layer][place] += step
            costs.append(gradient(Net(tuple(weights), exact.biases), pictures.astype(np.float64), digits)[0])
        assert (costs[0] - costs[1]) / 2e-5 == pytest.approx(float(slope.weights[layer][place]), rel=1e-4, abs=1e-9)


def test_learning_brings_the_cost_down() -> None:
    costs = [cost for cost, _ in train(*drawn(300, seed=5), rounds=8, batch=20)]
    assert costs[-1] < 0.6 * costs[0]


def test_the_net_that_ships_reads_drawn_digits_it_never_saw() -> None:
    assert right(trained(), *drawn(1500, seed=2026)) > 0.95


def test_the_net_that_ships_reads_real_digits_it_never_saw() -> None:
    pytest.importorskip("sklearn")
    pictures, digits = scanned(unseen=True)
    assert len(digits) == 359
    assert right(trained(), pictures, digits) > 0.95


def test_a_net_comes_back_from_its_file(tmp_path: Path) -> None:
    save(begun(seed=2), tmp_path / "net.safetensors")
    back = trained(tmp_path / "net.safetensors")
    assert np.abs(back.weights[1] - begun(seed=2).weights[1]).max() < 1e-3


def test_a_file_that_is_no_net_is_told(tmp_path: Path) -> None:
    (tmp_path / "net").write_bytes(b"none")
    with pytest.raises(BadFile, match="no net of digits"):
        trained(tmp_path / "net")
