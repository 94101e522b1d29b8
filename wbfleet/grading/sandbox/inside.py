"""The last part of the sandbox: in its file system, this process limits itself and becomes the program.

Source: Linux' manual page setrlimit(2).
"""

from __future__ import annotations

import os
import resource
import shutil
import signal
import sys
from collections.abc import Mapping
from typing import NoReturn

from wbridge.wbfleet.grading.sandbox import landlock
from wbridge.wbfleet.grading.sandbox.kernel import call, leave_session_keyring
from wbridge.wbfleet.grading.sandbox.plan import CANNOT, NONE, Plan, environment_of
from wbridge.wbfleet.grading.sandbox.refusals import refuse
from wbridge.wbfleet.grading.sandbox.rooms import original, writable

NO_NEW_PRIVILEGES = 38
"""Option of prctl(2)."""
FIRST_FILE, MOST_FILES = 3, 1 << 20
OPEN_FILES = 256
"""Of each process: their buffers are memory that nobody counts."""


def main(arguments: list[str]) -> NoReturn:
    """Become the program: the arguments are the plan and the command line."""
    run(Plan.from_text(arguments[0]), arguments[1:], environment_of())


def run(plan: Plan, command: list[str], environment: Mapping[str, str]) -> NoReturn:
    """Become the program."""
    try:
        _prepare(plan)
    except OSError as problem:
        fail(str(problem))
    try:
        os.execvpe(command[0], command, dict(environment))
    except OSError as problem:
        print(f"{command[0]}: {problem.strerror}", file=sys.stderr)
        os._exit(CANNOT)


def fail(why: str) -> NoReturn:
    """End because the program cannot be isolated."""
    print(f"cannot isolate the program: {why}", file=sys.stderr, flush=True)
    os._exit(CANNOT)


def _prepare(plan: Plan) -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    if plan.way != NONE:
        os.setsid()  # the group of processes that it can signal is its own
        shutil.copytree(original(plan.folder), plan.folder, symlinks=True, dirs_exist_ok=True)
    os.chdir(plan.start if os.path.isdir(plan.start) else plan.folder)
    os.closerange(FIRST_FILE, MOST_FILES)
    _limit(plan)
    leave_session_keyring()
    call("prctl", NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    if plan.landlock:
        folders = writable(plan) if plan.way != NONE else (plan.folder,)
        landlock.lock([*plan.read, "/proc", "/dev"], [*folders, "/dev/null", "/dev/zero", "/dev/full"])
    refuse()


def _limit(plan: Plan) -> None:
    _lower(resource.RLIMIT_CPU, plan.cpu_s, plan.cpu_s + 1)
    _lower(resource.RLIMIT_AS, plan.memory)
    _lower(resource.RLIMIT_FSIZE, plan.file_size)
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_NOFILE, OPEN_FILES)
    if plan.way != NONE:  # elsewhere it would count all processes of the user
        _lower(resource.RLIMIT_NPROC, plan.processes)


def _lower(kind: int, limit: int, most: int | None = None) -> None:
    """Set a limit, and the most to which it can be raised, unless those of this process are lower."""
    _, now = resource.getrlimit(kind)
    soft, hard = limit, limit if most is None else most
    if now != resource.RLIM_INFINITY:
        soft, hard = min(soft, now), min(hard, now)
    resource.setrlimit(kind, (soft, hard))
