"""Importing the client costs little, and loads nothing heavy."""

import resource
import subprocess
import sys

from tests.project.files import CHECKOUT

CLIENT = "from controller import Robot, Motor, DistanceSensor, PositionSensor, LED"
HEAVY = ("numpy", "socket", "json", "subprocess", "asyncio", "dataclasses", "hal.catalogue", "wbcore")
FACTOR = 6.0
"""Start of Python with the client against a bare start: importing takes 60 ms where a bare start takes 12."""


def seconds(code: str) -> float:
    """Processor time of a program, the best of several runs: what else the machine does counts little."""

    def used() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    def once() -> float:
        begin = used()
        subprocess.run([sys.executable, "-c", code], cwd=CHECKOUT, check=True)
        return used() - begin

    once()
    return min(once() for _ in range(7))


def test_the_client_starts_fast():
    assert seconds(CLIENT) <= FACTOR * seconds("pass")


def test_the_client_loads_nothing_heavy():
    code = f"import sys; before = set(sys.modules); {CLIENT}; print(*(set(sys.modules) - before))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=CHECKOUT, check=True, capture_output=True, text=True
    )
    loaded = done.stdout.split()
    assert "hal.controller.robot" in loaded
    assert [name for name in HEAVY if name in loaded] == []
