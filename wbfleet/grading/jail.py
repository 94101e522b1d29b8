"""Runs a program that nobody trusts: `python -I -S jail.py LIMITS COMMAND...`.

The program may read what LIMITS (see `Limits.argument`) lists, and write only into its folder. It has no
network, cannot send signals to other programs, and ends with all that it has started. Limits of processor
time, memory, file size and processes apply. The file imports nothing of wbridge, so that it starts at once.

Sources: Linux' manual pages landlock(7), user_namespaces(7), pid_namespaces(7), setrlimit(2).
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

NEW_PIDS, NEW_USERS, NEW_NETWORK = 0x20000000, 0x10000000, 0x40000000
"""Flags of unshare(2)."""
NO_NEW_PRIVILEGES, PARENT_DEATH_SIGNAL = 38, 1
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
CANNOT = 126
"""Exit code if the program cannot be started, as in a shell."""

libc = ctypes.CDLL(None, use_errno=True)


def main() -> None:
    """Restrict this process, then run the command in it."""
    limits: dict[str, Any] = json.loads(sys.argv[1])
    command = sys.argv[2:]
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)  # they are for the program, whose end is awaited here
    if limits["namespaces"]:
        _leave_namespaces()
        _await(os.fork() or _first(limits, command))
    _run(limits, command)


def _leave_namespaces() -> None:
    user, group = os.getuid(), os.getgid()
    if libc.unshare(NEW_USERS | NEW_NETWORK | NEW_PIDS) != 0:
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
    program = os.fork()
    if program == 0:
        _run(limits, command)
    while True:
        ended, status = os.wait()
        if ended == program:
            os._exit(_exit_code(status))


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
        _lock(limits["read"], limits["write"])
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
