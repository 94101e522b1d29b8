"""The robot under test: commands and readings by the robot link."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any

from wbridge.hal.link.errors import ConnectionLost
from wbridge.hal.link.master import Master
from wbridge.hal.link.pipe import Pipe
from wbridge.hal.table import DeviceEntry, DeviceTable

STEP_MS = 20
ANSWER, SILENCE = 0.25, 3.0
"""s for the answer to a step; s without any answer until the test ends."""
WATCHDOG_MS = 500


class TestedRobot:
    """A robot whose firmware has the flavor slave. It stops when the block ends, however that happens."""

    def __init__(self, table: DeviceTable, open_pipe: Callable[[], Pipe], timeout: float) -> None:
        """
        Args:
            table: the robot's device table.
            open_pipe: opens the link.
            timeout: how long to try to connect, in s.

        Raises:
            LinkError: no robot answers, or it does not accept this side.
        """
        self.time_ms = 0
        """The robot's clock at the last answer."""
        self._values: dict[tuple[int, str], object] = {}
        self._master = Master(table, open_pipe, build="wbridge test", watchdog=WATCHDOG_MS)
        self._master.connect(timeout)
        self._answered = time.monotonic()

    @property
    def build(self) -> str:
        """Return the build that the board reports."""
        return self._master.welcome.build if self._master.welcome else ""

    def step(self) -> None:
        """Exchange commands and readings; takes one step's time.

        Raises:
            LinkError: the robot has not answered for some time.
        """
        start = time.monotonic()
        answer = self._master.step(STEP_MS, ANSWER)
        if answer is not None:
            self._answered, self.time_ms = time.monotonic(), answer.time
            self._values.update({(channel.tag, channel.name): value for channel, value in answer.values})
        elif time.monotonic() - self._answered > SILENCE:
            raise ConnectionLost(f"the robot has not answered for {SILENCE:g} s; is it still connected?")
        time.sleep(max(0.0, start + STEP_MS / 1000 - time.monotonic()))

    def round_trip(self) -> float:
        """Exchange commands and readings at once; return the time that it took, in s."""
        start = time.monotonic()
        self._master.step(STEP_MS, ANSWER)
        return time.monotonic() - start

    def leave(self) -> None:
        """End the session and disconnect: the motors stop."""
        self._master.leave(1.0)
        self._master.close()

    def run(self, seconds: float) -> None:
        """Let time pass.

        Raises:
            LinkError: as `step`.
        """
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.step()

    def set(self, device: DeviceEntry, channel: str, value: object) -> None:
        """Give a command with the next step."""
        found = self._master.numbering.channel(device.tag, channel)
        assert found is not None, "drivers serve existing channels"
        self._master.set(found, value)

    def enable(self, device: DeviceEntry) -> None:
        """Enable the readings of a device."""
        for slot in self._master.numbering.slots:
            if slot.tag == device.tag:
                self._master.set_period(slot, STEP_MS)

    def reading(self, device: DeviceEntry, channel: str) -> Any:
        """Return the last value of a channel; None if there is none."""
        return self._values.get((device.tag, channel))

    def turn(self, device: DeviceEntry, velocity: float) -> None:
        """Let a motor turn at a velocity (rad/s or m/s) with the next steps."""
        self.set(device, "position", math.inf)
        self.set(device, "velocity", velocity)

    def __enter__(self) -> TestedRobot:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop all motors; if the link is lost, the board's watchdog has stopped them."""
        self.leave()
