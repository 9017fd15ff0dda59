"""Ten ways out of the sandbox, none of which is one; and what is said where there is no sandbox."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from toolmend.base.errors import BadOption
from toolmend.extras.agents.coding import sandbox
from toolmend.extras.agents.coding.sandbox import BoxLimits, BoxRun, no_sandbox, run_boxed, system_call_filter

boxed = pytest.mark.skipif(bool(no_sandbox()), reason=no_sandbox() or "there is a sandbox")

SMALL = BoxLimits(computing=1, seconds=8.0)


@pytest.fixture
def bystander() -> Iterator[subprocess.Popen[bytes]]:
    """A process of the same user, outside."""
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    yield process
    process.communicate(b"\n")


@boxed
def test_what_needs_no_way_out_runs() -> None:
    assert run_boxed("import math, json\nprint(json.dumps(math.comb(5, 2)))") == BoxRun("10\n", 0)
    failed = run_boxed("assert 1 == 2, 'they differ'")
    assert (failed.code, failed.output.splitlines()[-1]) == (1, "AssertionError: they differ")


@boxed
def test_no_network() -> None:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        listening.settimeout(0)
        port = listening.getsockname()[1]
        ran = run_boxed(f"import socket\nsocket.create_connection(('127.0.0.1', {port}), 2)\nprint('OUT')")
        with pytest.raises(BlockingIOError):
            listening.accept()
    assert ran.code == 1 and "ConnectionRefusedError" in ran.output and "OUT" not in ran.output


@boxed
def test_no_files_outside(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("do not tell")
    reading = run_boxed(f"for path in ({str(secret)!r}, '/etc/passwd', '/etc/hostname'):\n    print(open(path).read())")
    assert reading.code == 1 and "FileNotFoundError" in reading.output and "do not tell" not in reading.output
    places = ["/", "/usr", "/box", "/dev", sys.base_prefix, os.path.dirname(os.__file__)]
    writing = run_boxed(
        "import os\n"
        f"for place in {places!r}:\n"
        "    try:\n        open(os.path.join(place, 'x'), 'w')\n        print('OUT', place)\n"
        "    except OSError as error:\n        print(error.strerror)"
    )
    assert writing.output.splitlines() == ["Read-only file system"] * 6


@boxed
def test_no_fork_bomb() -> None:
    spawn = "os.posix_spawn(sys.executable, [sys.executable], {})"
    for code in ("os.fork()", spawn, "subprocess.run([sys.executable])", "multiprocessing.Process().start()"):
        ran = run_boxed(f"import multiprocessing, os, subprocess, sys\nprint({code})")
        assert ran.output.splitlines()[-1].startswith("PermissionError"), code
    many = "import threading, time\nwhile True:\n    threading.Thread(target=time.sleep, args=(60,)).start()"
    assert "can't start new thread" in run_boxed(many, SMALL).output


@boxed
def test_no_more_memory() -> None:
    ran = run_boxed("x = bytearray(700 << 20)\nprint('OUT')")
    assert (ran.code, ran.output.splitlines()[-1]) == (1, "MemoryError")
    filling = "import os\nfor n in range(100):\n    open(f'/tmp/{n}', 'wb').write(b'x' * 900_000)\nprint('OUT')"
    assert "No space left on device" in run_boxed(filling).output
    assert run_boxed("open('/tmp/x', 'wb').write(b'x' * 5_000_000)\nprint('OUT')").output != "OUT\n"


@boxed
def test_no_endless_output() -> None:
    ran = run_boxed("import sys\nwhile True:\n    sys.stdout.write('x' * 10_000)")
    assert (len(ran.output), ran.stopped) == (65_536, "output")


@boxed
def test_no_way_over_links(tmp_path: Path) -> None:
    outside = tmp_path / "kept.txt"
    outside.write_text("kept")
    ran = run_boxed(
        "import os\n"
        f"os.symlink({str(outside)!r}, '/tmp/a')\nos.symlink('/', '/tmp/b')\nos.symlink('../../../..', '/tmp/c')\n"
        f"for path in ('/tmp/a', '/tmp/b{outside}', '/tmp/c{outside}'):\n"
        "    try:\n        print('OUT', open(path, 'r+').read())\n"
        "    except OSError as error:\n        print(error.strerror)\n"
        "os.link('/box/main.py', '/tmp/d')"
    )
    assert ran.output.splitlines()[:3] == ["No such file or directory"] * 3
    assert "Invalid cross-device link" in ran.output or "Operation not permitted" in ran.output
    assert outside.read_text() == "kept"


@boxed
def test_no_signals_to_others(bystander: subprocess.Popen[bytes]) -> None:
    code = f"import os, signal\nfor pid in ({bystander.pid}, {os.getpid()}, os.getppid(), 1, -1):\n"
    code += (
        "    try:\n        os.kill(pid, signal.SIGKILL)\n    except OSError as error:\n        print(error.strerror)"
    )
    run_boxed(code)
    assert bystander.poll() is None


@boxed
def test_no_proc() -> None:
    ran = run_boxed("import os\nprint(os.path.exists('/proc'), os.path.exists('/sys'))\nopen('/proc/1/environ')")
    assert ran.output.startswith("False False\n") and "FileNotFoundError" in ran.output
    mounting = "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n"
    mounting += "print(libc.mount(b'p', b'/tmp', b'proc', 0, None), libc.unshare(0x10000000), ctypes.get_errno())"
    assert run_boxed(mounting).output == "-1 -1 1\n"


@boxed
def test_no_more_time() -> None:
    assert run_boxed("while True: pass", SMALL).code != 0
    waits = run_boxed("import time\ntime.sleep(60)", BoxLimits(seconds=1.0))
    assert waits.stopped == "time"
    deaf = (
        "import signal\nfor n in set(signal.Signals) - {9, 19}:\n    signal.signal(n, signal.SIG_IGN)\nwhile True: pass"
    )
    assert not run_boxed(deaf, SMALL).ok
    clock = "import time\ntime.clock_settime(time.CLOCK_REALTIME, 0)\nprint('OUT')"
    assert "PermissionError" in run_boxed(clock).output


@boxed
def test_no_ptrace(bystander: subprocess.Popen[bytes]) -> None:
    code = "import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\n"
    code += f"for pid in (1, os.getppid(), {bystander.pid}, {os.getpid()}):\n"
    code += "    print(libc.ptrace(16, pid, 0, 0), ctypes.get_errno())"
    assert run_boxed(code).output == "-1 1\n" * 4


@boxed
def test_no_limit_is_raised_again_from_inside() -> None:
    code = "import resource\nresource.setrlimit(resource.RLIMIT_AS, (1 << 40, 1 << 40))\nprint('OUT')"
    assert run_boxed(code).output.splitlines()[-1] == "ValueError: not allowed to raise maximum limit"


@boxed
def test_several_boxes_at_once_know_nothing_of_each_other() -> None:
    outputs = list[str]()
    code = "import os, time\nopen('/tmp/mine', 'x')\ntime.sleep(0.2)\nprint(os.listdir('/tmp'))"
    threads = [threading.Thread(target=lambda: outputs.append(run_boxed(code).output)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outputs == ["['mine']\n"] * 3


@pytest.fixture
def nowhere() -> Iterator[None]:
    no_sandbox.cache_clear()
    yield
    no_sandbox.cache_clear()


def test_without_bubblewrap_nothing_runs(monkeypatch: pytest.MonkeyPatch, nowhere: None) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(BadOption, match="in a sandbox or not at all: install bubblewrap"):
        run_boxed("print('OUT')")


def test_it_is_started_from_where_it_was_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Its environment has no PATH by which it could be found again."""
    (tmp_path / "bwrap").write_text("#!/bin/sh\necho in the box\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert sandbox._box("folder", BoxLimits(), 3)[0] == str(tmp_path / "bwrap")


def test_where_bubblewrap_is_refused_nothing_runs(monkeypatch: pytest.MonkeyPatch, nowhere: None) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: "bwrap")
    refused = BoxRun("bwrap: No permissions to create new namespace\n", 1)
    monkeypatch.setattr(sandbox, "_run", lambda code, limits: refused)
    with pytest.raises(BadOption, match="cannot make one here: bwrap: No permissions to create new namespace"):
        run_boxed("print('OUT')")


def test_a_machine_whose_system_calls_are_not_known_is_named() -> None:
    with pytest.raises(BadOption, match="x86_64 and aarch64, not of riscv64"):
        system_call_filter("riscv64")
