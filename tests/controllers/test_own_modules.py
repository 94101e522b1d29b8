"""Modules beside a controller belong to the user, whatever their names: wbridge neither needs nor hides them.

Judge: Python's own rule that the folder of the script comes first.
"""

from __future__ import annotations

import pytest

from tests.controllers.project import Project, robot

NAMES = ("hal", "wbcore", "robot_windows", "remote_controls", "scripts")
"""Names of files; those of folders of wbridge's sources are among them."""
FOLDERS = ("plugins", "tests", "libcontroller")
CONTROLLER = f"""
from controller import Supervisor
robot = Supervisor()
robot.step(16)
import {", ".join((*NAMES, *FOLDERS))}
from plugins import part
print(*(module.MARKER for module in ({", ".join((*NAMES, *FOLDERS))}, part)))
print(robot.getSelf().getTypeName(), robot.step(16))
"""
DEVICES = "DistanceSensor { } Camera { width 4 height 4 }"


def test_modules_beside_a_controller_are_the_users(project: Project):
    _write(project)
    assert project.printed().splitlines() == _expected()


def test_modules_beside_an_inline_controller_are_the_users(project: Project):
    _write(project)
    assert project.printed(inline=True).splitlines() == _expected()


@pytest.mark.parametrize("inline", [False, True])
def test_a_controller_may_start_with_its_own_modules(project: Project, inline: bool):
    """They are there before wbridge loads what it needs for devices, pictures and scenes."""
    _write(project)
    code = "\n".join((f"import {', '.join(NAMES)}", CONTROLLER, "robot.getDevice('camera').enable(16)"))
    project.file("own", "own.py", f"{code}\nrobot.step(16), print(len(robot.getDevice('camera').getImage()))")
    assert project.printed(inline=inline).splitlines() == [*_expected(), "64"]


def _write(project: Project) -> None:
    project.write(robot("a", "own", "supervisor TRUE", DEVICES), own=CONTROLLER)
    for name in NAMES:
        project.file("own", f"{name}.py", f"MARKER = {name!r}\n")
    for name in FOLDERS:
        project.file("own", f"{name}/__init__.py", f"MARKER = {name!r}\n")
    project.file("own", "plugins/part.py", "MARKER = 'part'\n")


def _expected() -> list[str]:
    return [" ".join((*NAMES, *FOLDERS, "part")), "Robot 0"]
