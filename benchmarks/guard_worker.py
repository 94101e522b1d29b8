"""A controller on an emulated robot with the plugin in its own process, as a yardstick.

    python -m benchmarks.guard_worker PLUGIN URL

Each line on stdin is a turn; its answer on stdout is that of `benchmarks.guard_controller.latency`.
"""

from __future__ import annotations

import math
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from benchmarks.guard_controller import STEP, WARM, latency
from benchmarks.guard_robots import MOTORS, PINS, SENSORS
from tests.remote.between import Between
from wbridge.hal import api
from wbridge.hal.client import session
from wbridge.hal.protocol.loopback import Loopback, Peer

REMOTE = 2
MOTOR, SENSOR = 1, 2
"""Tags."""


def step() -> None:
    """Let a step pass.

    Raises:
        SystemExit: the robot was lost.
    """
    api.wb_robot_step(STEP)
    if api.wb_robot_get_mode() != REMOTE:
        raise SystemExit("the robot was lost")


def main(arguments: Sequence[str]) -> None:
    """Serve turns until stdin ends."""
    plugin, url = arguments
    set_speed = partial(api.wb_motor_set_velocity, MOTOR)

    def read() -> float:
        return api.wb_distance_sensor_get_value(SENSOR) - SENSORS[plugin].middle

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
            for _ in range(WARM):
                step()
            for _ in sys.stdin:
                print(latency(set_speed, read, step), flush=True)
        finally:
            session.cleanup()


if __name__ == "__main__":
    main(sys.argv[1:])
