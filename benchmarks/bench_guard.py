"""Guards: time from a command to the reading that shows it, through a guard and without one.

The yardstick is the same controller on the same kind of robot, with the plugin in its own process.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial

from benchmarks.case import Case, Cost, Reading, alternate

ROUNDS = 8
MS = 1e-3
WIRES = {"pty": "pty://", "tcp": "tcp://127.0.0.1:0"}
ROBOTS = (("epuck", "pty"), ("epuck", "tcp"), ("create2", "pty"), ("firmata", "pty"))
VARIABLE = "WBRIDGE_REMOTE_GUARD"


def cases() -> list[Case]:
    """The measurements of this file."""
    return [
        Case(
            f"command to reading, {robot} over {wire}, guard",
            partial(beside_unguarded, robot, wire),
            1.10,
            "ms",
            "without a guard",
        )
        for robot, wire in ROBOTS
    ]


def beside_unguarded(robot: str, wire: str) -> Reading:
    """Milliseconds through a guard, and without one."""
    with ExitStack() as stack:
        guarded, plain = (stack.enter_context(controller(robot, wire, guard)) for guard in ("on", "off"))
        return alternate(guarded, plain, ROUNDS, per=MS)


@contextmanager
def controller(robot: str, wire: str, guard: str) -> Iterator[Cost]:
    """Run a controller on an emulated robot, both in processes of their own; yields its turns."""
    with ExitStack() as stack:
        board = stack.enter_context(_process("benchmarks.guard_robots", robot, WIRES[wire], guard="off"))
        assert board.stdout is not None
        url = board.stdout.readline().strip()
        driver = stack.enter_context(_process("benchmarks.guard_worker", robot, url, guard=guard))

        def turn() -> float:
            assert driver.stdin is not None
            assert driver.stdout is not None
            driver.stdin.write("\n")
            driver.stdin.flush()
            answer = driver.stdout.readline()
            if not answer:
                raise RuntimeError("the controller has lost its robot")
            return float(answer)

        yield turn


@contextmanager
def _process(module: str, *arguments: str, guard: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", module, *arguments]
    environment = {**os.environ, VARIABLE: guard}
    with subprocess.Popen(
        command,
        env=environment,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()
