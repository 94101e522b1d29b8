"""Remote control of a robot whose simulator runs in this process: a guard runs its plugin.

The guard passes requests for the simulation back to this process (see `wbridge.hal.gateway.guard`).
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from wbridge.hal.connection.sockets import ConnectionLost
from wbridge.hal.gateway.described_robot import DescribedRobot
from wbridge.hal.gateway.host import RemoteHost, Route
from wbridge.hal.gateway.switch import REMOTE_CONTROL, SIMULATION, RemoteSwitch
from wbridge.hal.protocol.errors import ProtocolError
from wbridge.hal.protocol.packet import Answer, read_answer, write_answer
from wbridge.hal.remote_plugins import plugin_name

if TYPE_CHECKING:
    from wbridge.hal.client.native import HostedExchange, NativeRobot

__all__ = ["HostedRemote"]


class HostedSwitch(RemoteSwitch):
    """The switch of a robot whose plugin always runs in a guard."""

    def runs_guarded(self, needs_guard: Callable[[RemoteHost], bool]) -> bool:
        """True if the robot has a plugin (see `RemoteSwitch.runs_guarded`)."""
        needs_guard(self._robot)
        return bool(plugin_name(self._robot.info.remote_library))


class HostedRemote(DescribedRobot, RemoteHost):
    """The robot, as its guard sees it."""

    guards_plugins, alone, time = True, False, 0.0

    def __init__(self, robot: NativeRobot, exchange: HostedExchange) -> None:
        """
        Args:
            robot: the robot of the C library.
            exchange: leads to the simulator.
        """
        self._robot, self._exchange = robot, exchange
        self._folder = tempfile.TemporaryDirectory(prefix="wbridge-")
        super().__init__(Path(self._folder.name), {})
        self._reader.take(self.first_data)
        self._switch = HostedSwitch(self)

    def set_mode(self, mode: int, arg: str) -> None:
        """Switch between simulation and remote control."""
        self._switch.set_mode(mode, arg)

    def custom_function(self, argument: object) -> object:
        """Call the custom function of the plugin; argument and result are JSON values."""
        return self._switch.custom_function(argument)

    def close(self) -> None:
        """Stop the robot and end the guard, also if the simulator is gone."""
        with suppress(ProtocolError, ConnectionLost):
            self._switch.cleanup()
        self._folder.cleanup()

    # As a connection.

    def receive(self) -> bytes:
        """Wait for the guard's next answer; return to simulation if it or the robot was lost."""
        packet = self._exchange.route.receive()
        answer = packet if isinstance(packet, Answer) else read_answer(packet)
        self._reader.take(answer.data)
        data = bytearray(answer.data)
        self.pass_images(answer.images, data)
        self._switch.after_step()
        return write_answer(answer.delay, bytes(data))

    # As the host of a plugin.

    @property
    def first_data(self) -> bytes:
        """The messages of the simulator's first answer, which describe the robot."""
        return bytes(self._robot.configuration() or b"")

    @property
    def route(self) -> Route:
        """The connection to the simulator."""
        route: Route = self._exchange.route
        return route

    def lead(self, route: Route, is_remote: bool) -> None:
        """Use another connection; `is_remote`: a plugin drives the robot behind it."""
        self._exchange.lead(route, self.receive if is_remote else None)

    def announce(self, is_remote: bool) -> None:
        """The guard does this."""

    def resend_all(self) -> None:
        """Note remote control in the library, which repeats all that lasts."""
        self._robot.note_mode(REMOTE_CONTROL)

    def resend_lasting(self) -> None:
        """Note in the library that the simulation goes on; it repeats all that lasts."""
        self._robot.note_mode(SIMULATION)

    def deliver(self, tag: int, message: str, values: Sequence[object]) -> None:
        """Nothing: only a robot that is being stopped has a plugin in this process."""

    def deliver_picture(self, tag: int, code: int, pixels: bytes) -> None:
        """Nothing (see `deliver`)."""

    def picture(self, tag: int) -> bytes | None:
        """None (see `deliver`)."""
        return None
