"""Missing robot windows (manual, 3.57.2, field window)."""

from __future__ import annotations

from wbridge.wbcore.scene.checks._checker import Checker
from wbridge.wbcore.scene.checks._projects import names_in
from wbridge.wbcore.scene.diagnostics import did_you_mean, shown
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.places import instance_of

_FOLDER = "plugins/robot_windows"
_NO_FOLDER = ("", "<generic>", "<none>", "generic", "void")
_OF_WEBOTS = ("automobile", "botstudio", "e-puck", "khepera3", "thymio2")
"""Windows of Webots' own robots, which the generic window replaces."""


def check_window(robot: Node, checker: Checker) -> None:
    """Warn about each window that was not found."""
    name = robot.get("window")
    if robot.use_of is not None or name in (*_NO_FOLDER, *_OF_WEBOTS) or checker.is_model:
        return
    known = names_in(_FOLDER, robot, checker)
    if name not in known and f"{name}.py" not in known:
        where = checker.world.project / _FOLDER
        text = f"the window {shown(name)} is not in {where}; the generic window is shown in its place"
        checker.warn("no-window", text + did_you_mean(name, known), instance_of(robot), "window")


NODE_RULES = (("Robot", check_window),)
