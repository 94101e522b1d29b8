"""Carries out a command on a full disk and then on one with space, on a small file system of its own.

    python -m tests.fleet.small_disk FOLDER COMMAND...

Prints JSON: how the command ended each time. The file system is mounted at FOLDER, in a mount namespace that
ends with this process, so that nothing stays. Exits with `NOT_ALLOWED` where mounting is not allowed.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

NOT_ALLOWED = 77
NEW_MOUNTS, NEW_USERS = 0x00020000, 0x10000000
"""Flags of unshare(2)."""
PRIVATE = 1 << 18 | 1 << 14
"""MS_PRIVATE | MS_REC of mount(2): what is mounted here is not seen elsewhere."""
SIZE, LEFT = 2 << 20, 120 << 10
"""Bytes of the file system, and those that are left when the command begins."""


def mount(folder: str, size: int = SIZE) -> None:
    """Mount a small file system.

    Args:
        folder: where.
        size: in bytes.

    Raises:
        OSError: that is not allowed.
    """
    libc = ctypes.CDLL(None, use_errno=True)

    def check(result: int, what: str) -> None:
        if result != 0:
            raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")

    user, group = os.getuid(), os.getgid()
    check(libc.unshare(NEW_MOUNTS | (0 if user == 0 else NEW_USERS)), "unshare")
    if user != 0:
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"0 {user} 1")
        Path("/proc/self/gid_map").write_text(f"0 {group} 1")
    check(libc.mount(b"none", b"/", None, ctypes.c_ulong(PRIVATE), None), "mount /")
    check(libc.mount(b"none", folder.encode(), b"tmpfs", ctypes.c_ulong(0), b"size=%d" % size), "mount")


def main() -> int:
    """Carry out the command twice."""
    folder, command = sys.argv[1], sys.argv[2:]
    try:
        mount(folder)
    except OSError as problem:
        print(problem)
        return NOT_ALLOWED
    filler = Path(folder) / "filler"
    filler.write_bytes(bytes(shutil.disk_usage(folder).free - LEFT))
    ends = []
    for _ in range(2):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        ends.append({"code": done.returncode, "said": done.stderr})
        filler.unlink(missing_ok=True)
    print(json.dumps(ends))
    return 0


if __name__ == "__main__":
    sys.exit(main())
