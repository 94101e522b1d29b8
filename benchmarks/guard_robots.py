"""Emulated robots whose first sensor shows the speed of their left wheel, on a wire in another process.

    python -m benchmarks.guard_robots PLUGIN URL

The first line on stdout is the robot's URL; the end of stdin ends it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NamedTuple

from wbridge.hal.ready import readable
from wbridge.remote_controls.emulators import emulator
from wbridge.remote_controls.emulators.emulator_server import EmulatorServer

__all__ = ["MOTORS", "PINS", "SENSORS"]


class ShownSpeed(NamedTuple):
    """How a robot shows the speed of its left wheel."""

    device: str
    setting: str
    """Of the emulator."""
    state: str
    """Of the wheel."""
    scale: float
    """From the state to the setting, so that two commands differ by more than a tolerance."""
    middle: float
    """Between the readings at 1 and 2 rad/s."""


SENSORS = {
    "epuck": ShownSpeed("ps0", "ps0", "left", 300.0, 450.0),
    "create2": ShownSpeed("cliff_left", "cliff_left_signal", "left", 300.0, 450.0),
    "firmata": ShownSpeed("ds", "A0", "D5", 4.0, 154.0),
}
MOTORS = {"epuck": "left wheel motor", "create2": "left wheel motor", "firmata": "left motor"}
PINS = """
sampling = 4
[devices."left motor"]
pwm = 5
forward = 4
backward = 7
[devices.ds]
analog = "A0"
"""


def main(arguments: Sequence[str]) -> None:
    """Serve a robot."""
    name, url = arguments
    robot, shown = emulator(name), SENSORS[name]
    receive = robot.receive

    def show(data: bytes) -> bytes:
        answer = receive(data)
        robot.set(shown.setting, round(shown.scale * abs(robot.state().get(shown.state, 0.0))))
        return answer

    robot.receive = show  # type: ignore[method-assign]
    server = EmulatorServer(url, robot)
    print(server.url, flush=True)
    while not readable([sys.stdin], 0.0):
        server.poll(0.001)
    server.close()


if __name__ == "__main__":
    main(sys.argv[1:])
