"""Processes that are killed, that write at once, that make the store at once: what was acknowledged is there, once."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

from toolmend.evals.store import RunConfig, Sample, Store

WRITER = Path(__file__).parent / "writer.py"
KILLS = 8


def start(place: str, count: int) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    return subprocess.Popen(
        [sys.executable, str(WRITER), place, str(count)], stdout=subprocess.PIPE, text=True, env=environment
    )


def acknowledged(lines: list[str]) -> list[str]:
    """The keys among whole lines."""
    return [line.strip() for line in lines if line.endswith("\n") and line.startswith("case|")]


def assert_sound(place: str) -> None:
    """SQLite's own look at its file; a server looks after itself."""
    if "://" in place:
        return
    connection = sqlite3.connect(place)
    (found,) = connection.execute("PRAGMA integrity_check").fetchone()
    connection.close()
    assert found == "ok"


def test_killed_at_any_moment_nothing_acknowledged_is_lost_or_repeated(new_place: str) -> None:
    chance = random.Random(11)
    kept: list[str] = []
    for kill in range(KILLS):
        with start(new_place, 100_000) as writer:
            assert writer.stdout is not None
            # The first few die while they make or open the store, the others while they write.
            lines = [writer.stdout.readline() for _ in range(1 if kill < 3 else chance.randrange(1, 400))]
            writer.send_signal(signal.SIGKILL)
            lines += writer.stdout.readlines()
        kept += acknowledged(lines)
        assert writer.returncode == -signal.SIGKILL
    with Store(new_place) as store:
        run = store.open_run(RunConfig("killed"))
        assert len(kept) == len(set(kept)) > 100
        assert set(kept) <= store.done_keys(run)
        stored = [sample.key for sample in store.samples(run)]
        assert len(stored) == len(set(stored))
        # At most the one sample that was being acknowledged when each process died is there beyond those.
        assert len(stored) - len(kept) <= KILLS
        assert [run.config.suite for run in store.runs()] == ["killed"]
    assert_sound(new_place)


def test_two_processes_write_the_same_run_at_once(new_place: str) -> None:
    with start(new_place, 300) as one, start(new_place, 300) as other:
        assert one.stdout is not None and other.stdout is not None
        lines = [one.stdout.readlines(), other.stdout.readlines()]
    assert [found[-1] for found in lines] == ["all\n", "all\n"]
    keys = acknowledged(lines[0] + lines[1])
    assert sorted(keys) == sorted(Sample("case", "m", "s", attempt).key for attempt in range(300))
    with Store(new_place) as store:
        assert [store.counts(run.id) for run in store.runs()] == [{"ok": 300, "error": 0}]
    assert_sound(new_place)
