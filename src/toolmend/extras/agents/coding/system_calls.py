"""What code in the sandbox may ask of the kernel: a list of what a Python program needs, and nothing besides.

As the classic BPF that bubblewrap hands to seccomp; numbers differ by machine. Memory that no limit of a process counts
(shared segments, queues, descriptors of memory, files) cannot be asked for. It knows no sandbox.
"""

from __future__ import annotations

import platform
import struct

from toolmend.base.errors import BadOption

_LOAD, _EQUAL, _AT_LEAST, _AND, _RETURN = 0x20, 0x15, 0x35, 0x54, 0x06
_ALLOW, _KILL, _EPERM, _ENOSYS = 0x7FFF0000, 0x80000000, 0x00050001, 0x00050026
_NEW, _X32 = 424, 0x40000000  # from the first on a C library has an older call to fall back on, which ENOSYS tells it

# A thread shares everything with its process, and opens no name space.
_THREAD, _OF_CLONE = 0x10F00, 0x10F00 | 0x7E020000

# Of each machine its number in the kernel's audit.
_AUDITS = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

# Each call with its numbers on these machines; - where it has none. Files are read and never made, processes neither.
_TABLE = """
read 0 63 · write 1 64 · open 2 - · close 3 57 · stat 4 - · fstat 5 80 · lstat 6 - · poll 7 - · lseek 8 62
mmap 9 222 · mprotect 10 226 · munmap 11 215 · brk 12 214 · mremap 25 216 · madvise 28 233 · membarrier 324 283
rt_sigaction 13 134 · rt_sigprocmask 14 135 · rt_sigreturn 15 139 · rt_sigpending 127 136 · rt_sigtimedwait 128 137
rt_sigsuspend 130 133 · sigaltstack 131 132 · pause 34 - · kill 62 129 · tkill 200 130 · tgkill 234 131
pread64 17 67 · readv 19 65 · writev 20 66 · preadv 295 69 · access 21 - · faccessat 269 48 · dup 32 23 · dup2 33 -
dup3 292 24 · pipe 22 - · pipe2 293 59 · select 23 - · pselect6 270 72 · ppoll 271 73 · sendto 44 206 · recvfrom 45 207
shutdown 48 210 · epoll_create 213 - · epoll_create1 291 20 · epoll_ctl 233 21 · epoll_wait 232 - · epoll_pwait 281 22
eventfd2 290 19 · execve 59 221 · exit 60 93 · exit_group 231 94 · wait4 61 260 · waitid 247 95 · uname 63 160
getcwd 79 17 · chdir 80 49 · fchdir 81 50 · readlink 89 - · readlinkat 267 78 · getdents64 217 61 · newfstatat 262 79
statx 332 291 · statfs 137 43 · fstatfs 138 44 · openat 257 56 · umask 95 166
nanosleep 35 101 · sched_yield 24 124 · getitimer 36 102 · setitimer 38 103 · alarm 37 - · gettimeofday 96 169
time 201 - · times 100 153 · clock_gettime 228 113 · clock_getres 229 114 · clock_nanosleep 230 115
getrlimit 97 163 · setrlimit 160 164 · prlimit64 302 261 · getrusage 98 165 · sysinfo 99 179 · getcpu 309 168
getpid 39 172 · getppid 110 173 · gettid 186 178 · getpgrp 111 - · getpgid 121 155 · getsid 124 156 · getuid 102 174
geteuid 107 175 · getgid 104 176 · getegid 108 177 · getgroups 115 158 · getresuid 118 148 · getresgid 120 150
getpriority 140 141 · sched_getaffinity 204 123 · sched_getparam 143 121 · sched_getscheduler 145 120
sched_get_priority_max 146 125 · sched_get_priority_min 147 126 · arch_prctl 158 - · set_tid_address 218 96
set_robust_list 273 99 · get_robust_list 274 100 · futex 202 98 · restart_syscall 219 128 · rseq 334 293
getrandom 318 278
"""

# Which values one of its arguments may have: asyncio wakes itself by a pair of sockets (AF_UNIX) that nobody else has;
# of ioctl what asks about a terminal and FIOCLEX, FIONCLEX, FIONBIO; of fcntl F_DUPFD … F_SETFL and F_DUPFD_CLOEXEC.
_ARGUED: tuple[tuple[int, int, int, tuple[int, ...]], ...] = (
    (53, 199, 0, (1,)),
    (16, 29, 1, (0x5401, 0x5413, 0x5450, 0x5451, 0x5421)),
    (72, 25, 1, (0, 1, 2, 3, 4, 1030)),
)
_CLONE = {"x86_64": 56, "aarch64": 220}


def allowed_calls(machine: str) -> dict[int, str]:
    """The numbers of the calls that are allowed with any arguments, and their names."""
    column = list(_AUDITS).index(machine) + 1
    rows = (call.split() for line in _TABLE.strip().splitlines() for call in line.split(" · "))
    return {int(row[column]): row[0] for row in rows if row[column] != "-"}


def system_call_filter(machine: str = "") -> bytes:
    """The filter for this machine. Raises BadOption for one whose numbers are not known here."""
    machine = machine or platform.machine()
    if machine not in _AUDITS:
        raise BadOption(f"the sandbox knows the system calls of {' and '.join(_AUDITS)}, not of {machine}")
    lines = [(_LOAD, 0, 0, 4), (_EQUAL, 1, 0, _AUDITS[machine]), (_RETURN, 0, 0, _KILL), (_LOAD, 0, 0, 0)]
    lines += [(_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _EPERM)]
    for number in allowed_calls(machine):
        lines += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ALLOW)]
    for x86, arm, argument, values in _ARGUED:
        lines += [(_EQUAL, 0, 2 * len(values) + 2, x86 if machine == "x86_64" else arm)]
        lines += [(_LOAD, 0, 0, 16 + 8 * argument)]
        for value in values:
            lines += [(_EQUAL, 0, 1, value), (_RETURN, 0, 0, _ALLOW)]
        lines += [(_RETURN, 0, 0, _EPERM)]
    lines += [(_EQUAL, 0, 5, _CLONE[machine]), (_LOAD, 0, 0, 16), (_AND, 0, 0, _OF_CLONE)]
    lines += [(_EQUAL, 0, 1, _THREAD), (_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _EPERM)]
    lines += [(_AT_LEAST, 0, 1, _NEW), (_RETURN, 0, 0, _ENOSYS), (_RETURN, 0, 0, _EPERM)]
    return b"".join(struct.pack("=HBBI", *line) for line in lines)
