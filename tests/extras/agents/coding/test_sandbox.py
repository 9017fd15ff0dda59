"""Ways out of the sandbox, none of which is one; and what is said where there is no sandbox. More: test_escapes.py."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from toolmend.base.errors import BadOption
from toolmend.extras.agents.coding import sandbox
from toolmend.extras.agents.coding.sandbox import BoxLimits, BoxRun, no_sandbox, run_boxed

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
    assert ran.code == 1 and "PermissionError" in ran.output and "OUT" not in ran.output


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


@boxed
def test_tables_of_pages_are_memory_too() -> None:
    """Each page lies in two gigabytes of its own: three times the memory that the limit of addresses counts."""
    code = "import ctypes\nlibc = ctypes.CDLL(None)\nlibc.mmap.restype = ctypes.c_void_p\n"
    code += "libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]\n"
    code += "for n in range(64_000):\n    at = libc.mmap((1 << 40) + (n << 31), 4096, 3, 0x100022, -1, 0)\n"
    code += "    ctypes.memset(at, 1, 1)\nimport time\ntime.sleep(5)\nprint('OUT')"
    assert run_boxed(code).stopped == "memory"


@boxed
def test_threads_without_a_stack_are_counted() -> None:
    code = "import threading, time\nthreading.stack_size(32 << 10)\nfor _ in range(400):\n"
    code += "    threading.Thread(target=time.sleep, args=(5,)).start()\nprint('OUT')"
    assert run_boxed(code).stopped == "memory"


@boxed
def test_it_is_looked_at_while_it_speaks() -> None:
    code = "import threading, time\nthreading.stack_size(32 << 10)\nfor _ in range(400):\n"
    code += "    threading.Thread(target=time.sleep, args=(5,)).start()\n"
    code += "for _ in range(500):\n    print('.', flush=True)\n    time.sleep(0.01)"
    assert run_boxed(code).stopped == "memory"


@boxed
def test_no_endless_output() -> None:
    ran = run_boxed("import sys\nwhile True:\n    sys.stdout.write('x' * 10_000)")
    assert (len(ran.output), ran.stopped) == (65_536, "output")


@boxed
def test_no_way_over_links(tmp_path: Path) -> None:
    outside = tmp_path / "kept.txt"
    outside.write_text("kept")
    making = f"os.symlink({str(outside)!r}, '/tmp/a')", "os.link('/box/main.py', '/tmp/d')"
    for code in making:
        assert run_boxed(f"import os\n{code}").output.splitlines()[-1].startswith("PermissionError"), code
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
    code = "import os, time\ntime.sleep(0.2)\nprint(os.listdir('/box'), os.listdir('/tmp'))"
    threads = [threading.Thread(target=lambda: outputs.append(run_boxed(code).output)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outputs == ["['main.py'] []\n"] * 3


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
    assert sandbox._box("folder", 3)[0] == str(tmp_path / "bwrap")


def test_where_bubblewrap_is_refused_nothing_runs(monkeypatch: pytest.MonkeyPatch, nowhere: None) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: "bwrap")
    refused = BoxRun("bwrap: No permissions to create new namespace\n", 1)
    monkeypatch.setattr(sandbox, "_run", lambda code, limits: refused)
    with pytest.raises(BadOption, match="cannot make one here: bwrap: No permissions to create new namespace"):
        run_boxed("print('OUT')")


def begun_by(pid: int) -> list[int]:
    """A process and all that came of it."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [pid, *(process for child in children for process in begun_by(int(child)))]


@boxed
def test_it_ends_with_whoever_began_it() -> None:
    code = "from toolmend.extras.agents.coding.sandbox import BoxLimits, _run\n"  # run_boxed would first try another
    code += "_run('import time; time.sleep(15)', BoxLimits())"
    began = subprocess.Popen([sys.executable, "-c", code])
    box = list[int]()
    while not (len(box) == 3 and all(map(_sleeps, box))):  # bubblewrap, its first process inside, and the program
        assert began.poll() is None
        box = begun_by(began.pid)[1:]
    began.kill()
    began.wait()
    until = time.monotonic() + 10
    while any(map(_runs, box)) and time.monotonic() < until:
        time.sleep(0.01)
    assert not any(map(_runs, box))


def _runs(pid: int) -> bool:
    return _state(pid) not in ("", "Z")


def _sleeps(pid: int) -> bool:
    """Whether it waits for others: bubblewrap has set everything up by then."""
    return _state(pid) == "S"


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""
