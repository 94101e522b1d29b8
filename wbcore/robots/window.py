"""Messages between a controller and its robot window."""

from __future__ import annotations

from wbcore.robots.parts import Part
from wbcore.robots.robot import Robot


class Window(Part):
    """Passes messages on; windows read what controllers sent with `take_messages`."""

    LIMIT = 1000
    """Most messages that are kept while no window reads them."""

    def __init__(self, robot: Robot) -> None:
        super().__init__(robot)
        self._to_window: list[bytes] = []

    def on_to_window(self, data: bytes) -> None:
        """The controller sends a message to its window."""
        if len(self._to_window) < self.LIMIT:
            self._to_window.append(data)

    def take_messages(self) -> list[bytes]:
        """What the controller sent since the last call."""
        messages, self._to_window = self._to_window, []
        return messages

    def send(self, data: bytes) -> None:
        """Send a message to the controller; a text ends with NUL."""
        self.robot.tell("from_window", data)


def make(robot: Robot) -> Part:
    """The part for a robot."""
    return Window(robot)
