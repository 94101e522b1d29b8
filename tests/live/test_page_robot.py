"""A controller in a page drives a real robot through the page's port.

Judge: the emulated e-puck at the other end of the wire, which answers byte by byte as GCtronic's firmware.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from tests.live.fake_browser import FakeBrowser
from tests.project.files import CHECKOUT
from tests.remote.emulated import Serving, serving
from wbridge.hal.gateway.guarded_mode import make_guards
from wbridge.hal.gateway.trace import trace_in_place
from wbridge.hal.link.errors import AddressError, ConnectionLost
from wbridge.hal.link.transports import check_place, page
from wbridge.live.page_port import PagePort
from wbridge.live.real_robot import RealRobot
from wbridge.remote_controls.emulators import emulator
from wbridge.wbcore.controllers.runner import Runner, RunOptions
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.windows.simulated_view import SimulatedView

STEPS = 3000
"""Enough for whatever is waited for."""


class Page:
    """A run whose e-puck can be connected."""

    def __init__(self, serving: Serving, runner: Runner) -> None:
        self.serving, self.runner = serving, runner
        self.browser = FakeBrowser(serving.url)
        self.robot = RealRobot(runner, PagePort(self.browser, lambda result: result))
        (number,) = [one["number"] for one in json.loads(self.robot.robots())["robots"]]
        self.number = int(number)

    @property
    def speeds(self) -> list[int]:
        """What the emulated robot's wheels do."""
        return list(self.serving.robot.speeds)  # type: ignore[attr-defined]

    def until(self, condition: Callable[[], object]) -> None:
        """Make steps until something is the case."""
        for _ in range(STEPS):
            if condition():
                return
            self.runner.advance()
        raise AssertionError("it never came about")


@pytest.fixture
def epuck() -> Iterator[Page]:
    """The sample world with e-puck, run as in a page."""
    with (
        serving(emulator("epuck"), "tcp://127.0.0.1:0") as robot,
        Runner(load_world(CHECKOUT / "worlds" / "epuck_arena.wbt"), RunOptions(inline=True)) as runner,
    ):
        runner.advance()
        yield Page(robot, runner)
    page.provide(None)
    make_guards()
    trace_in_place(None)


def test_the_page_lists_robots_and_protocols(epuck: Page):
    said = json.loads(epuck.robot.robots())
    assert [one["plugin"] for one in said["robots"]] == ["epuck"]
    assert {one["name"] for one in said["protocols"]} >= {"wblink", "epuck", "create2", "firmata"}


def test_the_same_controller_drives_the_robot_and_then_the_simulation_again(epuck: Page):
    epuck.robot.connect(epuck.number, "epuck", 0)
    epuck.until(lambda: min(epuck.speeds) > 100)
    assert epuck.browser.speeds == [115200]
    kind, halting = epuck.browser.calls[0]  # type: ignore[misc]
    assert kind == "guard" and halting.endswith(b"\rD,0,0\r")
    assert "driving" in epuck.browser.calls
    epuck.robot.disconnect()
    epuck.until(lambda: epuck.speeds == [0, 0])
    robot = epuck.runner.simulation.robots.list[0]
    epuck.until(lambda: not robot.is_remote)


def test_windows_show_what_the_robot_measures(epuck: Page):
    epuck.robot.connect(epuck.number, "epuck", 0)
    epuck.serving.robot.set("ps0", 1234)  # type: ignore[attr-defined]
    robot = epuck.runner.simulation.robots.list[0]
    view = SimulatedView(robot)
    tag = next(one.tag for one in robot.devices if one.name == "ps0")
    epuck.until(lambda: epuck.robot.shown(view, view.news())["values"].get(tag, {}).get("value", 0) > 1000)


def test_the_simulated_robot_makes_the_same_moves_and_its_sensors_are_compared(epuck: Page):
    """Judge: the emulated robot alone sees a wall; the wheels of both turn by the same commands."""
    epuck.robot.connect(epuck.number, "epuck", 0)
    epuck.serving.robot.set("ps0", 1234)  # type: ignore[attr-defined]
    robot = epuck.runner.simulation.robots.list[0]
    view = SimulatedView(robot)
    tag = next(one.tag for one in robot.devices if one.name == "left wheel motor")

    def rows() -> dict[str, tuple[float, float]]:
        state = epuck.robot.shown(view, view.news())
        return {name: (real, simulated) for name, real, simulated in state.get("twin", [])}

    epuck.until(lambda: rows().get("ps0", (0, 0))[0] > 1000)
    real, simulated = rows()["ps0"]
    assert real - simulated > 500
    angle = view.values()["acts"][tag]["at"]
    epuck.until(lambda: abs(view.values()["acts"][tag]["at"] - angle) > 0.1)


def test_a_robot_that_the_page_has_stopped_moves_only_when_a_person_lets_it(epuck: Page):
    epuck.robot.connect(epuck.number, "epuck", 0)
    epuck.until(lambda: min(epuck.speeds) > 100)
    epuck.browser.events.append("halted")
    epuck.until(lambda: epuck.speeds == [0, 0])
    for _ in range(3):
        epuck.runner.advance()
    assert epuck.speeds == [0, 0]
    epuck.browser.events.append("resumed")
    epuck.until(lambda: min(epuck.speeds) > 100)


def test_a_lost_cable_is_told_and_the_robot_is_found_again(epuck: Page, capfd: pytest.CaptureFixture[str]):
    epuck.robot.connect(epuck.number, "epuck", 0)
    epuck.until(lambda: min(epuck.speeds) > 100)
    epuck.browser.loss = epuck.browser.problem = "the cable was pulled"
    epuck.until(lambda: len(epuck.browser.speeds) > 1)
    epuck.browser.loss = epuck.browser.problem = ""
    epuck.serving.robot.speeds[:] = [0, 0]  # type: ignore[attr-defined]  # it was switched off and on
    epuck.until(lambda: min(epuck.speeds) > 100)
    said = capfd.readouterr().err
    assert "the cable was pulled; trying to reconnect" in said
    assert "connected again" in said


def test_a_port_that_cannot_be_opened_leaves_the_controller_in_simulation(
    epuck: Page, capfd: pytest.CaptureFixture[str]
):
    epuck.browser.problem = "another tab uses the port"
    epuck.robot.connect(epuck.number, "epuck", 9600)
    said = ""
    for _ in range(3):
        epuck.runner.advance()
    said = capfd.readouterr().err
    assert "another tab uses the port" in said
    assert "its default speed is baud=115200, not 9600" in said
    assert not epuck.runner.simulation.robots.list[0].is_remote


def test_a_wrong_protocol_is_refused(epuck: Page):
    with pytest.raises(ValueError, match="there are: wblink"):
        epuck.robot.connect(epuck.number, "e-puck", 0)


def test_only_a_page_has_the_port_of_a_page():
    with pytest.raises(AddressError, match="use serial://PORT here"):
        check_place("page://port")


def test_a_closed_port_carries_nothing():
    port = PagePort(FakeBrowser("tcp://127.0.0.1:1"), lambda result: result)
    port.browser.open = lambda baud: ""  # type: ignore[method-assign, assignment]
    pipe = port.open(9600)
    pipe.close()
    with pytest.raises(ConnectionLost, match="closed"):
        pipe.send(b"x")


def test_events_are_heard_while_bytes_are_waited_for():
    browser = FakeBrowser("tcp://127.0.0.1:1")
    browser.open = lambda baud: ""  # type: ignore[method-assign]
    port, heard = PagePort(browser, lambda result: result), []
    port.on_event = heard.append
    pipe = port.open(9600)
    pipe.watchdog(lambda: heard.append("no step"), b"stop")
    browser.events.extend(["halted", "expired", "resumed"])
    assert pipe.receive(0.0) is None
    assert heard == ["halted", "no step", "resumed"]
    assert browser.calls == [("guard", b"stop")]
