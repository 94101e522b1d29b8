"""Runs a program that nobody trusts: `python -I -S jail.py LIMITS COMMAND...`.

The program may read what LIMITS (see `Limits.argument`) lists, and write only into its folder. It has no
network, sees neither other programs nor their sockets, shared memory and temporary files, gets a clean
environment, and ends with all that it has started. Limits of processor time and memory count for all of its
processes together, those of file size and processes as well. The file imports nothing of wbridge, so that it
starts at once.

Sources: Linux' manual pages landlock(7), user_namespaces(7), pid_namespaces(7), mount_namespaces(7), proc(5),
setrlimit(2).
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import struct
import sys
from typing import Any

NEW_PIDS, NEW_USERS, NEW_NETWORK, NEW_MOUNTS, NEW_IPC = 0x20000000, 0x10000000, 0x40000000, 0x20000, 0x8000000
"""Flags of unshare(2)."""
NO_NEW_PRIVILEGES, PARENT_DEATH_SIGNAL, DUMPABLE = 38, 1, 4
"""Options of prctl(2)."""
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
"""System calls of Landlock, the same on all processors."""
ASK_VERSION, PATH_BENEATH = 1, 1
READ = 0b1101
"""Rights of Landlock: execute, read files, list folders."""
FILE_RIGHTS = 0b1100000000000111
"""Those that a rule about a file can have: execute, write, read, truncate, commands of devices."""
RIGHTS = {1: 0x1FFF, 2: 0x3FFF, 3: 0x7FFF, 5: 0xFFFF}
"""All rights that a version of Landlock knows."""
SCOPES = 0b11
"""Abstract sockets and signals, since version 6."""
FIRST_WITH_SCOPES = 6
BIND, RECURSIVE, PRIVATE = 0x1000, 0x4000, 0x40000
"""Flags of mount(2)."""
HIDDEN = ("/tmp", "/var", "/run", "/home", "/root", "/mnt", "/media", "/srv", "/dev/shm")
"""Folders with temporary files, sockets and data of others: the program finds there only what it needs."""
INSTANCE = "WEBOTS_INSTANCE_PATH"
"""The environment variable with the folder of the simulation, which has the socket to connect to."""
KEPT = ("WEBOTS_", "WBRIDGE_", "LC_", "LANG", "LD_LIBRARY_PATH", "PATH", "PYTHON", "TZ")
"""Beginnings of the environment variables that the program gets."""
WATCH_S = 0.1
"""How often the sums of processor time and memory are taken."""
CANNOT = 126
"""Exit code if the program cannot be started, as in a shell."""

libc = ctypes.CDLL(None, use_errno=True)


def main() -> None:
    """Restrict this process, then run the command in it."""
    limits: dict[str, Any] = json.loads(sys.argv[1])
    command = sys.argv[2:]
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)  # they are for the program, whose end is awaited here
    _clean_environment(limits["write"][0])
    if limits["namespaces"]:
        _leave_namespaces()
        _await(os.fork() or _first(limits, command))
    _run(limits, command)


def _clean_environment(folder: str) -> None:
    for name in [name for name in os.environ if not name.startswith(KEPT)]:
        del os.environ[name]
    os.environ["HOME"] = folder


def _leave_namespaces() -> None:
    user, group = os.getuid(), os.getgid()
    if libc.unshare(NEW_USERS | NEW_NETWORK | NEW_PIDS | NEW_MOUNTS | NEW_IPC) != 0:
        _fail("unshare")
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


def _first(limits: dict[str, Any], command: list[str]) -> int:
    """The first process of its namespace: when it ends, the system kills the others."""
    libc.prctl(PARENT_DEATH_SIGNAL, signal.SIGKILL)
    libc.prctl(DUMPABLE, 0, 0, 0, 0)  # the program must not read this process' first environment
    sees_own = _hide(limits)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    program = os.fork()
    if program == 0:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
        _run(limits, command)
    while True:
        ended, status = os.waitpid(-1, os.WNOHANG)
        if ended == program:
            os._exit(_exit_code(status))
        if ended:
            continue
        signal.sigtimedwait({signal.SIGCHLD}, WATCH_S)
        if sees_own and (number := _excess(limits)):
            os._exit(128 + number)  # the system kills the others


def _hide(limits: dict[str, Any]) -> bool:
    """Give the program folders of its own; True if it also sees its own processes only."""
    folder, instance = limits["write"][0], os.environ.get(INSTANCE, "")
    programs = os.environ.get("PATH", "").split(os.pathsep)
    needed = [folder, instance, *limits["read"], *programs]
    wanted = [path for path in needed if path.startswith(HIDDEN) and os.path.exists(path)]
    places = {path: os.open(path, os.O_PATH) for path in wanted}
    libc.mount(b"none", b"/", None, RECURSIVE | PRIVATE, None)  # fails in a chroot, where it is not needed
    for path in HIDDEN:
        if os.path.isdir(path):
            _mount("tmpfs", path, "tmpfs", 0)
    for path, place in sorted(places.items()):
        if os.path.isdir(f"/proc/self/fd/{place}"):
            os.makedirs(path, exist_ok=True)
            _mount(f"/proc/self/fd/{place}", path, "", BIND | RECURSIVE)
        os.close(place)
    os.chdir(folder)
    # Not possible in some containers: there the sums are not limited, and processes can be listed.
    return bool(libc.mount(b"proc", b"/proc", b"proc", 0, None) == 0)


def _mount(source: str, target: str, kind: str, flags: int) -> None:
    if libc.mount(source.encode(), target.encode(), kind.encode(), flags, None):
        _fail(f"mount {target}")


def _excess(limits: dict[str, Any]) -> int:
    """The signal that stands for a limit that all processes together exceed; 0: none."""
    ticks = pages = 0
    for name in os.listdir("/proc"):
        if not name.isdigit() or name == "1":
            continue
        try:
            with open(f"/proc/{name}/stat") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
        ticks += sum(map(int, fields[11:15]))  # of it, and of its children that have ended
        pages += int(fields[21])
    if ticks > limits["cpu_s"] * os.sysconf("SC_CLK_TCK"):
        return signal.SIGXCPU
    return signal.SIGKILL if pages * resource.getpagesize() > limits["memory"] else 0


def _exit_code(status: int) -> int:
    return 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def _await(child: int) -> None:
    """End like the program has ended."""
    _, status = os.waitpid(child, 0)
    code = _exit_code(status)
    if code > 128:
        number = code - 128
        if number not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(number, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.kill(os.getpid(), number)
    os._exit(code)


def _run(limits: dict[str, Any], command: list[str]) -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    _limit(limits)
    if limits["landlock"]:
        _lock(limits["read"], [*limits["write"], *filter(None, [os.environ.get(INSTANCE)])])
    try:
        os.execvp(command[0], command)
    except OSError as problem:
        print(f"{command[0]}: {problem.strerror}", file=sys.stderr)
        os._exit(CANNOT)


def _limit(limits: dict[str, Any]) -> None:
    seconds = limits["cpu_s"]
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, (limits["memory"],) * 2)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limits["file_size"],) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if limits["namespaces"]:  # elsewhere it would count all processes of the user
        resource.setrlimit(resource.RLIMIT_NPROC, (limits["processes"],) * 2)


def version() -> int:
    """Return the version of Landlock; 0: this system has none."""
    found: int = libc.syscall(CREATE_RULESET, None, 0, ASK_VERSION)
    return max(found, 0)


def _lock(read: list[str], write: list[str]) -> None:
    found = version()
    known = max(one for one in RIGHTS if one <= found)
    attributes = struct.pack("QQQ", RIGHTS[known], 0, SCOPES if found >= FIRST_WITH_SCOPES else 0)
    size = len(attributes) if found >= FIRST_WITH_SCOPES else 8
    ruleset = libc.syscall(CREATE_RULESET, attributes, size, 0)
    if ruleset < 0:
        _fail("landlock_create_ruleset")
    for path in read:
        _allow(ruleset, path, READ)
    for path in write:
        _allow(ruleset, path, RIGHTS[known])
    if libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) or libc.syscall(RESTRICT_SELF, ruleset, 0):
        _fail("landlock_restrict_self")
    os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    if not os.path.isdir(path):
        rights &= FILE_RIGHTS
    if libc.syscall(ADD_RULE, ruleset, PATH_BENEATH, struct.pack("=Qi", rights, place), 0):
        _fail(f"landlock_add_rule {path}")
    os.close(place)


def _fail(what: str) -> None:
    print(f"cannot isolate the program: {what}: {os.strerror(ctypes.get_errno())}", file=sys.stderr)
    os._exit(CANNOT)


if __name__ == "__main__":
    main()
