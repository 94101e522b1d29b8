"""Recordings of runs in which a supervisor adds, removes and replaces robots.

Judges: Python's own reader of CSV files, numpy's of archives, the reader of MCAP; positions of a free fall
(Euler's method, as ODE's: after n steps of h seconds, -g h² n (n + 1) / 2).
"""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.controllers.project import Project, robot
from tests.wbridge.test_run_page import frames, parts
from wbridge.main import main
from wbridge.wbcore.recordings.device_log_reader import read_log
from wbridge.wbcore.simulation import Simulation

TURNER = """
from controller import Robot
robot = Robot()
motor, sensor = robot.getDevice("motor"), robot.getDevice("sensor")
if sensor:
    sensor.enable(16)
motor.setPosition(float("inf"))
motor.setVelocity(2.0)
while robot.step(16) != -1:
    pass
"""
BODY = "physics Physics { density -1 mass 1 } boundingObject Box { size 0.1 0.1 0.1 }"
TEXT = (
    f'DEF LATE Robot {{ name "late" translation 0 0 1 controller "turner" {BODY} children [ '
    "Shape { geometry Box { size 0.1 0.1 0.1 } } HingeJoint { "
    'jointParameters HingeJointParameters { axis 0 0 1 } device [ RotationalMotor { name "motor" } %s ] '
    f'endPoint Solid {{ name "arm" {BODY} }} }} ] }}'
)
LATE = TEXT % 'PositionSensor { name "sensor" }'
WITHOUT_SENSOR = TEXT % ""
BOSS = """
from controller import Supervisor
robot = Supervisor()
children = robot.getRoot().getField("children")
def steps():
    for _ in range(5):
        robot.step(16)
steps()
children.importMFNodeFromString(-1, {first!r})
steps()
robot.getFromDef("LATE").remove()
steps()
children.importMFNodeFromString(-1, {second!r})
steps()
robot.simulationQuit(0)
robot.step(16)
"""
ROWS = 21
PRESENT = [*range(6, 11), *range(16, 21)]
"""Rows in which the late robot exists: it takes part from the step after the supervisor has added it."""


def record(
    folder: Path, name: str, *words: str, first: str = LATE, second: str = LATE, first_one: str = ""
) -> Path:
    """The recording of a run in which a robot is added, removed and added again."""
    project, path = Project(folder), folder / name
    boss = robot("boss", "boss", "supervisor TRUE")
    project.write(first_one, boss, boss=BOSS.format(first=first, second=second), turner=TURNER)
    assert main(["run", str(project.world), "--record", str(path), *words]) == 0
    return path


def table(path: Path) -> dict[str, list[float]]:
    """The columns of a table; NaN for empty cells."""
    with path.open(newline="") as file:
        head, *rows = csv.reader(file)
    assert {len(row) for row in rows} == {len(head)}
    return {name: [float(row[i] or "nan") for row in rows] for i, name in enumerate(head)}


def fallen(present: list[float]) -> list[float]:
    """The height after each of some steps of a free fall from 1 m."""
    return [1 - 9.81 * 0.016**2 * n * (n + 1) / 2 for n in range(1, len(present) + 1)]


def assert_is_there(values: list[float], present: list[int] = PRESENT) -> None:
    assert [i for i, one in enumerate(values) if not math.isnan(one)] == present


def test_a_table_has_columns_for_robots_that_come_later(tmp_path: Path):
    found = table(record(tmp_path, "a.csv"))
    heights = found["late.z"]
    assert len(heights) == ROWS
    for name in ("late.z", "late/arm.qw", "late/motor.set_velocity", "late/sensor.value"):
        assert_is_there(found[name])
    assert heights[6:11] == pytest.approx(fallen(heights[6:11]))
    assert heights[16:21] == heights[6:11]
    assert found["late/motor.set_velocity"][6] == 2.0
    assert found["late/sensor.value"][6:11] == pytest.approx([0.032 * n for n in range(1, 6)], rel=1e-3)


def test_an_archive_has_them_as_nan(tmp_path: Path):
    with np.load(record(tmp_path, "a.npz")) as found:
        names, columns = found["names"].tolist(), found["columns"].tolist()
        assert names == ["late", "late/arm"]
        heights = found["positions"][:, 0, 2].tolist()
        assert_is_there(heights)
        assert heights[6:11] == pytest.approx(fallen(heights[6:11]))
        assert found["quaternions"].shape == (ROWS, 2, 4)
        assert_is_there(found["values"][:, columns.index("late/sensor.value")].tolist())


def test_columns_that_are_there_first_stay_first(tmp_path: Path):
    found = table(
        record(tmp_path, "a.csv", first_one=LATE.replace("DEF LATE", "").replace('"late"', '"old"'))
    )
    names = [*found]
    assert names[:8] == ["time", *(f"old.{one}" for one in ("x", "y", "z", "qw", "qx", "qy", "qz"))]
    firsts = [names.index(one) for one in ("old/sensor.value", "late.x", "late/motor.set_position")]
    assert firsts == sorted(firsts)
    assert_is_there(found["old.z"], [*range(ROWS)])


def test_robots_of_the_same_name_have_their_own_columns(tmp_path: Path):
    found = table(record(tmp_path, "a.csv", first_one=LATE.replace("DEF LATE", "").replace("0 0 1", "0 5 1")))
    assert_is_there(found["late.y"], [*range(ROWS)])
    assert set(found["late.y"]) == {5}
    assert_is_there(found["late(1).y"])


def test_a_robot_with_other_devices_leaves_their_cells_empty(tmp_path: Path):
    found = table(record(tmp_path, "a.csv", second=WITHOUT_SENSOR))
    assert_is_there(found["late/motor.set_velocity"])
    assert_is_there(found["late/sensor.value"], PRESENT[:5])


def test_a_log_has_robots_that_come_later(tmp_path: Path):
    pytest.importorskip("mcap")
    late = read_log(record(tmp_path, "a.mcap"))["late"]
    assert [round(one.time / 0.016) for one in late.steps] == PRESENT
    assert late.steps[0].said.commands == [(1, "position", math.inf), (1, "velocity", 2.0)]


def test_a_log_numbers_robots_with_other_devices(tmp_path: Path):
    pytest.importorskip("mcap")
    logs = read_log(record(tmp_path, "a.mcap", second=WITHOUT_SENSOR))
    assert [*logs] == ["boss", "late", "late (2)"]
    assert len(logs["late"].steps) == len(logs["late (2)"].steps) == 5
    assert len(logs["late (2)"].table.devices) == 1


def newest(page: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(parts(page)["signals"][-1])
    return found


def test_a_page_has_robots_that_come_later(tmp_path: Path):
    page = record(tmp_path, "a.html")
    described = frames(page)
    assert [len(one["moving"]) for one in described] == [0, 1, 0, 1]
    assert [one["first"] for one in described] == [0, 6, 11, 16]
    assert all(any(key == "scene" for _, key, _ in one["events"]) for one in described[1:])
    assert "late/sensor.value" in newest(page)["signals"]


def test_values_of_robots_that_come_later_can_be_plotted(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    page = record(tmp_path, "a.html", "--plot", "late.sensor", "--plot", "late.mo?or.set_velocity")
    assert '"late.sensor" matches no value yet' in capsys.readouterr().err
    assert newest(page) == {
        "signals": ["late/motor.set_velocity", "late/sensor.value"],
        "plots": [[1], [0]],
    }


def test_a_recorded_body_is_the_same_after_its_robot_was_built_again(tmp_path: Path):
    """A change of a joint gives the bodies of a robot other numbers in the engine."""
    from wbridge.wbcore.recordings.recorder import Recorder

    project = Project(tmp_path)
    project.write(LATE, f'DEF BALL Solid {{ name "ball" translation 3 0 1 {BODY} }}\n')
    of = Simulation(project.world)
    with Recorder(of, tmp_path / "a.csv") as recorder:
        recorder.take()
        of.step()
        of.edits.remove(of.node("LATE").node)
        recorder.take()
        of.set_field(of.node("BALL").node, "translation", (4.0, 0.0, 1.0))
        recorder.take()
    found = table(tmp_path / "a.csv")
    assert found["ball.x"] == [3, 3, 4]
    assert_is_there(found["late.x"], [0])
