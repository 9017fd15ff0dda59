"""A PostgreSQL server whose disk can be filled: its files lie on a small file system of their own, in memory.

It is mounted for this process alone, in a mount namespace, so that nothing of it is left however the process ends. That
takes Linux and root.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from postgres import Server, make, served

_MEGABYTES = 160
_STEP = 16 << 10
_NEW_MOUNTS = 0x00020000  # CLONE_NEWNS
# What was said to be kept must outlive the server, not the machine. The log comes in small pieces: no room for one more
# ends the server.
_SETTINGS = (
    "fsync=off full_page_writes=off min_wal_size=2MB max_wal_size=8MB shared_buffers=8MB "
    "listen_addresses=127.0.0.1 unix_socket_directories="
)


class SmallDisk:
    """`server` is the server there. `ends` counts how often it ended itself for want of room."""

    def __init__(self, binaries: Path, folder: Path) -> None:
        self._binaries, self._folder, self._stack = binaries, folder, ExitStack()
        self.ends = 0
        self._start(0)

    def _start(self, port: int) -> None:
        running = served(self._binaries, self._folder, _SETTINGS, port)
        self.server: Server = self._stack.enter_context(running)

    def _room(self) -> int:
        room = os.statvfs(self._folder / "data")
        return room.f_bavail * room.f_frsize - _STEP

    def close(self) -> None:
        """End the server."""
        self._stack.close()

    @contextmanager
    def full(self, spare: int) -> Iterator[None]:
        """All but `spare` bytes are taken for as long; then there is room again, and the server is started anew."""
        ballast, taken = self._folder / "data" / "ballast", 0
        with ballast.open("wb") as file:
            while self._room() > spare:  # the server takes some meanwhile
                os.posix_fallocate(file.fileno(), taken, _STEP)
                taken += _STEP
        try:
            yield
        finally:
            ballast.unlink()
            self.close()
            self.ends += "PANIC" in (self._folder / "log").read_text(errors="replace")
            self._start(self.server.port)


@contextmanager
def small_disk(binaries: Path) -> Iterator[SmallDisk | None]:
    """A server on a small disk; None where no file system can be mounted."""
    with tempfile.TemporaryDirectory(prefix="toolmend-", dir="/tmp") as name:
        data = Path(name, "data")
        data.mkdir()
        if not _mounted(data):
            yield None
            return
        try:
            make(binaries, Path(name), "--wal-segsize=1")
            disk = SmallDisk(binaries, Path(name))
            try:
                yield disk
            finally:
                disk.close()
        finally:
            subprocess.run(["umount", data], check=False)


def _mounted(data: Path) -> bool:
    """Whether a small file system is at `data` now, for this process and its children."""
    import pwd

    with suppress(OSError, AttributeError, KeyError):
        owner = pwd.getpwnam("postgres")
        if os.geteuid() == 0 and ctypes.CDLL(None).unshare(_NEW_MOUNTS) == 0:
            options = f"size={_MEGABYTES}m,mode=700,uid={owner.pw_uid},gid={owner.pw_gid}"
            alone = subprocess.run(["mount", "--make-rprivate", "/"], capture_output=True)
            made = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", data], capture_output=True)
            return alone.returncode == made.returncode == 0
    return False
