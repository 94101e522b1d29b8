"""A robot that is switched off while its cable stays plugged in, and on again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.remote import test_create2, test_epuck, test_firmata
from tests.remote.emulated import REMOTE, controlled, serving, until
from wbridge.hal import api
from wbridge.remote_controls.emulators import emulator, emulators
from wbridge.remote_controls.emulators.base import EmulatedRobot

STEP = 16
PEERS = {"create2": test_create2.peers, "epuck": test_epuck.peers, "firmata": test_firmata.peers}
LEFT = {"create2": "left wheel motor", "epuck": "left wheel motor", "firmata": "left motor"}
GONE = "the robot does not answer: is it switched on?"
BACK = "the robot answers again"


class Switch(EmulatedRobot):
    """A robot with a switch; it is a new one each time that it is switched on."""

    def __init__(self, name: str) -> None:
        super().__init__({})
        self.name, self.robot = name, emulator(name)
        self.on = True

    def turn_on(self) -> None:
        """Begin anew."""
        self.robot, self.on = emulator(self.name), True

    def receive(self, data: bytes) -> bytes:
        """Answer as the robot."""
        return self.robot.receive(data) if self.on else b""

    def pass_time(self, seconds: float) -> bytes:
        """Speak as the robot."""
        return self.robot.pass_time(seconds) if self.on else b""


@pytest.mark.parametrize("name", emulators())
def test_it_is_told_once_and_the_robot_obeys_when_it_is_back(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "rover.pins.toml").write_text(test_firmata.PINS)
    switch, said = Switch(name), ""

    def told(words: str) -> bool:
        nonlocal said
        said += capsys.readouterr().err
        return words in said

    with serving(switch) as served, controlled(PEERS[name](), name, tmp_path / "rover.wbt"):
        api.wb_robot_set_mode(REMOTE, f"{served.url}?patience=60")
        assert api.wb_robot_get_mode() == REMOTE
        motor = api.wb_robot_get_device(LEFT[name])
        api.wb_motor_set_position(motor, float("inf"))
        api.wb_motor_set_velocity(motor, 3.0)
        resting = emulator(name).state()
        until(lambda: switch.robot.state() != resting, STEP)
        switch.on = False
        until(lambda: told(GONE), STEP)
        switch.turn_on()
        until(lambda: told(BACK), STEP)
        until(lambda: switch.robot.state() != resting, STEP)
    assert (said.count(GONE), said.count(BACK)) == (1, 1)
    assert "reconnect" not in said
