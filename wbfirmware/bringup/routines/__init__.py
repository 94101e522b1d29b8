"""Tests of devices: each module is a test that drivers name in their driver.toml (`bring_up`)."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from wbridge.wbfirmware.bringup.device_test import DeviceTest

__all__ = ["Routine", "routine", "routine_names"]


class Routine(Protocol):
    """A test of a kind of devices."""

    ORDER: int
    """Tests with smaller numbers come first: lamps, encoders, motors, other sensors."""

    def run(self, test: DeviceTest) -> str:
        """Return the result: passed, corrected, failed."""


def routine_names() -> list[str]:
    """Return the names of all tests."""
    return sorted(file.stem for file in Path(__file__).parent.glob("[!_]*.py"))


def routine(name: str) -> Routine:
    """Return a test; the name is one of `routine_names()`."""
    return cast(Routine, import_module(f"{__name__}.{name}"))
