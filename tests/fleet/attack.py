"""A submission that attacks, and what fair ones consist of."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["ALL", "DRIVE", "FAIR", "START", "Attack"]

START = """\
import ctypes, os, pathlib, signal, socket, subprocess, sys, time
from controller import Robot

def refused(harm):
    try:
        result = harm()
    except Exception:
        return
    raise AssertionError(f"escaped: {result!r:.80}")

robot = Robot()
step = int(robot.getBasicTimeStep())
motor = robot.getDevice("drive")
motor.setPosition(float("inf"))
motor.setVelocity(0.5)
libc = ctypes.CDLL(None, use_errno=True)

def call(name, *arguments):
    result = getattr(libc, name)(*arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), name)
    return result
"""
DRIVE = "\nwhile robot.step(step) != -1:\n    pass\n"
FAIR = START + DRIVE
ALL = 5
"""Points of a program that drives as wanted."""


class Attack(NamedTuple):
    """A submission that attacks. In its programs, names between @ stand for places of the class."""

    name: str
    tries: str
    program: str
    """What it does after START and before DRIVE; with its own start if it has `from controller`."""
    points: int = ALL
    """Those that it gets: all if the attack is in vain."""
    note: str = ""
    """A part of why it gets less."""
    is_whole: bool = False
    """The program has its own start and end."""
    files: dict[str, str] = {}
    """Files beside the program."""

    is_packed: bool = False
    """It is a ZIP archive."""

    @property
    def shown(self) -> str:
        """Its name in reports."""
        return (
            self.name.encode("utf-8", "surrogateescape")
            .decode("utf-8", "backslashreplace")
            .translate({27: "\\x1b", 7: "\\x07"})
        )

    @property
    def text(self) -> str:
        """The whole program."""
        return self.program if self.is_whole else START + self.program + DRIVE
