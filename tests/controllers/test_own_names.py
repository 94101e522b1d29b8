"""Python controllers may derive classes with names of their own, and use OpenCV without a display."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from tests.controllers.project import Project, robot
from wbridge.wbcore.robots.window import Window

NAMES = """
from controller import Supervisor
class Mine(Supervisor):
    def __init__(self):
        super().__init__()
        self._robot, self.devices, self.keyboard = "own", {"a": 1}, None
        self._input, self._hint, self._duration = 1, 2, 3
    def run(self):
        self.keyboard = self.getKeyboard()
        self.keyboard.enable(16)
        self.stepBegin(16), self.stepEnd()
        has_node, key = self.getFromDef("A") is not None, self.keyboard.getKey()
        print(self._robot, self.devices, self._input, has_node, key)
Mine().run()
"""


@pytest.fixture(autouse=True)
def _restore_opencv() -> Iterator[None]:
    """Inline controllers of these tests replace the module in this process."""
    before = sys.modules.get("cv2")
    yield
    sys.modules.pop("cv2", None)
    if before is not None:
        sys.modules["cv2"] = before


@pytest.mark.parametrize("inline", [False, True])
def test_attributes_of_derived_classes_do_not_collide(project: Project, inline: bool):
    project.write("DEF A Group {\n}\n", robot("a", "names", "supervisor TRUE"), names=NAMES)
    assert project.printed(inline=inline) == "own {'a': 1} 1 True -1\n"


def test_names_outside_of_the_api_begin_alike():
    from controller import Robot
    from wbridge.hal.controller.by_hand.robot import RobotBase

    own = [name for one in (Robot, RobotBase) for name in vars(one) if name[0] == "_" and name[1] != "_"]
    assert own
    assert [name for name in own if not name.startswith("_wb_")] == []


READINGS = """
from controller import Supervisor
READINGS = ("basic_time_step", "name", "model", "project_path", "world_path", "supervisor", "synchronization",
    "number_of_devices", "mode")
class Referee(Supervisor):
    def __init__(self, match_time):
        super().__init__()
        print(self.time, self.name)
        self.time = match_time
        for name in READINGS:
            setattr(self, name, name)
    def tick(self):
        self.step(16)
        self.time -= 1
        return self.time
referee = Referee(600)
print(referee.tick(), referee.getTime(), referee.getName(), referee.name)
referee.custom_data = "kept"
print(referee.getCustomData())
"""


def test_derived_classes_may_name_attributes_like_readings(project: Project):
    """Before R2022b, Robot had methods such as getTime only, and its classes attributes such as time."""
    project.write(
        robot("a", "readings", "supervisor TRUE"), header="#VRML_SIM R2021a utf8\n", readings=READINGS
    )
    assert project.printed().splitlines() == ["0.0 a", "599 0.016 a name", "kept"]


PICTURES = """
import sys, types
cv2 = types.ModuleType("cv2")
def abort(*arguments):
    raise AssertionError("no display")
cv2.imshow = cv2.waitKey = cv2.namedWindow = cv2.destroyAllWindows = abort
sys.modules["cv2"] = cv2
from controller import Robot
robot = Robot()
robot.step(16)
cv2.namedWindow("a")
cv2.imshow("a", None), cv2.imshow("b", None)
print(cv2.waitKey(0))
cv2.destroyAllWindows()
"""


def test_pictures_without_a_display_are_not_shown_and_said_once(
    project: Project, monkeypatch: pytest.MonkeyPatch
):
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    project.write(robot("a", "pictures"), pictures=PICTURES)
    lines = project.printed().splitlines()
    assert [line for line in lines if "shows nothing" in line] == [
        'Warning: cv2.imshow("a") shows nothing, because this session has no display (DISPLAY is not set). '
        "Run with `--windows` to see the pictures in the browser, or save them with cv2.imwrite. "
        "This message is not repeated."
    ]
    assert "-1" in lines


SHOWN = (
    PICTURES.partition('cv2.namedWindow("a")')[0]
    + """
import numpy as np
gray, colored = np.array([[0, 255], [7, 8], [9, 10]], np.uint8), np.zeros((700, 1000, 3))
colored[..., 2] = 0.5
cv2.imshow("gray", gray), cv2.imshow("half red", colored), cv2.imshow("nothing", None)
cv2.imshow("deep", np.full((1, 1), 0x7F00, np.uint16)), cv2.imshow("gray", gray + np.uint8(1))
print(cv2.waitKey(1))
robot.wwiSendText("a text")
robot.step(16)
"""
)


@pytest.mark.parametrize("inline", [False, True])
def test_windows_of_the_run_show_the_pictures(
    project: Project, monkeypatch: pytest.MonkeyPatch, inline: bool
):
    """As OpenCV shows them: blue, green, red; 16 bits divided by 256; floating-point numbers from 0 to 1."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    project.write(robot("a", "shown"), shown=SHOWN)
    with project.runner(inline=inline, has_windows=True) as runner:
        assert runner.run().status == 0
        (shower,) = runner.simulation.robots
        window = shower.part("window")
    assert isinstance(window, Window)
    assert window.take_messages() == [b"a text\0"]
    pictures = window.pictures
    assert list(pictures) == ["gray", "half red", "deep"]
    assert pictures["gray"][1:] == (2, 3, bytes(v for k in (1, 0, 8, 9, 10, 11) for v in (k, k, k, 0)))
    assert pictures["half red"][1:] == (250, 175, bytes([0, 0, 127, 0]) * 250 * 175)
    assert pictures["deep"].pixels == bytes([127, 127, 127, 0])


def test_pictures_are_shown_where_there_is_a_display(project: Project, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DISPLAY", ":0")
    project.write(robot("a", "pictures"), pictures=PICTURES)
    assert "AssertionError: no display" in project.printed()
