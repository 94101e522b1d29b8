"""Calls of Linux that Python does not offer. Sources: the manual pages of section 2 with the same names."""

from __future__ import annotations

import ctypes
import os

PARENT_DEATH_SIGNAL = 1
"""Option of prctl(2)."""
KEYCTL = {"x86_64": 250, "aarch64": 219}
"""Number of the system call keyctl."""
JOIN_SESSION_KEYRING = 1

_libc = ctypes.CDLL(None, use_errno=True)


def call(name: str, *arguments: int | bytes | None) -> int:
    """Call a function of the C library; return its result.

    Raises:
        OSError: the result is negative.
    """
    result: int = getattr(_libc, name)(*arguments)
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
    return result


def on_death_of_parent(signal_number: int) -> None:
    """Have the kernel send a signal to this process when its parent ends."""
    call("prctl", PARENT_DEATH_SIGNAL, signal_number, 0, 0, 0)


def leave_session_keyring() -> None:
    """Give this process an empty keyring, without the keys and tickets of its user's session."""
    number = KEYCTL.get(os.uname().machine)
    if number is not None:
        try:
            call("syscall", number, JOIN_SESSION_KEYRING, None)
        except OSError:
            return  # a kernel without keys
