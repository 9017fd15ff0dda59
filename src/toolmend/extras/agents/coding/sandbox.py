"""Python code that nobody vouches for, run by bubblewrap: no network, no files but a read-only Python, no processes of
its own, little memory and time. Where bubblewrap cannot do that, nothing is run at all.

No file can be written, what it may ask of the kernel is a list (system_calls), and what no limit of a process counts
(tables of pages, threads) is watched from outside. Standard output is all that comes out. It knows no task and no test.
"""

from __future__ import annotations

import os
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from toolmend.base.errors import BadOption
from toolmend.extras.agents.coding.system_calls import system_call_filter

# Run first in the sandbox: nobody inside can raise a limit again.
_LIMITED = """
import os, resource, sys
for name, most in zip(("AS", "CPU", "FSIZE", "NOFILE", "SIGPENDING", "MEMLOCK", "CORE"), map(int, sys.argv[1:])):
    resource.setrlimit(getattr(resource, "RLIMIT_" + name), (most, most))
os.execv(sys.executable, [sys.executable, "-I", "-S", "/box/main.py"])
"""
_FILES, _SIGNALS, _THREADS = 64, 64, 128
_LOOK = 0.05  # seconds between two looks at what it holds
_HELD = re.compile(r"^(VmRSS|VmPTE|Threads):\s+(\d+)", re.MULTILINE)


@dataclass(frozen=True)
class BoxLimits:
    """What code may use: bytes of memory and of output; seconds of computing, and of waiting. Of files nothing."""

    memory: int = 512 << 20
    output: int = 64 << 10
    computing: int = 5
    seconds: float = 20.0


@dataclass(frozen=True)
class BoxRun:
    """What came of it: what was printed (errors too), the exit code, and which limit stopped it, "" for none."""

    output: str
    code: int
    stopped: str = ""

    @property
    def ok(self) -> bool:
        """Whether it ended by itself, without an error."""
        return self.code == 0 and not self.stopped


def run_boxed(code: str, limits: BoxLimits | None = None) -> BoxRun:
    """Run a Python program (standard library only). Raises BadOption where there is no sandbox."""
    if problem := no_sandbox():
        raise BadOption(problem)
    return _run(code, limits or BoxLimits())


@cache
def no_sandbox() -> str:
    """Why code cannot be run here, and what to do; "" where it can. Found out by running a program once."""
    if shutil.which("bwrap") is None:
        return "code of a model is run in a sandbox or not at all: install bubblewrap (its program is bwrap)"
    tried = _run("print('in the box')", BoxLimits())
    if tried.ok and tried.output == "in the box\n":
        return ""
    said = (tried.output or tried.stopped or f"exit code {tried.code}").strip().splitlines()[-1]
    return f"code of a model is run in a sandbox or not at all, and bubblewrap cannot make one here: {said}"


def _run(code: str, limits: BoxLimits) -> BoxRun:
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile(buffering=0) as rules:
        rules.write(system_call_filter())
        rules.seek(0)
        Path(folder, "main.py").write_text(code, encoding="utf-8", errors="backslashreplace")
        most = (limits.memory, limits.computing, 0, _FILES, _SIGNALS, 0, 0)
        process = subprocess.Popen(
            [
                *_box(folder, rules.fileno()),
                os.path.realpath(sys.executable),
                "-I",
                "-S",
                "-c",
                _LIMITED,
                *map(str, most),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=(rules.fileno(),),
            env={},
        )
        try:
            output, stopped = _listen(process, limits)
        finally:
            process.kill()  # with it all that runs inside (--die-with-parent)
            process.wait()
            assert process.stdout is not None
            process.stdout.close()
    return BoxRun(output.decode("utf-8", "backslashreplace"), process.returncode, stopped)


def _listen(process: subprocess.Popen[bytes], limits: BoxLimits) -> tuple[bytes, str]:
    """What it prints until it ends, or says too much, or takes too long."""
    assert process.stdout is not None
    looked = time.monotonic()
    deadline, output = looked + limits.seconds, b""
    while (left := deadline - time.monotonic()) > 0:
        says = select.select([process.stdout], [], [], min(left, _LOOK))[0]
        if time.monotonic() - looked >= _LOOK:
            if _holds_too_much(process.pid, limits.memory):
                return output, "memory"
            looked = time.monotonic()
        if not says:
            continue
        piece = os.read(process.stdout.fileno(), 1 << 16)
        output += piece
        if len(output) > limits.output:
            return output[: limits.output], "output"
        if not piece:
            try:
                process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                break
            return output, ""
    return output, "time"


def _holds_too_much(pid: int, memory: int) -> bool:
    """Whether a process or what it began has more memory, with its tables of pages, or more threads than it may."""
    waiting = [pid]
    while waiting:
        place = Path("/proc", str(waiting.pop()))
        try:
            held = {name: int(number) for name, number in _HELD.findall((place / "status").read_text())}
            waiting += map(int, (place / "task" / place.name / "children").read_text().split())
        except OSError:  # it has ended
            continue
        if held.get("VmRSS", 0) + held.get("VmPTE", 0) > memory >> 10 or held.get("Threads", 0) > _THREADS:
            return True
    return False


def _box(folder: str, rules: int) -> list[str]:
    """The command up to the program: what the box has. Everything else is not there, /proc and /dev/shm neither."""
    prefix = sys.base_prefix
    binds = ["--ro-bind", "/usr", "/usr"]
    for name in ("lib", "lib64"):
        path = Path("/", name)
        binds += (
            ["--symlink", f"usr/{name}", f"/{name}"] if path.is_symlink() else ["--ro-bind-try", str(path), str(path)]
        )
    if not prefix.startswith("/usr/"):
        binds += ["--ro-bind", prefix, prefix]
    return [
        *(
            shutil.which("bwrap") or "bwrap",
            "--unshare-all",
            "--unshare-user",
            "--disable-userns",
            "--die-with-parent",
            "--new-session",
        ),
        *("--uid", "65534", "--gid", "65534", "--hostname", "box", "--cap-drop", "ALL", "--clearenv"),
        *("--setenv", "PYTHONHASHSEED", "0", "--setenv", "PYTHONIOENCODING", "utf-8:backslashreplace"),
        *binds,
        *(part for name in ("null", "zero", "urandom") for part in ("--dev-bind", f"/dev/{name}", f"/dev/{name}")),
        *("--dir", "/tmp", "--ro-bind", folder, "/box", "--remount-ro", "/", "--chdir", "/tmp"),
        *("--seccomp", str(rules), "--"),
    ]
