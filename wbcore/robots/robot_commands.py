"""The robot's own commands: custom data, console, leaving, pinning, remote mode."""

from __future__ import annotations

from wbridge.wbcore.robots.parts import Part
from wbridge.wbcore.robots.robot import Robot

STDERR = 2


class RobotCommands(Part):
    """Commands available to every controller."""

    def on_set_custom_data(self, data: str) -> None:
        """Set the field `customData`."""
        self.robot.simulation.set_field(self.robot.node, "customData", data)

    def save(self) -> object:
        """Return the field `customData`."""
        return self.robot.node.get("customData")

    def load(self, state: object) -> None:
        """See `save`."""
        self.robot.simulation.world.set(self.robot.node, "customData", state)

    def on_console(self, stream: int, text: str) -> None:
        """Forward the controller's console output."""
        self.robot.simulation.console(self.robot, text, stream == STDERR)

    def on_leave(self) -> None:
        """Accept that the controller leaves."""

    def field_changed(self, name: str) -> None:
        """The controller or its arguments have changed: restart it."""
        if name in ("controller", "controllerArgs"):
            self.robot.simulation.host.restart_controller(self.robot)

    def on_pin(self, pin: bool) -> None:
        """Fix the robot to the world at the end of the step, or release it."""
        self.robot.simulation.pin(self.robot, pin)

    def on_get_urdf(self, prefix: str) -> None:
        """Send the robot as URDF, with a prefix before the names of its links and joints."""
        from wbridge.wbcore.robots.urdf import urdf_of  # start-up: few controllers ask

        robot = self.robot
        physics = robot.surroundings.physics
        solid = physics.solid(robot.node)
        part = next(part for part in physics.plan.parts if solid in part.solids)
        robot.send("urdf", urdf_of(part, robot.node, robot.name, prefix))

    def on_remote_on(self) -> None:
        """Stop sampling sensors because the controller drives a real robot."""
        self.robot.is_remote = True

    def on_remote_off(self) -> None:
        """Return to the simulation."""
        self.robot.is_remote = False


def make(robot: Robot) -> Part:
    """Return the part for a robot."""
    return RobotCommands(robot)
