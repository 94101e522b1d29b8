"""The file system of a sandbox: what it has, and how a process builds it with system calls.

Sources: Linux' manual pages user_namespaces(7), pid_namespaces(7), mount_namespaces(7), pivot_root(2),
mount_setattr(2), proc(5), tmpfs(5).
"""

from __future__ import annotations

import os
import struct
from contextlib import suppress

from wbridge.wbfleet.grading.sandbox.kernel import call
from wbridge.wbfleet.grading.sandbox.plan import Plan

NEW_USERS, NEW_PIDS, NEW_NETWORK, NEW_MOUNTS = 0x10000000, 0x20000000, 0x40000000, 0x20000
NEW_IPC, NEW_NAMES, NEW_CGROUPS = 0x8000000, 0x4000000, 0x2000000
"""Flags of unshare(2)."""
READ_ONLY, NO_SETUID, NO_DEVICES, NO_PROGRAMS, BIND, RECURSIVE, PRIVATE = 1, 2, 4, 8, 0x1000, 0x4000, 0x40000
"""Flags of mount(2)."""
DETACH = 2
"""Flag of umount2(2)."""
SET_ATTRIBUTES, HERE, AND_BELOW = 442, -100, 0x8000
"""mount_setattr(2), the same on all processors, and its arguments."""
INODES = 20_000
"""Files in a file system in memory."""
FIRST_ROOT = "/tmp"
"""A folder that every system has, for a root from which the former one and the new one can be seen."""
ROOT_BYTES = 1 << 20
DEVICES = ("null", "zero", "full", "random", "urandom")
LINKS = {
    "fd": "/proc/self/fd",
    "stdin": "/proc/self/fd/0",
    "stdout": "/proc/self/fd/1",
    "stderr": "/proc/self/fd/2",
}
"""What `/dev` has."""
LIMIT_OF_USERS = "/proc/sys/user/max_user_namespaces"


def readable(plan: Plan) -> list[str]:
    """Return what is mounted read-only, each path once, without what is below another.

    What links lead to is there as well, under its own name.
    """
    names = {name for path in plan.read for name in (path, os.path.realpath(path)) if os.path.exists(name)}
    found: list[str] = []
    for path in sorted(names, key=lambda name: (name.count("/"), name)):
        if not any(path.startswith(f"{other}/") for other in found):
            found.append(path)
    return found


def writable(plan: Plan) -> tuple[str, ...]:
    """Return the folders in memory, each with the size of the limit."""
    return "/tmp", "/dev/shm", plan.folder


def leave_namespaces() -> None:
    """Move this process, which has one thread, into namespaces of its own; the user keeps its number.

    Raises:
        OSError: this system does not let its users do it.
    """
    user, group = os.getuid(), os.getgid()
    call("unshare", NEW_USERS | NEW_PIDS | NEW_NETWORK | NEW_MOUNTS | NEW_IPC | NEW_NAMES | NEW_CGROUPS)
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


def build(plan: Plan) -> None:
    """Replace the file system of this process, the first of its namespace, by that of the sandbox.

    Raises:
        OSError: this system does not let its users do it.
    """
    shown = readable(plan)
    # The kernel counts namespaces of namespaces: there will be none.
    with suppress(OSError), open(LIMIT_OF_USERS, "w") as file:
        file.write("0")
    os.chdir("/")
    _mount("none", "/", "", RECURSIVE | PRIVATE)
    _memory(FIRST_ROOT, ROOT_BYTES)
    os.chdir(FIRST_ROOT)
    os.mkdir("old")
    os.mkdir("new")
    call("pivot_root", b".", b"old")
    os.chdir("/")
    _memory("/new", ROOT_BYTES)
    _devices()
    *first, folder = writable(plan)
    for path in first:
        _room(path, plan.disk)
    for path in shown:  # some may be below /tmp
        _show(path, path)
    _show(folder, original(folder))
    _room(folder, plan.disk)
    os.makedirs("/new/proc", exist_ok=True)
    with suppress(OSError):  # not possible in some containers: then the folder stays empty
        _mount("proc", "/new/proc", "proc", NO_SETUID | NO_DEVICES | NO_PROGRAMS)
    _enter()


def original(folder: str) -> str:
    """Return where the content of the program's folder can be read."""
    return f"{folder}.original"


def _enter() -> None:
    """Make `/new` the root, which cannot be written, and forget the former one."""
    call("umount2", b"/old", DETACH)
    os.chdir("/new")
    call("pivot_root", b".", b".")
    call("umount2", b".", DETACH)
    os.chdir("/")
    _protect("/", 0)


def _show(path: str, name: str) -> None:
    """Mount a file or folder read-only under a name."""
    source, target = f"/old{path}", f"/new{name}"
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.islink(source):
        os.symlink(os.readlink(source), target)
        return
    _bind(source, target)
    _protect(target, AND_BELOW)


def _room(path: str, size: int) -> None:
    os.makedirs(f"/new{path}", exist_ok=True)
    _memory(f"/new{path}", size)


def _devices() -> None:
    os.makedirs("/new/dev", exist_ok=True)
    for name in DEVICES:
        _bind(f"/old/dev/{name}", f"/new/dev/{name}")
    for name, goal in LINKS.items():
        os.symlink(goal, f"/new/dev/{name}")


def _bind(source: str, target: str) -> None:
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
    else:
        with open(target, "x"):
            pass  # a place for the file
    _mount(source, target, "", BIND | RECURSIVE)


def _protect(path: str, flags: int) -> None:
    attributes = struct.pack("QQQQ", READ_ONLY | NO_SETUID | NO_DEVICES, 0, 0, 0)
    call("syscall", SET_ATTRIBUTES, HERE, os.fsencode(path), flags, attributes, len(attributes))


def _memory(path: str, size: int) -> None:
    options = f"size={size},nr_inodes={INODES},mode=0755"
    _mount("tmpfs", path, "tmpfs", NO_SETUID | NO_DEVICES, options)


def _mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    words = [os.fsencode(word) for word in (source, target, kind)]
    try:
        call("mount", *words, flags, options.encode() or None)
    except OSError as problem:
        raise OSError(problem.errno, f"{target}: {problem.strerror}") from None
