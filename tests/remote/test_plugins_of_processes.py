"""Remote-control plugins of controller processes in Python: outside of the process, with JSON between."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.controllers.project import Project, robot

PLUGIN = """
import os, time
from wbridge.hal.remote import RemoteControl

class Plugin(RemoteControl):
    {members}

    def start(self, arg): return arg == "here"
    def stop(self): pass
    def has_failed(self): return False
    def stop_actuators(self): pass

    def robot_step(self, period):
        time.sleep(period / 1000)
        return 0

    def custom_function(self, arg):
        if arg == "fail":
            raise ValueError("it fails")
        return {{"process": os.getpid(), "arg": arg}}
"""
CALLS = """
import os
from controller import Robot
from wbridge.hal.api import wb_remote_control_custom_function as call
robot = Robot()
print(call(1), robot.getMode())
robot.setMode(2, "nowhere")
print(robot.getMode())
robot.setMode(2, "here")
robot.step(16)
answer = call({"numbers": [1, 2.5, None], "text": "\\u00e4"})
print(robot.getMode(), answer["arg"], answer["process"] == os.getpid())
print(call(object()), call("fail"))
robot.stepBegin(16)
print(call(2))
robot.stepEnd()
print(call(3)["arg"])
robot.setMode(0, "")
robot.step(16)
print(robot.getMode(), (call(4) or {}).get("arg"))
"""


def project_with(folder: Path, members: str, controller: str) -> Project:
    """A robot with a plugin of the project."""
    project = Project(folder / "project")
    place = project.folder / "plugins" / "remote_controls" / "wire"
    place.mkdir(parents=True)
    (place / "wire.py").write_text(PLUGIN.format(members=members))
    project.write(robot("a", "c", 'remoteControl "wire"'), c=controller)
    return project


ALONE = """
import os
from controller import Robot
from wbridge.hal.api import wb_remote_control_custom_function as call
robot = Robot()
print(robot.getMode(), robot.step(16), call(1)["process"] == os.getpid(), flush=True)
"""


@pytest.mark.parametrize("place", ["here", "nowhere"])
def test_a_program_starts_a_controller_in_remote_control(
    tmp_path: Path, place: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("WBRIDGE_REMOTE_CONTROL", place)
    printed = project_with(tmp_path, "pass", ALONE).printed()
    if place == "here":
        assert "2 0 False\n" in printed
    else:
        assert printed == 'Remote control "wire" cannot start with "nowhere"\n'


@pytest.mark.parametrize("members", ["pass", "GUARDED = True"])
def test_custom_functions_take_and_return_json(
    tmp_path: Path, members: str, monkeypatch: pytest.MonkeyPatch, unguarded: None
):
    monkeypatch.delenv("WBRIDGE_REMOTE_GUARD")
    project = project_with(tmp_path, members, CALLS)
    lines = project.printed().splitlines()
    said = [line for line in lines if not line.startswith(("Error", "Warning", "Remote"))]
    assert said == [
        "None 0",
        "0",
        "2 {'numbers': [1, 2.5, None], 'text': 'ä'} False",
        "None None",
        "None",
        "3",
        "0 4" if members == "pass" else "0 None",
    ]
    messages = "\n".join(line for line in lines if line not in said)
    assert "wb_remote_control_custom_function() called with a object, which cannot be sent" in messages
    assert "its custom function has failed: it fails" in messages
    assert 'Remote control "wire" cannot start with "nowhere"; the robot stays in simulation' in messages
