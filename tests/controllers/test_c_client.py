"""Controllers in Python by the binding of the C library: the same runs, messages and ends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT
from tests.controllers.project import Project, robot, steps
from wbridge.main import main

WORLDS = ("epuck_arena", "nao", "lidar_mapping", "star_painter", "bmw_x5", "motion_playback")
"""Sample worlds with motors, distances, pictures, a car, a supervisor, and motions."""


@pytest.mark.parametrize("world", WORLDS)
def test_sample_worlds_run_bit_by_bit_inline_as_in_processes(world: str, tmp_path: Path):
    """Poses, commands and readings of every step."""
    records = []
    for where in ([], ["--inline"]):
        record = tmp_path / "record.csv"
        path = CHECKOUT / "worlds" / f"{world}.wbt"
        assert main(["run", str(path), "--steps", "40", "-q", "--record", str(record), *where]) == 0
        records.append(record.read_bytes())
    assert records[0] == records[1]


MISTAKES = """
import math
from controller import Supervisor
class Mine(Supervisor):
    def step(self, duration):
        return super().step(duration)
robot = Mine()
motor = robot.getDevice("m")
motor.setVelocity(math.nan)
for _ in range(12):
    motor.setVelocity(math.nan)
robot.getDevice("n")
print(motor.getVelocity(), robot.getDevice("m") is motor, robot.step(16))
robot.setCustomData(None)
robot.getDevice("d").getValue()
robot.getFromDef("NONE").getField("x")
"""
"""An overridden method; a message at two places, once too often; None; a disabled device; an exception."""
CHILDREN = """HingeJoint { device RotationalMotor { name "m" } endPoint Solid { } }
DistanceSensor { name "d" } RangeFinder { name "r" width 4 height 2 }"""


def test_messages_name_the_lines_of_the_program(project: Project, capfd: pytest.CaptureFixture[str]):
    project.write(robot("a", "wrong", "supervisor TRUE", CHILDREN), wrong=MISTAKES)
    project.run()
    said = capfd.readouterr().err
    assert "called with an invalid 'velocity' argument (NaN). (wrong.py:9)\n" in said
    assert "This message is not repeated." in said
    program = Path(project.folder, "controllers", "wrong", "wrong.py")
    assert f'  File "{program}", line 16, in <module>' in said


def test_messages_and_faults_in_the_process_of_the_simulator_are_those_of_processes(
    project: Project, capfd: pytest.CaptureFixture[str]
):
    project.write(robot("a", "wrong", "supervisor TRUE", CHILDREN), wrong=MISTAKES)
    said = []
    for inline in (False, True):
        ends = [one.exit_code for one in project.run(inline=inline).controllers]
        said.append((ends, capfd.readouterr()))
    assert said[0] == said[1]


VIEWS = """
from controller import Robot
from wbridge.hal import api
robot = Robot()
finder = robot.getDevice("r")
finder.enable(16)
robot.step(16)
first = api.wb_range_finder_get_range_image(finder.tag)
assert first.readonly and first.format == "f" and len(first) == 8, first
assert list(first) == finder.getRangeImage()
robot.step(16)
assert list(first) == finder.getRangeImage()
robot.stepBegin(16)
held = api.wb_range_finder_get_range_image(finder.tag)
robot.stepEnd()
api.wb_robot_cleanup()
print(list(first), list(held))
try:
    finder.getMaxRange()
except RuntimeError as problem:
    print(problem)
"""


def test_views_of_pictures_last_longer_than_the_connection(project: Project):
    project.write(robot("a", "views", children=CHILDREN), views=VIEWS)
    infinite = ["inf"] * 8
    shown = f"[{', '.join(infinite)}]"
    assert project.printed().splitlines() == [
        f"{shown} {shown}",
        "the robot is gone: the connection to the simulator has ended",
    ]


ARGUMENTS = """
from controller import Robot
robot = Robot()
motor = robot.getDevice("m")
class Number:
    def __float__(self):
        return 2.5
for value in (1, True, Number(), "3", None, [1], "x"):
    try:
        motor.setVelocity(value)
        print(motor.getVelocity())
    except Exception as problem:
        print(type(problem).__name__)
for given, named in (((), {}), ((1, 2), {}), ((), {"speed": 1})):
    try:
        motor.setVelocity(*given, **named)
    except TypeError:
        print("TypeError")
motor.setVelocity(velocity=4)
print(motor.getVelocity(), robot.getDevice("d").enable(10**30), robot.step(time_step=32.9))
"""


def test_arguments_are_taken_as_python_does(project: Project):
    project.write(robot("a", "calls", children=CHILDREN), calls=ARGUMENTS)
    printed = project.printed().splitlines()
    errors = ["TypeError"] * 2 + ["ValueError"] + ["TypeError"] * 3
    assert printed[:10] == ["1.0", "1.0", "2.5", "3.0", *errors]
    assert printed[-1] == "4.0 None 0"


def test_other_interpreters_find_the_binding(project: Project):
    """The one that this environment was made with has its packages elsewhere."""
    text = "import sys\nfrom controller import Robot\nRobot()\n"
    text += "print(sys.prefix, 'wbridge.hal.client._native' in sys.modules)"
    project.write(robot("a", "c"), c=text)
    place = "python.exe" if sys.platform == "win32" else "bin/python3"
    project.file("c", "runtime.ini", f"[python]\nCOMMAND = {Path(sys.base_prefix, place)}\n")
    assert project.printed() == f"{sys.base_prefix} True\n"


LATE = """
from controller import Robot
from wbridge.wbcore.controllers.runner import Runner, RunOptions
from wbridge.wbcore.scene.load import load_world
import sys
with Runner(load_world(sys.argv[1]), RunOptions(inline=True)) as runner:
    runner.limit = 3
    print(runner.run().steps, Robot.__module__)
"""


def test_a_simulator_that_is_loaded_later_runs_controllers_inside(project: Project):
    """The classes of the controllers are those that the program imported before."""
    children = 'Radio { name "own" address "x" }'
    project.write(robot("a", "sender", children=children), sender=steps(2, after="print('inside')"))
    done = subprocess.run(
        [sys.executable, "-c", LATE, project.world], capture_output=True, text=True, check=False
    )
    assert (done.stdout.splitlines()[0], done.stderr) == ("inside", "")


TALK = """
from controller import Robot
from wbridge.hal import api
from wbridge.hal.readings import RadioMessage
robot = Robot()
radio = api.wb_robot_get_device("r")
api.wb_radio_enable(radio, 16)
def show(event):
    print(event.radio == radio, event.data, event.emitter, f"{event.rssi:.6f}")
api.wb_radio_set_callback(radio, show)
robot.step(16)
api.wb_radio_send(radio, RadioMessage(b"hi" + bytes([0, 255]), "b"))
api.wb_radio_send(radio, RadioMessage(b"nobody", "c"), 0.5)
robot.step(16)
robot.step(16)
api.wb_radio_set_callback(radio, None)
api.wb_radio_send(radio, None)
"""


def test_radios_send_and_receive(project: Project, capfd: pytest.CaptureFixture[str]):
    for name in "ab":
        project.file(name, f"{name}.py", TALK)
    radios = [
        robot(name, name, f"translation {place} 0 0", f'Radio {{ name "r" address "{name}" }}')
        for place, name in enumerate("ab")
    ]
    project.write(*radios)
    project.run()
    said = capfd.readouterr()
    assert any(line.startswith(r"True b'hi\x00\xff' a -") for line in said.out.splitlines())
    assert "nobody" not in said.out
    assert "wb_radio_send" in said.err
