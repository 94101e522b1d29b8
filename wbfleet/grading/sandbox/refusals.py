"""Refuses system calls by which a program could keep memory that nobody counts, or trace the sandbox.

Sources: Linux' manual pages seccomp(2), memfd_create(2), shmget(2), ptrace(2), syscalls(2).
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct

from wbridge.wbfleet.grading.sandbox.kernel import call

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
REFUSED = {
    "shmget": (29, 194),
    "ptrace": (101, 117),
    "add_key": (248, 217),
    "keyctl": (250, 219),
    "perf_event_open": (298, 241),
    "memfd_create": (319, 279),
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "memfd_secret": (447, 447),
}
"""Numbers on x86-64 and ARM."""
OTHER_NUMBERS = 0x40000000
"""From here on, x86-64 has the same calls once more."""
SECCOMP, FILTER = 22, 2
"""Option of prctl(2)."""
LOAD, IF_EQUAL, IF_NOT_BELOW, RETURN = 0x20, 0x15, 0x35, 0x06
"""Instructions of filters."""
NUMBER, ARCHITECTURE = 0, 4
"""Places in what a filter sees."""
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | errno.EPERM


def refuse() -> None:
    """Refuse the calls from now on; on other processors, and without filters in the kernel, none is."""
    machine = os.uname().machine
    if machine not in ARCHITECTURES:
        return
    code = _program(machine)
    instructions = ctypes.create_string_buffer(code, len(code))
    head = struct.pack("HxxxxxxQ", len(code) // 8, ctypes.addressof(instructions))
    try:
        call("prctl", SECCOMP, FILTER, head, 0, 0)
    except OSError:
        return


def _program(machine: str) -> bytes:
    column = list(ARCHITECTURES).index(machine)
    numbers = [row[column] for row in REFUSED.values()]
    left = len(numbers)
    code = [
        (LOAD, 0, 0, ARCHITECTURE),
        (IF_EQUAL, 0, left + 3, ARCHITECTURES[machine]),
        (LOAD, 0, 0, NUMBER),
        (IF_NOT_BELOW, left + 1, 0, OTHER_NUMBERS),
        *((IF_EQUAL, left - index, 0, number) for index, number in enumerate(numbers)),
        (RETURN, 0, 0, ALLOW),
        (RETURN, 0, 0, REFUSE),
    ]
    return b"".join(struct.pack("HBBI", *instruction) for instruction in code)
