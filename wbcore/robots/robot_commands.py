"""Commands of the robot that concern itself: custom data, console, leaving, remote mode."""

from __future__ import annotations

from typing import Any

from wbcore.robots.parts import Part
from wbcore.robots.robot import Robot

STDERR = 2


class RobotCommands(Part):
    """What any controller may do with its robot."""

    def on_set_custom_data(self, data: str) -> None:
        """Set the field `customData`."""
        self.robot.simulation.set_field(self.robot.node, "customData", data)

    def save(self) -> Any:
        """The field `customData`."""
        return self.robot.node.get("customData")

    def load(self, state: Any) -> None:
        """See `save`."""
        self.robot.simulation.world.set(self.robot.node, "customData", state)

    def on_console(self, stream: int, text: str) -> None:
        """Pass on what the controller wrote to the console."""
        self.robot.simulation.console(self.robot, text, stream == STDERR)

    def on_leave(self) -> None:
        """The controller ends."""

    def field_changed(self, name: str) -> None:
        """The controller or its arguments have changed: restart it."""
        if name in ("controller", "controllerArgs"):
            self.robot.simulation.host.restart_controller(self.robot)

    def on_pin(self, pin: bool) -> None:
        """Fix the robot to the world where it stands at the end of the step, or set it free."""
        self.robot.simulation.pin(self.robot, pin)

    def on_remote_on(self) -> None:
        """The controller drives a real robot: sensors are not sampled."""
        self.robot.is_remote = True

    def on_remote_off(self) -> None:
        """The controller is back in the simulation."""
        self.robot.is_remote = False


def make(robot: Robot) -> Part:
    """The part for a robot."""
    return RobotCommands(robot)
