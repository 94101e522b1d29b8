"""A gateway in this process between a controller and its simulator: tests look into its plugin."""

from __future__ import annotations

from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from types import SimpleNamespace
from typing import Any, cast

from wbridge.hal.client import native
from wbridge.hal.gateway import standalone
from wbridge.hal.gateway.gateway import Gateway
from wbridge.hal.gateway.mode import RemoteMode
from wbridge.hal.gateway.robot import GatewayRobot
from wbridge.hal.protocol.loopback import Loopback
from wbridge.hal.protocol.packet import Request, RequestReader
from wbridge.hal.remote import RemoteControl, RemoteRobot

__all__ = ["Between"]


class Between:
    """The connection of a controller, and what it asks for another mode."""

    def __init__(self, world: Loopback) -> None:
        self.world, self._requests = world, RequestReader()
        self.requests: list[Request] = []
        """What the controller has sent."""
        self._folder = mkdtemp(prefix="wbridge-")
        self.robot = GatewayRobot(world, Path(self._folder))  # type: ignore[arg-type]  # it is never waited for
        self.robot.start()
        self._ready: list[bytes] = []
        self._gateway = Gateway(self.robot, cast(Any, SimpleNamespace(sendall=self._ready.append)), tcp=False)
        self._gateway._knows_modes = True
        self.controller = native.attach(self)
        assert self.controller.exchange is not None
        self.controller.exchange.remote = self

    # The plugin.

    def drive(self, plugin: RemoteControl, view: RemoteRobot | None = None) -> RemoteMode:
        """Let a plugin drive the robot."""
        mode = RemoteMode(self.robot, plugin, "test")
        self.robot.remote_control.use(mode)
        if view is not None:
            assert mode.init(view)
        self.robot.remote_control.start("")
        self._tell_mode()
        return mode

    @property
    def plugin(self) -> Any:
        """The plugin, once it is loaded."""
        assert self.robot.remote_control.mode is not None
        return self.robot.remote_control.mode.plugin

    def begin(self) -> None:
        """Begin in remote control, as the environment says."""
        standalone.begin(self.robot)
        self._tell_mode()

    def _tell_mode(self) -> None:
        """Let the controller say again all that lasts, as after a change of the mode."""
        mode = self.robot.get_mode()
        if mode or self.controller.get_mode():
            self.controller.note_mode(mode)

    # As what the controller asks.

    def set_mode(self, mode: int, arg: str) -> None:
        """Switch between simulation and remote control."""
        self.robot.set_mode(mode, arg)
        self._gateway._mode = self.robot.get_mode()
        self._tell_mode()

    def custom_function(self, argument: object) -> object:
        """Call the custom function of the plugin."""
        return self.robot.remote_control.custom_function(argument)

    # As the connection.

    def send(self, packet: bytes) -> None:
        """Handle a request."""
        for request in self._requests.feed(packet):
            self.requests.append(request)
            try:
                self._gateway._handle(request)
            except SystemExit:
                if not self._ready:
                    raise

    def receive(self) -> bytes:
        """The next answer."""
        return self._ready.pop(0)

    def close(self) -> None:
        """The controller is gone."""
        if self._gateway._life_signs is not None:
            self._gateway._life_signs.close()
        rmtree(self._folder, ignore_errors=True)
