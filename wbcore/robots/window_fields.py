"""The fields of a robot that select its window."""

from __future__ import annotations

from pathlib import Path

from wbridge.hal.plugins import Plugins
from wbridge.wbcore.scene.node import Node

NONE = ("", "<none>", "void", "none", "<generic>", "generic")
PLUGINS = Plugins("robot_windows")


def plugin_of(robot: Node, project: Path) -> str:
    """Return the path or name of the window's plugin for the controller, or "" if there is none.

    Args:
        robot: the robot's built-in node.
        project: the project folder.
    """
    name = str(robot.get("window"))
    if name in NONE:
        return ""
    file = PLUGINS.file(name, project)
    file = file or PLUGINS.library(name, project)
    if file is not None:
        return str(file)
    return name if name in PLUGINS.installed() else ""


def is_shown(robot: Node) -> bool:
    """True if the window opens when the controller starts (a field of R2022a and before)."""
    return bool(robot.get("showWindow") or robot.get("showRobotWindow"))
