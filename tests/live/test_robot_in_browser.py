"""A real robot in Chromium: it is driven from the page, and stops by the rules for people who do not look.

Judge: the emulated e-puck at the other end of the wire, in the place of the browser's serial port.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import NamedTuple

import pytest

from tests.live.bridged_port import PortBridge, bridged
from tests.live.test_browser import LATEST_MS
from tests.project.files import CHECKOUT
from tests.remote.emulated import Serving, serving
from tests.waiting import wait_for
from wbridge.hal.link.recording_robot import RecordingRobot
from wbridge.hal.link.server import Server
from wbridge.hal.link.slave import Slave
from wbridge.hal.link.transports import listen
from wbridge.remote_controls.emulators import emulator
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.scene.tables.device_tables import device_tables

pytestmark = pytest.mark.live

CONTROLLER = "controllers/obstacle_avoider/obstacle_avoider.py"
LOOPING = """
from controller import Robot
robot = Robot()
motors = [robot.getDevice(f"{side} wheel motor") for side in ("left", "right")]
for motor in motors:
    motor.setPosition(float("inf"))
    motor.setVelocity(3.0)
for _ in range(40):
    robot.step(64)
while True:
    pass
"""


class Desk(NamedTuple):
    """A page, and the robot on the desk beside it."""

    page: object
    robot: Serving
    bridge: PortBridge

    @property
    def speeds(self) -> list[int]:
        """What the emulated robot's wheels do."""
        return list(self.robot.robot.speeds)  # type: ignore[attr-defined]

    def wait_until_it_moves(self) -> None:
        wait_for(lambda: max(map(abs, self.speeds)) > 100)

    def wait_until_it_stands(self) -> None:
        wait_for(lambda: self.speeds == [0, 0])

    def note(self) -> str:
        return str(self.page.inner_text(".robot-note"))  # type: ignore[attr-defined]


def opened(context, address: str, bridge: PortBridge):
    """Open the world with its panel for robots."""
    page = context.new_page()
    page.set_default_timeout(LATEST_MS)
    page.add_init_script(bridge.script)
    page.goto(f"{address}?world=epuck_arena")
    page.wait_for_function("() => globalThis.page?.source?.run?.time > 0.1")
    page.evaluate("globalThis.page.bench.open('robot')")
    page.wait_for_selector("#connect-robot:not([disabled])")
    return page


def test_nothing_can_be_pressed_before_the_choices_are_there(context, address: str):
    page = context.new_page()
    page.set_default_timeout(LATEST_MS)
    page.goto(f"{address}?world=epuck_arena")
    page.wait_for_function("() => globalThis.page?.source?.run?.time > 0.1")
    page.evaluate("() => { globalThis.runInside.ask = () => new Promise(() => {}); }")  # it never answers
    page.evaluate("globalThis.page.bench.open('robot')")
    page.wait_for_selector("#connect-robot")
    buttons = page.query_selector_all(".robot-panel button")
    assert [button.inner_text() for button in buttons if button.is_visible()] == ["Connect robot"]
    assert page.is_disabled("#connect-robot")


def in_state(page, state: str) -> None:
    page.wait_for_selector(f".robot-panel[data-state={state}]")


def wait_for_lines(page, said: str) -> None:
    """Wait for a text in the panel's lines, which the page draws after its note."""
    page.wait_for_function(
        "(said) => document.querySelector('.robot-lines').innerText.includes(said)", arg=said
    )


@pytest.fixture
def context(browser):
    """A context whose pages may reach the bridge."""
    made = browser.new_context(bypass_csp=True)
    yield made
    made.close()


@pytest.fixture
def desk(context, address: str) -> Iterator[Desk]:
    """A connected robot that moves."""
    with serving(emulator("epuck"), "tcp://127.0.0.1:0") as robot, bridged(robot.url) as bridge:
        page = opened(context, address, bridge)
        page.click("#connect-robot")
        in_state(page, "driving")
        made = Desk(page, robot, bridge)
        made.wait_until_it_moves()
        yield made
        if not page.is_closed():
            page.evaluate("() => globalThis.runInside.end()")


def test_a_person_stops_the_robot_lets_it_go_on_and_disconnects_it(desk: Desk):
    page = desk.page
    assert desk.bridge.speeds == ["115200"]
    desk.robot.robot.set("ps0", 1234)
    shown = "Object.values(globalThis.page.source.robots[0].state.values).some(({value}) => value > 1000)"
    page.wait_for_function(f"() => {shown}")
    page.click("#stop-robot")
    in_state(page, "stopped")
    desk.wait_until_it_stands()
    assert "You have stopped" in desk.note()
    page.click("#resume-robot")
    in_state(page, "driving")
    desk.wait_until_it_moves()
    page.click("#disconnect-robot")
    in_state(page, "none")
    desk.wait_until_it_stands()


def test_a_hidden_page_stops_the_robot(desk: Desk):
    page = desk.page
    page.evaluate(
        "Object.defineProperty(document, 'hidden', {value: true, configurable: true});"
        "document.dispatchEvent(new Event('visibilitychange'))"
    )
    in_state(page, "stopped")
    desk.wait_until_it_stands()
    assert "hidden" in desk.note()


def test_a_closed_tab_stops_the_robot(desk: Desk):
    desk.page.close()
    desk.wait_until_it_stands()


def test_another_address_in_the_tab_stops_the_robot(desk: Desk):
    desk.page.goto("about:blank")
    desk.wait_until_it_stands()
    desk.page.close()


def test_a_pulled_cable_is_told_and_a_person_lets_the_robot_go_on(desk: Desk):
    page = desk.page
    desk.bridge.pull()
    in_state(page, "stopped")
    assert "look at the cable" in desk.note()
    desk.robot.robot.speeds[:] = [0, 0]  # a person has switched it off and on
    desk.bridge.is_plugged = True
    page.click("#resume-robot")
    desk.wait_until_it_moves()


def test_another_tab_takes_the_robot(desk: Desk, context, address: str):
    second = opened(context, address, desk.bridge)
    second.click("#connect-robot")
    in_state(second, "driving")
    assert "Another tab" in desk.note()
    desk.wait_until_it_moves()
    second.evaluate("() => globalThis.runInside.end()")
    desk.wait_until_it_stands()


def test_a_controller_in_an_endless_loop_stops_the_robot(desk: Desk):
    page = desk.page
    page.evaluate("([name, text]) => globalThis.runInside.ask('write', name, text)", [CONTROLLER, LOOPING])
    page.wait_for_selector(".live-state button")  # the page says that the worker hangs
    desk.wait_until_it_stands()


@contextmanager
def robot_of(world: str) -> Iterator[tuple[PortBridge, RecordingRobot]]:
    """Serve a robot that speaks the robot link, has the devices of a sample world, and gives its table."""
    (table,) = device_tables(load_world(CHECKOUT / "worlds" / f"{world}.wbt"))
    robot, is_over = RecordingRobot(), threading.Event()
    server = Server(listen("pty://", table), Slave(table, robot))

    def serve() -> None:
        while not is_over.is_set():
            server.poll(0.01)
        server.close()

    thread = threading.Thread(target=serve)
    thread.start()
    with bridged(server.listener.url) as bridge:
        yield bridge, robot
    is_over.set()
    thread.join()


def test_a_robot_that_gives_its_devices_is_driven(context, address: str):
    """The port is opened twice, at once: to ask for the devices, and to drive."""
    with robot_of("epuck_arena") as (bridge, robot):
        page = opened(context, address, bridge)
        page.select_option("#robot-protocol", "wblink")
        page.click("#connect-robot")
        page.wait_for_selector(".robot-panel:is([data-state=driving], [data-state=stopped])")
        assert page.inner_text(".robot-note") == "The controller drives the robot."
        wait_for(lambda: robot.commands)
        assert len(bridge.speeds) == 2
        page.evaluate("() => globalThis.runInside.end()")


def test_a_board_with_the_program_of_another_robot_is_told(context, address: str):
    with robot_of("four_wheel_robot") as (bridge, robot):
        page = opened(context, address, bridge)
        page.select_option("#robot-protocol", "wblink")
        page.click("#connect-robot")
        page.wait_for_function("() => document.querySelector('.robot-note').textContent.includes('Wiring')")
        wait_for_lines(page, "device 1 of the controller's robot")
        wait_for_lines(page, "use the same world for both")
        assert not robot.commands
        page.evaluate("() => globalThis.runInside.end()")


def test_a_port_without_the_robot_link_names_what_to_do(context, address: str):
    """An emulated Create 2 answers nothing that the robot link knows."""
    with serving(emulator("create2"), "tcp://127.0.0.1:0") as other, bridged(other.url) as bridge:
        page = opened(context, address, bridge)
        page.select_option("#robot-protocol", "wblink")
        page.click("#connect-robot")
        page.wait_for_function("() => document.querySelector('.robot-note').textContent.includes('Wiring')")
        wait_for_lines(page, "is this its port, and does its program support the robot link?")
        page.evaluate("() => globalThis.runInside.end()")


def test_a_port_that_does_not_open_names_the_causes(context, address: str):
    with bridged("tcp://127.0.0.1:9") as bridge:
        page = opened(context, address, bridge)
        page.evaluate("globalThis.portAnswers.isBusy = true")
        page.click("#connect-robot")
        page.wait_for_function(
            "() => document.querySelector('.robot-note').textContent.includes('program uses it')"
        )
        assert "the group dialout" in page.inner_text(".robot-note")
        assert page.is_visible("#connect-robot")
        page.evaluate("() => globalThis.runInside.end()")


def test_a_refused_choice_is_explained(context, address: str):
    with bridged("tcp://127.0.0.1:9") as bridge:
        page = opened(context, address, bridge)
        for name, said in (
            ("NotFoundError", "No port was chosen"),
            ("SecurityError", "settings of this browser"),
        ):
            page.evaluate("(name) => { globalThis.portAnswers.refuse = name; }", name)
            page.click("#connect-robot")
            page.wait_for_function(
                "(said) => document.querySelector('.robot-note').textContent.includes(said)", arg=said
            )
        page.evaluate("() => globalThis.runInside.end()")


def test_a_port_without_a_robot_is_told(context, address: str):
    with serving(emulator("create2"), "tcp://127.0.0.1:0") as other, bridged(other.url) as bridge:
        page = opened(context, address, bridge)
        page.click("#connect-robot")
        page.wait_for_function(
            "() => document.querySelector('.robot-note').textContent.includes('was not found')"
        )
        wait_for_lines(page, "no e-puck with SerCom")
        page.evaluate("() => globalThis.runInside.end()")


class Noise:
    """A pipe from which bytes come that nobody has sent, as at a wrong speed or beside a motor."""

    PIECE, PAUSE_S = 64, 0.005

    def __init__(self) -> None:
        self._random, self._over = random.Random(1), threading.Event()

    def send(self, data: bytes) -> None:
        """Nobody is there."""

    def receive(self, timeout: float) -> bytes:
        self._over.wait(min(timeout, self.PAUSE_S))
        return self._random.randbytes(self.PIECE)

    def close(self) -> None:
        self._over.set()


@pytest.mark.parametrize(
    ("protocol", "said"),
    [
        ("wblink", "is this its port, and does its program support the robot link?"),
        ("epuck", "no e-puck with SerCom"),
        ("create2", "no robot answers"),
    ],
)
def test_a_port_from_which_garbage_comes_is_told(context, address: str, protocol: str, said: str):
    with closing(PortBridge(Noise)) as bridge:
        page = opened(context, address, bridge)
        page.select_option("#robot-protocol", protocol)
        page.click("#connect-robot")
        page.wait_for_function(
            "() => document.querySelector('.robot-note').textContent.includes('was not found')"
        )
        wait_for_lines(page, said)
        time = page.evaluate("globalThis.page.source.run.time")
        page.wait_for_function("(time) => globalThis.page.source.run.time > time", arg=time)
        page.evaluate("() => globalThis.runInside.end()")


def test_a_browser_without_serial_ports_says_what_it_lacks(context, address: str):
    page = context.new_page()
    page.set_default_timeout(LATEST_MS)
    page.add_init_script("delete Navigator.prototype.serial")
    page.goto(f"{address}?world=epuck_arena")
    page.wait_for_function("() => globalThis.page?.source?.run?.time > 0.1")
    page.evaluate("globalThis.page.bench.open('robot')")
    page.wait_for_function("() => document.querySelector('.robot-note').textContent.includes('Web Serial')")
    assert page.is_disabled("#connect-robot")
    page.evaluate("() => globalThis.runInside.end()")
