"""Yardsticks: plain work that depends on the machine alone. Each function returns the cost of one turn."""

from __future__ import annotations

import subprocess
import sys
from functools import partial

from benchmarks.case import Cost, seconds_of
from benchmarks.plain import library

__all__ = [
    "C_LOOP", "ECHO", "IMPORT", "PYTHON_CALLS", "PYTHON_MEMORY", "PYTHON_START", "c_loop", "echo",
    "import_seconds", "python_calls", "python_memory", "python_start",
]  # fmt: skip

C_LOOP = "a C loop of 1e8 steps"
ECHO = "an echo of another process"
IMPORT = "import of asyncio"
PYTHON_CALLS = "1,000 calls of a Python function"
PYTHON_MEMORY = "memory of Python"
PYTHON_START = "start of Python"
ECHOES = 100
"""Round trips of a turn."""


def c_loop() -> float:
    """Seconds of a C loop whose steps depend on each other."""
    return float(library().plain_loop(100_000_000))


def echo() -> float:
    """Seconds until 64 bytes have come back from another process on the same processor: the median of
    several."""
    taken = float(library().plain_echo(ECHOES))
    if taken < 0:
        raise OSError("the process that returns messages failed")
    return taken


def _function(x: float, y: float) -> float:
    return x * y + 1.0


def _calls() -> None:
    x = 0.0
    for _ in range(1000):
        x = _function(x, 0.5)


def python_calls() -> float:
    """Seconds of 1,000 calls of a Python function."""
    return _call_turn()


_call_turn: Cost = seconds_of(_calls)
_START = [sys.executable, "-I", "-S", "-c", "pass"]
python_start: Cost = seconds_of(partial(subprocess.run, _START, check=True))
"""Seconds of a process of Python that does nothing: fork, exec, its own modules."""


def import_seconds(
    statement: str, environment: dict[str, str] | None = None, folder: str | None = None
) -> float:
    """Seconds of an import in a new interpreter, without its start."""
    code = f"import time; t = time.perf_counter(); {statement}; print(time.perf_counter() - t)"
    command = [sys.executable, "-c", code]
    return float(subprocess.check_output(command, cwd=folder, env=environment))


def python_memory() -> float:
    """Largest resident memory (MB) of a process of Python that does nothing.

    The peak that the system reports of a process includes the memory of the process that started it: a small
    process starts it.
    """
    return peak_of(_START)


def peak_of(command: list[str], environment: dict[str, str] | None = None) -> float:
    """Largest resident memory (MB) of a process and of those that it starts."""
    code = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True); "
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    starter = [sys.executable, "-S", "-c", code, *command]
    return int(subprocess.check_output(starter, env=environment)) / 1024
