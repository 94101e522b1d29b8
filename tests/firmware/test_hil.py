"""Controllers on a board that a robot answers over the robot link: the board is the link's master."""

from __future__ import annotations

import csv
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import CHECKOUT
from tests.firmware import onboard
from tests.firmware.conftest import WORLD, boards, two_wheels
from tests.firmware.onboard import compiled
from tests.tools import folder_for_tests
from wbridge.hal.link import messages as m
from wbridge.hal.link.master import Master
from wbridge.hal.link.numbering import LinkChannel, Numbering, Slot
from wbridge.hal.link.pipe import VirtualClock
from wbridge.hal.link.recording_robot import RecordingRobot
from wbridge.hal.link.slave import Slave, SlaveOptions
from wbridge.main import main
from wbridge.wbfirmware.bench import Bench, lockstep_pipe
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.building.build import Built
from wbridge.wbfirmware.building.hil import slave_options
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.template_folders import board_names

TABLE = two_wheels()
NUMBERING = Numbering(TABLE)
PROBE = """
int main(void) {
  wb_robot_init();
  WbDeviceTag left = wb_robot_get_device("left wheel motor");
  WbDeviceTag right = wb_robot_get_device("right wheel motor");
  WbDeviceTag front = wb_robot_get_device("front"), wheel = wb_robot_get_device("left wheel sensor");
  WbDeviceTag status = wb_robot_get_device("status");
  wb_robot_battery_sensor_enable(64);
  wb_distance_sensor_enable(front, 32);
  wb_position_sensor_enable(wheel, 32);
  wb_motor_set_position(left, INFINITY);
  wb_motor_set_position(right, INFINITY);
  wb_motor_set_velocity(left, 1.5);
  wb_motor_set_velocity(right, -1e30);
  wb_led_set(status, 3);
  for (int k = 0; k < 6; k++) {
    const int late = wb_robot_step(32);
    wb_motor_set_velocity(left, wb_distance_sensor_get_value(front));
    wb_motor_set_velocity(right, wb_position_sensor_get_value(wheel));
    wb_motor_set_position(right, wb_robot_get_time());
    wb_motor_set_velocity(left, wb_robot_battery_sensor_get_value());
    wb_led_set(status, k == 2 ? late : 3);
  }
  return 0;
}
"""
"""Does all that a board can say; its last commands tell what it reads."""
BOARDS = boards("host", "arduino-uno")
LONGER = onboard.LONGER // 16
"""Steps for which the obstacle avoider turns when the way is free."""


class Robot(RecordingRobot):
    """Shows numbers that grow with each step."""

    def read(self, channel: LinkChannel) -> Any:
        return (channel.number + 0.5) * self.now


def robot_and_slave(built: Built, **options: Any) -> tuple[Robot, Slave]:
    robot = Robot()
    limits = built.board.message
    plain = SlaveOptions("test", built.board.real, limits, limits, serves_large=True)
    return robot, Slave(TABLE, robot, plain._replace(**options))


class Wire:
    """The wire between an emulated board and a robot."""

    def __init__(self, bench: Bench) -> None:
        self.clock = VirtualClock()
        self.bench = bench
        self.pipe = lockstep_pipe(bench, self.clock)
        self.heard: list[Any] = []
        """All messages of the board, decoded."""

    def hear(self, seconds: float = 3.0) -> bytes | None:
        """The next message of the board."""
        data = self.pipe.receive(seconds)
        if data is not None:
            self.heard.append(m.decode(data))
        return data

    def answer(self, slave: Slave, data: bytes) -> None:
        """Let a robot answer."""
        reply = slave.receive(data, 1000 * self.clock())
        if reply is not None:
            self.pipe.send(reply)

    def serve(self, slave: Slave, seconds: float = 3.0) -> None:
        """Answer until the board has nothing more to say."""
        while (data := self.hear(seconds)) is not None:
            self.answer(slave, data)


@contextmanager
def wire(built: Built) -> Iterator[Wire]:
    with Bench(built.board, built.program, lockstep=True) as bench:
        yield Wire(bench)


@pytest.fixture(scope="module", params=BOARDS)
def probe(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Built:
    return compiled(tmp_path_factory.mktemp("probe"), request.param, "hil", PROBE)


class Recorded:
    """A pipe to a robot in the same program, which keeps what the master sends."""

    retry = 1.0

    def __init__(self, slave: Slave) -> None:
        self.slave = slave
        self.sent: list[Any] = []
        self._answer: bytes | None = None

    def send(self, data: bytes) -> None:
        self.sent.append(m.decode(data))
        self._answer = self.slave.receive(data, 0.0)

    def receive(self, timeout: float) -> bytes | None:
        answer, self._answer = self._answer, None
        return answer

    def fileno(self) -> int:
        return -1

    def close(self) -> None:
        """It stays."""


def as_python(slave: Slave, robot: Robot) -> list[Any]:
    """What the master in Python sends where the controller of PROBE runs on a desktop."""
    pipe = Recorded(slave)
    master = Master(TABLE, lambda: pipe, build="x")
    tags = {one.name: one.tag for one in TABLE.devices}

    def channel(device: str, name: str) -> LinkChannel:
        found = NUMBERING.channel(tags.get(device, 0), name)
        assert found is not None
        return found

    def slot(device: str, function: str) -> Slot:
        found = NUMBERING.slot(tags.get(device, 0), function)
        assert found is not None
        return found

    left, right = "left wheel motor", "right wheel motor"
    master.connect(1.0)
    master.set_period(slot("", "wb_robot_battery_sensor_enable"), 64)
    master.set_period(slot("front", "wb_distance_sensor_enable"), 32)
    master.set_period(slot("left wheel sensor", "wb_position_sensor_enable"), 32)
    for one in (left, right):
        master.set(channel(one, "position"), float("inf"))
    master.set(channel(left, "velocity"), 1.5)
    master.set(channel(right, "velocity"), -1e30)
    master.set(channel("status", "value"), 3)
    values: dict[str, Any] = {}
    for k in range(6):
        step = master.step(32, 1.0)
        assert step is not None
        values.update({one.label: value for one, value in step.values})
        master.set(channel(left, "velocity"), values["front.value"])
        if values["left wheel sensor.position"] is not None:
            master.set(channel(right, "velocity"), values["left wheel sensor.position"])
        master.set(channel(right, "position"), step.time / 1000)
        if "two wheels.battery" in values:
            master.set(channel(left, "velocity"), values["two wheels.battery"])
        master.set(channel("status", "value"), step.delay if k == 2 else 3)
    master.leave(1.0)
    return pipe.sent


@pytest.mark.parametrize("limits", [{}, {"reply_limit": 30}, {"request_limit": 48}], ids=str)
def test_the_board_says_what_the_master_in_python_says(probe: Built, limits: dict[str, int]):
    """Whole and in parts, to the byte: Welcome, commands, periods, readings, continuations, goodbye."""
    robot, slave = robot_and_slave(probe, **limits)
    with wire(probe) as board:
        board.serve(slave)
    twin, its_slave = robot_and_slave(probe, **limits)
    wanted = as_python(its_slave, twin)
    assert robot.commands == twin.commands
    said = [one._replace(session=1) for one in board.heard[1:]]
    assert said == [one._replace(session=1) for one in wanted[1:]]
    hello, its = board.heard[0], wanted[0]
    assert (hello.version, hello.watchdog, hello.hash) == (its.version, its.watchdog, its.hash)
    assert hello.build.startswith(probe.board.name)
    flags = {one.flags for one in board.heard[1:]}
    assert m.LEAVE in flags and m.ENABLE in flags
    assert (m.CONTINUE in flags) == ("reply_limit" in limits)
    assert robot.stops == 1


def test_each_step_is_executed_once_over_a_bad_wire(probe: Built):
    """Messages get lost and doubled in both directions, and noise comes between them."""
    robot, slave = robot_and_slave(probe)
    whole, its_slave = robot_and_slave(probe)
    with wire(probe) as board:
        board.serve(its_slave)
    chance = random.Random(7)
    with wire(probe) as board:
        while (data := board.hear()) is not None:
            if chance.random() < 0.25:
                continue
            for _ in range(chance.choice([1, 1, 2])):
                reply = slave.receive(data, 1000 * board.clock())
                board.bench.send(bytes(chance.randrange(256) for _ in range(chance.randrange(20))))
                if reply is not None and chance.random() < 0.75:
                    board.pipe.send(reply)
    assert robot.now == 6 * 32
    assert robot.commands == whole.commands


def test_when_the_link_is_lost_the_robot_stops_and_the_controller_goes_on_later(probe: Built):
    """The robot's watchdog stops it; the board waits in its step, and says all that lasts anew."""
    robot, slave = robot_and_slave(probe)
    with wire(probe) as board:
        for _ in range(4):
            data = board.hear()
            assert data is not None
            board.answer(slave, data)
        steps = robot.now
        before = dict(robot.state)
        end = board.clock() + 4.0
        while board.clock() < end:
            board.hear(end - board.clock())  # and nobody answers
            slave.tick(1000 * board.clock())
        assert robot.stops == 1 and robot.state == {} and not slave.driven
        sessions = len({one.session for one in board.heard})
        data = board.hear()
        assert data is not None and isinstance(m.decode(data), m.Hello)
        board.answer(slave, data)
        data = board.hear()
        assert data is not None
        board.answer(slave, data)
        assert robot.now == steps + 32
        assert robot.state.keys() == before.keys() == {one for one, _ in robot.commands}
        assert robot.periods["front"] == 32
        board.serve(slave)
        assert robot.now == 6 * 32 and sessions >= 2


def test_a_robot_with_another_table_is_refused_and_another_one_found(probe: Built):
    """The robot says why; the board waits and asks again, each time in a new session."""
    other = TABLE._replace(devices=TABLE.devices[:-1])
    stranger = Slave(other, Robot(), SlaveOptions("other", serves_large=True))
    with wire(probe) as board:
        answers = []
        while board.clock() < 3.0:
            data = board.hear(3.0 - board.clock())
            if data is not None:
                answers.append(stranger.receive(data, 1000 * board.clock()))
                board.pipe.send(answers[-1] or b"")
        refusals = [m.decode(one) for one in answers if one is not None]
        assert 2 <= len(refusals) <= 4
        assert all(isinstance(one, m.Refusal) and one.reason == m.REFUSED_TABLE for one in refusals)
        assert all(isinstance(one, m.Hello) for one in board.heard)
        assert len({one.session for one in board.heard}) == len(refusals)
        robot, slave = robot_and_slave(probe)
        board.serve(slave)
        assert robot.now == 6 * 32


@pytest.mark.parametrize("wrong", [{"reply_limit": 5000}, {"real": 0}], ids=["messages", "reals"])
def test_a_robot_whose_messages_do_not_fit_is_not_driven(probe: Built, wrong: dict[str, int]):
    if "real" in wrong:
        wrong = {"real": 12 - probe.board.real}
    robot, slave = robot_and_slave(probe, **wrong)
    with wire(probe) as board:
        while board.clock() < 2.5 and (data := board.hear(1.5)) is not None:
            board.answer(slave, data)
        assert len(board.heard) >= 2
        assert all(isinstance(one, m.Hello) for one in board.heard)
    assert robot.now == 0


@pytest.mark.parametrize("board_name", boards())
def test_the_obstacle_avoider_drives_a_robot_over_the_link(board_name: str):
    """The same numbers as on the pins of a standalone board: it turns where something is near."""
    firmware = onboard.avoider(board_name, "hil")
    robot = RecordingRobot()
    slave = Slave(TABLE, robot, slave_options(firmware.hardware))
    assert slave.options.real == load_board(board_name).real
    robot.values["front.value"] = 0.0
    with wire(firmware.built) as board:
        for k in range(40 + LONGER):
            data = board.hear()
            assert data is not None
            board.answer(slave, data)
            robot.values["front.value"] = 700.0 if 10 <= k < 20 else 0.0
            speeds = [robot.state.get(f"{side} wheel motor.velocity") for side in ("left", "right")]
            if 13 <= k < 20 + LONGER:
                assert speeds == [-3.0, 3.0] and robot.state["status.value"] == 1
            elif k > 24 + LONGER:
                assert speeds == [6.0, 6.0] and robot.state["status.value"] == 0


def test_a_board_that_is_a_terminal():
    """Not in lockstep: over a pseudo terminal, in real time."""
    from wbridge.hal.link.server import Server
    from wbridge.hal.link.transports import listen

    firmware = onboard.avoider("host", "hil")
    robot = RecordingRobot()
    robot.values["front.value"] = 700.0
    with Bench(firmware.built.board, firmware.built.program) as bench:
        server = Server(listen(bench.url, TABLE), Slave(TABLE, robot, slave_options(firmware.hardware)))
        for _ in range(2000):
            server.poll(0.05)
            if robot.now >= 320:
                break
        assert robot.state["left wheel motor.velocity"] == -3.0
        server.close()


def test_a_simulation_answers_a_board(tmp_path: Path):
    """By the commands that users type; the robot of the world then drives as the controller says."""
    firmware = onboard.avoider("host", "hil")
    record = tmp_path / "run.csv"
    with Bench(firmware.built.board, firmware.built.program) as bench:
        words = ["bridge", str(WORLD), "--url", bench.url, "--mode", "steps", "--duration", "3"]
        assert main([*words, "--board", str(firmware.hardware.path), "--record", str(record)]) == 0
    with record.open() as file:
        rows = list(csv.DictReader(file))
    name = next(one for one in rows[0] if "left wheel motor" in one and "velocity" in one)
    assert {float(row[name]) for row in rows[-100:]} == {6.0, -3.0}  # it has come to the first box


def test_a_simulation_without_the_hardware_map_says_what_the_board_misses(capsys: pytest.CaptureFixture[str]):
    firmware = onboard.avoider("host", "hil")
    with Bench(firmware.built.board, firmware.built.program) as bench:
        assert main(["bridge", str(WORLD), "--url", bench.url, "--duration", "2"]) == 0
    (said,) = (one for one in capsys.readouterr().err.splitlines() if "sent no request" in one)
    assert '"host ' in said and "--board MAP" in said


@cache
def plain(board: str) -> Built:
    """A firmware whose controller makes steps and nothing else."""
    text = onboard.MAP if board in onboard.OWN else propose(TABLE, "w.wbt", board)
    code = "int main(void) {\n  wb_robot_init();\n  while (wb_robot_step(16) != -1)\n    continue;\n}\n"
    folder = Path(folder_for_tests(f"{board}-random-"))
    return compiled(folder, board, "hil", code, text.replace('"slave"', onboard.HERE))


def greetings(board: str) -> list[m.Hello]:
    """The first message of a board in four runs of one program."""
    found = []
    for _ in range(4):
        with wire(plain(board)) as one:
            one.hear()
            found += one.heard
    assert all(isinstance(one, m.Hello) for one in found)
    return found


@pytest.mark.parametrize("board", boards("host", "microbit", "microbit-v2"))
def test_a_board_with_random_numbers_draws_who_it_is(board: str):
    """Judged by docs/robot-link.md: client and first session are random. By chance, one in 2^32 fails."""
    found = greetings(board)
    assert len({one.client for one in found}) == len(found)
    assert len({one.session for one in found}) > 1
    assert all(one.session for one in found)


def test_a_board_without_random_numbers_is_always_the_same():
    """Judged by docs/robot-link.md: a constant, and sessions from 1."""
    assert len(set(greetings("arduino-uno"))) == 1
    assert greetings("arduino-uno")[0].session == 1


def test_random_numbers_change_nothing_else(tmp_path: Path):
    """Judged by the run itself: two records of the same program are equal but for who it is."""
    records = []
    for _ in range(2):
        robot, slave = robot_and_slave(compiled_probe(tmp_path))
        with wire(compiled_probe(tmp_path)) as board:
            board.serve(slave)
            ended = board.clock()
        requests = [one._replace(session=0) for one in board.heard if isinstance(one, m.Request)]
        records.append((robot.commands, requests, ended))
    assert records[0] == records[1] and records[0][0]


@cache
def compiled_probe(folder: Path) -> Built:
    """The probe on the board that draws its numbers from the system."""
    return compiled(folder, "host", "hil", PROBE)


def test_the_boards_with_a_random_source_are_listed():
    """By docs/robot-link.md, which tells how hard it is to guess a session."""
    text = (CHECKOUT / "docs" / "robot-link.md").read_text()
    found = re.search(r"flavor `hil`, ([^.]*) draw the client and the first session at random", text)
    assert found is not None
    having = {
        name
        for name in board_names()
        if any("uint32_t board_random(void) {" in one.read_text() for one in load_board(name).files)
    }
    assert set(re.findall(r"`([\w-]+)`", found[1])) == having
