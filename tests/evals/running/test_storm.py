"""The runner in a storm of faults: whatever servers do, each sample is kept once, the next run heals errors."""

from __future__ import annotations

import anyio
import pytest

from fakes.storm import KEY, Tally, storm


@pytest.fixture(scope="module")
def tally(tmp_path_factory: pytest.TempPathFactory) -> Tally:
    """What some hundreds of faults left, fewer where the machine is slow; benchmarks/faults.py plays ten thousand."""
    folder = tmp_path_factory.mktemp("storm")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STORM_KEY", KEY)
        return anyio.run(lambda: storm(280, folder, key_env="STORM_KEY", seed=3))


def test_it_was_a_storm(tally: Tally) -> None:
    assert (tally.samples, sum(tally.faults.values()) > 280, len(tally.faults) > 80) == (280, True, True)
    assert (tally.outcomes["sample ok"] > 50, tally.outcomes["sample error"] > 50) == (True, True)


def test_nothing_but_model_errors_came_out(tally: Tally) -> None:
    assert tally.uncaught == []


def test_no_sample_is_lost_or_doubled(tally: Tally) -> None:
    assert (tally.lost, tally.doubled) == (0, 0)


def test_no_key_shows(tally: Tally) -> None:
    assert tally.leaks == 0


def test_the_next_run_heals_the_errors_and_asks_nothing_else(tally: Tally) -> None:
    assert (tally.healed, tally.broken, tally.asked_again) == (tally.outcomes["sample error"], 0, 0)
