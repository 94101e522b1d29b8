"""Connect a robot on a wire with the windows that show it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wbridge.wbcore.robots.user import Keyboard
from wbridge.wbcore.windows.remote_robot import RemoteDrivenRobot
from wbridge.wbcore.windows.remote_view import RemoteStep
from wbridge.wbcore.windows.request_handler import DrivenRobot, RequestHandler, Subscribers, WindowRequest

REAL_TIME = 1


class RemoteHandler(RequestHandler):
    """Handles the windows of one robot, which has the number 0."""

    def __init__(
        self, subscribers: Subscribers, take: Callable[[], Sequence[WindowRequest]], robot: RemoteDrivenRobot
    ) -> None:
        """
        Args:
            subscribers: the open windows.
            take: returns the requests since the last call.
            robot: the robot that windows show and drive.
        """
        super().__init__(subscribers, take)
        self.robot = robot

    def note(self, step: RemoteStep) -> None:
        """Apply a step of the robot."""
        warning = self.robot.note(step)
        if warning:
            self.subscribers.say(warning, "warning", self.robot.name)

    def publish(self, now: float) -> None:
        """Send the latest state of the robot."""
        robot, view = self.robot, self.robot.view
        for message in robot.messages_to_window():
            self.subscribers.send(robot.name, message)
        values = view.values()
        values = {
            **values,
            "pictures": {**values["pictures"], **robot.shown_pictures()},
            "number": robot.number,
            "driver": robot.driver,
            "controller": robot.controller,
            "customData": robot.custom_data,
        }
        run = {
            "time": view.time,
            "step": 0.0,
            "mode": REAL_TIME,
            "speed": 1.0,
            "factor": 1.0,
            "steps": view.steps,
            "labels": [],
            "drivers": self.driving.pages(),
            "silent": view.is_silent,
        }
        self.subscribers.publish(run, {robot.number: values}, None)

    @property
    def keyboard(self) -> Keyboard | None:
        """The keyboard that the controller reads; None if there is no controller."""
        return self.robot.keyboard

    @property
    def driven_robots(self) -> Sequence[DrivenRobot]:
        """The only robot."""
        return (self.robot,)

    def _robot(self, request: WindowRequest) -> DrivenRobot:
        return self.robot
