"""Read the simulator's answers: the description of the robot, and the newest messages of its devices."""

from __future__ import annotations

from collections.abc import Callable

from wbridge.hal.gateway.device import GatewayDevices
from wbridge.hal.protocol.codec import read_head, unknown_device
from wbridge.hal.protocol.configure import (
    CONFIGURE,
    NEW_DEVICES,
    Entry,
    RobotInfo,
    SelfNode,
    read_new_devices,
    read_own,
    read_robot,
)
from wbridge.hal.protocol.dialect import R2025A, Dialect
from wbridge.hal.protocol.supervisor import robot_codec

Listeners = dict[str, Callable[..., None]]


class MessageReader:
    """Reads messages of the robot and of its devices."""

    def __init__(self, devices: GatewayDevices, listeners: Listeners) -> None:
        """
        Args:
            devices: of the robot; get their newest messages.
            listeners: called with the values of messages of the robot, by name in the codec.
        """
        self.info = RobotInfo("")
        self.dialect: Dialect = R2025A
        self._devices, self._listeners = devices, listeners
        self._codec = robot_codec(R2025A)
        self._own: SelfNode | None = None

    def take(self, data: bytes) -> None:
        """Read a sequence of messages.

        Raises:
            ProtocolError: the bytes are not a valid sequence of messages.
        """
        at, end = 0, len(data)
        while at < end:
            tag, code, at = read_head(data, at)
            if tag:
                at = self._take_of_device(tag, code, data, at)
            elif code in (CONFIGURE, NEW_DEVICES):
                at = self._describe(code, data, at)
            else:
                values, at = self._codec.read_message(code, data, at)
                listener = self._listeners.get(self._codec.messages[code].name)
                if listener is not None:
                    listener(*values)

    def _take_of_device(self, tag: int, code: int, data: bytes, at: int) -> int:
        device = self._devices.device(tag)
        if device is None:
            raise unknown_device(tag, code)
        values, at = device.codec.read_message(code, data, at)
        name = device.codec.messages[code].name
        device.newest.pop(name, None)  # the newest is the last one
        device.newest[name] = values
        return at

    def _describe(self, code: int, data: bytes, at: int) -> int:
        """Read a description of the robot, of a supervisor's node or of devices."""
        entries: tuple[Entry, ...] = ()
        if code == NEW_DEVICES:
            entries, at = read_new_devices(data, at, self.dialect)
        elif self._own is None and self.info.supervisor:
            self._own, at = read_own(data, at)
        else:
            self.info, self.dialect, at = read_robot(data, at)
            self._own, self._codec = None, robot_codec(self.dialect)
            self._devices.reset()
            entries = self.info.devices
        self._devices.add(entries, self.dialect)
        return at
