"""The same file system as in `rooms`, built by the program bubblewrap, which some systems allow more than its
users.

Source: its manual page bwrap(1).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

from wbridge.wbfleet.grading.sandbox.plan import Plan
from wbridge.wbfleet.grading.sandbox.rooms import original, readable, writable

NAMESPACES = (
    "--unshare-user",
    "--unshare-pid",
    "--unshare-net",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup-try",
    "--disable-userns",
    "--die-with-parent",
)


def command_line(plan: Plan, command: list[str]) -> list[str]:
    """Return the command line that runs the second part of the sandbox, and with it a program."""
    package = os.path.dirname(os.path.abspath(__file__))
    inside = [sys.executable, "-I", "-S", package, "inside", plan.to_text(), *command]
    return [plan.bubblewrap, *NAMESPACES, *_mounts(plan, package), "--remount-ro", "/", "--", *inside]


def _mounts(plan: Plan, package: str) -> Iterator[str]:
    *first, folder = writable(plan)
    yield from ("--dev", "/dev", "--proc", "/proc")
    for path in first:
        yield from _room(path, plan.disk)
    for path in readable(plan):  # some may be below /tmp
        if os.path.islink(path):
            yield from ("--symlink", os.readlink(path), path)
        else:
            yield from ("--ro-bind", path, path)
    yield from ("--ro-bind", package, package)
    yield from ("--remount-ro", "/dev")
    yield from ("--ro-bind", folder, original(folder))
    yield from _room(folder, plan.disk)


def _room(path: str, size: int) -> tuple[str, ...]:
    return ("--size", str(size), "--tmpfs", path)
