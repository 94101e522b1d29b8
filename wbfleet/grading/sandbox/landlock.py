"""Restricts the files that this process and its children may open.

Sources: Linux' manual page landlock(7).
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable

from wbridge.wbfleet.grading.sandbox.kernel import call

NO_NEW_PRIVILEGES = 38
"""Option of prctl(2)."""
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
"""System calls, the same on all processors."""
ASK_VERSION, PATH_BENEATH = 1, 1
READ = 0b1101
"""Rights: execute, read files, list folders."""
FILE_RIGHTS = 0b1100000000000111
"""Those that a rule about a file can have: execute, write, read, truncate, commands of devices."""
RIGHTS = {1: 0x1FFF, 2: 0x3FFF, 3: 0x7FFF, 5: 0xFFFF}
"""All rights that a version knows."""
SCOPES = 0b11
"""Abstract sockets and signals, since version 6."""
FIRST_WITH_SCOPES = 6


def version() -> int:
    """Return the version of Landlock; 0: this system has none."""
    try:
        return call("syscall", CREATE_RULESET, None, 0, ASK_VERSION)
    except OSError:
        return 0


def lock(read: Iterable[str], write: Iterable[str]) -> None:
    """Allow only these files and folders from now on; those that do not exist are left out.

    Raises:
        OSError: this system cannot do it.
    """
    found = version()
    rights = RIGHTS[max(right for right in RIGHTS if right <= found)]
    attributes = struct.pack("QQQ", rights, 0, SCOPES if found >= FIRST_WITH_SCOPES else 0)
    size = len(attributes) if found >= FIRST_WITH_SCOPES else 8
    ruleset = call("syscall", CREATE_RULESET, attributes, size, 0)
    for path in read:
        _allow(ruleset, path, READ)
    for path in write:
        _allow(ruleset, path, rights)
    call("prctl", NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    call("syscall", RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    if not os.path.isdir(path):
        rights &= FILE_RIGHTS
    call("syscall", ADD_RULE, ruleset, PATH_BENEATH, struct.pack("=Qi", rights, place), 0)
    os.close(place)
