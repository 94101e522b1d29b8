"""Further ways in which a controller, its processes, their terminal or their wire end.

A controller ends itself: it crashes, hangs in a call, leaves copies of itself behind, becomes another
program. A terminal stops or closes its processes, or reads no more. A wire breaks on one of its ways. See
`tests.remote.deaths`.
"""

from __future__ import annotations

import os
import resource
import signal
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path

from tests.firmware.wifi import Proxy
from tests.remote.deaths import SOURCES, Death, Drive, robot_of, write_controller, write_project
from tests.waiting import wait_for

PYTHON_FATES = {
    "exits": "os._exit(0)",
    "reads address 0": "import ctypes; ctypes.string_at(0)",
    "keeps the interpreter": "import ctypes; ctypes.PyDLL(None).sleep(30)",
    "closes all files": "os.closerange(3, 4096); time.sleep(30)",
    "becomes another program": 'os.execv("/bin/sleep", ["sleep", "30"])',
    "leaves a copy": "os.fork() == 0 and time.sleep(30); os._exit(1)",
    "multiplies": "[os.fork() for _ in range(5)]; signal.alarm(3); [None for _ in iter(int, 1)]",
    "reads its terminal": "sys.stdin.read(); time.sleep(30)",
    "has filled memory": "rest = bytearray(os.urandom(4096)) * (1 << 18); os.kill(os.getpid(), 9)",
}
"""What a controller in Python does at a signal. That which multiplies makes 32 processes, for 3 s."""
BETWEEN_STEPS = "import os; [os.kill(int(pid), 19) for pid in open('victims').read().split()]"
"""A controller that stops processes while it computes: no request waits for an answer then."""
C_FATES = {
    "writes to address 8": "*(volatile int *)8 = 1;",
    "divides by 0": "{ volatile int zero = 0; zero = 7 / zero; }",
    "aborts": "abort();",
    "overflows its stack": "deeper(1);",
    "exits": "_exit(3);",
    "leaves a copy": "if (fork() == 0) sleep(30); _exit(1);",
    "loops": "for (;;) {}",
}
"""The same in C."""
PYTHON_HEAD = """
import signal, time
asked = []
signal.signal(signal.SIGUSR1, lambda *_: asked.append(1))
"""
C_HEAD = """
#include <signal.h>
#include <stdlib.h>
static volatile sig_atomic_t asked;
static void ask(int number) { (void)number; asked = 1; }
__attribute__((unused, noinline)) static int deeper(int depth) {
  volatile char room[4096];
  room[depth % 4096] = (char)depth;
  return deeper(depth + 1) + room[depth % 4096];
}
"""
OUTPUTS = ("full", "closed", "full disk")
"""What has become of the output when the controller hangs."""
GROUPS = ("TSTP", "HUP", "INT")
"""What a terminal sends to the processes in it."""
PAIRS = ("controller guard", "controller gateway")
"""Processes that are stopped at the same time; the gateway is the one that watches the guard."""
SLEEP_S = 2.0
"""How long a computer is suspended, in s."""


def _source(language: str, code: str) -> str:
    """A controller that executes code at SIGUSR1."""
    source = SOURCES[language][1]
    if language == "python":
        return PYTHON_HEAD + source.replace("    pass\n", f"    asked and exec({code!r})\n")
    begin = "  wb_robot_init();\n"
    source = source.replace(begin, f"{begin}  signal(SIGUSR1, ask);\n")
    return C_HEAD + source.replace("!= -1) {\n", f"!= -1) {{\n    if (asked) {{ {code} }}\n")


@contextmanager
def _drive(
    death: Death, code: str = "", between: Callable[[str], str] = str, **options: object
) -> Iterator[Drive]:
    """A robot that drives.

    Args:
        death: robot, language and command.
        code: what the controller does at SIGUSR1.
        between: returns the URL under which the controller finds the robot's.
        options: of the command's process.
    """
    with tempfile.TemporaryDirectory() as folder:
        world = write_project(death, Path(folder))
        with robot_of(death, world) as robot:
            robot.url = between(robot.url)
            write_controller(death, world, robot.url, _source(death.language, code))
            drive = Drive(death, world, robot, **options)
            try:
                yield drive
            finally:
                drive.end()


def _until_still(drive: Drive, start: float) -> float:
    wait_for(lambda: not drive.is_driving())
    return time.monotonic() - start


def _fate(language: str, way: str, code: str) -> float:
    """The controller ends itself."""
    with _drive(Death("epuck", language, way, "", ""), code) as drive:
        start = time.monotonic()
        os.kill(drive.pids()["controller"], signal.SIGUSR1)
        return _until_still(drive, start)


def _with_output(language: str, how: str) -> float:
    """The controller hangs when nothing can be written any more."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as ends:
        reading, writing = os.pipe()
        ends.callback(os.close, reading)
        if how == "full disk":
            os.close(writing)
            writing = os.open(f"{folder}/out", os.O_WRONLY | os.O_CREAT)
        ends.callback(os.close, writing)
        death = Death("epuck", language, "remote", "", "")
        with _drive(death, stdout=writing, stderr=writing) as drive:
            pids = drive.pids()
            _use_up(how, reading, writing, pids.values())
            start = time.monotonic()
            os.kill(pids["controller"], signal.SIGSTOP)
            return _until_still(drive, start)


def _use_up(how: str, reading: int, writing: int, pids: Iterable[int]) -> None:
    """Let nothing be written any more to a pipe that nobody reads, or to a file."""
    if how == "closed":
        with open(os.devnull, "rb") as nothing:
            os.dup2(nothing.fileno(), reading)
    elif how == "full disk":
        for pid in pids:
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, 0))
    else:
        os.set_blocking(writing, False)
        with suppress(BlockingIOError):
            while True:
                os.write(writing, bytes(4096))
        os.set_blocking(writing, True)


def _group(name: str) -> float:
    """A terminal sends a signal to all processes in it."""
    with _drive(Death("epuck", "python", "remote", "", ""), process_group=0) as drive:
        start = time.monotonic()
        os.killpg(drive.process.pid, getattr(signal, f"SIG{name}"))
        return _until_still(drive, start)


def _pair(victims: str) -> float:
    """Two processes are stopped."""
    with _drive(Death("epuck", "python", "remote", "", "")) as drive:
        pids = drive.pids()
        start = time.monotonic()
        for name in victims.split():
            os.kill(pids[name], signal.SIGSTOP)
        return _until_still(drive, start)


def _between_steps(way: str) -> float:
    """Guard and controller are stopped while the controller computes."""
    with _drive(Death("epuck", "python", way, "", ""), BETWEEN_STEPS) as drive:
        pids = drive.pids()
        victims = Path(f"/proc/{pids['controller']}/cwd/victims")
        victims.write_text(f"{pids['guard']} {pids['controller']}")
        start = time.monotonic()
        os.kill(pids["controller"], signal.SIGUSR1)
        return _until_still(drive, start)


def _suspended(wire: str) -> float:
    """The computer is suspended and wakes up; then the controller hangs."""
    with _drive(Death(wire, "python", "remote", "", "")) as drive:
        pids = drive.pids()
        for number in (signal.SIGSTOP, signal.SIGCONT):
            for pid in pids.values():
                os.kill(pid, number)
            if number == signal.SIGSTOP:
                time.sleep(SLEEP_S)
        wait_for(drive.is_driving)
        start = time.monotonic()
        os.kill(pids["controller"], signal.SIGSTOP)
        return _until_still(drive, start)


def _half_closed(wire: str, way: str) -> float:
    """One way of a connection falls silent: of the commands, or of the answers."""
    proxies: list[Proxy] = []

    def between(url: str) -> str:
        port = int(url.rpartition(":")[2])
        proxies.append(Proxy(lambda: port))
        return f"tcp://127.0.0.1:{proxies[0].port}"

    with _drive(Death(wire, "python", "remote", "", ""), between=between) as drive:
        start = time.monotonic()
        proxies[0].mute(way == "commands")
        try:
            return _until_still(drive, start)
        finally:
            proxies[0].close()


def _fates() -> dict[str, Callable[[], float]]:
    found: dict[str, Callable[[], float]] = {}
    for language, fates in (("python", PYTHON_FATES), ("c", C_FATES)):
        for name, code in fates.items():
            for way in ("remote", "run"):
                found[f"epuck-{language}-{way}-controller-{name}"] = partial(_fate, language, way, code)
    found |= {
        f"epuck-{language}-remote-output-{how}": partial(_with_output, language, how)
        for language in SOURCES
        for how in OUTPUTS
    }
    found |= {f"epuck-python-remote-terminal-{name}": partial(_group, name) for name in GROUPS}
    found |= {f"epuck-python-remote-{both}-STOP": partial(_pair, both) for both in PAIRS}
    found |= {
        f"epuck-python-{way}-computing controller guard-STOP": partial(_between_steps, way)
        for way in ("remote", "run")
    }
    found |= {f"{wire}-python-remote-awake-STOP": partial(_suspended, wire) for wire in ("epuck", "wifi")}
    found |= {
        f"{wire}-python-remote-{way}-silent": partial(_half_closed, wire, way)
        for wire in ("wifi",)
        for way in ("commands", "answers")
    }
    return found


def names() -> list[str]:
    """All ends that are tried."""
    return list(_fates())


def time_to_stop(name: str) -> float:
    """Let it happen; the time in s until the motors stand.

    Raises:
        AssertionError: the robot drives on.
    """
    return _fates()[name]()
