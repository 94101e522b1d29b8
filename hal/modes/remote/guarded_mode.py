"""Remote mode with a guard: the plugin runs in a process of its own (see `hal.modes.remote.guard`)."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Protocol

from hal.modes import report
from hal.modes.remote.guard import GuardConnection
from hal.protocol.packet import write_request
from hal.remote import RemoteRobot
from hal.remote_plugins import PLUS, create_plugin, find_plugin, plugin_name

if TYPE_CHECKING:
    from hal.modes.battery import Battery
    from hal.modes.exchange import Exchange
    from hal.modes.remote.loading import RobotWithPlugin

    class GuardedRobot(RobotWithPlugin, Protocol):
        """The part of the controller's robot that a guard needs."""

        exchange: Exchange
        battery: Battery


__all__ = ["CUSTOM_BLOCK", "MODE_BLOCK", "RELEASE", "GuardedMode", "needs_guard"]

VARIABLE = "WBRIDGE_REMOTE_GUARD"
"""Environment: "off" runs all plugins in the controller's process, for example to debug one."""
MODE_BLOCK, CUSTOM_BLOCK = 0xFFFF, 0xFFFE
RELEASE, SIMULATION, REMOTE_CONTROL = -1, 0, 2
"""Modes that a request for a mode may name; the first one returns to simulation and ends the guard."""
REASON = "remote control"


def needs_guard(robot: RobotWithPlugin) -> bool:
    """True if the robot's plugin has to run in a guard.

    Raises:
        PluginError: there is no such plugin.
    """
    name = plugin_name(robot.info.remote_library)
    if not name or os.environ.get(VARIABLE) == "off":
        return False
    return any(find_plugin(part, robot.info.project_path).GUARDED for part in name.split(PLUS))


class GuardedMode:
    """A plugin in a guard, as `hal.modes.remote.mode.RemoteMode` is one in this process."""

    def __init__(self, robot: GuardedRobot) -> None:
        self._robot, self._exchange = robot, robot.exchange
        self.active = False
        """True in remote control."""
        self.place = ""
        """Argument of the plugin's last start."""
        self._guard: GuardConnection | None = None
        self._result: Any = None

    def start(self, place: str) -> bool:
        """Connect the plugin to a robot, or continue with the same one; False, with a message, if that fails."""
        if self._guard is None:
            exchange = self._exchange
            self._guard = GuardConnection(exchange.connection, exchange.first_data, self._stop_robot)
            exchange.connection = self._guard
            exchange.packet_reasons.add(REASON)
        self.place = place
        self._request_mode(REMOTE_CONTROL, place)
        if self.active:
            self._robot.battery.resend_lasting()
            for device in self._exchange.devices.known():
                device.resend_all()
        else:
            self.stop()
        return self.active

    def stop(self) -> None:
        """Stop the robot, disconnect the plugin, and send all lasting commands to the simulator."""
        guard = self._guard
        if guard is None:
            return
        if not guard.is_lost:
            self._request_mode(RELEASE, "")
        self.active, self._guard = False, None
        guard.release()
        self._exchange.connection = guard.simulator
        self._exchange.packet_reasons.discard(REASON)
        self._robot.battery.resend_lasting()
        for device in self._exchange.devices.known():
            device.resend_lasting()

    def after_step(self) -> None:
        """Return to simulation if the robot or the guard was lost in a step.

        Raises:
            SystemExit: there is no simulation to return to.
        """
        guard = self._guard
        if guard is not None and guard.is_lost:
            self.active = False
        if self.active or guard is None:
            return
        if self._robot.alone:
            raise SystemExit(1)
        self.stop()

    def take_mode(self, mode: int) -> None:
        """Store the mode that the guard reports."""
        self.active = mode == REMOTE_CONTROL

    def take_custom(self, text: str) -> None:
        """Store the result of the plugin's custom function."""
        self._result = json.loads(text)

    def custom_function(self, arg: Any) -> Any:
        """Call the plugin's custom function; argument and result are JSON values."""
        self._result = None
        try:
            text = json.dumps(arg)
        except (TypeError, ValueError) as error:
            report.error(
                "wb_remote_control_custom_function",
                f"called with {type(arg).__name__}, which cannot be sent to the plugin ({error}); allowed: None, numbers, "
                "strings, lists and dictionaries.",
            )
            return None
        self._request(CUSTOM_BLOCK, text.encode())
        return self._result

    def _request_mode(self, mode: int, place: str) -> None:
        self._request(MODE_BLOCK, mode.to_bytes(4, "little", signed=True) + place.encode() + b"\0")

    def _request(self, block: int, data: bytes) -> None:
        """Send a request to the guard itself, and handle the answer."""
        exchange = self._exchange
        exchange.send_packet(write_request(0, [(block, data)]))
        exchange.receive()

    def _stop_robot(self) -> None:
        """Reopen the wire in this process and stop the robot, after the guard was lost."""
        plugin = create_plugin(plugin_name(self._robot.info.remote_library), self._robot.info.project_path)
        if plugin.init(RemoteRobot(self._robot)) and plugin.start(self.place):
            plugin.stop_actuators()
            plugin.stop()
