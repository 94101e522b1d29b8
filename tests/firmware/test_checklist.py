"""Checklists for real robots, at emulated ones: steps, answers of a person at a pty, and the report."""

from __future__ import annotations

import getpass
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import create_autospec

import pytest

from tests.firmware.bring_up import Terminal
from tests.firmware.conftest import WORLD, two_wheels
from tests.remote.emulated import Serving, serving
from tests.remote.link_robots import DeafSlave
from wbridge.hal.link.errors import ConnectionLost
from wbridge.hal.link.recording_robot import RecordingRobot
from wbridge.hal.link.server import Server
from wbridge.hal.link.slave import SlaveOptions
from wbridge.hal.link.transports import listen
from wbridge.remote_controls.emulators.epuck import Emulator
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.bringup.board_checklist import BOARDS, board_steps
from wbridge.wbfirmware.bringup.checklist import LONGEST_MINUTES, Checklist, Finding, Step
from wbridge.wbfirmware.bringup.device_test import FAILED, Dialog
from wbridge.wbfirmware.bringup.epuck_checklist import EpuckSteps
from wbridge.wbfirmware.bringup.session import as_slave, build_of
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.map.reading import load_hardware

MAP = f"""
format = 1
world = "{WORLD}"
robot = "two wheels"
board = "arduino-uno"
flavor = "slave"
[devices."left wheel motor"]
driver = "hbridge"
pwm = "D3"
forward = "D2"
backward = "D4"
full_speed = 16.0
[devices.status]
driver = "gpio_led"
pin = "D13"
[devices."left wheel sensor"]
driver = "none"
[devices."right wheel motor"]
driver = "none"
[devices."right wheel sensor"]
driver = "none"
[devices.front]
driver = "none"
"""
REMARK = "the left wheel is loud"


class Board:
    """A board with the firmware of the map, as its link shows it; a Python program stands in for it."""

    def __init__(self, hardware: Hardware) -> None:
        self.robot = RecordingRobot()
        options = SlaveOptions(build=build_of(hardware))
        self.slave = DeafSlave(hardware.table, self.robot, options)
        self.server = Server(listen("pty://", hardware.table), self.slave)
        self.url = self.server.listener.url
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        while not self._over.is_set():
            self.server.poll(0.005)
        self.server.close()

    def close(self) -> None:
        self._over.set()
        self._thread.join()


@pytest.fixture
def hardware(tmp_path: Path) -> Hardware:
    (tmp_path / "hardware.toml").write_text(MAP)
    return as_slave(load_hardware(tmp_path / "hardware.toml", two_wheels()))


@pytest.fixture
def board(hardware: Hardware) -> Iterator[Board]:
    board = Board(hardware)
    yield board
    board.close()


@pytest.fixture
def epuck() -> Iterator[Serving]:
    with serving(Emulator()) as robot:
        yield robot


def without_secrets(report: str, *secrets: str) -> None:
    """The report has none of these, nor names of this computer and its user."""
    for secret in (*secrets, getpass.getuser() + "@", socket.gethostname(), str(Path.home()), "/dev/", "pts"):
        assert secret not in report


@pytest.mark.slow
def test_a_board_is_tested_step_by_step_and_the_report_has_no_secrets(board: Board, tmp_path: Path):
    words = ["firmware", "test", "hardware.toml", "--url", board.url, "--checklist"]
    terminal = Terminal(*words, cwd=tmp_path)
    answers = {
        r"Which way did it turn\?.*\) $": lambda: "f",
        r"which way did it turn\?.*\) $": lambda: "b",
        r"And now, is it on\?.*\) $": lambda: "n",
        r"\(y yes, n no, s skip\) $": lambda: "y",
        r"or Enter: $": lambda: REMARK,
    }
    text = terminal.converse(answers, "Pull the cable now")
    board.slave.is_deaf = True
    terminal.read_until("connecting again")
    board.slave.is_deaf = False
    text += terminal.converse(answers, "is the report")
    code, _ = terminal.finish()
    report = (tmp_path / "checklist-uno.txt").read_text()
    assert code == 0, (text, report)
    for line in ("checklist: uno", "board: arduino-uno", "wire: serial", f"remark: {REMARK}", "link: median"):
        assert line in report
    assert report.count("\npassed ") == 6
    assert "\n    left wheel motor (hbridge): passed\n" in report
    assert "    status (gpio_led): passed\n" in report
    assert "connected again" in report
    assert len([value for name, value in board.robot.commands if name == "left wheel motor.velocity"]) >= 4
    assert not board.robot.state.get("left wheel motor.velocity")
    without_secrets(report, board.url, str(tmp_path))


@pytest.mark.slow
def test_a_board_that_ends_early_leaves_a_report(board: Board, tmp_path: Path):
    words = ["firmware", "test", "hardware.toml", "--url", board.url, "--checklist", "--report", "mine.txt"]
    terminal = Terminal(*words, cwd=tmp_path)
    terminal.read_until(r"\) $")
    terminal.interrupt()
    terminal.read_until("is the report")
    assert terminal.finish()[0] == 1
    assert (tmp_path / "mine.txt").read_text().count("\npassed ") == 1, "the link"


def test_what_was_tested_before_the_end_is_in_the_report(board: Board, tmp_path: Path):
    terminal = Terminal("firmware", "test", "hardware.toml", "--url", board.url, "--checklist", cwd=tmp_path)
    terminal.read_until(r"Is it on now\?.*\) $")
    terminal.answer("n")
    terminal.read_until(r"And now, is it on\?.*\) $")
    terminal.answer("y")
    terminal.read_until(r"Which way did it turn\?.*\) $")
    terminal.interrupt()
    terminal.read_until("is the report")
    assert terminal.finish()[0] == 1
    report = (tmp_path / "checklist-uno.txt").read_text()
    assert "    status (gpio_led): corrected: status: inverted = true\n" in report
    assert "\nended " in report


@pytest.mark.slow
def test_an_epuck_is_tested_and_a_wrong_answer_is_in_the_report(epuck: Serving, tmp_path: Path):
    terminal = Terminal("firmware", "test", "--checklist", "epuck", "--url", epuck.url, cwd=tmp_path)
    terminal.read_until("Hold a hand")
    epuck.robot.set("ps0", 900)
    terminal.read_until("front LED of the ring on")
    assert epuck.robot.state()["led0"] == 1.0
    terminal.answer("n")
    answers = {r"\(y yes, n no, s skip\) $": lambda: "y", r"or Enter: $": lambda: REMARK}
    terminal.converse(answers, "is the report")
    assert terminal.finish()[0] == 1
    report = (tmp_path / "checklist-epuck.txt").read_text()
    assert "differs" in report and "an LED" in report
    assert report.count("\npassed ") == 5, report
    assert (epuck.robot.state()["left"], epuck.robot.state()["right"]) == (0.0, 0.0)
    without_secrets(report, epuck.url, str(tmp_path))


def test_no_checklist_takes_longer_than_a_quarter_of_an_hour(hardware: Hardware):
    session = type("Session", (), {"robot": None})()
    for steps in (
        board_steps(hardware, session, lambda: None),
        EpuckSteps.steps(EpuckSteps.__new__(EpuckSteps)),
    ):  # type: ignore[arg-type, return-value]
        assert sum(step.minutes for step in steps) <= LONGEST_MINUTES


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--checklist", "epock"], 'no checklist "epock"; allowed: epuck'),
        (["--report", "x.txt"], "--report needs --checklist"),
    ],
)
def test_wrong_options_are_named(words: list[str], said: str, tmp_path: Path):
    terminal = Terminal("firmware", "test", "--url", "tcp://127.0.0.1:1", *words, cwd=tmp_path)
    code, text = terminal.finish()
    assert code == 2
    assert said in " ".join(text.split())


def test_a_lost_robot_is_reported_in_words_and_without_its_address():
    def lose(dialog: Dialog) -> Finding:
        raise ConnectionLost("tcp://10.0.0.7:9000 is gone")

    checklist = Checklist("uno", {}, [Step("drive", 1.0, lose)], create_autospec(Dialog))
    assert not checklist.run()
    assert checklist.rows[0].finding == Finding(FAILED, "the wire is gone")


def test_boards_of_checklists_exist():
    for name in BOARDS.values():
        assert load_board(name).name == name
