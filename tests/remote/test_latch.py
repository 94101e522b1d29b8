"""The option `latch` of robots with protocols of their own: after an outage they stay stopped until the
controller calls setMode again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hal.link.broker import free_port
from tests.remote import test_firmata
from tests.remote.emulated import REMOTE, controlled, serving, until
from tests.remote.test_faults_of_robots import speed_of
from tests.remote.test_switched_off import LEFT, PEERS, Switch
from tests.waiting import wait_for
from wbridge.hal import api
from wbridge.remote_controls.common import byte_stream_plugin as frame
from wbridge.remote_controls.emulators import emulator, emulators
from wbridge.remote_controls.emulators.base import EmulatedRobot
from wbridge.remote_controls.wiring.parts import led, pwm, servo

STEP, STEPS = 16, 20
STAYS = "the robot has stopped; it stays stopped until setMode(2, ...) is called again"


@pytest.fixture(params=emulators())
def name(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A plugin, with a controller that turns the left wheel or motor as soon as there is a robot."""
    (tmp_path / "rover.pins.toml").write_text(test_firmata.PINS)
    with controlled(PEERS[request.param](), request.param, tmp_path / "rover.wbt"):
        motor = api.wb_robot_get_device(LEFT[request.param])
        api.wb_motor_set_position(motor, float("inf"))
        api.wb_motor_set_velocity(motor, 3.0)
        yield request.param


def connect(url: str, robot: EmulatedRobot, name: str) -> None:
    """Drive the robot."""
    api.wb_robot_set_mode(REMOTE, url)
    assert api.wb_robot_get_mode() == REMOTE
    until(lambda: speed_of(robot, name), STEP)


def stays_and_resumes(url: str, robot: EmulatedRobot, name: str) -> None:
    """Commands do not move the robot, until the controller calls setMode with the same URL."""
    motor = api.wb_robot_get_device(LEFT[name])
    for k in range(STEPS):
        api.wb_motor_set_velocity(motor, 2.0 + k / STEPS)
        api.wb_robot_step(STEP)
        assert not speed_of(robot, name)
    api.wb_robot_set_mode(REMOTE, url)
    until(lambda: speed_of(robot, name), STEP)


@pytest.mark.parametrize("wire", ["pty", "tcp"])
def test_a_robot_stays_stopped_after_its_line_was_interrupted(
    name: str, wire: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    place = f"pty://{tmp_path}/port" if wire == "pty" else f"tcp://127.0.0.1:{free_port()}"
    url = (f"serial://{tmp_path}/port" if wire == "pty" else place) + "?latch=1"
    first, second = emulator(name), emulator(name)
    with serving(first, place):
        connect(url, first, name)
    said = capsys.readouterr().err
    with serving(second, place):
        until(lambda: STAYS in _heard(capsys), STEP)
        assert STAYS not in said
        stays_and_resumes(url, second, name)
        assert STAYS not in capsys.readouterr().err


def test_a_robot_stays_stopped_after_it_was_silent(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(frame, "SILENCE", 0.3)
    switch = Switch(name)
    with serving(switch) as served:
        url = f"{served.url}?latch=1&patience=60&watchdog=300"
        connect(url, switch.robot, name)
        switch.on = False
        until(lambda: STAYS in _heard(capsys), STEP)
        switch.turn_on()
        until(lambda: "the robot answers again" in _heard(capsys), STEP)
        stays_and_resumes(url, switch.robot, name)


def test_a_robot_stays_stopped_after_its_controller_hung(name: str, capsys: pytest.CaptureFixture[str]):
    robot = emulator(name)
    with serving(robot) as served:
        url = f"{served.url}?latch=1&watchdog=100"
        connect(url, robot, name)
        wait_for(lambda: not speed_of(robot, name))  # no step is made meanwhile
        heard: list[str] = []
        # The robot is stopped before anything is printed.
        wait_for(lambda: heard.append(capsys.readouterr().err) or STAYS in "".join(heard))
        stays_and_resumes(url, robot, name)


@pytest.mark.parametrize("value", ["2", "yes"])
def test_another_value_is_refused(name: str, value: str, capsys: pytest.CaptureFixture[str]):
    api.wb_robot_set_mode(REMOTE, f"tcp://127.0.0.1:9?latch={value}")
    assert api.wb_robot_get_mode() != REMOTE
    assert f'option latch is "{value}": expected 0 or 1' in capsys.readouterr().err


def _heard(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().err


def test_lights_go_on_and_servos_hold_while_motors_rest():
    """Judged by the documentation of the option, for the ways of wiring of the plugin firmata."""
    arm = servo.Wiring({"servo": "D9", "low": 0.0, "high": 3.0})
    lamp = led.Wiring({"led": "D13", "invert": False})
    wheel, dimmed = (
        pwm.Wiring({"pwm": pin, "forward": None, "backward": None, "max_velocity": 10.0, "invert": False})
        for pin in ("D5", "D6")
    )
    arm.set_position(1.0)
    lamp.set_light(1)
    dimmed.set_light(128)
    wheel.set_position(float("inf"))
    wheel.set_velocity(5.0)
    assert wheel.outputs() == {"D5": 128} and arm.outputs() == {"D9": 60}
    assert [one.resting() for one in (arm, lamp, wheel, dimmed)] == [{}, {"D13": 1}, {"D5": 0}, {"D6": 128}]
