"""Messages between a controller and its robot window."""

from __future__ import annotations

from wbcore.robots.parts import Part
from wbcore.robots.robot import Robot
from wbcore.robots.window_fields import plugin_of

END = b"\0"
GREETING = b"init robot window\0"
"""First message of a page."""


class Window(Part):
    """Passes messages on; windows read what controllers sent with `take_messages`."""

    LIMIT = 1000
    """Most messages that are kept while no window reads them; newer ones are lost."""
    MOST_BYTES = 2**24
    """That may wait for the controller."""

    def __init__(self, robot: Robot) -> None:
        super().__init__(robot)
        self._to_window: list[bytes] = []

    def on_to_window(self, data: bytes) -> None:
        """The controller sends a message to its window."""
        if len(self._to_window) < self.LIMIT:
            self._to_window.append(data)
        else:
            self.robot.warn(
                f"no page reads the messages to the robot window; the first {self.LIMIT} are kept"
            )

    def take_messages(self) -> list[bytes]:
        """What the controller sent since the last call; texts end with NUL."""
        messages, self._to_window = self._to_window, []
        return messages

    def send(self, data: bytes | str) -> None:
        """Send a message to the controller, which gets it with its next answer.

        Args:
            data: a text, or bytes with a NUL at their end.

        Raises:
            ValueError: too much waits for the controller already.
        """
        raw = data.encode() + END if isinstance(data, str) else data
        if raw == GREETING and plugin_of(self.robot.node, self.robot.simulation.world.project):
            self.robot.send_newest("show_window")
        code = self.robot.codec.message_codes["from_window"]
        # Several messages travel as one: libraries read only one of this kind from a packet.
        waiting = b"".join(values[0] for waits, values in self.robot.outbox if waits == code)
        if len(waiting) + len(raw) > self.MOST_BYTES:
            raise ValueError(f"more than {self.MOST_BYTES} bytes wait for the controller")
        self.robot.send_newest("from_window", waiting + raw)

    def connect(self) -> None:
        """Restart the window of a new controller."""
        self._to_window = []


def make(robot: Robot) -> Part:
    """The part for a robot."""
    return Window(robot)
