"""A controller on an emulated robot, which measures how long a command takes to show in a reading.

    python -m benchmarks.guard_worker PLUGIN URL

Each line on stdin is a turn; its answer on stdout is the median of many commands, in s.
"""

from __future__ import annotations

import math
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks.guard_robots import MOTORS, PINS, SENSORS
from hal import api
from hal.modes import session
from hal.protocol.loopback import Loopback, Peer

STEP = 16
COMMANDS = 12
REMOTE = 2
SPEEDS = (1.0, 2.0)
"""Each command differs from the one before, also from that of the turn before."""


def latency(motor: int, sensor: int) -> float:
    """Median time in s from a new velocity until a reading shows it."""
    times = []
    for k in range(COMMANDS):
        before = api.wb_distance_sensor_get_value(sensor)
        api.wb_motor_set_velocity(motor, SPEEDS[k % len(SPEEDS)])
        start = time.perf_counter()
        while api.wb_distance_sensor_get_value(sensor) == before:
            api.wb_robot_step(STEP)
            if api.wb_robot_get_mode() != REMOTE:
                raise SystemExit("the robot was lost")
        times.append(time.perf_counter() - start)
    return median(times)


def main(arguments: Sequence[str]) -> None:
    """Serve turns until stdin ends."""
    plugin, url = arguments
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "rover.pins.toml").write_text(PINS)
        peers = [Peer("RotationalMotor", MOTORS[plugin], {"max_velocity": 10.0})]
        loopback = Loopback([*peers, Peer("DistanceSensor", SENSORS[plugin].device)])
        world = str(Path(folder) / "rover.wbt")
        loopback.info = loopback.info._replace(remote_library=plugin, world_path=world)
        session.attach(loopback)
        try:
            api.wb_distance_sensor_enable(2, STEP)
            api.wb_robot_set_mode(REMOTE, url)
            api.wb_motor_set_position(1, math.inf)
            for _ in range(10):
                api.wb_robot_step(STEP)
            for _ in sys.stdin:
                print(latency(1, 2), flush=True)
        finally:
            session.cleanup()


if __name__ == "__main__":
    main(sys.argv[1:])
