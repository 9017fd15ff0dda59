"""What code in the sandbox may not ask of the kernel, as a seccomp filter: new processes, other processes, mounts.

Threads are let be. The filter is the classic BPF that bubblewrap takes (`--seccomp`); numbers differ by machine.
"""

from __future__ import annotations

import platform
import struct

from toolmend.errors import BadOption

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
