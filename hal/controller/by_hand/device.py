"""Base classes of all devices of the object API."""

from __future__ import annotations

from wbridge.hal.client import _native
from wbridge.hal.client.session import current

TYPE_CHECKING = False  # start-up: typing takes 4 ms
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Device", "Sensor"]


FREQUENT = {
    "getValue": "get_value",
    "getValues": "get_values",
    "set": "set",
    "setPosition": "set_position",
    "setVelocity": "set_velocity",
}
"""Methods that controllers call in each step, and the equivalent methods of the device model."""
FORMER = (("Camera", "RangeFinder"), ("Servo", "Motor"))
"""Classes of 8.3.1 and the kinds of their devices today: a range finder was a Camera of a type."""


class Device:
    """A device of the robot."""

    _device: Any

    def __init__(self, name: str | int) -> None:
        """
        Args:
            name: name or tag of the device.

        Raises:
            ValueError: the device does not exist, or is of another kind than this class.
        """
        robot = current()
        self._tag = name if isinstance(name, int) else robot.get_device(name)
        self._device = robot.device(self._tag)
        if self._device is None:
            raise ValueError(
                f"the robot has no device {name!r}; it has {', '.join(robot.devices.names()) or 'none'}"
            )
        self._check_kind()
        self._shorten()

    def _check_kind(self) -> None:
        kind = type(self._device).__name__
        for own in type(self).__mro__:
            name = own.__name__
            if own.__module__.startswith("wbridge.hal.controller.") and hasattr(_native, name):
                if name != kind and (name, kind) not in FORMER:
                    raise ValueError(f'the device "{self.name}" has the kind {kind}, not {name}')
                return

    def _shorten(self) -> None:
        """Bind the most frequent calls directly to the device, unless a user's subclass overrides them."""
        for name, work in FREQUENT.items():
            method = getattr(type(self), name, None)
            if method is not None and method.__module__.startswith("wbridge.hal.controller."):
                setattr(self, name, getattr(self._device, work))  # `__dict__` would make each call slower

    @property
    def tag(self) -> int:
        """The tag of the device in the C API, starting at 1."""
        return self._tag

    @property
    def name(self) -> str:
        """The field `name`."""
        return str(self._device.name)

    @property
    def model(self) -> str:
        """The field `model`, or ""."""
        return str(self._device.model)

    @property
    def node_type(self) -> int:
        """The number of the node type (`Node.MOTOR` ...)."""
        from wbridge.hal.protocol.dialect import R2023B  # start-up: few controllers ask

        return R2023B.numbers[self._device.node_type]

    def getName(self) -> str:
        """The field `name`."""
        return self.name

    def getModel(self) -> str:
        """The field `model`, or ""."""
        return self.model

    def getNodeType(self) -> int:
        """The number of the node type (`Node.MOTOR` ...)."""
        return self.node_type

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}>"


class Sensor(Device):
    """A device with a sampling period."""

    def __init__(self, name: str | int, sampling_period: int | None = None) -> None:
        """
        Args:
            name: name of the device, which is then enabled immediately; or its tag.
            sampling_period: in ms; None: the basic time step.
        """
        super().__init__(name)
        if isinstance(name, str):
            self.sampling_period = sampling_period if sampling_period is not None else _time_step()

    def enable(self, p: int) -> None:
        """Enable the sensor with a sampling period in ms; 0 disables it."""
        self._device.enable(p)

    def disable(self) -> None:
        """Disable the sensor; it keeps its last value."""
        self._device.disable()

    def getSamplingPeriod(self) -> int:
        """The sampling period in ms, or 0 if the device is disabled."""
        return self.sampling_period

    @property
    def sampling_period(self) -> int:
        """The sampling period in ms; 0 or None disables the device."""
        return int(self._device.get_sampling_period())

    @sampling_period.setter
    def sampling_period(self, p: int | None) -> None:
        """Set the sampling period in ms; 0 or None disables the device."""
        self._device.enable(p or 0)


def _time_step() -> int:
    return int(current().get_basic_time_step())
