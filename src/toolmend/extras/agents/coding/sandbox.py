"""Python code that nobody vouches for, run by bubblewrap: no network, no files but a read-only Python, no processes of
its own, little memory and time. Where bubblewrap cannot do that, nothing is run at all.

What it may not ask of the kernel (new processes, other processes, mounts) is a seccomp filter, the classic BPF that
bubblewrap takes; numbers differ by machine. Standard output is all that comes out. It knows no task and no test.
"""

from __future__ import annotations

import os
import platform
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from toolmend.base.errors import BadOption

_EPERM, _ENOSYS, _THREAD, _X32 = 1, 38, 0x10000, 0x40000000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000

# Of each machine: its number in the kernel's audit, clone, clone3, and what is refused: fork, vfork, ptrace,
# process_vm_readv/writev, unshare, setns, mount, umount2, pivot_root, chroot, bpf, perf_event_open, keyctl, add_key,
# request_key, userfaultfd, io_uring_setup, kexec_load, open_by_handle_at.
_MACHINES: dict[str, tuple[int, int, int, tuple[int, ...]]] = {
    "x86_64": (
        *(0xC000003E, 56, 435),
        (57, 58, 101, 310, 311, 272, 308, 165, 166, 155, 161, 321, 298, 250, 248, 249, 323, 425, 246, 304),
    ),
    "aarch64": (
        *(0xC00000B7, 220, 435),
        (117, 270, 271, 97, 268, 40, 39, 41, 51, 280, 241, 219, 217, 218, 282, 425, 104, 265),
    ),
}


def system_call_filter(machine: str = "") -> bytes:
    """The filter for this machine. Raises BadOption for one whose numbers are not known here."""
    machine = machine or platform.machine()
    if machine not in _MACHINES:
        raise BadOption(f"the sandbox knows the system calls of {' and '.join(_MACHINES)}, not of {machine}")
    audit, clone, clone3, refused = _MACHINES[machine]
    lines = [(_LOAD, 0, 0, 4), (_EQUAL, 1, 0, audit), (_RETURN, 0, 0, _KILL), (_LOAD, 0, 0, 0)]
    lines += [(_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _ERROR | _EPERM)]
    for number in refused:
        lines += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ERROR | _EPERM)]
    lines += [(_EQUAL, 0, 1, clone3), (_RETURN, 0, 0, _ERROR | _ENOSYS)]  # the C library then takes clone
    lines += [(_EQUAL, 0, 3, clone), (_LOAD, 0, 0, 16), (_ANY_BIT, 1, 0, _THREAD), (_RETURN, 0, 0, _ERROR | _EPERM)]
    lines += [(_RETURN, 0, 0, _ALLOW)]
    return b"".join(struct.pack("=HBBI", *line) for line in lines)


# Run first in the sandbox: nobody inside can raise a limit again.
_LIMITED = """
import os, resource, sys
for name, most in zip(("AS", "CPU", "FSIZE", "NOFILE", "CORE"), map(int, sys.argv[1:])):
    resource.setrlimit(getattr(resource, "RLIMIT_" + name), (most, most))
os.execv(sys.executable, [sys.executable, "-I", "-S", "/box/main.py"])
"""
_FILES = 64


@dataclass(frozen=True)
class BoxLimits:
    """What code may use: bytes of memory, of one file and of all, of output; seconds of computing, and of waiting."""

    memory: int = 512 << 20
    file: int = 1 << 20
    files: int = 8 << 20
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
        most = (limits.memory, limits.computing, limits.file, _FILES, 0)
        process = subprocess.Popen(
            [
                *_box(folder, limits, rules.fileno()),
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
    deadline, output = time.monotonic() + limits.seconds, b""
    while (left := deadline - time.monotonic()) > 0:
        if not select.select([process.stdout], [], [], left)[0]:
            break
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


def _box(folder: str, limits: BoxLimits, rules: int) -> list[str]:
    """The command up to the program: what the box has. Everything else is not there, /proc neither."""
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
        *("--dev", "/dev", "--size", str(limits.files), "--tmpfs", "/tmp", "--ro-bind", folder, "/box"),
        *("--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/tmp", "--seccomp", str(rules), "--"),
    ]
