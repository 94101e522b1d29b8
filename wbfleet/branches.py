"""Branches of a run at a moment: each continues in a copy of the process, in its own way.

    with Runner(load_world("worlds/ball.wbt"), RunOptions(inline=True)) as runner:
        runner.limit = 500
        heights = branch(runner, 200, [partial(drop, z) for z in (1.0, 2.0)], lambda runner: height(runner))

A copy has everything as it is at this moment: physics, devices, random numbers, plugins, and the programs of
inline controllers, which no saved state can contain.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from wbridge.hal.protocol.low_latency import processors
from wbridge.hal.ready import readable
from wbridge.wbcore.controllers.runner import Runner
from wbridge.wbcore.simulation import Simulation

Change: TypeAlias = Callable[[Simulation], object]

__all__ = ["BranchError", "branch"]

CHUNK = 1 << 16


class BranchError(Exception):
    """A branch has failed; the message says why."""


class _Branch(NamedTuple):
    number: int
    process: int
    received: bytearray


def branch(
    runner: Runner,
    step: int,
    changes: Sequence[Change],
    result: Callable[[Runner], object],
    jobs: int | None = None,
) -> list[Any]:
    """Run to a step, and from there on once for each change.

    Args:
        runner: at its start, with `limit`. Its controllers are inline.
        step: number of basic time steps after which the branches begin.
        changes: called with the simulation at the begin of a branch.
        result: called at the end of a branch; returns what JSON can express.
        jobs: number of processes at the same time; None: one per processor.

    Returns:
        The results, in the order of `changes`; empty if the run ends before.

    Raises:
        ValueError: controllers are processes, which cannot be copied; or Windows, which copies none.
        BranchError: a branch has failed.
    """
    if not runner.options.inline:
        raise ValueError("a run with controllers in processes cannot be copied; use RunOptions(inline=True)")
    if not hasattr(os, "fork"):
        raise ValueError("this system cannot copy a process; run the world once for each branch")
    forks = _Forks(runner, step, changes, jobs or processors())
    runner.on_step = forks.look
    try:
        runner.run()
        answer = {} if forks.pipe is None else {"result": result(runner)}
    except BaseException:  # a copy must not run the code of its original
        if forks.pipe is None:
            raise
        answer = {"error": traceback.format_exc()}
    if forks.pipe is not None:
        _end(forks.pipe, answer)
    return forks.results


class _Forks:
    """Copies the process when the step is reached. In a copy, `pipe` is set."""

    def __init__(self, runner: Runner, step: int, changes: Sequence[Change], jobs: int) -> None:
        self.pipe: int | None = None
        self.results: list[object] = []
        self._runner, self._step, self._changes, self._jobs = runner, step, changes, jobs

    def look(self, simulation: Simulation) -> None:
        """Copy the process at the step; the copies go on, the original ends its run."""
        if simulation.steps != self._step or self.pipe is not None or self.results:
            return
        results: dict[int, object] = {}
        running: dict[int, _Branch] = {}
        for number, change in enumerate(self._changes):
            if self._fork(number, running):
                change(simulation)
                return
            while len(running) == self._jobs:
                self._collect(running, results)
        while running:
            self._collect(running, results)
        self.results = [results[number] for number in range(len(self._changes))]
        self._runner.end(0, "the run continues in branches")

    def _fork(self, number: int, running: dict[int, _Branch]) -> bool:
        """Return True in the copy."""
        sys.stdout.flush()
        sys.stderr.flush()
        end, other = os.pipe()
        process = os.fork()
        if process == 0:
            self.pipe = other
            return True
        os.close(other)
        running[end] = _Branch(number, process, bytearray())
        return False

    def _collect(self, running: dict[int, _Branch], results: dict[int, object]) -> None:
        """Wait for something of the branches."""
        for end in readable(list(running)):
            chunk = os.read(end, CHUNK)
            running[end].received.extend(chunk)
            if not chunk:
                branch = running.pop(end)
                os.close(end)
                results[branch.number] = _result(branch)


def _end(pipe: int, answer: dict[str, object]) -> None:
    with os.fdopen(pipe, "w") as file:
        json.dump(answer, file)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # what the original cleans up at its end stays


def _result(branch: _Branch) -> object:
    _, status = os.waitpid(branch.process, 0)
    if not branch.received:
        raise BranchError(f"branch {branch.number} ended without a result, status {status}")
    answer = json.loads(branch.received)
    if "error" in answer:
        raise BranchError(f"branch {branch.number} has failed:\n{answer['error']}")
    return answer["result"]
