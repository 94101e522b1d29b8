"""What remote control needs of the robot whose commands it takes: that of a gateway, or of a controller.

`wbridge.hal.gateway.robot.GatewayRobot` reads packets; `wbridge.hal.client.remote.HostedRemote` is the robot
of a controller in the simulator's process.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from wbridge.hal.protocol.codec import Codec, Command
    from wbridge.hal.protocol.configure import RobotInfo
    from wbridge.hal.protocol.packet import Answer

KEPT = None
"""In the values of a message: the former value of the device stays."""
PICTURE, SEGMENTS = 0, 9
"""Codes of the pictures of a device; a segmentation is the second one of a camera."""


class RemoteDevice(Protocol):
    """A device of the robot.

    The constants and optics of its codec are attributes, for example `width` of a camera. `sibling` is the
    tag of the device on the same joint that the controller has asked for, if any.
    """

    tag: int
    node_type: str
    name: str
    codec: Codec


class PictureDevice(RemoteDevice, Protocol):
    """A camera, range-finder or lidar; the last two numbers are those of a lidar."""

    width: int
    height: int
    layers: int
    horizontal_resolution: int


class RemoteDevices(Protocol):
    """The devices by tag; tag 0 and devices of unknown node types are None."""

    def __iter__(self) -> Iterator[RemoteDevice | None]: ...

    def __len__(self) -> int: ...

    def device(self, tag: int) -> RemoteDevice | None:
        """The device with a tag, or None."""


class Driver(Protocol):
    """What carries out commands in remote control: the mode of a plugin."""

    active: bool
    """True in remote control."""

    def take(self, device: RemoteDevice, command: str, values: tuple[object, ...]) -> bool:
        """Keep a command for the next step; False if it is one for the simulator."""

    def take_battery(self, period: int) -> None:
        """Keep the sampling period of the battery sensor, in ms."""

    def draw(self, display: RemoteDevice, commands: Sequence[Command]) -> None:
        """Show drawing commands."""


class Route(Protocol):
    """A connection to the simulator, which a guard may lead through its process."""

    def send(self, packet: bytes) -> None:
        """Send a complete request."""

    def receive(self) -> Answer | bytes:
        """Wait for the next answer."""

    def close(self) -> None:
        """Close the connection."""


class RemoteHost(Protocol):
    """The robot."""

    alone: bool
    """True without a simulation to return to: the controller drives a real robot."""
    time: float
    """In s."""
    guards_plugins: bool
    """True if plugins for robots without a watchdog run in a guard."""

    @property
    def devices(self) -> RemoteDevices:
        """The devices."""

    @property
    def info(self) -> RobotInfo:
        """How the robot was configured."""

    @property
    def first_data(self) -> bytes:
        """The messages of the simulator's first answer, which describe the robot."""

    @property
    def route(self) -> Route:
        """The connection to the simulator."""

    def lead(self, route: Route, is_remote: bool) -> None:
        """Use another connection; `is_remote`: a plugin drives the robot behind it."""

    def announce(self, is_remote: bool) -> None:
        """Tell the simulator that remote control begins, in a packet of its own, or ends, with the next."""

    def resend_all(self) -> None:
        """Repeat all commands that a robot needs to continue in the current state."""

    def resend_lasting(self) -> None:
        """Repeat the commands that set a lasting state."""

    # Values from the robot.

    def deliver(self, tag: int, message: str, values: Sequence[object]) -> None:
        """Give the controller a message in place of the simulator.

        Args:
            tag: tag of the device; 0 is the robot.
            message: name in the codec.
            values: of the message; see `KEPT`.
        """

    def deliver_picture(self, tag: int, code: int, pixels: bytes) -> None:
        """Give the controller a picture (see `PICTURE`)."""

    def picture(self, tag: int) -> bytes | None:
        """The newest picture of a device with the points that follow it; None before the first one."""
