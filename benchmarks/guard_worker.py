"""A controller on an emulated robot, which measures how long a command takes to show in a reading.

    python -m benchmarks.guard_worker PLUGIN URL

Each line on stdin is a turn; its answer on stdout is the mean of many commands, in s: steps and what a robot
sends by itself have periods of their own, so that single times differ.
"""

from __future__ import annotations

import math
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import mean

from benchmarks.guard_robots import MOTORS, PINS, SENSORS
from tests.remote.between import Between
from wbridge.hal import api
from wbridge.hal.client import session
from wbridge.hal.protocol.loopback import Loopback, Peer

STEP = 32
COMMANDS = 24
REMOTE = 2
MOTOR, SENSOR = 1, 2
"""Tags."""
SLOW, FAST = 1.0, 2.0
"""In rad/s."""


def show(speed: float, middle: float) -> float:
    """Turn the motor at a speed; the time in s until a reading shows it.

    Args:
        speed: `SLOW` or `FAST`.
        middle: between their readings.

    Raises:
        SystemExit: the robot was lost.
    """
    start = time.perf_counter()
    api.wb_motor_set_velocity(MOTOR, speed)
    while (api.wb_distance_sensor_get_value(SENSOR) > middle) != (speed == FAST):
        api.wb_robot_step(STEP)
        if api.wb_robot_get_mode() != REMOTE:
            raise SystemExit("the robot was lost")
    return time.perf_counter() - start


def latency(middle: float) -> float:
    """Mean time in s from a new velocity until a reading shows it."""
    show(FAST, middle)
    return mean(show(FAST if k % 2 else SLOW, middle) for k in range(COMMANDS))


def main(arguments: Sequence[str]) -> None:
    """Serve turns until stdin ends."""
    plugin, url = arguments
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "rover.pins.toml").write_text(PINS)
        peers = [Peer("RotationalMotor", MOTORS[plugin], {"max_velocity": 10.0})]
        loopback = Loopback([*peers, Peer("DistanceSensor", SENSORS[plugin].device)])
        world = str(Path(folder) / "rover.wbt")
        loopback.info = loopback.info._replace(remote_library=plugin, world_path=world)
        Between(loopback)
        try:
            api.wb_distance_sensor_enable(SENSOR, STEP)
            api.wb_robot_set_mode(REMOTE, url)
            api.wb_motor_set_position(MOTOR, math.inf)
            for _ in range(10):
                api.wb_robot_step(STEP)
            for _ in sys.stdin:
                print(latency(SENSORS[plugin].middle), flush=True)
        finally:
            session.cleanup()


if __name__ == "__main__":
    main(sys.argv[1:])
