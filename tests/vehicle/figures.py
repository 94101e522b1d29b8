"""Figures of a car for tests, and a car whose wheels turn as the test says, without a simulation."""

from __future__ import annotations

import math
from typing import Any

from tests.vehicle.parameters import NUMBERS, Parameters
from wbridge.hal.protocol.loopback import Loopback, Peer

TEXT = "3 1.6 1.5 0.35 0.4 1000 5 C 250 50000 1000 4500 150 0.1 -0.00001 0.25 3000 1200 4 4 -12 10 5 2.5 none"
CAR = Parameters.parse(TEXT)
WHEELS = ("right_front", "left_front", "right_rear", "left_rear")
FRONT, REAR = WHEELS[:2], WHEELS[2:]
LAMPS = (
    "front_lights antifog_lights right_indicators left_indicators rear_lights backwards_lights brake_lights"
)


def text(**changes: object) -> str:
    """The text of the car with other figures, by name."""
    words = TEXT.split()
    for name, value in changes.items():
        words[NUMBERS.index(name)] = str(value)
    return " ".join(words)


def devices(driven: tuple[str, ...] = WHEELS) -> list[Peer]:
    """The devices of a car: motors of the driven wheels, and all that a car needs."""
    limits = {"min_position": -1.0, "max_position": 1.0, "max_velocity": 100.0, "max_force": 1000.0}
    peers = [Peer("RotationalMotor", f"{side}_steer", limits) for side in ("right", "left")]
    peers += [Peer("PositionSensor", f"{side}_steer_sensor") for side in ("right", "left")]
    peers += [Peer("RotationalMotor", f"{wheel}_wheel", limits) for wheel in driven]
    peers += [Peer("PositionSensor", f"{wheel}_sensor") for wheel in WHEELS]
    peers += [Peer("Brake", f"{wheel}_brake") for wheel in WHEELS]
    peers += [Peer("LED", name) for name in LAMPS.split()]
    return [*peers, Peer("Speaker", "engine_speaker")]


def loopback(text: str = TEXT, driven: tuple[str, ...] = WHEELS, **options: Any) -> Loopback:
    """A simulator with a car, whose figures are these."""
    there = Loopback(devices(driven), name="car", **options)
    there.info = there.info._replace(custom_data=text)
    return there


def turn(there: Loopback, *speeds: float) -> list[float]:
    """Let the four wheels turn with these speeds (rad/s) from now on; the returned list changes them."""
    places, rolling = dict.fromkeys(WHEELS, 0.0), [*speeds]

    def pass_on(world: Loopback) -> None:
        for wheel, speed in zip(WHEELS, rolling, strict=True):
            places[wheel] += speed * world.info.basic_time_step / 1000
            world[f"{wheel}_sensor"].send("value", places[wheel])

    there.before_answer = pass_on
    return rolling


def forces(there: Loopback, driven: tuple[str, ...]) -> list[float]:
    """The last torques of the driven wheels, in N m."""
    return [there[f"{wheel}_wheel"].last("set_force")[0] for wheel in driven]


def speeds(there: Loopback, driven: tuple[str, ...]) -> list[float]:
    """The last speeds commanded to the driven wheels, in rad/s."""
    return [there[f"{wheel}_wheel"].last("set_velocity")[0] for wheel in driven]


def distances(angle: float) -> list[float]:
    """The distances of the four wheels from the center of a curve, on the line of the rear axle, in m.

    Jazar, Vehicle Dynamics, chapter Steering Dynamics; the angle is positive to the right.
    """
    center = CAR.wheelbase / math.tan(angle)
    places = ((CAR.wheelbase, CAR.track_front), (0.0, CAR.track_rear))
    return [math.hypot(x, center + side * track / 2) for x, track in places for side in (-1, 1)]
