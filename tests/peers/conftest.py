"""Servers that nobody here wrote, from an environment of their own that `make test-peers` installs."""

from __future__ import annotations

import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FOLDER = Path(os.environ.get("TOOLMEND_PEERS") or HERE.parents[1] / ".venv-peers")
START = 120


@pytest.fixture(scope="session")
def peer_python() -> Callable[[str], Path]:
    """The Python that has a module; the test is skipped where there is none."""

    def find(module: str) -> Path:
        python = FOLDER / "bin" / "python"
        if not python.exists():
            pytest.skip(f"no peers are installed in {FOLDER.name}; `make test-peers` installs them")
        if subprocess.run([python, "-c", f"import {module}"], capture_output=True).returncode:
            pytest.skip(f"{module} is not installed in {FOLDER.name}; `make test-peers` installs it")
        return python

    return find


@pytest.fixture(scope="session")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., object]:
    """Run a server's command on a free port while the block lasts; gives its address."""

    @contextmanager
    def run(command: Callable[[int], Sequence[object]], healthy: str, cwd: Path) -> Iterator[str]:
        port = free_port()
        log = tmp_path_factory.mktemp("peer") / "log"
        offline = {"HF_HUB_OFFLINE": "1", "HF_HUB_CACHE": str(cwd), "OMP_NUM_THREADS": "1"}
        with (
            log.open("w") as out,
            subprocess.Popen(
                [str(part) for part in command(port)],
                cwd=cwd,
                env={**os.environ, **offline},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
            ) as process,
        ):
            try:
                url = f"http://127.0.0.1:{port}"
                wait_for(url + healthy, process, log)
                yield url
            finally:
                process.kill()

    return run


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    """Until it answers; fails with the end of its log where it never does."""
    end = time.monotonic() + START
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.2)
    pytest.fail(f"the peer did not start: {log.read_text()[-2000:]}")
