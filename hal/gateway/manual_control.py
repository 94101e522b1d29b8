"""Manual control of a real robot in place of its controller: driving it and enabling its sensors.

Requests are lines of JSON on the trace (`wbridge.hal.gateway.trace`). They take effect in the
controller's next step:

    {"do": "drive", "on": true}                                take the robot; false gives it back
    {"do": "stop"}                                             take it and stop every motor
    {"do": "acknowledge"}                                      let it move again after a fault
    {"do": "set", "tag": 1, "channel": "velocity", "value": 3} drive
    {"do": "enable", "tag": 2, "function": "wb_position_sensor_enable", "period": 32}
    {"do": "leave"}                                            stop motors, disable sensors, give it back

While the robot is taken, commands of its controller to actuators are stored and carried out when it is given
back. A closed connection counts as "leave". A reader tells each connection who drives and which sensors
are enabled: if a guard was lost, the next one leaves the robot stopped until it knows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from wbridge.hal.catalogue import actuators
from wbridge.hal.gateway.plugin_calls import MOTORS, PluginCalls, Unable
from wbridge.hal.reports import report

if TYPE_CHECKING:
    from wbridge.hal.gateway.host import RemoteDevice, RemoteDevices
    from wbridge.hal.gateway.trace import Trace

Values = tuple[object, ...]
Say = Callable[["RemoteDevice", str, Values], None]
"""Carries out a command of the controller."""

ACTUATORS = tuple(actuators())
"""Types of devices that can be taken from the controller."""
DRIVES = ("set_position", "set_velocity", "set_force")
"""Commands after which a motor moves."""


class ManualControl:
    """Decides who drives: the controller or a window."""

    def __init__(self, devices: RemoteDevices, calls: PluginCalls, trace: Trace, say: Say) -> None:
        """
        Args:
            devices: the devices of the controller's robot.
            calls: calls the plugin.
            trace: delivers requests, and records what was done.
            say: carries out a command of the controller.
        """
        self._devices, self._calls, self._trace, self._say = devices, calls, trace, say
        self.is_driven = False
        """A window drives."""
        self._said: dict[tuple[int, str], tuple[RemoteDevice, Values]] = {}
        """Commands of the controller to actuators, by tag and command, newest last."""
        self._touched: set[int] = set()
        """Devices that windows have set since the robot was taken."""
        self._held: set[int] = set()
        """Devices that the controller has commanded since then."""
        self._still: set[int] = set()
        """Motors left with velocity 0 whose velocity the controller has never set."""
        self._periods: dict[tuple[int, str], int] = {}
        self._is_silent = False

    def begin(self) -> None:
        """Tell a newly connected plugin which sensors windows have enabled."""
        for (tag, function), period in self._periods.items():
            self._try("set_period", tag, function, period)

    def await_driver(self) -> None:
        """Keep the controller's commands until the reader says who drives: a former process is gone that
        knew it."""
        self.is_driven = True

    # Commands of the controller.

    def takes(self, device: RemoteDevice, command: str, values: Values) -> bool:
        """Store a command to an actuator; True if it has to wait."""
        if device.node_type not in ACTUATORS or command.startswith("enable"):
            return False
        self._said.pop((device.tag, command), None)
        self._said[device.tag, command] = device, values
        if self.is_driven:
            self._held.add(device.tag)
            return True
        if command == "set_velocity":
            self._still.discard(device.tag)
        elif command == "set_position" and device.tag in self._still:
            self._still.discard(device.tag)
            self._try("set", device.tag, "velocity", _most(device, "velocity"))
        return False

    def keeps(self, tag: int, function: str, period: int) -> bool:
        """True if the controller disables a sensor that a window has enabled."""
        return period == 0 and (tag, function) in self._periods

    # What somebody else requests.

    def step(self, is_silent: bool) -> None:
        """Carry out requests; to be called before the commands of a step.

        Args:
            is_silent: the robot does not answer; it must not move on when it answers again.
        """
        if is_silent and not self._is_silent and self.is_driven:
            self._stop()
        self._is_silent = is_silent
        for request in self._trace.hear():
            try:
                _REQUESTS[request["do"]](self, request)
            except (KeyError, TypeError, ValueError) as problem:
                report.warning("wb_robot_step", f"an invalid request for manual control: {problem}")
        if not self._trace.is_open:
            self._leave({})

    def _drive(self, request: dict[str, object]) -> None:
        if bool(request["on"]) != self.is_driven:
            self.is_driven = bool(request["on"])
            if not self.is_driven:
                self._give_back()

    def _stop(self, request: object = None) -> None:
        self.is_driven = True
        for device in self._devices:
            if device is not None and device.node_type in MOTORS:
                self._touched.add(device.tag)
                self._try("stand", device.tag)
                self._trace.command(device.tag, "position", float("inf"))
                self._trace.command(device.tag, "velocity", 0.0)

    def _acknowledge(self, request: object) -> None:
        self._calls.resume()

    def _set(self, request: dict[str, Any]) -> None:
        tag, channel, value = int(request["tag"]), str(request["channel"]), request["value"]
        device = self._devices.device(tag)
        if device is None or device.node_type not in ACTUATORS or not self.is_driven or self._is_silent:
            return
        self._touched.add(tag)
        self._try("set", tag, channel, value)
        self._trace.command(tag, channel, value)

    def _enable(self, request: dict[str, Any]) -> None:
        tag, function, period = int(request["tag"]), str(request["function"]), int(request["period"])
        if period > 0:
            self._periods[tag, function] = period
        elif self._periods.pop((tag, function), None) is None:
            return
        self._try("set_period", tag, function, period)

    def _leave(self, request: dict[str, object]) -> None:
        if self.is_driven:
            self._stop()
            self._drive({"on": False})
        for tag, function in list(self._periods):
            self._enable({"tag": tag, "function": function, "period": 0})

    def _give_back(self) -> None:
        """Restore what the controller has commanded, and the initial state of all else."""
        touched, self._touched = self._touched, set()
        held, self._held = self._held, set()
        for tag in sorted(touched):
            device = self._devices.device(tag)
            if device is not None and device.node_type in MOTORS:
                self._restore_initial(device)
            elif device is not None and device.node_type == "LED" and (tag, "set") not in self._said:
                self._set_and_tell(tag, "value", 0)
        for (tag, command), (device, values) in list(self._said.items()):
            if tag in touched or tag in held:
                self._say(device, command, values)

    def _restore_initial(self, motor: RemoteDevice) -> None:
        tag = motor.tag
        moves = any((tag, one) in self._said for one in DRIVES)
        self._set_and_tell(tag, "availableForce", _most(motor, "force"))
        self._set_and_tell(tag, "velocity", _most(motor, "velocity") if moves else 0.0)
        (self._still.discard if moves else self._still.add)(tag)

    def _set_and_tell(self, tag: int, channel: str, value: float) -> None:
        self._try("set", tag, channel, value)
        self._trace.command(tag, channel, value)

    def _try(self, method: str, *arguments: object) -> None:
        try:
            getattr(self._calls, method)(*arguments)
        except Unable as problem:
            report.warning("wb_robot_step", f"{problem}; a request of a window is ignored.")


def _most(motor: object, what: str) -> float:
    """The limit of a motor."""
    return float(getattr(motor, f"max_{what}"))


_REQUESTS: dict[str, Callable[[ManualControl, dict[str, Any]], None]] = {
    "acknowledge": ManualControl._acknowledge,
    "drive": ManualControl._drive,
    "stop": ManualControl._stop,
    "set": ManualControl._set,
    "enable": ManualControl._enable,
    "leave": ManualControl._leave,
}
