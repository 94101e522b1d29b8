"""Simulated robots over the robot link: time, sampling, commands, stopping."""

from __future__ import annotations

import logging
import math
import threading
from collections.abc import Callable

import pytest

from tests.bridge.conftest import HEAD, PATIENCE, ROVER, TALKER, Serving
from tests.waiting import wait_for
from wbridge.hal.link.errors import ConnectionLost, RobotBusy
from wbridge.hal.link.master import Master
from wbridge.hal.link.messages import LEAVE, VERSION, Hello, Request, encode
from wbridge.hal.link.values import Packet
from wbridge.wbcore.bridge.bridge import Bridge
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.simulation import Simulation

MOTOR, ENCODER, LED, GPS, EAR = 1, 2, 3, 4, 5
Serve = Callable[..., Serving]


def command(master: Master, tag: int, channel: str, value: object) -> None:
    found = master.numbering.channel(tag, channel)
    assert found is not None
    master.set(found, value)


def sample(master: Master, tag: int, function: str, period: int) -> None:
    slot = master.numbering.slot(tag, function)
    assert slot is not None
    master.set_period(slot, period)


def step(master: Master, elapsed: int) -> dict[str, object]:
    """A step; what came, by the labels of channels."""
    found = master.step(elapsed, PATIENCE)
    assert found is not None
    return {channel.label: value for channel, value in found.values}


def spin(master: Master, velocity: float) -> None:
    command(master, MOTOR, "position", math.inf)
    command(master, MOTOR, "velocity", velocity)


def test_time_passes_in_steps_only(serve: Serve):
    serving = serve()
    master = serving.drive()
    assert master.welcome is not None
    assert master.welcome.flags == 1
    assert [master.step(32, PATIENCE).time for _ in range(3)] == [32, 64, 96]  # type: ignore[union-attr]
    assert serving.simulation.time_ms == 96


def test_a_controller_over_the_link_makes_the_same_simulation_as_one_inside(serve: Serve):
    serving = serve()
    master = serving.drive()
    plain = Simulation(load_text(HEAD + ROVER))
    motor = plain.robots.find("rover").devices[MOTOR - 1]  # type: ignore[union-attr]
    sample(master, ENCODER, "wb_position_sensor_enable", 8)
    motor.on_set_position(math.inf)
    command(master, MOTOR, "position", math.inf)
    for k in range(50):
        command(master, MOTOR, "velocity", k / 10)
        motor.on_set_velocity(k / 10)
        seen = step(master, 16)
        plain.step(2)
    assert seen["encoder.position"] == motor.engine.position
    assert serving.simulation.hash() == plain.hash()


def test_sensors_are_sampled_as_in_the_simulation(serve: Serve):
    master = serve().drive()
    sample(master, GPS, "wb_gps_enable", 24)
    came = [sorted(step(master, 16)) for _ in range(6)]
    labels = ["gps.position", "gps.speed", "gps.velocity"]
    assert came == [[], labels, labels, [], labels, labels]  # 24 ms after 0, 24, 48, 72 and 96


def test_a_robot_that_loses_its_controller_stands_still(serve: Serve):
    serving = serve()
    master = serving.drive()
    spin(master, 5.0)
    for _ in range(20):
        step(master, 16)
    motor = serving.simulation.robots.find("rover").devices[MOTOR - 1].engine  # type: ignore[union-attr]
    assert motor.current_velocity == 5.0
    master.leave(PATIENCE)
    assert motor.target_position == motor.position
    assert motor.target_velocity == 20.0  # full speed again: the next controller begins with nothing


def test_silence_ends_the_session(serve: Serve):
    serving = serve()
    master = serving.drive(watchdog=20)
    spin(master, 5.0)
    step(master, 16)
    wait_for(lambda: not serving.bridge.robots[0].is_driven)
    motor = serving.simulation.robots.find("rover").devices[MOTOR - 1].engine  # type: ignore[union-attr]
    assert not math.isinf(motor.target_position)


def test_a_second_controller_is_refused(serve: Serve):
    serving = serve()
    serving.drive()
    with pytest.raises(RobotBusy):
        serving.drive()


def test_commands_and_readings_can_be_recorded(serve: Serve):
    serving = serve()
    heard = []
    robot = serving.simulation.robots.find("rover")
    assert robot is not None
    robot.observer = lambda tag, name, values: heard.append((tag, name, values))
    master = serving.drive()
    command(master, LED, "value", 3)
    sample(master, GPS, "wb_gps_enable", 8)
    step(master, 8)
    assert (LED, "set", (3,)) in heard
    assert (GPS, "values") in [(tag, name) for tag, name, _ in heard]


def test_several_robots_go_together_and_hear_each_other(serve: Serve):
    urls = {"rover": ["tcp://127.0.0.1"], "talker": ["tcp://127.0.0.1"]}
    serving = serve(ROVER + TALKER, urls)
    rover = serving.drive(0)
    sample(rover, EAR, "wb_receiver_enable", 8)
    assert rover.step(8, 0.05) is None  # time begins when each robot has a controller
    assert serving.simulation.time_ms == 0
    talker = serving.drive(1)
    voice = talker.numbering.channel(1, "packets")
    assert voice is not None
    talker.set(voice, [Packet(0, b"hello")])
    other = threading.Thread(target=step, args=(talker, 32))
    other.start()
    heard = [step(rover, 8).get("ear.packets"), step(rover, 16).get("ear.packets")]
    other.join()
    assert [packets[0].data for packets in heard if packets] == [b"hello"]  # type: ignore[index]


def test_in_real_time_the_robot_answers_at_once(serve: Serve):
    serving = serve(speed=1.0)
    master = serving.drive()
    assert master.welcome is not None
    assert master.welcome.flags == 0
    sample(master, ENCODER, "wb_position_sensor_enable", 8)
    step(master, 1000)
    wait_for(lambda: bool(step(master, 0)))


def test_an_unknown_robot_is_refused():
    with pytest.raises(KeyError):
        Bridge(Simulation(load_text(HEAD + ROVER)), {"absent": ["tcp://127.0.0.1"]})


def test_a_wire_that_is_taken_ends_what_was_begun(serve: Serve):
    taken = serve().bridge.robots[0].urls[0]
    with pytest.raises(ConnectionLost):
        Bridge(Simulation(load_text(HEAD + ROVER)), {"rover": ["tcp://127.0.0.1", taken]})


def test_a_controller_that_comes_and_leaves_at_once_has_been_there(caplog: pytest.LogCaptureFixture):
    """Between two looks of the bridge: the other robots' controllers wait for each robot's first one."""
    caplog.set_level(logging.INFO)
    with Bridge(Simulation(load_text(HEAD + ROVER)), {"rover": ["pty://"]}) as bridge:
        (robot,) = bridge.robots
        slave = robot.server.slave
        hello = Hello(VERSION, 7, 1, 500, slave.numbering.hash, "quick")
        assert slave.receive(encode(hello), 0.0)
        assert slave.receive(encode(Request(LEAVE, 7, 1, 0, 500, b"")), 1.0)
        assert not robot.is_driven
        bridge.listen(0.0)
        assert robot.has_begun
    said = [one.partition(": ")[2] for one in caplog.messages]
    assert said == ["a controller drives it", "its controller has left; its motors are stopped"]
