"""The process outside of a sandbox: starts the program in it, adds up what it uses, and ends like it.

Limits count for all processes of the program together: they are added up every tenth of a second. The kernel
does it as well by a counter that all processes inherit, and by control groups where the user may make them.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import NoReturn

from wbridge.wbfleet.grading.sandbox import bubble, inside, rooms
from wbridge.wbfleet.grading.sandbox.clock import Clock
from wbridge.wbfleet.grading.sandbox.control_group import ControlGroup
from wbridge.wbfleet.grading.sandbox.kernel import call, on_death_of_parent
from wbridge.wbfleet.grading.sandbox.plan import (
    BUBBLEWRAP,
    ENVIRONMENT,
    NONE,
    OVER,
    OWN,
    Plan,
    environment_of,
)
from wbridge.wbfleet.grading.sandbox.tree import Census, Usage

SOCKETS = "WBRIDGE_PROGRAM_SOCKETS"
"""See wbridge.wbcore.controllers.launcher."""
KEPT = ("WEBOTS_", "WBRIDGE_", "LC_", "LANG", "LD_LIBRARY_PATH", "PATH", "PYTHON", "TZ", "OMP_", "OPENBLAS_")
"""Beginnings of the environment variables that the program gets."""
SECRET = ("TOKEN", "PASSWORD", "SECRET")
"""Parts of names that it does not get: it connects through local sockets, which need no token."""
ADOPT, DUMPABLE = 36, 4
"""Options of prctl(2)."""
WATCH_S = 0.1
GENERATIONS = {BUBBLEWRAP: 2, OWN: 2, NONE: 0}
"""Processes between this process' child and the program."""


def main(arguments: list[str]) -> NoReturn:
    """Run a program in a sandbox: the arguments are the plan and the command line."""
    plan, command = Plan.from_text(arguments[0]), arguments[1:]
    sockets = json.loads(os.environ.get(SOCKETS, "[]"))
    plan = plan._replace(read=(*plan.read, *sockets), start=os.getcwd())
    environment = _clean(environment_of(), plan)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)  # also in the processes between this one and the program
    watched = {signal.SIGCHLD, signal.SIGTERM}
    signal.pthread_sigmask(signal.SIG_BLOCK, watched)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # blocked: it is taken by `_watch`
    call("prctl", ADOPT, 1, 0, 0, 0)
    group, clock = ControlGroup.make(plan), Clock()
    child = os.fork()
    if child == 0:
        _start(plan, command, environment, group)
    status, why = _watch(plan, child, group, clock)
    if group is not None:
        group.kill()
    _end_all()
    if group is not None:
        group.remove()
    _end_like(status, why)


def _clean(environment: Mapping[str, str], plan: Plan) -> dict[str, str]:
    kept = {name: text for name, text in environment.items() if _is_kept(name)}
    return {**kept, "HOME": plan.folder, "TMPDIR": "/tmp" if plan.way != NONE else plan.folder}


def _is_kept(name: str) -> bool:
    return name.startswith(KEPT) and not any(word in name for word in SECRET)


def _start(
    plan: Plan, command: list[str], environment: Mapping[str, str], group: ControlGroup | None
) -> NoReturn:
    """In the child: become what runs the program."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    on_death_of_parent(signal.SIGKILL)
    os.closerange(inside.FIRST_FILE, inside.MOST_FILES)
    try:
        if group is not None:
            group.join()
        if plan.way == BUBBLEWRAP:
            line = bubble.command_line(plan, command)
            os.execve(line[0], line, {ENVIRONMENT: json.dumps(dict(environment))})
        if plan.way == OWN:
            rooms.leave_namespaces()
            on_death_of_parent(signal.SIGKILL)  # forgotten with the change of user
            os._exit(_exit_code(os.waitpid(os.fork() or _first(plan, command, environment), 0)[1]))
    except OSError as problem:
        inside.fail(str(problem))
    inside.run(plan, command, environment)


def _first(plan: Plan, command: list[str], environment: Mapping[str, str]) -> NoReturn:
    """The first process of its namespace: when it ends, the kernel kills the others."""
    on_death_of_parent(signal.SIGKILL)
    call("prctl", DUMPABLE, 0, 0, 0, 0)  # its first environment is that of the simulator
    try:
        rooms.build(plan)
    except OSError as problem:
        inside.fail(str(problem))
    program = os.fork()
    if program == 0:
        inside.run(plan, command, environment)
    while True:
        ended, status = os.waitpid(-1, 0)
        if ended == program:
            os._exit(_exit_code(status))


def _watch(plan: Plan, child: int, group: ControlGroup | None, clock: Clock) -> tuple[int, str]:
    """Wait for the end of the child; return its status, and which limit was exceeded ("": none)."""
    census = Census(os.getpid(), plan.folder)
    while True:
        ended, status = os.waitpid(-1, os.WNOHANG)
        if ended == child:
            return status, "" if group is None else group.excess()
        if ended:
            continue
        heard = signal.sigtimedwait({signal.SIGCHLD, signal.SIGTERM}, WATCH_S)
        if heard is not None and heard.si_signo == signal.SIGTERM:
            _tell_program(plan, census, child)
        usage = census.take()
        counted_s = [usage.cpu_s, clock.cpu_s(), *([] if group is None else [group.cpu_s()])]
        usage = usage._replace(cpu_s=max(counted_s))
        if why := _excess(plan, usage, census):
            os.kill(child, signal.SIGKILL)
            return 0, why


def _excess(plan: Plan, usage: Usage, census: Census) -> str:
    """The limit that all processes together exceed; "": none."""
    if usage.cpu_s > plan.cpu_s:
        return "processor time"
    if usage.disk > plan.disk:
        return "disk space"
    if usage.processes > plan.processes + GENERATIONS[plan.way]:
        return "processes"
    if usage.memory > plan.memory and census.shared_memory() + usage.disk > plan.memory:
        return "memory"
    return ""


def _tell_program(plan: Plan, census: Census, child: int) -> None:
    """Ask the program to end; it is not in the group of processes of this one."""
    program = census.descendant(child, GENERATIONS[plan.way])
    if program is not None:
        with suppress(ProcessLookupError):  # it has ended by itself
            os.kill(program, signal.SIGTERM)


def _end_all() -> None:
    """Kill what is left, and wait until it is gone: it would otherwise be adopted by others."""
    census = Census(os.getpid(), "")
    while True:
        for process in census.members():
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                continue
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _exit_code(status: int) -> int:
    return 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def _end_like(status: int, why: str) -> NoReturn:
    """End as the program has ended, or tell which limit it exceeded."""
    if why:
        print(f"the program used more {why} than allowed", file=sys.stderr, flush=True)
        os._exit(OVER)
    code = _exit_code(status)
    if code > 128:
        number = code - 128
        if number not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.kill(os.getpid(), number)
    os._exit(code)
