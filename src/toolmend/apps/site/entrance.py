"""Where connections wait until the head of their first request is there. Knows nothing of what it asks for.

There is room for so many; when another comes, one that has waited leaves: first whoever began a head and did not go on,
then whoever said nothing. So half requests take no descriptor that a whole one needs, and nothing is accepted beyond.
"""

from __future__ import annotations

import asyncio
import logging
import re
import socket
import sys
from collections.abc import Callable
from contextlib import suppress

HEAD = 16 << 10
"""Bytes that a head may have before it is let in, whole or not: whoever reads it says that it is too long."""
HEADER_SECONDS = 10.0
"""Seconds for the head of a request to arrive."""
YOUNG = 0.02
"""Seconds in which nobody is sent away who has said nothing: a whole head comes with its connection."""
_AT_ONCE = 64  # connections that are accepted before anything else has its turn
_AGAIN = 0.05  # seconds before it is tried again where nothing could be accepted
_END = re.compile(rb"\n\r?\n")  # of a head, as h11 has it
logger = logging.getLogger("uvicorn.error")


class Entrance:
    """Accepts what comes to `listening`, and gives it to `enter` with its head, unread, as soon as that is whole.

    `most` wait here at once. `full` says whether nobody may enter now; then nothing is accepted for a moment.
    """

    def __init__(
        self,
        listening: socket.socket,
        most: int,
        enter: Callable[[socket.socket, bytes], object],
        full: Callable[[], bool] = lambda: False,
        seconds: float = HEADER_SECONDS,
    ) -> None:
        self._listening, self._most, self._enter, self._full, self._seconds = listening, most, enter, full, seconds
        self._loop = asyncio.get_running_loop()
        self._since: dict[socket.socket, float] = {}  # the oldest first
        self._begun: dict[socket.socket, None] = {}  # those of them that have said something
        self._open = self._accepting = False

    def open(self) -> None:
        """Begin."""
        self._listening.setblocking(False)
        self._open = True
        self.go_on()
        self._age()

    def go_on(self) -> None:
        """Accept again."""
        if self._open and not self._accepting:
            self._accepting = True
            self._loop.add_reader(self._listening, self._accept)

    def close(self) -> None:
        """Accept no more, and send away who waits."""
        self._open = False
        self._pause()
        for connection in list(self._since):
            self._leave(connection).close()

    def _pause(self) -> None:
        if self._accepting:
            self._accepting = False
            self._loop.remove_reader(self._listening)

    def _pause_for(self, seconds: float) -> None:
        self._pause()
        self._loop.call_later(seconds, self.go_on)

    def _accept(self) -> None:
        for _ in range(_AT_ONCE):
            if len(self._since) >= self._most and not self._make_room():
                self._pause_for(YOUNG)
                return
            try:
                connection, _ = self._listening.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:  # no descriptor is left, or no memory
                logger.warning("no connection can be accepted now (%s); the limit of open files is ulimit -n", error)
                self._make_room()
                self._pause_for(_AGAIN)
                return
            connection.setblocking(False)
            self._since[connection] = self._loop.time()
            self._loop.add_reader(connection, self._hear, connection)
            self._hear(connection)
            if not self._accepting:
                return

    def _make_room(self) -> bool:
        """Send one away; whether there was one."""
        going = next(iter(self._begun), None)
        if going is None:
            going = next(iter(self._since), None)
            if going is None or self._loop.time() - self._since[going] < YOUNG:
                return False
        self._leave(going).close()
        return True

    def _hear(self, connection: socket.socket) -> None:
        """See how far the head is."""
        try:
            head = connection.recv(HEAD, socket.MSG_PEEK)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            head = b""
        if not head:  # it went away
            self._leave(connection).close()
        elif _END.search(head) or len(head) == HEAD or head[0] < 0x21:  # the last is no HTTP, which is said inside
            if self._full():
                self._keep(connection)
                return
            self._leave(connection)
            _wake_at(connection, 1)
            self._enter(connection, head)
        else:
            self._begun[connection] = None
            _wake_at(connection, len(head) + 1)

    def _keep(self, connection: socket.socket) -> None:
        """Try again soon to let it in, and accept nobody until then."""
        self._begun.pop(connection, None)
        self._loop.remove_reader(connection)
        self._pause_for(_AGAIN)
        self._loop.call_later(_AGAIN, lambda: self._hear(connection) if connection in self._since else None)

    def _leave(self, connection: socket.socket) -> socket.socket:
        del self._since[connection]
        self._begun.pop(connection, None)
        self._loop.remove_reader(connection)
        return connection

    def _age(self) -> None:
        """Send away who has waited for too long."""
        if not self._open:
            return
        oldest = self._loop.time() - self._seconds
        while (first := next(iter(self._since), None)) and self._since[first] < oldest:
            self._leave(first).close()
        self._loop.call_later(self._seconds / 10, self._age)


class Seldom(logging.Filter):
    """Lets a line, whatever is filled into it, through `most` times in so many seconds: no flood of requests is one of
    lines."""

    def __init__(self, most: int = 10, seconds: float = 60.0) -> None:
        super().__init__()
        self._most, self._seconds = most, seconds
        self._told: dict[object, list[float]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether it is told."""
        recent = [at for at in self._told.get(record.msg, ()) if record.created - at < self._seconds]
        told = len(recent) < self._most
        self._told[record.msg] = [*recent, record.created] if told else recent
        return told


logger.addFilter(Seldom())


def room() -> tuple[int, int]:
    """How many connections may wait here, and how many may be inside: of the descriptors that this process may have a
    quarter and a half; the rest is for what an answer needs."""
    most, inside = 512, 10_000
    if sys.platform == "win32":
        return most, inside
    import resource

    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return (max(16, min(most, soft // 4)), max(16, min(inside, soft // 2))) if soft > 0 else (most, inside)


def _wake_at(connection: socket.socket, size: int) -> None:
    """Be told when so many bytes are there: those of a head that were seen stay unread."""
    with suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, size)
