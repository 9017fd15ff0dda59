"""The one thread of a process in which Keras runs: its settings and distribution are per thread, and JAX compiles once.

Jobs that wait for the same owner are served together, up to as many as it takes at once; owners take turns in the order
in which their oldest jobs came. Knows neither Keras nor models.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


class Owner(Protocol):
    """Whoever serves jobs. `together` is the most that it takes at once."""

    together: int

    def serve(self, jobs: Sequence[KerasJob]) -> None:
        """Do the jobs and set their futures; what it raises goes to all that are not set."""
        ...


@dataclass(eq=False)
class KerasJob:
    """Something to be done by its owner; once `dropped` is set nobody waits for it."""

    owner: Owner
    work: Any
    dropped: threading.Event = field(default_factory=threading.Event)
    future: Future[Any] = field(default_factory=Future)


class Worker:
    """The thread. It starts with the first job and ends with the process."""

    def __init__(self) -> None:
        self._waiting: deque[KerasJob] = deque()
        self._some = threading.Condition()
        self._thread: threading.Thread | None = None

    def submit(self, job: KerasJob) -> Future[Any]:
        """Put a job in line; its future."""
        with self._some:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="toolmend-keras", daemon=True)
                self._thread.start()
            self._waiting.append(job)
            self._some.notify()
        return job.future

    def call(self, function: Callable[[], T]) -> T:
        """What a function returns or raises in the thread. It must not be called from there with others waiting."""
        if threading.current_thread() is self._thread:
            return function()
        result: T = self.submit(KerasJob(_Caller(), function)).result()
        return result

    def _run(self) -> None:
        while True:
            jobs = self._next()
            try:
                jobs[0].owner.serve(jobs)
            except BaseException as error:  # a thread has nobody else to tell
                for job in jobs:
                    if not job.future.done():
                        job.future.set_exception(error)

    def _next(self) -> list[KerasJob]:
        """The oldest job, and those of its owner that can go with it. Dropped ones are let go."""
        with self._some:
            while True:
                self._some.wait_for(lambda: self._waiting)
                for job in [job for job in self._waiting if job.dropped.is_set()]:
                    self._waiting.remove(job)
                    job.future.cancel()
                if self._waiting:
                    break
            owner = self._waiting[0].owner
            jobs = [job for job in self._waiting if job.owner is owner][: owner.together]
            for job in jobs:
                self._waiting.remove(job)
            return jobs


class _Caller:
    """The owner of a plain function."""

    together = 1

    def serve(self, jobs: Sequence[KerasJob]) -> None:
        for job in jobs:
            job.future.set_result(job.work())


@cache
def worker() -> Worker:
    """The worker of this process."""
    return Worker()
