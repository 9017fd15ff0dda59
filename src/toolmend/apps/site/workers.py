"""One address, several processes: a door takes every connection and hands it to a worker, which answers by itself.

Whoever says who they are in the head of a connection's first request (`who`) gets the same worker again for as long
as it lives; another takes over, and a new one is begun, when it does not. The door reads nothing more. What a visitor
has must lie where every worker finds it. Knows no page.
"""

from __future__ import annotations

import asyncio
import itertools
import multiprocessing
import re
import signal
import socket
import sys
from collections import OrderedDict, deque
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from multiprocessing.process import BaseProcess
from typing import Any

from starlette.types import ASGIApp

from toolmend.apps.site.entrance import HEAD, Entrance, room
from toolmend.apps.site.serving import READY, HandedServer, address_of, listen, open_door
from toolmend.base.errors import BadOption, ToolmendError

_MOST = 10_000  # visitors whose worker is remembered
_AGAIN = 1.0  # seconds before a worker is begun anew that ended before it was ready

MakeApp = Callable[[], AbstractContextManager[ASGIApp]]
"""Makes the app in its process, and ends it. Must survive pickling; what it raises as ToolmendError is told once."""


class WorkerProcess:
    """A process that answers what it is handed; `ready` once it does."""

    def __init__(self, make: MakeApp, kind: type[HandedServer], options: dict[str, Any]) -> None:
        self.channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        self.channel.setblocking(False)
        spawning = multiprocessing.get_context("spawn")  # a fork would bring the door's own loop along
        self.process: BaseProcess = spawning.Process(target=_work, args=(make, theirs, kind, options))
        self.process.start()
        theirs.close()
        self.ready = False
        self.handed: deque[socket.socket] = deque()  # which it has not said it took: it may end before that

    def hand(self, connection: socket.socket) -> bool:
        """Give it a connection; whether it took it."""
        try:
            socket.send_fds(self.channel, [b"c"], [connection.fileno()])
        except OSError:  # it is ending, or has more to take than fits
            return False
        self.handed.append(connection)
        return True

    def hear(self) -> str:
        """What it says: "" but for the reason why it cannot begin. Raises OSError where it is gone."""
        said = self.channel.recv(4096)
        if not said:
            raise ConnectionError
        if not self.ready and said.startswith(READY):
            self.ready, said = True, said.removeprefix(READY)
        for _ in range(len(said) if self.ready else 0):
            self.handed.popleft().close()
        return "" if self.ready else said.decode(errors="replace")


class FrontDoor:
    """`workers` processes behind `listening`. `ended` hears the number of each process that is gone."""

    def __init__(
        self,
        listening: socket.socket,
        workers: int,
        begin: Callable[[], WorkerProcess],
        who: re.Pattern[bytes] | None,
        ended: Callable[[int], object],
    ) -> None:
        self._listening, self._count, self._begin, self._who, self._ended = listening, workers, begin, who, ended
        self._workers: list[WorkerProcess] = []
        self._seats: OrderedDict[bytes, WorkerProcess] = OrderedDict()
        self._turn = itertools.count()
        self._tasks: set[asyncio.Task[None]] = set()
        self._open, self._over = asyncio.Event(), asyncio.Event()
        self._problem = ""

    async def run(self, ready: Callable[[], object]) -> None:
        """Until SIGINT or SIGTERM; `ready` is called when all workers are. Raises BadOption if one cannot begin."""
        loop = asyncio.get_running_loop()
        for told in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(told, self._over.set)
        try:
            for _ in range(self._count):
                self._add()
            over = asyncio.ensure_future(self._over.wait())
            opened = asyncio.ensure_future(self._open.wait())
            await asyncio.wait([over, opened], return_when=asyncio.FIRST_COMPLETED)
            if not over.done():
                entrance = Entrance(self._listening, room()[0], self._begin_seating, self._is_full)
                entrance.open()
                ready()
                await over
                entrance.close()
        finally:
            for worker in self._workers:
                loop.remove_reader(worker.process.sentinel)
                loop.remove_reader(worker.channel)
                worker.channel.close()  # it finishes what it has begun
                if not worker.ready:
                    worker.process.terminate()
            for worker in self._workers:
                await asyncio.to_thread(worker.process.join)
        if self._problem:
            raise BadOption(self._problem)

    def _add(self) -> None:
        if self._over.is_set():
            return
        worker, loop = self._begin(), asyncio.get_running_loop()
        self._workers.append(worker)
        loop.add_reader(worker.channel, self._hear, worker)
        loop.add_reader(worker.process.sentinel, self._gone, worker)

    def _hear(self, worker: WorkerProcess) -> None:
        try:
            self._give_up(worker.hear())
        except OSError:
            asyncio.get_running_loop().remove_reader(worker.channel)
        if sum(other.ready for other in self._workers) == self._count:
            self._open.set()

    def _give_up(self, problem: str) -> None:
        """Where the first workers cannot begin none ever will; later ones are begun until they can."""
        if problem and not self._open.is_set():
            self._problem = self._problem or problem
            self._over.set()

    def _gone(self, worker: WorkerProcess) -> None:
        """A worker has ended: another one in its place."""
        loop = asyncio.get_running_loop()
        self._hear(worker)
        self._give_up("a worker ended before it was ready; --workers 1 shows why")
        loop.remove_reader(worker.process.sentinel)
        loop.remove_reader(worker.channel)
        worker.channel.close()
        self._workers.remove(worker)
        worker.process.join()
        self._ended(worker.process.pid or 0)
        for connection in worker.handed:
            try:
                self._begin_seating(connection, connection.recv(HEAD, socket.MSG_PEEK))
            except OSError:  # it went away, or the worker had read it
                connection.close()
        loop.call_later(0 if worker.ready else _AGAIN, self._add)

    def _is_full(self) -> bool:
        return len(self._tasks) + sum(len(worker.handed) for worker in self._workers) >= room()[1]

    def _begin_seating(self, connection: socket.socket, head: bytes) -> None:
        task = asyncio.ensure_future(self._seat(connection, head))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _seat(self, connection: socket.socket, head: bytes) -> None:
        """Hand a connection over."""
        found = self._who.search(head) if self._who else None
        name = found[1] if found else b""
        while not (ready := [worker for worker in self._workers if worker.ready]):
            await asyncio.sleep(0.05)
        start, known = next(self._turn), self._seats.get(name)
        others = [ready[(start + place) % len(ready)] for place in range(len(ready))]
        for worker in [known, *others] if known in ready else others:
            if worker is not None and worker.hand(connection):
                if name:
                    self._seats[name] = worker
                    self._seats.move_to_end(name)
                    if len(self._seats) > _MOST:
                        self._seats.popitem(last=False)
                return
        connection.close()


def serve_by(
    make: MakeApp,
    workers: int,
    place: tuple[str, int],
    ready: Callable[[str], object],
    *,
    who: re.Pattern[bytes] | None = None,
    ended: Callable[[int], object] = lambda _: None,
    kind: type[HandedServer] = HandedServer,
    **options: Any,
) -> None:
    """Serve at host and port until SIGINT or SIGTERM; `ready` is told the address, `options` are uvicorn's. Raises
    BadOption for a port that cannot be had, an app that cannot be made, and where processes cannot share a port."""
    if not hasattr(socket, "send_fds") or sys.platform == "win32":
        raise BadOption(f"--workers {workers} needs a system on which processes hand each other connections: leave it")
    listening = listen(*place)
    try:
        asyncio.run(
            FrontDoor(listening, workers, lambda: WorkerProcess(make, kind, options), who, ended).run(
                lambda: ready(address_of(listening))
            )
        )
    finally:
        listening.close()


def _work(make: MakeApp, channel: socket.socket, kind: type[HandedServer], options: dict[str, Any]) -> None:
    """A worker's life."""
    try:
        with make() as app, suppress(KeyboardInterrupt):
            server = open_door(app, kind=kind, **options)
            server.channel = channel
            signal.signal(signal.SIGTERM, signal.default_int_handler)  # what is to be closed is closed
            server.run(sockets=[])
    except ToolmendError as error:
        channel.send(str(error).encode()[:4096])
