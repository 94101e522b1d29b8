"""Guards: time from a command to the reading that shows it, through a guard and without one.

The yardstick is the same controller on the same kind of robot, with the plugin in its own process. Robots of
the robot link have no guard; what a gateway adds to their steps is measured as well.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import IO

from benchmarks.bench_link import broker
from benchmarks.case import Case, Cost, Reading, alternate
from benchmarks.checkout import BENCHMARKS
from benchmarks.guard_robots import LINK, PINS, USB, world_of

ROUNDS = 8
MS = 1e-3
LIMIT = 1.10
WIRES = {"pty": "pty://", "tcp": "tcp://127.0.0.1:0", USB: USB}
ROBOTS = (("epuck", "pty"), ("epuck", "tcp"), ("create2", "pty"), ("firmata", "pty"))
LINKS = "pty", "tcp", "mqtt", USB
VARIABLE = "WBRIDGE_REMOTE_GUARD"
PROGRAM = "import sys\nfrom benchmarks.guard_controller import main\nmain(sys.argv[1:])\n"


def cases() -> list[Case]:
    """The measurements of this file."""
    guards = [
        Case(
            f"command to reading, {robot} over {wire}, guard",
            partial(beside_unguarded, robot, wire),
            LIMIT,
            "ms",
            "without a guard",
        )
        for robot, wire in ROBOTS
    ]
    return guards + [
        Case(
            f"command to reading, {robot} over {wire}, all processes",
            partial(beside_own_process, robot, wire),
            LIMIT,
            "ms",
            "plugin in the controller",
        )
        for robot, wire in (*ROBOTS, *((LINK, wire) for wire in LINKS))
    ]


def beside_unguarded(robot: str, wire: str) -> Reading:
    """Milliseconds through a guard, and without one."""
    with ExitStack() as stack:
        guarded, plain = (stack.enter_context(controller(robot, wire, guard)) for guard in ("on", "off"))
        return alternate(guarded, plain, ROUNDS, per=MS)


def beside_own_process(robot: str, wire: str) -> Reading:
    """Milliseconds of `wbridge remote`, with its gateway and guard, and with the plugin in the controller."""
    with ExitStack() as stack:
        whole = stack.enter_context(remote(robot, wire))
        plain = stack.enter_context(controller(robot, wire, "off"))
        return alternate(whole, plain, ROUNDS, per=MS)


@contextmanager
def emulated(robot: str, wire: str) -> Iterator[str]:
    """Run an emulated robot in a process of its own; yields its URL."""
    with ExitStack() as stack:
        url = WIRES.get(wire, "")
        if not url:
            url = f"mqtt://127.0.0.1:{stack.enter_context(broker())}/bench/rover"
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        module = [sys.executable, "-m", "benchmarks.guard_robots", robot, url, folder]
        board = stack.enter_context(_process(module, guard="off"))
        assert board.stdout is not None
        yield board.stdout.readline().strip()


@contextmanager
def controller(robot: str, wire: str, guard: str) -> Iterator[Cost]:
    """Run a controller on an emulated robot, both in processes of their own; yields its turns."""
    with emulated(robot, wire) as url:
        command = [sys.executable, "-m", "benchmarks.guard_worker", robot, url]
        with _process(command, guard=guard) as driver:
            assert driver.stdin is not None and driver.stdout is not None
            yield partial(_turn, driver.stdin, driver.stdout)


@contextmanager
def remote(robot: str, wire: str) -> Iterator[Cost]:
    """The same with `wbridge remote` and all processes that it starts."""
    with ExitStack() as stack:
        url = stack.enter_context(emulated(robot, wire))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        program = folder / "controllers" / "turns" / "turns.py"
        world, turns, answers = folder / "worlds" / "rover.wbt", folder / "turns", folder / "answers"
        for file, text in ((program, PROGRAM), (world, world_of(robot, str(turns), str(answers)))):
            file.parent.mkdir(parents=True)
            file.write_text(text)
        (world.parent / "rover.pins.toml").write_text(PINS)
        os.mkfifo(turns)
        os.mkfifo(answers)
        words = ["remote", str(world), "--plugin", robot, "--url", url, "--quiet"]
        stack.enter_context(_process([sys.executable, "-m", "wbridge", *words], guard="on"))
        questions = stack.enter_context(turns.open("w"))
        yield partial(_turn, questions, stack.enter_context(answers.open()))


def _turn(questions: IO[str], answers: IO[str]) -> float:
    questions.write("\n")
    questions.flush()
    answer = answers.readline()
    if not answer:
        raise RuntimeError("the controller has lost its robot")
    return float(answer)


@contextmanager
def _process(command: list[str], guard: str) -> Iterator[subprocess.Popen[str]]:
    environment = {**os.environ, VARIABLE: guard, "PYTHONPATH": str(BENCHMARKS.parent)}
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
