"""Requests have the bytes and effects of the commands, and answers reach their devices."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from wbridge.hal.client.native import NativeRobot
from wbridge.hal.protocol.loopback import Loopback, Peer
from wbridge.hal.protocol.packet import RequestReader

Attach = Callable[[Loopback], NativeRobot]


def make() -> Loopback:
    """A robot with three motors and two sensors."""
    motors = [Peer("RotationalMotor", f"m{i}", {"max_velocity": 10.0}) for i in range(3)]
    return Loopback([*motors, Peer("PositionSensor", "p"), Peer("Accelerometer", "a")])


class Ear:
    """Keeps the packets of a controller."""

    def __init__(self, world: Loopback) -> None:
        self.packets: list[bytes] = []
        self._send = world.send
        world.send = self.send  # type: ignore[method-assign]

    def send(self, packet: bytes) -> None:
        """Keep a packet and pass it on."""
        self.packets.append(packet)
        self._send(packet)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1)])
def test_requests_keep_their_bytes(attach: Attach, order: tuple[int, ...]):
    world = make()
    ear = Ear(world)
    robot = attach(world)
    for count in range(5):
        for i in order:
            robot.device(i + 1).set_position(0.1 * count + i)
        robot.device(2).set_velocity(3.0)
        robot.step(32)
    for count, packet in enumerate(ear.packets[1:]):
        (request,) = RequestReader().feed(packet)
        assert request.duration == 32
        assert [tag for tag, _ in request.blocks] == [1, 2, 3]
        commands = [[*peer.codec.read_commands(d)] for peer, (_, d) in zip(world.peers, request.blocks)]  # noqa: B905
        assert [[(c.name, *c.values) for c in some] for some in commands] == [
            [("set_position", 0.1 * count)],
            [("set_position", 0.1 * count + 1), ("set_velocity", 3.0)],
            [("set_position", 0.1 * count + 2)],
        ]


def test_what_comes_between_is_said_too(attach: Attach):
    world = make()
    robot = attach(world)
    motor = robot.device(1)
    for count in range(6):
        motor.set_position(count)
        if count == 3:
            motor.set_force(1.0)
            robot.set_custom_data("x")
        robot.step(32 if count < 5 else 64)
    assert world["m0"].last("set_force") == (1.0,)
    assert world.last("set_custom_data") == ("x",)
    positions = [one.values for one in world["m0"].commands if one.name == "set_position"]
    assert positions == [(float(i),) for i in range(6)]
    assert [one.duration for one in world.requests[1:]] == [32] * 5 + [64]


def test_the_newest_value_of_a_step_counts(attach: Attach):
    world = make()
    robot = attach(world)
    for count in range(4):
        robot.device(1).set_position(9.0)
        robot.device(1).set_position(count)
        robot.step(32)
    assert [one.values[0] for one in world["m0"].commands] == [0, 1, 2, 3]


def test_answers_reach_their_devices(attach: Attach):
    world = make()
    robot = attach(world)
    sensor, meter = robot.device(4), robot.device(5)
    sensor.enable(32), meter.enable(32)
    for count in range(9):
        world["p"].send("value", count)
        if count % 4:  # other messages of other sizes
            world["a"].send("values", (count, 1, 2))
        if count == 6:
            world.tell("custom_data", "new")
        robot.step(32)
        assert sensor.get_value() == count
        newest = count if count % 4 else count - 1
        assert count == 0 or list(meter.get_values()) == [newest, 1, 2]
        assert robot.get_time() == pytest.approx(0.032 * (count + 1))
    assert robot.get_custom_data() == "new"


def test_other_messages_of_the_same_size(attach: Attach):
    """Two sensors in turn: their answers are as long as each other."""
    world = Loopback([Peer("PositionSensor", "a"), Peer("PositionSensor", "b")])
    robot = attach(world)
    for sensor in robot.devices[1:]:
        sensor.enable(32)
    seen = []
    for count in range(12):
        world["a" if count % 4 < 2 else "b"].send("value", count)
        robot.step(32)
        seen.append([one.get_value() for one in robot.devices[1:]])
    assert seen[-4:] == [[8, 7], [9, 7], [9, 10], [9, 11]]
