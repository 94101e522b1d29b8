"""What a test of a device needs: the robot, the user, and the corrections it finds."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from wbridge.hal.table import DeviceEntry
from wbridge.wbfirmware.bringup.robot import TestedRobot
from wbridge.wbfirmware.map.hardware import Hardware, Wiring

PASSED, CORRECTED, FAILED, SKIPPED = "passed", "corrected", "failed", "skipped"
SETTLING = 0.2
"""s for a sensor to show a new value."""
YES = {"y": "yes", "n": "no"}


class Skipped(Exception):
    """Raised when the user skips a device."""


class Dialog(Protocol):
    """The user at a terminal. While it waits, the robot goes on."""

    def say(self, text: str) -> None:
        """Print a line."""

    def ask(self, text: str, answers: Mapping[str, str], live: Callable[[], str] | None = None) -> str:
        """Return the key of an answer.

        Raises:
            Skipped: the user skips the device.
        """

    def number(self, text: str, live: Callable[[], str] | None = None) -> float | None:
        """Return a number; None if the user enters nothing.

        Raises:
            Skipped: the user skips the device.
        """


class DeviceTest:
    """The test of one device."""

    def __init__(
        self,
        hardware: Hardware,
        wiring: Wiring,
        robot: TestedRobot,
        dialog: Dialog,
        factors: dict[str, float],
    ) -> None:
        self.hardware, self.wiring, self.robot, self.dialog = hardware, wiring, robot, dialog
        self.changes: dict[tuple[str, ...], Any] = {}
        """New values of the hardware map by their keys."""
        self.factors = factors
        """True readings of encoders divided by those of the firmware on the board, by device."""
        self.why = ""
        """Why it failed."""

    @property
    def device(self) -> DeviceEntry:
        """Return the device."""
        return self.wiring.device

    @property
    def unit(self) -> str:
        """Return the unit of positions: m for linear devices, otherwise rad."""
        return "m" if self.device.constants.get("type") == "linear" else "rad"

    def value(self, parameter: str) -> Any:
        """Return a parameter of the driver."""
        return self.wiring.values[parameter]

    def reading(self, channel: str) -> Any:
        """Return the last value of a channel."""
        return self.robot.reading(self.device, channel)

    def yes(self, text: str, live: Callable[[], str] | None = None) -> bool:
        """Ask a question."""
        return self.dialog.ask(text, YES, live) == "y"

    def change(self, parameter: str, value: object, wiring: Wiring | None = None) -> None:
        """Correct a parameter in the hardware map, by default of this device."""
        keys = (*(wiring or self.wiring).keys, parameter)
        self.changes[keys] = value

    def swap(self, first: str, other: str, wiring: Wiring | None = None) -> None:
        """Exchange two parameters in the hardware map."""
        values = (wiring or self.wiring).values
        self.change(first, values[other], wiring)
        self.change(other, values[first], wiring)

    def failed(self, why: str) -> str:
        """Return the result of a device that does not work."""
        self.why = why
        return FAILED

    def done(self) -> str:
        """Return the result of a device that works, perhaps after corrections."""
        return CORRECTED if self.changes else PASSED

    def mean(self, channel: str, seconds: float = 0.6) -> float | None:
        """Return the mean of a reading, after a moment to settle; None if there is none."""
        self.robot.run(SETTLING)
        readings, end = [], time.monotonic() + seconds
        while time.monotonic() < end:
            self.robot.step()
            if (value := self.reading(channel)) is not None:
                readings.append(float(value))
        return sum(readings) / len(readings) if readings else None
