"""Controllers that begin in remote control, and what they tell about each step."""

from __future__ import annotations

import json
import math
import socket
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.hal.link.conftest import make_table
from tests.hal.link.serving import Serving
from tests.remote.between import Between
from wbridge.hal import api
from wbridge.hal.client import session
from wbridge.hal.gateway.trace import LONGEST, Trace
from wbridge.hal.link.pipe import Pipe
from wbridge.hal.link.recording_robot import RecordingRobot
from wbridge.hal.link.slave import SlaveOptions
from wbridge.hal.link.transports import connect
from wbridge.hal.protocol.loopback import Loopback, Peer

Attach = Callable[[Loopback], Between]
SIMULATION, REMOTE = 0, 2
STEP = 4
DEVICES = (("motor", "RotationalMotor"), ("encoder", "PositionSensor"), ("ds", "DistanceSensor"))
TABLE = make_table(*DEVICES, name="rover")


def make_world() -> Loopback:
    world = Loopback([Peer(kind, name) for name, kind in DEVICES], name="rover", time_step=float(STEP))
    world.info = world.info._replace(remote_library="wblink")
    return world


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[Serving]:
    """A robot at a wire, to which controllers are sent."""
    robot = RecordingRobot()
    robot.values |= {"ds.value": 0.25, "encoder.position": 1.5}
    one = Serving("tcp://127.0.0.1", TABLE, SlaveOptions(virtual=True), robot)  # it is waited for
    monkeypatch.setenv("WBRIDGE_REMOTE_CONTROL", one.url)
    yield one
    one.close()


@pytest.fixture
def listener(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """Where a controller tells its steps."""
    path = str(tmp_path / "trace")
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(path)
        one.listen()
        monkeypatch.setenv("WBRIDGE_REMOTE_TRACE", path)
        yield one


def said(listener: socket.socket) -> list[dict[str, object]]:
    """The steps that were told; the controller has ended."""
    speaker, _ = listener.accept()
    with speaker, speaker.makefile() as lines:
        return [json.loads(line) for line in lines]


def test_a_controller_begins_with_the_robot(served: Serving, attach: Attach):
    robot = attach(make_world())
    robot.begin()
    assert api.wb_robot_get_mode() == REMOTE
    assert api.wb_robot_get_time() == 0.0
    assert sum(api.wb_robot_step(STEP) for _ in range(10)) == 0
    assert api.wb_robot_get_time() == 10 * STEP / 1000, "as in simulation, to the last bit"
    session.cleanup()
    assert served.robot.stops >= 1


class LatePipe:
    """Gives each message so many seconds after it has come."""

    def __init__(self, pipe: Pipe, delay: float) -> None:
        self._pipe, self._delay, self.retry = pipe, delay, pipe.retry
        self._coming: deque[tuple[float, bytes]] = deque()
        self.send, self.fileno, self.close = pipe.send, pipe.fileno, pipe.close

    def receive(self, timeout: float) -> bytes | None:
        end = time.monotonic() + timeout
        while True:
            now = time.monotonic()
            if self._coming and self._coming[0][0] <= now:
                return self._coming.popleft()[1]
            if now >= end:
                return None
            due = self._coming[0][0] if self._coming else end
            data = self._pipe.receive(max(min(due, end) - now, 0.0))
            if data is not None:
                self._coming.append((time.monotonic() + self._delay, data))


def test_its_clock_is_that_of_the_wall_though_readings_come_late(
    served: Serving, attach: Attach, monkeypatch: pytest.MonkeyPatch
):
    served.slave.options = served.slave.options._replace(virtual=False)
    monkeypatch.setattr("wbridge.remote_controls.wblink.connect", lambda url: LatePipe(connect(url), 0.045))
    robot = attach(make_world())
    before = time.monotonic()
    robot.begin()
    start = time.monotonic()
    delays = [api.wb_robot_step(30) for _ in range(9)]
    least = time.monotonic() - start
    delays.append(api.wb_robot_step(30))
    most = time.monotonic() - before
    seconds = api.wb_robot_get_time()
    session.cleanup()
    assert sorted(delays)[5] >= 30
    assert least - 0.03 <= seconds <= most + 0.03, "it is read somewhere in the last step"


def test_steps_that_took_too_long_count_in_full(
    served: Serving, attach: Attach, monkeypatch: pytest.MonkeyPatch
):
    """Judge: `RemoteControl.duration`, the time that a step has really taken."""
    monkeypatch.setattr(
        "wbridge.remote_controls.wblink.Plugin.duration", lambda self, period, delay: period + 100
    )
    robot = attach(make_world())
    robot.begin()
    for _ in range(5):
        api.wb_robot_step(STEP)
    assert api.wb_robot_get_time() == 5 * (STEP + 100) / 1000
    session.cleanup()


def test_it_comes_back_to_the_same_robot(served: Serving, attach: Attach):
    robot = attach(make_world())
    robot.begin()
    api.wb_robot_set_mode(SIMULATION, "")
    assert api.wb_robot_get_mode() == SIMULATION
    api.wb_robot_set_mode(REMOTE, "")
    assert api.wb_robot_get_mode() == REMOTE
    session.cleanup()


def test_nothing_is_begun_without_being_asked(attach: Attach):
    attach(make_world()).begin()
    assert api.wb_robot_get_mode() == SIMULATION


def test_a_robot_that_is_not_there_ends_the_controller(
    attach: Attach, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("WBRIDGE_REMOTE_CONTROL", "loop://nobody?table=/no/such/file")
    with pytest.raises(SystemExit) as caught:
        attach(make_world()).begin()
    assert caught.value.code == 1
    assert "stays in simulation" not in capsys.readouterr().err


def test_a_robot_that_is_lost_for_good_ends_the_controller(
    served: Serving, attach: Attach, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("WBRIDGE_REMOTE_CONTROL", f"{served.url}?patience=0.5&watchdog=20")
    attach(make_world()).begin()
    served.close()
    assert any(api.wb_robot_step(STEP) == -1 for _ in range(1000))
    told = capsys.readouterr().err
    assert told.count("wblink: the robot does not answer; it stops by itself after 20 ms") == 1
    assert "has lost the robot; its motors are stopped, the controller ends" in told


def test_each_step_is_told(served: Serving, listener: socket.socket, attach: Attach):
    robot = attach(make_world())
    robot.begin()
    motor, ds = api.wb_robot_get_device("motor"), api.wb_robot_get_device("ds")
    api.wb_distance_sensor_enable(ds, STEP)
    api.wb_motor_set_position(motor, math.inf)
    for k in range(3):
        api.wb_motor_set_velocity(motor, k + 1.0)
        api.wb_robot_step(STEP)
    session.cleanup()
    steps = said(listener)
    assert [one["elapsed"] for one in steps] == [STEP] * 3
    assert steps[0]["periods"] == [[ds, "wb_distance_sensor_enable", STEP]]
    assert [motor, "position", math.inf] in steps[0]["commands"]  # type: ignore[operator]
    assert [one["commands"] for one in steps[1:]] == [[[motor, "velocity", 2.0]], [[motor, "velocity", 3.0]]]
    assert [one["readings"] for one in steps] == [[[ds, "value", 0.25]]] * 3


def test_encoders_are_told_to_whom_needs_them(
    served: Serving, listener: socket.socket, attach: Attach, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("WBRIDGE_REMOTE_MIRROR", "1")
    robot = attach(make_world())
    robot.begin()
    api.wb_robot_step(STEP)
    session.cleanup()
    (step,) = said(listener)
    assert step["readings"] == [[2, "position", 1.5]]


def test_whoever_does_not_read_is_given_up(listener: socket.socket, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("wbridge.hal.gateway.trace.MOST_WAITING", 100_000)
    trace = Trace(listener.getsockname())
    for _ in range(10_000):
        trace.command(1, "velocity", [1.0] * LONGEST)
        trace.step(STEP, 0)
    assert not trace._open


def test_pictures_are_not_told(listener: socket.socket):
    trace = Trace(listener.getsockname())
    trace.reading(1, "image", b"\0" * 16)
    trace.reading(1, "rangeImage", [0.0] * (LONGEST + 1))
    trace.reading(2, "on", True)
    trace.step(STEP, 2)
    trace.close()
    assert [(one["late"], one["readings"]) for one in said(listener)] == [(2, [[2, "on", True]])]


def test_tables_of_a_whole_world_can_be_named(served: Serving, attach: Attach, tmp_path: Path):
    file = tmp_path / "tables.json"
    listed = [{"name": one.name, "table": one.to_data()} for one in (make_table(name="other"), TABLE)]
    file.write_text(json.dumps({"world": "x.wbt", "robots": listed}))
    attach(make_world())
    api.wb_robot_set_mode(REMOTE, f"{served.url}?table={file}")
    assert api.wb_robot_get_mode() == REMOTE
    session.cleanup()
