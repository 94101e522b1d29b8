"""The plugin wblink: one unchanged controller in simulation and over real wires, with equal commands."""

from __future__ import annotations

import json
import math
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.hal.link.broker import Broker
from tests.hal.link.conftest import make_table
from tests.hal.link.serving import Serving, serving
from tests.remote.between import Between
from wbridge.hal import api
from wbridge.hal.client import native, session
from wbridge.hal.link.faults import Fault
from wbridge.hal.link.master import Master
from wbridge.hal.link.pipe import VirtualClock
from wbridge.hal.link.recording_robot import RecordingRobot
from wbridge.hal.link.slave import Slave, SlaveOptions
from wbridge.hal.link.transports import usb
from wbridge.hal.link.usb_device import UsbDevice
from wbridge.hal.protocol.loopback import Loopback, Peer
from wbridge.hal.table import DeviceTable

Attach = Callable[[Loopback], Between]
SIMULATION, REMOTE = 0, 2
DEVICES = (
    ("left", "RotationalMotor"),
    ("right", "RotationalMotor"),
    ("ds", "DistanceSensor"),
    ("gps", "GPS"),
)
TABLE = make_table(*DEVICES, name="avoider")
STEP, STEPS = 4, 60
AWAITED = SlaveOptions(virtual=True)
"""On a busy machine an answer may take longer than a step; it is waited for where traces must be equal."""


def seen(step: int) -> float:
    """What the distance sensor shows at a step."""
    return 500.0 + 450.0 * math.sin(0.3 * step)


def avoid(steps: int = STEPS) -> None:
    """A controller: turn away from what is near."""
    left, right, ds = (api.wb_robot_get_device(name) for name in ("left", "right", "ds"))
    api.wb_distance_sensor_enable(ds, STEP)
    for motor in (left, right):
        api.wb_motor_set_position(motor, math.inf)
        api.wb_motor_set_velocity(motor, 0.0)
    for _ in range(steps):
        if api.wb_robot_step(STEP) == -1:
            return
        near = api.wb_distance_sensor_get_value(ds) / 1000
        api.wb_motor_set_velocity(left, 6.0 * (1 - near))
        api.wb_motor_set_velocity(right, 6.0 * near - 1)


class Commands(RecordingRobot):
    """A robot that sees the same as the simulated one, and notes the velocities of each step."""

    def __init__(self) -> None:
        super().__init__()
        self.trace: list[tuple[float, float]] = []

    def step(self, elapsed: int) -> bool:
        """Note, and show the next value."""
        if elapsed:
            self.values["ds.value"] = seen(len(self.trace))
            self.trace.append((self.state.get("left.velocity"), self.state.get("right.velocity")))
        return super().step(elapsed)


def make_world(**info: Any) -> Loopback:
    """A simulator with the robot of the table."""
    world = Loopback([Peer(kind, name) for name, kind in DEVICES], name="avoider", time_step=float(STEP))
    world.info = world.info._replace(remote_library="wblink", **info)
    return world


@pytest.fixture(scope="module")
def simulated() -> list[tuple[float, float]]:
    """The velocities of each step in simulation."""
    world, trace, now = make_world(), [], {}

    def look(world: Loopback) -> None:
        for name in ("left", "right"):
            now[name] = (world[name].last("set_velocity") or (None,))[0]
        world["ds"].send("value", seen(len(trace)))
        trace.append((now["left"], now["right"]))

    world.before_answer = look
    native.attach(world)
    avoid()
    session.cleanup()
    return trace


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """A broker."""
    one = Broker(tmp_path_factory.mktemp("broker"))
    yield one
    one.stop()


def drive(url: str, robot: Commands, simulated: list[tuple[float, float]], attach: Attach) -> None:
    """Run the controller over a URL; it must command what it did in simulation."""
    attach(make_world())
    api.wb_robot_set_mode(REMOTE, url)
    assert api.wb_robot_get_mode() == REMOTE
    avoid()
    assert api.wb_robot_get_mode() == REMOTE
    session.cleanup()
    assert robot.trace == simulated
    assert robot.state == {}, "stopped at the end"


class Serve(Serving):
    """A serving robot that notes."""

    def __init__(self, url: str, table: DeviceTable = TABLE, options: SlaveOptions | None = None) -> None:
        super().__init__(url, table, options, Commands())


@pytest.mark.parametrize("wire", ["pty://", "tcp://127.0.0.1", "loop://avoider"])
def test_one_controller_over_wires(wire: str, simulated: list[tuple[float, float]], attach: Attach):
    robot = Serve(wire, options=AWAITED)
    try:
        drive(robot.url, robot.robot, simulated, attach)
    finally:
        robot.close()


def test_one_controller_over_a_broker_with_tls(
    broker: Broker, simulated: list[tuple[float, float]], attach: Attach
):
    robot = Serve(broker.url("avoider", tls=True), options=AWAITED)
    try:
        drive(broker.url("avoider", tls=True), robot.robot, simulated, attach)
    finally:
        robot.close()


def test_one_controller_over_usb(simulated: list[tuple[float, float]], attach: Attach):
    robot = Commands()
    usb.BACKENDS["avoider"] = UsbDevice(0x1209, 2, Slave(TABLE, robot, AWAITED))
    try:
        drive("usb://1209:2?backend=avoider", robot, simulated, attach)
    finally:
        del usb.BACKENDS["avoider"]


def test_the_table_comes_from_a_file_when_the_robot_has_none(
    tmp_path: Path, simulated: list[tuple[float, float]], attach: Attach
):
    file = tmp_path / "table.json"
    file.write_text(json.dumps(TABLE.to_data()))
    robot = Serve("tcp://127.0.0.1", options=AWAITED._replace(shows_table=False))
    try:
        drive(f"{robot.url}?table={file}", robot.robot, simulated, attach)
    finally:
        robot.close()


def start(url: str, attach: Attach, capsys: pytest.CaptureFixture[str]) -> str:
    """Try to switch, and see that it fails; what was said."""
    attach(make_world())
    api.wb_robot_set_mode(REMOTE, url)
    assert api.wb_robot_get_mode() == SIMULATION
    return capsys.readouterr().err


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("", "is not the address of a robot"),
        ("tcp://127.0.0.1:9", "refused"),
        ("loop://x?patience=long", 'option patience is "long"'),
        ("loop://x?table=/no/such/file", "table=/no/such/file"),
    ],
)
def test_a_wrong_argument_is_told(url: str, words: str, attach: Attach, capsys: pytest.CaptureFixture[str]):
    said = start(url, attach, capsys)
    assert words in said
    assert "the robot stays in simulation" in said


def test_a_robot_without_its_table_asks_for_a_file(attach: Attach, capsys: pytest.CaptureFixture[str]):
    robot = Serve("tcp://127.0.0.1", options=SlaveOptions(shows_table=False))
    try:
        assert "wbridge devices WORLD --json" in start(robot.url, attach, capsys)
    finally:
        robot.close()


def test_another_robot_is_refused_by_the_first_difference(attach: Attach, capsys: pytest.CaptureFixture[str]):
    other = make_table(*DEVICES[:2], ("sonar", "DistanceSensor"), DEVICES[3], name="other")
    robot = Serve("tcp://127.0.0.1", other)
    try:
        said = start(robot.url, attach, capsys)
    finally:
        robot.close()
    assert 'device 3 of the controller\'s robot "avoider" is "ds" (DistanceSensor)' in said
    assert 'that of the robot "other" is "sonar" (DistanceSensor)' in said


def test_a_robot_that_refuses_the_table_is_asked_for_its_own(
    tmp_path: Path, attach: Attach, capsys: pytest.CaptureFixture[str]
):
    slower = TABLE.devices[1]._replace(constants={**TABLE.devices[1].constants, "maxVelocity": 3.5})
    file = tmp_path / "table.json"
    file.write_text(json.dumps(TABLE.to_data()))
    robot = Serve("tcp://127.0.0.1", TABLE._replace(devices=(TABLE.devices[0], slower, *TABLE.devices[2:])))
    try:
        said = start(f"{robot.url}?table={file}", attach, capsys)
    finally:
        robot.close()
    assert "its device table is different" in said
    assert 'First difference: maxVelocity of "right" (RotationalMotor) is ' in said
    assert "in the controller, but 3.5 in the robot" in said


@contextmanager
def awaited(wire: str, broker: Broker) -> Iterator[tuple[str, Slave, Commands]]:
    """A robot at a wire: its URL, its end of the link, and what it does."""
    if wire == "usb":
        commands = Commands()
        slave = Slave(TABLE, commands, AWAITED)
        usb.BACKENDS["latch"] = UsbDevice(0x1209, 3, slave)
        try:
            yield "usb://1209:3?backend=latch", slave, commands
        finally:
            del usb.BACKENDS["latch"]
        return
    robot = Serve(broker.url("latch") if wire == "mqtt" else wire, options=AWAITED)
    try:
        yield broker.url("latch") if wire == "mqtt" else robot.url, robot.slave, robot.robot
    finally:
        robot.close()


@pytest.mark.parametrize("wire", ["pty://", "tcp://127.0.0.1", "mqtt", "usb"])
@pytest.mark.parametrize("latch", [False, True])
def test_a_stop_after_an_outage_lasts_where_that_is_wished(
    attach: Attach, capsys: pytest.CaptureFixture[str], broker: Broker, wire: str, latch: bool
):
    with awaited(wire, broker) as (place, slave, robot):
        attach(make_world())
        url = f"{place}{'&' if '?' in place else '?'}latch={latch:d}"
        api.wb_robot_set_mode(REMOTE, url)
        left = api.wb_robot_get_device("left")
        api.wb_motor_set_velocity(left, 3.0)
        api.wb_robot_step(STEP)
        assert robot.state["left.velocity"] == 3.0
        slave.end()  # as its watchdog does
        for _ in range(3):
            api.wb_motor_set_velocity(left, 4.0)
            api.wb_robot_step(STEP)
        assert slave.sessions == 2
        assert robot.state.get("left.velocity") == (None if latch else 4.0)
        assert ("it stays stopped until setMode(2, ...)" in capsys.readouterr().err) == latch
        assert api.wb_robot_get_mode() == REMOTE
        api.wb_robot_set_mode(REMOTE, url)
        api.wb_robot_step(STEP)
        assert robot.state["left.velocity"] == 4.0
        session.cleanup()


def test_a_second_controller_stays_in_simulation(attach: Attach, capsys: pytest.CaptureFixture[str]):
    from wbridge.hal.link.transports import connect

    with serving("tcp://127.0.0.1") as robot:
        first = Master(robot.slave.numbering.table, lambda: connect(robot.url), watchdog=5000)
        first.connect(5.0)
        world = Loopback([Peer(d.type, d.name) for d in robot.slave.numbering.table.devices])
        world.info = world.info._replace(remote_library="wblink")
        attach(world)
        api.wb_robot_set_mode(REMOTE, robot.url)
        assert api.wb_robot_get_mode() == SIMULATION
        assert "another controller drives it" in capsys.readouterr().err
        first.leave(5.0)


def test_another_url_stops_the_first_robot_and_drives_the_second(attach: Attach):
    robots = [Serve("tcp://127.0.0.1", options=AWAITED) for _ in range(2)]
    try:
        attach(make_world())
        left = api.wb_robot_get_device("left")
        for robot in robots:
            api.wb_robot_set_mode(REMOTE, robot.url)
            api.wb_motor_set_velocity(left, 3.0)
            api.wb_robot_step(STEP)
            assert robot.robot.state["left.velocity"] == 3.0
        assert robots[0].robot.state == {} and not robots[0].slave.driven
        session.cleanup()
    finally:
        for robot in robots:
            robot.close()


def test_a_robot_that_goes_away_ends_remote_control_after_the_patience(
    attach: Attach, capsys: pytest.CaptureFixture[str]
):
    robot = Serve("tcp://127.0.0.1")
    attach(make_world())
    api.wb_robot_set_mode(REMOTE, f"{robot.url}?patience=0.5")
    api.wb_robot_step(STEP)
    robot.close()
    for _ in range(100):
        api.wb_robot_step(STEP)
        if api.wb_robot_get_mode() == SIMULATION:
            break
    assert api.wb_robot_get_mode() == SIMULATION
    assert "has lost the robot" in capsys.readouterr().err
    assert api.wb_robot_step(STEP) == 0


def test_steps_take_real_time(attach: Attach):
    robot = Serve("tcp://127.0.0.1")
    try:
        attach(make_world())
        start = time.monotonic()
        api.wb_robot_set_mode(REMOTE, robot.url)
        for _ in range(25):
            api.wb_robot_step(STEP)
        taken = time.monotonic() - start
        session.cleanup()
    finally:
        robot.close()
    assert taken >= 25 * STEP / 1000


def test_steps_of_a_simulated_robot_take_no_longer_than_it_needs(attach: Attach):
    robot = Serve("tcp://127.0.0.1", options=SlaveOptions(virtual=True))
    try:
        attach(make_world())
        api.wb_robot_set_mode(REMOTE, robot.url)
        start = time.monotonic()
        for _ in range(3):
            api.wb_robot_step(10_000)
        assert time.monotonic() - start < 30, "what the steps are long"
        session.cleanup()
    finally:
        robot.close()
    assert robot.robot.now == 30_000


class LatePipe:
    """A robot whose answers come so many seconds later, on a clock that only waiting moves."""

    retry = 1.0

    def __init__(self, slave: Slave, clock: VirtualClock, delay: float) -> None:
        self._slave, self._clock, self.delay = slave, clock, delay
        self._coming: deque[tuple[float, bytes]] = deque()

    def send(self, data: bytes) -> None:
        answer = self._slave.receive(data, 1000 * self._clock())
        if answer is not None:
            self._coming.append((self._clock() + self.delay, answer))

    def receive(self, timeout: float) -> bytes | None:
        end = self._clock() + timeout
        if not self._coming or self._coming[0][0] > end:
            self._clock.now = end
            return None
        due, answer = self._coming.popleft()
        self._clock.now = max(self._clock.now, due)
        return answer

    def close(self) -> None:
        self._coming.clear()


class ClockedTime:
    """What the plugin uses of the module `time`, on another clock."""

    def __init__(self, clock: VirtualClock) -> None:
        self.monotonic = clock

    def sleep(self, seconds: float) -> None:
        self.monotonic.now += seconds


def drive_late(attach: Attach, monkeypatch: pytest.MonkeyPatch) -> LatePipe:
    """Drive a robot whose answers come 45 ms later."""
    clock = VirtualClock()
    pipe, timing = LatePipe(Slave(TABLE, Commands()), clock, 0.045), ClockedTime(clock)
    monkeypatch.setattr("wbridge.remote_controls.wblink.connect", lambda url: pipe)
    monkeypatch.setattr("wbridge.remote_controls.wblink.time", timing)
    clocked = partial(Master, clock=clock, sleep=timing.sleep)
    monkeypatch.setattr("wbridge.remote_controls.wblink.Master", clocked)
    attach(make_world())
    api.wb_robot_set_mode(REMOTE, "tcp://127.0.0.1:1")
    return pipe


def test_answers_that_take_longer_than_a_step_come_late(
    attach: Attach, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    drive_late(attach, monkeypatch)
    steps, late = 20, 30
    ds = api.wb_robot_get_device("ds")
    api.wb_distance_sensor_enable(ds, late)
    delays, readings = [], []
    for _ in range(steps):
        delays.append(api.wb_robot_step(late))
        readings.append(api.wb_distance_sensor_get_value(ds))
    session.cleanup()
    assert capsys.readouterr().err.count("the robot's answers take longer than a step of 30 ms") == 1
    assert len({one for one in readings if not math.isnan(one)}) >= steps // 3
    assert sorted(delays)[steps // 2] >= late
    assert max(delays) < 10 * late


def test_a_line_that_is_slow_again_is_reported_once(
    attach: Attach, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    pipe = drive_late(attach, monkeypatch)
    for delay in (0.045, 0.0, 0.045):
        pipe.delay = delay
        for _ in range(20):
            api.wb_robot_step(30)
    session.cleanup()
    assert capsys.readouterr().err.count("take longer than a step") == 1


def test_a_robot_whose_board_was_reset_by_a_fault_moves_only_when_somebody_knows(
    attach: Attach, capsys: pytest.CaptureFixture[str]
):
    """A controller that starts reports the fault and acknowledges it; one that was driving does not."""
    robot = Serve("pty://", options=AWAITED)
    try:
        attach(make_world())
        robot.slave.fault = Fault.BROWN_OUT
        api.wb_robot_set_mode(REMOTE, robot.url)
        said = capsys.readouterr().err
        assert "the robot's board was reset by a brown-out: the supply voltage was too low" in said
        left = api.wb_robot_get_device("left")
        api.wb_motor_set_velocity(left, 3.0)
        api.wb_robot_step(STEP)
        assert robot.robot.state["left.velocity"] == 3.0 and not robot.slave.fault
        robot.slave.end()
        robot.slave.fault = Fault.WATCHDOG
        for _ in range(3):
            api.wb_motor_set_velocity(left, 4.0)
            api.wb_robot_step(STEP)
        assert robot.slave.sessions == 2 and "left.velocity" not in robot.robot.state
        (line,) = [one for one in capsys.readouterr().err.splitlines() if "watchdog:" in one]
        assert "its motors stay off" in line and "start the controller again" in line
        api.wb_robot_set_mode(REMOTE, robot.url)
        api.wb_robot_step(STEP)
        assert robot.robot.state["left.velocity"] == 4.0
        session.cleanup()
    finally:
        robot.close()


def test_a_sensor_that_sends_nothing_is_reported_and_reads_nan(
    attach: Attach, capsys: pytest.CaptureFixture[str]
):
    """As where its part is unplugged; a controller must not go on with the last reading."""
    robot = Serving("pty://", TABLE, AWAITED, RecordingRobot())
    try:
        attach(make_world())
        robot.robot.values["ds.value"] = 700.0
        api.wb_robot_set_mode(REMOTE, robot.url)
        ds, gps = api.wb_robot_get_device("ds"), api.wb_robot_get_device("gps")
        api.wb_distance_sensor_enable(ds, 32)
        api.wb_gps_enable(gps, 32)
        for readings, nan in (({"ds.value": 700.0, "gps.position": (1.0, 2.0, 3.0)}, False), ({}, True)):
            robot.robot.values = readings
            for _ in range(40):
                api.wb_robot_step(32)
            assert math.isnan(api.wb_distance_sensor_get_value(ds)) == nan
            assert math.isnan(api.wb_gps_get_values(gps)[2]) == nan
            said = capsys.readouterr().err
            assert said.count('"ds" sends no readings although it is enabled') == nan
        robot.robot.values = {"ds.value": 300.0}
        api.wb_robot_step(32)
        api.wb_robot_step(32)
        assert api.wb_distance_sensor_get_value(ds) == 300.0
        assert '"ds" sends readings again' in capsys.readouterr().err
        session.cleanup()
    finally:
        robot.close()
