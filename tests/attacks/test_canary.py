"""A key that is watched: after faults of all kinds, some of which quote it, it is in no log, no output and no file."""

from __future__ import annotations

import logging
from functools import partial
from pathlib import Path

import anyio
import pytest

from fakes.storm import KEY, storm

QUOTING = ("401", "401-hidden", "302", "error-200", "error-in-stream")  # faults that say the key


def test_a_key_is_nowhere_after_everything_went_wrong(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("STORM_KEY", KEY)
    with caplog.at_level(logging.DEBUG):
        tally = anyio.run(partial(storm, 40, tmp_path, key_env="STORM_KEY", names=QUOTING))
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert sum(tally.faults.values()) > 20 and b"oneline" in kept
    assert tally.leaks == 0  # in errors and replies
    assert KEY not in caplog.text + "".join(capfd.readouterr())
    assert KEY.encode() not in kept
