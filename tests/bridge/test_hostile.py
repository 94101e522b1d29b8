"""Whatever a controller at the wire says, the simulation goes on."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.remote.test_host import make_world
from wbridge.hal.link.numbering import LinkChannel
from wbridge.hal.link.values import Packet
from wbridge.wbcore.bridge.simulated_robot import SimulatedRobot
from wbridge.wbcore.simulation import Simulation

REALS = (0.0, -1.0, 1e-300, 1e308, -1e308, math.inf, -math.inf)
INTEGERS = (0, -1, 1, 7, 2**31 - 1, -(2**31))
VALUES: dict[str, tuple[Any, ...]] = {
    "bool": (True, False),
    "i32": INTEGERS,
    "f64": REALS,
    "text": ("", "a" * 1000, "\u20ac\0"),
    "bytes": (b"", b"\0" * 1000),
    "packets": ([], [Packet(channel, b"x" * 10) for channel in INTEGERS], [Packet(0, b"x" * 10_000)]),
    "commands": ([(0, b"")], [(255, b"\xff" * 9)]),
}


@pytest.fixture(scope="module")
def simulation() -> Simulation:
    return Simulation(make_world())


def _values(channel: LinkChannel) -> list[Any]:
    """Extreme values of a channel's type and length."""
    one = VALUES[channel.type]
    if channel.single or channel.type in ("packets", "commands", "text", "bytes"):
        return list(one)
    return [[value] * (channel.elements or 3) for value in one]


def test_extreme_values_harm_nothing(simulation: Simulation):
    robot = next(iter(simulation.robots))
    side = SimulatedRobot(robot, waits=False)
    for channel in side.numbering.channels:
        for value in _values(channel) if channel.direction == "act" else ():
            side.set(channel, value)
    for slot in side.numbering.slots:
        for period in (65535, 0, 1):
            side.set_period(slot, period)
    for _ in range(20):
        simulation.step()
        robot.sample(simulation.time_ms)
        assert all(channel.direction == "sense" for channel, _ in side.events())
    side.stop()
    simulation.step()


def test_after_a_stop_nothing_is_left_of_the_commands(simulation: Simulation):
    robot = next(iter(simulation.robots))
    side = SimulatedRobot(robot, waits=False)
    side.stop()
    for channel in side.numbering.channels:
        if channel.name == "controlPID":
            motor = robot.devices[channel.tag - 1]
            assert motor.engine.pid == tuple(motor.entry.constants["controlPID"])  # type: ignore[attr-defined]
            assert motor.engine.target_velocity == motor.entry.constants["maxVelocity"]  # type: ignore[attr-defined]
