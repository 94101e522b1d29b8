"""Lines of controllers: names before them, long ones, and the last one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

from tests.controllers.project import STEP_MS, Project, robot
from wbridge.wbcore.controllers.output import LinePump, Output, Stream
from wbridge.wbcore.controllers.output_reader import OutputReader

TELLER = """
from controller import Robot
robot = Robot()
for _ in range(40):
    print(robot.getTime())
    robot.step(STEP)
"""


class Target:
    """A file that output goes to."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.file = os.open(path, os.O_WRONLY | os.O_CREAT)

    def text(self) -> str:
        """What was written so far."""
        return self._path.read_text("utf-8")


@pytest.fixture
def target(tmp_path: Path) -> Iterator[Target]:
    made = Target(tmp_path / "out.txt")
    yield made
    os.close(made.file)


def _source(reading: int) -> IO[bytes]:
    """The end of a pipe as the pump expects it."""
    os.set_blocking(reading, False)
    return os.fdopen(reading, "rb", buffering=0)


def test_lines_wait_for_their_end(target: Target):
    reading, writing = os.pipe()
    pump = LinePump(_source(reading), Output(target.file, prefix=True), "röbot", is_error=False)
    os.write(writing, b"one\ntw")
    pump.pump()
    assert target.text() == "[röbot] one\n"
    os.write(writing, b"o\n\nthree")
    pump.pump()
    assert target.text() == "[röbot] one\n[röbot] two\n[röbot] \n"
    os.close(writing)
    ended: list[bool] = []
    pump.on_end = lambda: ended.append(True)
    pump.pump()
    pump.close()
    assert target.text().endswith("[röbot] three\n")
    assert ended == [True]


def test_a_line_without_end_is_passed_on_in_pieces(target: Target):
    reading, writing = os.pipe()
    pump = LinePump(_source(reading), Output(target.file, prefix=True), "r", is_error=False)
    for _ in range(40):
        os.write(writing, b"x" * 10000)
        pump.pump()
    assert target.text().count("x") >= 300000
    os.close(writing)
    pump.close()


def test_a_listener_is_told_what_is_printed_and_lines_stay_as_they_are(target: Target):
    told: list[tuple[str, str, bool]] = []
    output = Output(target.file, target.file, tap=lambda *all: told.append(all))
    reading, writing = os.pipe()
    pump = LinePump(_source(reading), output, "r", is_error=True)
    os.write(writing, b"one\n")
    pump.pump()
    os.close(writing)
    pump.close()
    assert told == [("r", "one\n", True)]
    assert target.text() == "one\n"


def test_a_stream_prints_whole_lines(target: Target):
    stream = Stream(Output(target.file, target.file, prefix=True), "r", is_error=False)
    print("a", "b", file=stream)
    print("c", end="", file=stream)
    assert target.text() == "[r] a b\n"
    stream.flush()
    assert target.text() == "[r] a b\n[r] c\n"


def test_nothing_is_changed_by_default():
    assert not Output().is_changed
    assert Output(prefix=True).is_changed
    assert Output(stdout=2).is_changed


def test_lines_can_be_read_at_the_step_in_which_they_were_printed(project: Project, target: Target):
    """Recordings need them at their time, however fast the run is."""
    printing = TELLER.replace("STEP", str(STEP_MS))
    project.write(robot("r", "teller"), teller=printing)
    lines: list[tuple[float, float]] = []

    def take(name: str, text: str, is_error: bool) -> None:
        lines.extend((runner.simulation.time, float(line)) for line in text.split())

    with project.runner(output=Output(target.file, target.file, tap=take)) as runner:
        runner.actors.append(OutputReader(runner.controllers))
        runner.run()
    step_s = STEP_MS / 1000
    assert [printed for _, printed in lines] == pytest.approx([k * step_s for k in range(40)])
    assert [seen for seen, _ in lines] == [printed for _, printed in lines]
