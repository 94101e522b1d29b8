"""Missing controllers of robots (manual, 3.57.2)."""

from __future__ import annotations

from wbridge.wbcore.scene.checks._checker import Checker
from wbridge.wbcore.scene.checks._projects import names_in
from wbridge.wbcore.scene.diagnostics import did_you_mean, shown
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.places import instance_of

_NO_PROGRAM = ("", "<extern>", "<generic>", "<none>", "void")


def check_controllers(checker: Checker) -> None:
    """Name all controllers that were not found in one warning."""
    missing: dict[str, Node] = {}
    for robot in checker.all("Robot"):
        name = robot.get("controller")
        if robot.use_of is None and name not in _NO_PROGRAM and name not in _known(robot, checker):
            missing.setdefault(name, robot)
    if missing and not checker.is_model:
        name, robot = next(iter(missing.items()))
        text = f"the controller {shown(name)} is" if len(missing) == 1 else f"{len(missing)} controllers are"
        names = "" if len(missing) == 1 else ": " + ", ".join(shown(name) for name in missing)
        effect = "the robot" if len(missing) == 1 else "their robots"
        text += f" not in {checker.world.project / 'controllers'}{names}; {effect} will not act"
        text += did_you_mean(name, _known(robot, checker)) if len(missing) == 1 else ""
        checker.warn("no-controller", text, instance_of(robot), "controller")


def _known(robot: Node, checker: Checker) -> list[str]:
    return names_in("controllers", robot, checker)


WORLD_RULES = (check_controllers,)
