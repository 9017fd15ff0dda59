"""The list of system calls, asked by the machine that it is written for: classic BPF over what a call says."""

from __future__ import annotations

import struct

import pytest

from toolmend.base.errors import BadOption
from toolmend.extras.agents.coding.system_calls import allowed_calls, system_call_filter

ALLOWED, REFUSED, UNKNOWN, KILLED = 0x7FFF0000, 0x00050001, 0x00050026, 0x80000000
AUDITS = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
THREAD = 0x3D0F00  # what the C library asks for


def decided(machine: str, number: int, *arguments: int, audit: int = 0) -> int:
    """What the filter says to a call."""
    words = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("=IIQ6Q", number, audit or AUDITS[machine], 0, *words)
    lines, held, at = list(struct.iter_unpack("=HBBI", system_call_filter(machine))), 0, 0
    while True:
        code, yes, no, value = lines[at]
        at += 1
        match code:
            case 0x06:
                return int(value)
            case 0x20:
                held = struct.unpack_from("=I", data, value)[0]
            case 0x54:
                held &= value
            case 0x15:
                at += yes if held == value else no
            case 0x35:
                at += yes if held >= value else no
            case _:
                raise AssertionError(code)


# Each with its numbers on x86-64 and ARM64, None where there is none.
NEVER = {
    "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195), "msgget": (68, 186), "msgsnd": (69, 189),
    "semget": (64, 190), "semop": (65, 193), "semtimedop": (220, 192), "mq_open": (240, 180),
    "mq_timedsend": (242, 182),
    "memfd_create": (319, 279), "socket": (41, 198), "connect": (42, 203), "accept": (43, 202), "bind": (49, 200),
    "sendmsg": (46, 211), "recvmsg": (47, 212), "setsockopt": (54, 208), "sendmmsg": (307, 269), "ptrace": (101, 117),
    "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272), "keyctl": (250, 219),
    "add_key": (248, 217), "request_key": (249, 218), "userfaultfd": (323, 282), "bpf": (321, 280),
    "perf_event_open": (298, 241), "fork": (57, None), "vfork": (58, None), "unshare": (272, 97), "setns": (308, 268),
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51), "mkdir": (83, None),
    "mkdirat": (258, 34), "mknod": (133, None), "mknodat": (259, 33), "symlink": (88, None), "symlinkat": (266, 36),
    "link": (86, None), "linkat": (265, 37), "creat": (85, None), "setxattr": (188, 5), "inotify_init1": (294, 26),
    "fanotify_init": (300, 262), "timer_create": (222, 107), "rt_sigqueueinfo": (129, 138), "io_setup": (206, 0),
    "vmsplice": (278, 75), "splice": (275, 76), "mlock": (149, 228), "mlockall": (151, 230), "mbind": (237, 235),
    "execveat": (322, 281), "open_by_handle_at": (304, 265), "name_to_handle_at": (303, 264), "kexec_load": (246, 104),
    "init_module": (175, 105), "personality": (135, 92), "prctl": (157, 167), "seccomp": (317, 277), "acct": (163, 89),
    "signalfd4": (289, 74), "timerfd_create": (283, 85), "clock_settime": (227, 112), "sethostname": (170, 161),
    "modify_ldt": (154, None), "quotactl": (179, 60), "swapon": (167, 224), "reboot": (169, 142), "syslog": (103, 116),
    "sched_setaffinity": (203, 122), "setpriority": (141, 140), "flock": (73, 32), "fallocate": (285, 47),
}  # fmt: skip
NEW = {
    "pidfd_send_signal": 424, "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "open_tree": 428,
    "fsopen": 430, "fsmount": 432, "pidfd_open": 434, "clone3": 435, "openat2": 437, "pidfd_getfd": 438,
    "process_madvise": 440, "mount_setattr": 442, "landlock_create_ruleset": 444, "memfd_secret": 447,
    "process_mrelease": 448, "futex_waitv": 449, "what nobody has thought of yet": 999,
}  # fmt: skip


@pytest.mark.parametrize("name", NEVER)
def test_what_no_program_needs_is_refused(name: str) -> None:
    for machine, number in zip(AUDITS, NEVER[name], strict=True):
        assert number is None or decided(machine, number) == REFUSED, machine


@pytest.mark.parametrize("name", NEW)
def test_what_is_newer_is_not_there(name: str) -> None:
    assert [decided(machine, NEW[name]) for machine in AUDITS] == [UNKNOWN, UNKNOWN]


@pytest.mark.parametrize("machine", AUDITS)
def test_what_is_on_the_list_is_allowed(machine: str) -> None:
    assert {decided(machine, number) for number in allowed_calls(machine)} == {ALLOWED}
    assert {"read", "write", "mmap", "futex", "openat", "exit_group"} <= set(allowed_calls(machine).values())


@pytest.mark.parametrize(("machine", "clone"), [("x86_64", 56), ("aarch64", 220)])
def test_a_thread_is_all_that_is_begun(machine: str, clone: int) -> None:
    assert decided(machine, clone, THREAD) == ALLOWED
    new_user, process, own_files = THREAD | 0x10000000, 0x11, THREAD & ~0x400
    assert {decided(machine, clone, flags) for flags in (new_user, process, own_files)} == {REFUSED}


@pytest.mark.parametrize(("machine", "pair"), [("x86_64", 53), ("aarch64", 199)])
def test_a_pair_of_sockets_is_of_one_family(machine: str, pair: int) -> None:
    assert [family for family in range(64) if decided(machine, pair, family, 1) == ALLOWED] == [1]


@pytest.mark.parametrize(("machine", "control"), [("x86_64", 72), ("aarch64", 25)])
def test_no_larger_pipes_no_locks_no_leases(machine: str, control: int) -> None:
    allowed = [command for command in range(2048) if decided(machine, control, 1, command) == ALLOWED]
    assert allowed == [0, 1, 2, 3, 4, 1030]


@pytest.mark.parametrize(("machine", "control"), [("x86_64", 16), ("aarch64", 29)])
def test_a_terminal_is_asked_and_not_told(machine: str, control: int) -> None:
    pushes, links, loops = 0x5412, 0x541C, 0x4C00
    assert {decided(machine, control, 0, command) for command in (pushes, links, loops)} == {REFUSED}
    assert decided(machine, control, 0, 0x5401) == ALLOWED


def test_calls_of_another_machine_end_the_program() -> None:
    assert decided("x86_64", 0, audit=0x40000003) == KILLED
    assert decided("x86_64", 0x40000000 | 1) == REFUSED


def test_a_machine_whose_system_calls_are_not_known_is_named() -> None:
    with pytest.raises(BadOption, match="x86_64 and aarch64, not of riscv64"):
        system_call_filter("riscv64")
