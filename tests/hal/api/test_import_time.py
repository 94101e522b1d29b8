"""Importing the client costs little, and loads nothing heavy."""

import os
import subprocess
import sys
from pathlib import Path

from tests.project.files import CHECKOUT

if sys.platform != "win32":
    import resource

CLIENT = "from controller import Robot, Motor, DistanceSensor, PositionSensor, LED"
HEAVY = (
    "typing",
    "numpy",
    "socket",
    "json",
    "subprocess",
    "asyncio",
    "dataclasses",
    "wbridge.hal.catalogue",
    "wbridge.wbcore",
)
FACTOR = 5.0
"""Start of Python with the client against a bare start: importing takes 30 ms where a bare start takes 13."""
ROUNDS = 9


def seconds(code: str, compiled: Path) -> float:
    """Processor time of a program whose modules are compiled once, into a folder, as an installed one."""

    def used() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    begin = used()
    subprocess.run(
        [sys.executable, "-c", code],
        cwd=CHECKOUT,
        check=True,
        env={**kept, "PYTHONPYCACHEPREFIX": str(compiled)},
    )
    return used() - begin


def test_the_client_starts_fast(tmp_path):
    seconds(CLIENT, tmp_path)
    rounds = [(seconds("pass", tmp_path), seconds(CLIENT, tmp_path)) for _ in range(ROUNDS)]
    bare, client = (min(column) for column in zip(*rounds, strict=True))
    assert client <= FACTOR * bare


def test_the_client_loads_nothing_heavy():
    code = f"import sys; before = set(sys.modules); {CLIENT}; print(*(set(sys.modules) - before))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=CHECKOUT, check=True, capture_output=True, text=True
    )
    loaded = done.stdout.split()
    assert "wbridge.hal.controller.robot" in loaded
    assert [name for name in HEAVY if name in loaded] == []
