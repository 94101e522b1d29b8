"""Software robots that answer byte by byte like the real ones; each file here is a robot of the same name.

A module has the class `Emulator`, which derives from `wbridge.remote_controls.emulators.base.EmulatedRobot`.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from wbridge.remote_controls.emulators.base import EmulatedRobot

__all__ = ["EmulatedRobot", "emulator", "emulators"]

HELPERS = ("base", "drive", "emulator_server")
"""Files here that are not robots."""


def emulators() -> list[str]:
    """Return the names of all emulated robots."""
    files = {file.stem for file in Path(__file__).parent.glob("[!_]*.py")}
    return sorted(files - set(HELPERS))


def emulator(name: str) -> EmulatedRobot:
    """Return a new robot.

    Raises:
        KeyError: the name is unknown.
    """
    if name not in emulators():
        raise KeyError(name)
    robot: EmulatedRobot = import_module(f"{__name__}.{name}").Emulator()
    return robot
