"""Messages between a controller and its robot window."""

from __future__ import annotations

from wbridge.hal.protocol.shown_pictures import ShownPicture, unpack
from wbridge.wbcore.robots.parts import Part
from wbridge.wbcore.robots.robot import Robot
from wbridge.wbcore.robots.window_fields import plugin_of

END = b"\0"
GREETING = b"init robot window\0"
"""First message of a page."""


class Window(Part):
    """Forwards messages; windows read those of controllers with `take_messages`."""

    LIMIT = 1000
    """Maximum number of messages kept until a window reads them; newer ones are lost."""
    MOST_BYTES = 2**24
    """Maximum number of bytes queued for the controller."""
    MOST_PICTURES = 16
    """Maximum number of pictures; those of further names are not shown."""

    def __init__(self, robot: Robot) -> None:
        super().__init__(robot)
        self._to_window: list[bytes] = []
        self.pictures: dict[str, ShownPicture] = {}
        """The latest picture that the controller shows under each name."""

    def on_to_window(self, data: bytes) -> None:
        """Store a message from the controller for its window, or a picture that it shows."""
        if (picture := unpack(data)) is not None:
            if picture.name in self.pictures or len(self.pictures) < self.MOST_PICTURES:
                self.pictures[picture.name] = picture
        elif len(self._to_window) < self.LIMIT:
            self._to_window.append(data)
        else:
            self.robot.warn(
                f"no page reads the messages to the robot window; the first {self.LIMIT} are kept"
            )

    def shown_pictures(self) -> dict[int | str, tuple[int, int, bytes]]:
        """Return columns, rows and pixels of the latest pictures, by the keys that pages know them by."""
        return {f"shown:{name}": picture[1:] for name, picture in self.pictures.items()}

    def take_messages(self) -> list[bytes]:
        """Return the controller's messages since the last call; texts end with NUL."""
        messages, self._to_window = self._to_window, []
        return messages

    def send(self, data: bytes | str) -> None:
        """Queue a message for the controller, which receives it with the next answer.

        Args:
            data: a text, or bytes that end with NUL.

        Raises:
            ValueError: the queue is full.
        """
        raw = data.encode() + END if isinstance(data, str) else data
        if raw == GREETING and plugin_of(self.robot.node, self.robot.simulation.world.project):
            self.robot.send_newest("show_window")
        code = self.robot.codec.message_codes["from_window"]
        # Join messages into one, because libraries read only one of this kind per packet.
        values = (values[0] for waits, values in self.robot.answer.own if waits == code)
        waiting = b"".join(value for value in values if isinstance(value, bytes))
        if len(waiting) + len(raw) > self.MOST_BYTES:
            raise ValueError(f"more than {self.MOST_BYTES} bytes are queued for the controller")
        self.robot.send_newest("from_window", waiting + raw)

    def connect(self) -> None:
        """Restart the window of a new controller."""
        self._to_window = []
        self.pictures = {}


def make(robot: Robot) -> Part:
    """Return the part for a robot."""
    return Window(robot)
