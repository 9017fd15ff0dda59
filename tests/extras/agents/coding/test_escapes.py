"""Programs that want more than they may: each says OUT where it got it. They are run, not read."""

from __future__ import annotations

import platform
import re

import pytest

from toolmend.extras.agents.coding.sandbox import no_sandbox, run_boxed

pytestmark = pytest.mark.skipif(bool(no_sandbox()), reason=no_sandbox() or "there is a sandbox")

CALLING = """
import ctypes, mmap, os, resource, socket, sys, time
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
some = ctypes.create_string_buffer
def call(*given):
    return libc.syscall(*(ctypes.c_long(each) if isinstance(each, int) else each for each in given))
def got(value):
    if value not in (-1, None):
        print("OUT", value)
"""

MISTAKEN = re.compile(r"^(Syntax|Name|Attribute|Type|Import|ModuleNotFound)Error", re.MULTILINE)  # it tried nothing

# What it wants → the program.
PROGRAMS = {
    "shared segments": "for n in range(40):\n    got(libc.shmget(0, 64 << 20, 0o1600))",
    "queues of System V": "got(libc.msgget(0, 0o1600))",
    "semaphores of System V": "got(libc.semget(0, 250, 0o1600))",
    "queues of POSIX": "got(ctypes.CDLL('librt.so.1', use_errno=True).mq_open(b'/q', 0o102, 0o600, None))",
    "memory by a descriptor": "got(os.memfd_create('x'))",
    "memory that is secret": "got(call(447, 0))",
    "an empty file in /tmp": "got(os.open('/tmp/x', os.O_CREAT | os.O_WRONLY))",
    "an empty file in /dev": "got(os.open('/dev/x', os.O_CREAT | os.O_WRONLY))",
    "an empty file in /dev/shm": "got(os.open('/dev/shm/x', os.O_CREAT | os.O_WRONLY))",
    "a file without a name": "got(os.open('/tmp', os.O_TMPFILE | os.O_RDWR))",
    "a folder": "os.mkdir('/tmp/x')\nprint('OUT')",
    "a named pipe": "os.mkfifo('/tmp/x')\nprint('OUT')",
    "a link": "os.symlink('a' * 4000, '/tmp/x')\nprint('OUT')",
    "a hard link": "os.link('/box/main.py', '/tmp/x')\nprint('OUT')",
    "attributes of files": "os.setxattr('/tmp', 'user.x', b'x' * 60000)\nprint('OUT')",
    "its own program": "open('/box/main.py', 'a')\nprint('OUT')",
    "a terminal": "got(os.open('/dev/ptmx', os.O_RDWR))",
    "the memory of the machine": "got(os.open('/dev/mem', os.O_RDONLY))",
    "a file system in user space": "got(os.open('/dev/fuse', os.O_RDWR))",
    "a virtual machine": "got(os.open('/dev/kvm', os.O_RDWR))",
    "shared memory of Python": "import multiprocessing.shared_memory as m\ngot(m.SharedMemory(create=True, size=9))",
    "a gigabyte at once": "mmap.mmap(-1, 1 << 30)\nprint('OUT')",
    "a gigabyte in pieces": "kept = [mmap.mmap(-1, 16 << 20) for _ in range(64)]\nprint('OUT')",
    "a gigabyte of zeros": "mmap.mmap(os.open('/dev/zero', os.O_RDWR), 1 << 30)\nprint('OUT')",
    "larger pipes": "import fcntl\nfcntl.fcntl(os.pipe()[1], 1031, 1 << 20)\nprint('OUT')",
    "a thousand pipes": "kept = [os.pipe() for _ in range(1000)]\nprint('OUT')",
    "larger sockets": "socket.socketpair()[0].setsockopt(1, 7, 1 << 20)\nprint('OUT')",
    "descriptors over a socket": "a, b = socket.socketpair()\nsocket.send_fds(a, [b'x'], [0])\nprint('OUT')",
    "timers": "got(call(222, 0, 0, ctypes.byref(ctypes.c_long())))",
    "signals in a row": "for n in range(20):\n    got(call(129, os.getpid(), 40, some(128)))",
    "watches": "got(libc.inotify_init())",
    "locks on files": "import fcntl\nfcntl.lockf(os.open('/box/main.py', os.O_RDONLY), fcntl.LOCK_SH)\nprint('OUT')",
    "locked memory": "got(libc.mlockall(3))",
    "io_uring": "got(call(425, 8, some(120)))",
    "old asynchronous files": "got(call(206, 128, ctypes.byref(ctypes.c_long())))",
    "userfaultfd": "got(call(323, 0))",
    "keys of the kernel": "got(call(250, 0, -3, 0))\ngot(call(248, b'user', b'x', b'y', 1, -2))",
    "descriptors of others": "got(call(438, 3, 0, 0))",
    "a descriptor of a process": "got(os.pidfd_open(os.getpid()))",
    "memory of others": "got(call(310, 1, some(16), 1, some(16), 1, 0))",
    "memory of others, written": "got(call(311, 1, some(16), 1, some(16), 1, 0))",
    "what others have alike": "got(call(312, os.getpid(), 1, 0, 0, 0))",
    "to be traced": "got(libc.ptrace(0, 0, 0, 0))",
    "to trace": "got(libc.ptrace(16, 1, 0, 0))",
    "programs in the kernel": "got(call(321, 0, some(128), 128))",
    "counters": "got(call(298, some(128), 0, -1, -1, 0))",
    "a child": "got(os.fork())",
    "a child by vfork": "got(call(58))",
    "a child by clone": "got(call(56, 17, 0, 0, 0, 0))",
    "a child by clone3": "got(call(435, some(88), 88))",
    "a child by posix_spawn": "got(os.posix_spawn(sys.executable, [sys.executable], {}))",
    "a child by subprocess": "import subprocess\nsubprocess.run([sys.executable, '-c', ''])\nprint('OUT')",
    "a child by multiprocessing": "import multiprocessing\nmultiprocessing.Process(target=print).start()\nprint('OUT')",
    "a name space of users": "got(libc.unshare(0x10000000))",
    "a name space of mounts": "got(libc.unshare(0x00020000))",
    "another name space": "got(libc.setns(0, 0))",
    "a mount": "got(libc.mount(b'x', b'/tmp', b'tmpfs', 0, None))",
    "a mount, new": "got(call(430, b'tmpfs', 0))",
    "a tree": "got(call(428, -100, b'/', 1))",
    "no mount": "got(libc.umount2(b'/usr', 2))",
    "to write where it may only read": "got(libc.mount(None, b'/', None, 32 | 4096, None))",
    "another root": "os.chroot('/tmp')\nprint('OUT')",
    "another root, of mounts": "got(libc.pivot_root(b'/tmp', b'/tmp'))",
    "files by number": "got(call(303, -100, b'/box', some(200), ctypes.byref(ctypes.c_int()), 0))",
    "files of the machine": "print('OUT', open('/etc/passwd').read())",
    "files of the user": "print('OUT', os.listdir('/home'))",
    "processes": "print('OUT', os.listdir('/proc'))",
    "the kernel's settings": "print('OUT', os.listdir('/sys'))",
    "what is outside, by a folder it holds": "print('OUT', os.listdir(os.open('3', os.O_RDONLY)))",
    "what it was handed": "for n in range(3, 64):\n    got(libc.dup(n))",
    "the environment": "for name in os.environ:\n    print('' if name[:2] in ('PW', 'LC', 'PY') else 'OUT')",
    "to be root": "os.setuid(0)\nprint('OUT')",
    "another group": "os.setgroups([0])\nprint('OUT')",
    "capabilities": "got(call(126, some(8), some(24)))",
    "new rights": "got(libc.prctl(38, 0, 0, 0, 0))",
    "no filter": "got(call(317, 1, 0, None))",
    "more memory by a limit": "resource.setrlimit(resource.RLIMIT_AS, (1 << 40, 1 << 40))\nprint('OUT')",
    "more descriptors": "resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))\nprint('OUT')",
    "another time": "time.clock_settime(time.CLOCK_REALTIME, 0)\nprint('OUT')",
    "another name of the machine": "socket.sethostname('x')\nprint('OUT')",
    "all cores for itself": "os.sched_setaffinity(0, {0})\nprint('OUT')",
    "precedence": "os.setpriority(os.PRIO_PROCESS, 0, -5)\nprint('OUT')",
    "the log of the kernel": "got(libc.klogctl(2, some(8), 8))",
    "calls of 32 bits": "got(call(0x40000000 | 39))",
    "keys pressed for somebody": "import fcntl\nfcntl.ioctl(0, 0x5412, b'x')\nprint('OUT')",
    "to outlive its end": "import signal\nsignal.signal(signal.SIGKILL, signal.SIG_IGN)\nprint('OUT')",
}


@pytest.mark.parametrize("wanted", PROGRAMS)
def test_it_does_not_get(wanted: str) -> None:
    if platform.machine() != "x86_64" and "call(" in PROGRAMS[wanted]:
        pytest.skip("the numbers are those of x86-64; test_system_calls.py has those of both")
    ran = run_boxed(CALLING + PROGRAMS[wanted])
    assert not [line for line in ran.output.splitlines() if line.startswith("OUT")]
    assert not MISTAKEN.search(ran.output), ran.output


def test_there_is_no_socket_of_any_family() -> None:
    code = "import socket\nfor family in range(64):\n    for kind in (1, 2, 3, 5):\n        try:\n"
    code += "            socket.socket(family, kind)\n            print('OUT', family, kind)\n"
    code += "        except PermissionError:\n            pass\n"
    code += "for family in set(range(64)) - {1}:\n    try:\n        socket.socketpair(family)\n        print('OUT')\n"
    code += "    except PermissionError:\n        pass\nprint('none')"
    assert run_boxed(code).output == "none\n"


def test_what_a_program_needs_it_has() -> None:
    code = (
        "import asyncio, concurrent.futures, decimal, hashlib, logging, math, random, re, sqlite3, statistics, uuid\n"
    )
    code += "async def twice(n):\n    await asyncio.sleep(0.01)\n    return 2 * n\n"
    code += "print(asyncio.run(twice(2)), asyncio.run(asyncio.to_thread(lambda: 3)))\n"
    code += "with concurrent.futures.ThreadPoolExecutor() as pool:\n    print(list(pool.map(math.sqrt, [4, 9])))\n"
    code += "print(sqlite3.connect(':memory:').execute('select 1').fetchone(), len(str(uuid.uuid4())))"
    assert run_boxed(code).output == "4 3\n[2.0, 3.0]\n(1,) 36\n"
