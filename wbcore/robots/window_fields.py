"""What a robot's fields say about its window."""

from __future__ import annotations

from pathlib import Path, PurePath

from wbcore.scene.node import Node

__all__ = ["is_shown", "plugin_of"]

NONE = ("", "<none>", "void", "none", "<generic>", "generic")
GROUP = "wbridge.robot_windows"
"""Of entry points with plugins in Python."""


def plugin_of(robot: Node, project: Path) -> str:
    """The path or the name of the window's plugin in Python, for the controller; "": there is none.

    Args:
        robot: the robot's built-in node.
        project: the folder of the project.
    """
    name = str(robot.get("window"))
    if name in NONE or PurePath(name).name != name:
        return ""
    folder = project / "plugins" / "robot_windows"
    for file in (folder / name / f"{name}.py", folder / f"{name}.py"):
        if file.is_file():
            return str(file)
    from importlib.metadata import entry_points  # takes long, and few robots need it

    return name if any(one.name == name for one in entry_points(group=GROUP)) else ""


def is_shown(robot: Node) -> bool:
    """True when the window shall be shown at the start of the controller (a field of R2022a and before)."""
    return bool(robot.get("showWindow") or robot.get("showRobotWindow"))
