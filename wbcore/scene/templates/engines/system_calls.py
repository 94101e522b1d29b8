"""Restricts this process to the system calls that compute: it opens no file, has no network, starts nothing.

Sources: Linux' manual pages seccomp(2), prctl(2) and syscalls(2); the kernel's headers for BPF
(linux/filter.h, linux/bpf_common.h), audit (linux/audit.h) and numbers of system calls (asm/unistd_64.h for
x86-64, asm-generic/unistd.h for ARM).
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
CALLS = {
    "read": (0, 63),
    "write": (1, 64),
    "close": (3, 57),
    "lseek": (8, 62),
    "mmap": (9, 222),
    "mprotect": (10, 226),
    "munmap": (11, 215),
    "brk": (12, 214),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "sched_yield": (24, 124),
    "mremap": (25, 216),
    "madvise": (28, 233),
    "getitimer": (36, 102),
    "setitimer": (38, 103),
    "getpid": (39, 172),
    "exit": (60, 93),
    "gettimeofday": (96, 169),
    "getrlimit": (97, 163),
    "getrusage": (98, 165),
    "times": (100, 153),
    "sigaltstack": (131, 132),
    "setrlimit": (160, 164),
    "gettid": (186, 178),
    "futex": (202, 98),
    "restart_syscall": (219, 128),
    "clock_gettime": (228, 113),
    "exit_group": (231, 94),
    "getrandom": (318, 278),
}
"""What Python and the engines need to compute, by number on x86-64 and ARM. Files are open already."""
LIMITS = (302, 261)
"""prlimit64, which may change limits of this process, not those of others."""
NO_NEW_PRIVILEGES, SECCOMP, FILTER = 38, 22, 2
"""Options of prctl(2)."""
LOAD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
"""Instructions: load a word, compare it, return."""
INSTRUCTION = struct.Struct("HBBI")
"""Code, jumps if true and if false, value."""
NUMBER, ARCHITECTURE, FIRST_LOW, FIRST_HIGH = 0, 4, 16, 20
"""Places in what the filter sees: call, processor, and halves of the first argument."""
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | errno.EPERM


def restrict() -> bool:
    """Refuse all other system calls from now on; False if this system cannot do it."""
    machine = os.uname().machine if hasattr(os, "uname") else ""  # Windows has no such limits
    if machine not in ARCHITECTURES:
        return False
    code = _program(machine)
    instructions = ctypes.create_string_buffer(code, len(code))
    # struct sock_fprog: number of instructions, padding, address.
    head = struct.pack("HxxxxxxQ", len(code) // 8, ctypes.addressof(instructions))
    prctl = ctypes.CDLL(None).prctl
    is_private: int = prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    return is_private == 0 and prctl(SECCOMP, FILTER, head, 0, 0) == 0


def _program(machine: str) -> bytes:
    """Return the filter's instructions for a processor."""
    column = list(ARCHITECTURES).index(machine)
    allowed = sorted(numbers[column] for numbers in CALLS.values())
    code = [
        _instruction(LOAD, ARCHITECTURE),
        _instruction(JUMP_IF_EQUAL, ARCHITECTURES[machine], 1, 0),
        _instruction(RETURN, REFUSE),
        _instruction(LOAD, NUMBER),
    ]
    for left, number in zip(range(len(allowed), 0, -1), allowed, strict=True):
        # Behind these comparisons: five instructions about `LIMITS`, then refusal, then permission.
        code.append(_instruction(JUMP_IF_EQUAL, number, left + 5, 0))
    return b"".join(
        [
            *code,
            _instruction(JUMP_IF_EQUAL, LIMITS[column], 0, 4),
            _instruction(LOAD, FIRST_LOW),
            _instruction(JUMP_IF_EQUAL, 0, 0, 2),
            _instruction(LOAD, FIRST_HIGH),
            _instruction(JUMP_IF_EQUAL, 0, 1, 0),
            _instruction(RETURN, REFUSE),
            _instruction(RETURN, ALLOW),
        ]
    )


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return INSTRUCTION.pack(code, if_true, if_false, value)
