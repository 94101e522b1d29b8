"""Lets somebody who looks on drive a real robot in the place of its controller, and enable its sensors.

Wishes are lines of JSON that come by the trace (`hal.modes.remote.trace`), and are carried out with the
controller's next step:

    {"do": "drive", "on": true}                                take the robot; false: give it back
    {"do": "stop"}                                             take it, and let all motors stand still
    {"do": "set", "tag": 1, "channel": "velocity", "value": 3} drive
    {"do": "enable", "tag": 2, "function": "wb_position_sensor_enable", "period": 32}
    {"do": "leave"}                                            motors stop, sensors off, the robot given back

While the robot is taken, what its controller commands to actuators is remembered, and carried out when it is
given back. Whoever goes without a word has left.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from hal.catalogue import actuators
from hal.modes import report
from hal.modes.remote.hands import MOTORS, Hands, Unable

if TYPE_CHECKING:
    from hal.modes.device import Device
    from hal.modes.device_registry import DeviceRegistry
    from hal.modes.remote.trace import Trace

__all__ = ["ACTUATORS", "Helm"]

Values = tuple[Any, ...]
Say = Callable[["Device", str, Values], None]
"""Carries out a command of the controller."""

ACTUATORS = tuple(actuators())
"""Types of devices that can be taken from the controller."""
DRIVES = ("set_position", "set_velocity", "set_force")
"""Commands after which a motor moves."""


class Helm:
    """Who drives: the controller, or somebody who looks on."""

    def __init__(self, devices: DeviceRegistry, hands: Hands, trace: Trace, say: Say) -> None:
        """
        Args:
            devices: of the controller's robot.
            hands: drive the plugin.
            trace: where wishes come from, and where is told what was done.
            say: carries out a command of the controller.
        """
        self._devices, self._hands, self._trace, self._say = devices, hands, trace, say
        self.is_driven = False
        """By somebody who looks on."""
        self._said: dict[tuple[int, str], tuple[Device, Values]] = {}
        """What the controller has commanded to actuators, by tag and command; the newest last."""
        self._touched: set[int] = set()
        """Devices that were driven since the robot was taken."""
        self._held: set[int] = set()
        """Devices to which the controller has spoken since then."""
        self._still: set[int] = set()
        """Motors that were left with velocity 0, and whose velocity the controller has never said."""
        self._periods: dict[tuple[int, str], int] = {}
        self._is_silent = False

    def begin(self) -> None:
        """The plugin has connected: it does not know who is at the helm."""
        for (tag, function), period in self._periods.items():
            self._try("set_period", tag, function, period)

    # What the controller says.

    def takes(self, device: Device, command: str, values: Values) -> bool:
        """Note a command to an actuator; True when it has to wait."""
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
        """True when a sensor that the controller does not want is wanted by whoever looks on."""
        return period == 0 and (tag, function) in self._periods

    # What somebody else wishes.

    def step(self, is_silent: bool) -> None:
        """Before the commands of a step: carry out wishes.

        Args:
            is_silent: the robot does not answer. What moves then shall not go on when it is back.
        """
        if is_silent and not self._is_silent and self.is_driven:
            self._stop()
        self._is_silent = is_silent
        for wish in self._trace.hear():
            try:
                _WISHES[wish["do"]](self, wish)
            except (KeyError, TypeError, ValueError) as problem:
                report.warning("wb_robot_step", f"a wish that cannot be understood: {problem}")
        if not self._trace.is_open:
            self._leave({})

    def _drive(self, wish: dict[str, Any]) -> None:
        if bool(wish["on"]) != self.is_driven:
            self.is_driven = bool(wish["on"])
            if not self.is_driven:
                self._give_back()

    def _stop(self, wish: object = None) -> None:
        self.is_driven = True
        for device in self._devices:
            if device is not None and device.node_type in MOTORS:
                self._touched.add(device.tag)
                self._try("stand", device.tag)
                self._trace.command(device.tag, "position", float("inf"))
                self._trace.command(device.tag, "velocity", 0.0)

    def _set(self, wish: dict[str, Any]) -> None:
        tag, channel, value = int(wish["tag"]), str(wish["channel"]), wish["value"]
        device = self._devices.device(tag)
        if device is None or device.node_type not in ACTUATORS or not self.is_driven or self._is_silent:
            return
        self._touched.add(tag)
        self._try("set", tag, channel, value)
        self._trace.command(tag, channel, value)

    def _enable(self, wish: dict[str, Any]) -> None:
        tag, function, period = int(wish["tag"]), str(wish["function"]), int(wish["period"])
        if period > 0:
            self._periods[tag, function] = period
        elif self._periods.pop((tag, function), None) is None:
            return
        self._try("set_period", tag, function, period)

    def _leave(self, wish: dict[str, Any]) -> None:
        if self.is_driven:
            self._stop()
            self._drive({"on": False})
        for tag, function in list(self._periods):
            self._enable({"tag": tag, "function": function, "period": 0})

    def _give_back(self) -> None:
        """Let each device do what its controller has said; what it has not said is as at the beginning."""
        touched, self._touched = self._touched, set()
        held, self._held = self._held, set()
        for tag in sorted(touched):
            device = self._devices.device(tag)
            if device is not None and device.node_type in MOTORS:
                self._begin_anew(device)
            elif device is not None and device.node_type == "LED" and (tag, "set") not in self._said:
                self._set_and_tell(tag, "value", 0)
        for (tag, command), (device, values) in list(self._said.items()):
            if tag in touched or tag in held:
                self._say(device, command, values)

    def _begin_anew(self, motor: Device) -> None:
        tag = motor.tag
        moves = any((tag, one) in self._said for one in DRIVES)
        self._set_and_tell(tag, "availableForce", _most(motor, "force"))
        self._set_and_tell(tag, "velocity", _most(motor, "velocity") if moves else 0.0)
        (self._still.discard if moves else self._still.add)(tag)

    def _set_and_tell(self, tag: int, channel: str, value: float) -> None:
        self._try("set", tag, channel, value)
        self._trace.command(tag, channel, value)

    def _try(self, method: str, *arguments: Any) -> None:
        try:
            getattr(self._hands, method)(*arguments)
        except Unable as problem:
            report.warning("wb_robot_step", f"{problem}; a window's wish is ignored.")


def _most(motor: Any, what: str) -> float:
    """The limit of a motor."""
    return float(getattr(motor, f"max_{what}"))


_WISHES: dict[str, Callable[[Helm, dict[str, Any]], None]] = {
    "drive": Helm._drive,
    "stop": Helm._stop,
    "set": Helm._set,
    "enable": Helm._enable,
    "leave": Helm._leave,
}
