"""A controller that measures how long a command takes to show in a reading; a program of `wbridge remote`.

Arguments: PLUGIN TURNS ANSWERS. Each line of the pipe TURNS is a turn; its answer in the pipe ANSWERS is the
mean of many commands, in s: steps and what a robot sends by itself have periods of their own, so that single
times differ.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Sequence
from statistics import mean

from benchmarks.guard_robots import MOTORS, SENSORS
from controller import Robot

__all__ = ["STEP", "latency", "main"]

STEP = 32
WARM = 10
COMMANDS = 24
SLOW, FAST = 1.0, 2.0
"""In rad/s."""


def show(
    speed: float, set_speed: Callable[[float], object], read: Callable[[], float], step: Callable[[], None]
) -> float:
    """Turn the motor at a speed; the time in s until a reading shows it: `read` is then above 0, or not."""
    start = time.perf_counter()
    set_speed(speed)
    while (read() > 0) != (speed == FAST):
        step()
    return time.perf_counter() - start


def latency(
    set_speed: Callable[[float], object], read: Callable[[], float], step: Callable[[], None]
) -> float:
    """Mean time in s from a new velocity until a reading shows it."""
    show(FAST, set_speed, read, step)
    return mean(show(FAST if k % 2 else SLOW, set_speed, read, step) for k in range(COMMANDS))


def main(arguments: Sequence[str]) -> None:
    """Take turns until the pipe ends."""
    plugin, turns, answers = arguments
    robot = Robot()
    motor, sensor = robot.getDevice(MOTORS[plugin]), robot.getDevice(SENSORS[plugin].device)
    sensor.enable(STEP)
    motor.setPosition(math.inf)

    def step() -> None:
        if robot.step(STEP) == -1:
            raise SystemExit("the robot was lost")

    def read() -> float:
        value: float = sensor.getValue() - SENSORS[plugin].middle
        return value

    for _ in range(WARM):
        step()
    with open(turns, encoding="ascii") as lines, open(answers, "w", encoding="ascii") as output:
        for _ in lines:
            print(latency(motor.setVelocity, read, step), file=output, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
