"""`wbridge window`: a robot at a wire in the browser, with no world and no controller."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.windows.browser import ROOT, started
from tests.windows.wire import ENCODER, MOTOR, Looker, WiredRobot, rover
from wbridge.hal.link.faults import Fault
from wbridge.main import main
from wbridge.wbcore.windows.remote_view import RemoteStep, RemoteView


@pytest.fixture
def wired() -> Iterator[WiredRobot]:
    with WiredRobot() as robot:
        yield robot


def test_sensors_and_motors_of_a_robot_that_tells_its_table(wired: WiredRobot):
    with started("window", wired.url) as on, Looker(on.url) as page:
        robot = page.hello["robots"][0]
        assert (page.hello["isReal"], page.hello["title"], robot["name"]) == (True, "rover", "rover")
        assert [one["name"] for one in robot["table"]["devices"]][:2] == ["motor", "encoder"]
        assert page.until(lambda now: True)["driver"] == "nobody"
        page.ask("enable", device=ENCODER, channel="position", period=24)
        now = page.until(lambda now: now["values"])
        assert now["values"] == {str(ENCODER): {"position": 0.5}}
        assert (now["periods"], now["own"]) == ({str(ENCODER): 24}, [ENCODER])
        assert now["acts"][str(MOTOR)]["at"] == 0.5
        page.ask("set", device=MOTOR, channel="velocity", value=3)
        wired.until(lambda robot: robot.state.get("motor.velocity") == 3.0)
        assert wired.robot.state["motor.position"] == float("inf")
        page.until(lambda now: now["acts"][str(MOTOR)]["velocity"] == 3.0)
        page.ask("stop")
        wired.until(lambda robot: robot.state["motor.velocity"] == 0.0)
        page.ask("enable", device=ENCODER, channel="position", period=0)
        now = page.until(lambda now: not now["periods"] and not now["values"])
        assert now["acts"][str(MOTOR)]["at"] is None  # nobody measures it any more


def test_addresses_as_json(wired: WiredRobot, capfd: pytest.CaptureFixture[str]):
    """Programs that start a page or a bridge read where it is."""
    assert main(["window", wired.url, "--json", "--duration", "0.05"]) == 0
    shown = json.loads(capfd.readouterr().out)
    assert shown["robot"] == "rover"
    assert shown["url"].startswith("http://127.0.0.1:")
    world = str(ROOT / "worlds" / "two_wheels.wbt")
    assert main(["bridge", world, "--json", "--duration", "0.05"]) == 0
    (robot,) = json.loads(capfd.readouterr().out)["robots"]
    assert len(robot["urls"]) == 1
    assert robot["urls"][0].startswith("tcp://127.0.0.1:")


def test_a_sensor_that_is_enabled_again_shows_no_value_of_long_ago():
    robot = RemoteView(rover())
    robot.enable(ENCODER, "position", 8)
    robot.take(RemoteStep(8.0, readings=[(ENCODER, "position", 0.5)]))
    assert robot.values()["values"] == {ENCODER: {"position": 0.5}}
    robot.enable(ENCODER, "position", 16)  # another period is no reason to forget
    assert robot.values()["values"] == {ENCODER: {"position": 0.5}}
    robot.enable(ENCODER, "position", 0)
    robot.take(RemoteStep(8.0))
    robot.enable(ENCODER, "position", 8)
    assert (robot.values()["values"], robot.values()["acts"][MOTOR]["at"]) == ({}, 0.5)
    robot.take(RemoteStep(8.0, readings=[(ENCODER, "position", 2.5)]))
    assert robot.values()["values"] == {ENCODER: {"position": 2.5}}


def test_the_limits_of_a_real_motor_are_kept(wired: WiredRobot):
    with started("window", wired.url) as on, Looker(on.url) as page:
        for channel, value in (("velocity", 20.5), ("force", -11), ("availableForce", 11)):
            page.ask("set", device=MOTOR, channel=channel, value=value)
            page.heard(f'"motor": {channel} {value:g} is out of range; allowed: at most')
        assert wired.robot.state["motor.velocity"] == 0.0
        page.ask("set", device=ENCODER, channel="position", value=1)
        page.heard('"encoder" has no "position" that can be set')
        page.ask("pause")
        page.heard("pause: unknown: robot")


def test_a_robot_that_was_gone_stands_still_when_it_is_back(wired: WiredRobot):
    with started("window", wired.url) as on, Looker(on.url) as page:
        page.ask("set", device=MOTOR, channel="velocity", value=3)
        wired.until(lambda robot: robot.state.get("motor.velocity") == 3.0)
        wired.hangs.set()
        page.until(lambda now: now["run"]["silent"])
        assert wired.robot.state == {}  # its own watchdog has stopped it
        page.ask("set", device=MOTOR, channel="velocity", value=4)
        page.heard("the robot does not answer, so commands")
        before = len(wired.robot.commands)
        wired.hangs.clear()
        page.until(lambda now: not now["run"]["silent"])
        said = [value for label, value in wired.robot.commands[before:] if label == "motor.velocity"]
        assert said and set(said) == {0.0}
        page.ask("set", device=MOTOR, channel="velocity", value=2)
        wired.until(lambda robot: robot.state.get("motor.velocity") == 2.0)


def test_the_motors_stop_when_the_last_page_is_closed(wired: WiredRobot):
    with started("window", wired.url) as on:
        with Looker(on.url) as page:
            page.ask("enable", device=ENCODER, channel="position", period=16)
            page.ask("set", device=MOTOR, channel="velocity", value=3)
            wired.until(lambda robot: robot.state.get("motor.velocity") == 3.0)
        wired.until(lambda robot: robot.state.get("motor.velocity") == 0.0)
        wired.until(lambda robot: robot.periods["encoder"] == 0)
    wired.until(lambda robot: robot.state == {} and robot.stops)


def test_what_is_wrong_is_said_at_once(
    wired: WiredRobot, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for arguments, code, said in (
        (["tpc://a"], 2, "tcp"),
        (["tcp://127.0.0.1:1"], 1, "127.0.0.1:1"),
        ([wired.url, "--plugin", "epuck"], 2, "--world WORLD"),
        ([wired.url + "?table=x"], 2, "--world WORLD"),
        ([wired.url, "--world", str(tmp_path / "none.wbt")], 2, "none.wbt"),
    ):
        assert main(["window", *arguments]) == code, arguments
        assert said in capfd.readouterr().err


def test_a_page_shows_a_fault_of_the_board_and_acknowledges_it(wired: WiredRobot):
    with started("window", wired.url) as on, Looker(on.url) as page:
        page.ask("set", device=MOTOR, channel="velocity", value=3)
        wired.until(lambda robot: robot.state.get("motor.velocity") == 3.0)
        wired.hangs.set()
        page.until(lambda now: now["run"]["silent"])
        wired.server.slave.fault = Fault.WATCHDOG
        before = len(wired.robot.commands)
        wired.hangs.clear()
        page.heard("reset by a watchdog: the program did not respond; its motors stay off; find the cause")
        assert len(wired.robot.commands) == before
        page.ask("stop")
        page.heard("the motors may move again")
        page.ask("set", device=MOTOR, channel="velocity", value=2)
        wired.until(lambda robot: robot.state.get("motor.velocity") == 2.0)
