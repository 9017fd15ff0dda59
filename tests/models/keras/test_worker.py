"""One thread does all; jobs of one owner go together, and a failure reaches everyone who waits for it."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import pytest

from toolmend.models.keras.worker import KerasJob, Worker


class Echo:
    """Answers each job with its work; remembers how many came together, and waits at a gate first."""

    together = 3

    def __init__(self, gate: threading.Event | None = None) -> None:
        self.batches: list[list[object]] = []
        self.gate, self.threads = gate, set[str]()

    def serve(self, jobs: Sequence[KerasJob]) -> None:
        if self.gate:
            self.gate.wait()
        self.threads.add(threading.current_thread().name)
        self.batches.append([job.work for job in jobs])
        if any(job.work == "bad" for job in jobs):
            raise ValueError("bad")
        for job in jobs:
            job.future.set_result(job.work)


def test_jobs_that_wait_go_together_and_owners_take_turns() -> None:
    gate, line = threading.Event(), Worker()
    first, second = Echo(gate), Echo()
    jobs = [line.submit(KerasJob(first, 0))]
    jobs += [line.submit(KerasJob(owner, number)) for number in range(1, 5) for owner in (first, second)]
    gate.set()
    assert [future.result() for future in jobs] == [0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert sorted(map(len, first.batches)) in ([1, 1, 3], [2, 3])
    assert first.threads == second.threads == {"toolmend-keras"}


def test_a_failure_reaches_all_who_wait_and_the_thread_lives_on() -> None:
    line, owner = Worker(), Echo()
    with pytest.raises(ValueError, match="bad"):
        line.submit(KerasJob(owner, "bad")).result()
    assert line.submit(KerasJob(owner, "good")).result() == "good"


def test_a_dropped_job_is_let_go() -> None:
    gate, line = threading.Event(), Worker()
    held, owner = Echo(gate), Echo()
    line.submit(KerasJob(held, 1))
    job = KerasJob(owner, 2)
    job.dropped.set()
    line.submit(job)
    gate.set()
    assert line.call(lambda: 3) == 3
    assert job.future.cancelled()
    assert owner.batches == []


def test_a_call_from_inside_runs_at_once() -> None:
    line = Worker()
    assert line.call(lambda: line.call(lambda: 5)) == 5
