"""The plugin on the page works, and so does the robot that stands in for one."""

import re
from collections.abc import Callable
from types import SimpleNamespace

import pytest

import controller
from tests.hal.link.conftest import ROVER
from tests.project.files import CHECKOUT
from tests.remote.between import Between
from wbridge.hal import api
from wbridge.hal.link.server import Server
from wbridge.hal.protocol.loopback import Loopback, Peer
from wbridge.hal.remote import RemoteControl, RemoteRobot

PAGE = (CHECKOUT / "docs" / "remote-control.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def test_the_plugin_of_the_page(attach: Callable[[Loopback], Between]):
    (code,) = (one for one in BLOCKS if "class Plugin" in one)
    speeds: list[float] = []
    port = SimpleNamespace(
        broken=False, speed=speeds.append, distance=lambda: 7.0, wait=lambda ms: 3, close=lambda: None
    )
    names = {"open_my_robot": lambda arg: port}
    exec(code, names)  # the page's own text
    plugin = names["Plugin"]()
    assert isinstance(plugin, RemoteControl)
    robot = attach(
        Loopback([Peer("RotationalMotor", "motor", {"max_velocity": 9.0}), Peer("DistanceSensor", "ds")])
    )
    robot.drive(plugin, RemoteRobot(robot.robot))
    api.wb_distance_sensor_enable(2, 32)
    api.wb_motor_set_velocity(1, 4.0)
    assert api.wb_robot_step(32) == 3
    assert (speeds, api.wb_distance_sensor_get_value(2)) == ([4.0], 7.0)
    api.wb_robot_set_mode(0, "")
    assert speeds == [4.0, 0]


def test_the_robot_of_the_page_serves(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    (code,) = (one for one in BLOCKS if "RecordingRobot" in one)
    polled: list[Server] = []

    def poll(server: Server, timeout: float) -> None:
        polled.append(server)
        raise KeyboardInterrupt

    monkeypatch.setattr(Server, "poll", poll)
    with pytest.raises(KeyboardInterrupt):
        exec(code, {"table": ROVER})  # the page's own text
    assert re.match(r"serial:///dev/pts/\d+\n", capsys.readouterr().out)
    polled[0].close()


def test_the_call_of_the_page_is_one_of_the_api():
    assert "robot.setMode(2," in BLOCKS[0]
    assert hasattr(controller.Robot, "setMode")
