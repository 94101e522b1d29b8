"""`wbridge remote --windows`: a robot at a wire, driven by its controller, and by a page in its place."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from websockets.sync.client import connect

from tests.bridge.conftest import HEAD, ROVER
from tests.windows.browser import started
from tests.windows.page_messages import differences
from tests.windows.wire import ENCODER, LED, MOTOR, PATIENCE, PERIOD, Looker, WiredRobot
from wbridge.robot_windows.messages import Hello, PageRobot, RobotState, RunState
from wbridge.robot_windows.picture import address_of

CONTROLLER = f"""
from controller import Robot
robot = Robot()
motor, led = robot.getDevice("motor"), robot.getDevice("led")
motor.setPosition(float("inf"))
motor.setVelocity(1.0)
keyboard = robot.getKeyboard()
keyboard.enable({PERIOD})
robot.wwiSendText("ready")
while robot.step({PERIOD}) != -1:
    text = robot.wwiReceiveText()
    if text and text[0].isdigit():
        robot.wwiSendText("got " + text)
        motor.setVelocity(float(text))
    if keyboard.getKey() == ord("L"):
        led.set(1)
"""


@pytest.fixture
def wired() -> Iterator[WiredRobot]:
    with WiredRobot() as robot:
        yield robot


@pytest.fixture
def world(tmp_path: Path) -> Path:
    folder = tmp_path / "controllers" / "drive"
    folder.mkdir(parents=True)
    (folder / "drive.py").write_text(CONTROLLER)
    (tmp_path / "worlds").mkdir()
    file = tmp_path / "worlds" / "rover.wbt"
    file.write_text(HEAD + ROVER.replace('name "rover"', 'name "rover" controller "drive"', 1))
    return file


def _wwi(url: str) -> connect:
    """A window made for Webots."""
    parts = urlsplit(url)
    return connect(f"ws://{parts.netloc}/?{parts.query}", origin=f"http://{parts.netloc}", compression=None)  # type: ignore[arg-type]


def test_a_page_takes_the_robot_and_gives_it_back(wired: WiredRobot, world: Path):
    with started("remote", str(world), "--url", wired.url, "--windows") as on, Looker(on.url) as page:
        assert page.hello["isReal"]
        assert len(page.hello["robots"][0]["shape"]["outline"]) == 2  # from the world
        now = page.until(lambda now: now["acts"][str(MOTOR)]["velocity"] == 1.0)
        assert (now["driver"], now["controller"]) == ("controller", "drive")
        assert differences(Hello, page.hello) + differences(PageRobot, page.hello["robots"][0]) == []
        run = now.pop("run")
        assert differences(RunState, run) + differences(RobotState, now) == []
        page.ask("enable", device=ENCODER, channel="position", period=16)
        assert page.until(lambda now: now["values"])["values"] == {str(ENCODER): {"position": 0.5}}
        page.ask("set", device=MOTOR, channel="velocity", value=5)
        page.heard("take control first")
        page.ask("control", on=True)
        page.until(lambda now: now["driver"] == "window")
        page.ask("set", device=MOTOR, channel="velocity", value=5)
        wired.until(lambda robot: robot.state["motor.velocity"] == 5.0)
        page.ask("stop")
        wired.until(lambda robot: robot.state["motor.velocity"] == 0.0)
        with _wwi(on.url) as window:
            window.send("robot:rover:2.5")
            while window.recv(timeout=PATIENCE) != 'robot: {"message":"got 2.5","name":"rover"}':
                pass
            page.until(lambda now: True)
            assert wired.robot.state["motor.velocity"] == 0.0  # the controller's command waits
            page.ask("control", on=False)
            wired.until(lambda robot: robot.state["motor.velocity"] == 2.5)
            page.until(lambda now: now["driver"] == "controller")


def test_the_controller_drives_again_when_the_page_has_gone(wired: WiredRobot, world: Path):
    with started("remote", str(world), "--url", wired.url, "--windows") as on:
        with Looker(on.url) as page:
            page.until(lambda now: now["acts"][str(MOTOR)]["velocity"] == 1.0)
            page.ask("enable", device=ENCODER, channel="position", period=16)
            page.ask("stop")
            wired.until(lambda robot: robot.state.get("motor.velocity") == 0.0)
        wired.until(lambda robot: robot.state["motor.velocity"] == 1.0)
        wired.until(lambda robot: robot.periods["encoder"] == 0)


def test_what_a_page_has_moved_stands_still_when_the_robot_is_back(wired: WiredRobot, world: Path):
    with started("remote", str(world), "--url", wired.url, "--windows") as on, Looker(on.url) as page:
        page.until(lambda now: now["acts"][str(MOTOR)]["velocity"] == 1.0)
        page.ask("control", on=True)
        page.until(lambda now: now["driver"] == "window")
        page.ask("set", device=MOTOR, channel="velocity", value=5)
        wired.until(lambda robot: robot.state["motor.velocity"] == 5.0)
        wired.hangs.set()
        page.until(lambda now: now["run"]["silent"])
        before = len(wired.robot.commands)
        wired.hangs.clear()
        page.until(lambda now: not now["run"]["silent"])
        page.until(lambda now: now["acts"][str(MOTOR)]["velocity"] == 0.0)
        said = [value for label, value in wired.robot.commands[before:] if label == "motor.velocity"]
        assert said[-1] == 0.0
        assert wired.robot.state["motor.velocity"] == 0.0


def test_messages_and_keys_reach_the_controller(wired: WiredRobot, world: Path):
    with started("remote", str(world), "--url", wired.url, "--windows") as on, Looker(on.url) as page:
        with _wwi(on.url) as window:
            window.send("robot:rover:init robot window")
            assert window.recv(timeout=PATIENCE) == 'robot: {"message":"ready","name":"rover"}'
        page.until(lambda now: now["driver"] == "controller")
        page.tell("key", key="L", down=True, shift=False, control=False, alt=False)
        wired.until(lambda robot: robot.state.get("led.value") == 1)
        state = page.until(lambda now: now["acts"][str(LED)]["value"] == 1)
        assert state["acts"][str(LED)]["color"] == [1, 0, 0]


SHOWER = """
import sys, types
cv2 = sys.modules["cv2"] = types.ModuleType("cv2")
import numpy as np
from controller import Robot
robot = Robot()
picture = np.zeros((2, 3, 3), np.uint8)
picture[..., 2] = 255
while robot.step(8) != -1:
    cv2.imshow("red", picture)
    cv2.waitKey(1)
"""


def test_pictures_of_opencv_reach_pages(wired: WiredRobot, world: Path, monkeypatch: pytest.MonkeyPatch):
    """A controller without a display shows a red picture; each page gets it, also one that comes later."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    (world.parent.parent / "controllers" / "drive" / "drive.py").write_text(SHOWER)
    red = {"shown:red": address_of(3, 2, b"\x00\x00\xff\x00" * 6)}
    with started("remote", str(world), "--url", wired.url, "--windows") as on:
        for _ in range(2):
            with Looker(on.url) as page:
                assert page.until(lambda now: now.get("pictures"))["pictures"] == red
