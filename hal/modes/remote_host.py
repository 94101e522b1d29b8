"""A robot of this package as the host of a remote-control plugin (see `wbridge.hal.gateway.host`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from wbridge.hal.catalogue import kind
from wbridge.hal.gateway.host import KEPT, Driver, Route
from wbridge.hal.protocol.codec import Command

if TYPE_CHECKING:
    from wbridge.hal.modes.battery import Battery, Window
    from wbridge.hal.modes.device import DeviceHandle
    from wbridge.hal.modes.device_registry import DeviceRegistry
    from wbridge.hal.modes.exchange import Exchange

__all__ = ["RemoteHosting"]

ENABLE_BATTERY, REMOTE_ON, REMOTE_OFF = 31, 32, 33
DISPLAY, REASON = "Display", "remote control"


class Diversion:
    """Hands the commands of devices to a plugin (see `wbridge.hal.modes.exchange.CommandFilter`)."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver

    @property
    def active(self) -> bool:
        """True in remote control."""
        return self._driver.active

    def divert(self, device: DeviceHandle) -> bool:
        """Take the plugin's commands from a device; True if none remain for the simulator."""
        names = device.codec.commands
        if device.node_type == DISPLAY:
            drawn: list[tuple[int, tuple[Any, ...]]] = device.commands  # type: ignore[attr-defined]
            self._driver.draw(device, [Command(code, names[code].name, values) for code, values in drawn])
            return False
        count = len(device.pending)
        for code in sorted(device.pending):  # in the same order as for a simulator
            if self._driver.take(device, names[code].name, device.pending[code]):
                del device.pending[code]
        return len(device.pending) < count and not device.pending

    def divert_own(self, pending: dict[int, tuple[Any, ...]]) -> None:
        """Take the plugin's commands from the robot's own commands."""
        if ENABLE_BATTERY in pending:
            self._driver.take_battery(*pending.pop(ENABLE_BATTERY))


class RemoteHosting:
    """The part of a robot's session that remote control uses."""

    exchange: Exchange
    devices: DeviceRegistry
    battery: Battery
    window: Window
    take_custom_data: Callable[[str], None]

    @property
    def first_data(self) -> bytes:
        """The messages of the simulator's first answer, which describe the robot."""
        return self.exchange.first_data

    @property
    def is_stepping(self) -> bool:
        """True between the begin and the end of a step."""
        return self.exchange.stepping

    @property
    def route(self) -> Route:
        """The connection to the simulator."""
        return self.exchange.connection

    def lead(self, route: Route, is_remote: bool) -> None:
        """Use another connection; `is_remote`: a plugin drives the robot behind it."""
        self.exchange.connection = route

    def divert_to(self, driver: Driver) -> None:
        """Hand commands to a plugin while it is active."""
        self.exchange.command_filter = Diversion(driver)

    def announce(self, is_remote: bool) -> None:
        """Tell the simulator that remote control begins, in a packet of its own, or ends, with the next."""
        self.exchange.command(REMOTE_ON if is_remote else REMOTE_OFF)
        if is_remote:
            self.exchange.round_trip()

    def resend_all(self) -> None:
        """Repeat all commands that a robot needs to continue in the current state."""
        self.battery.resend_lasting()
        for device in self.devices.known():
            device.resend_all()

    def resend_lasting(self) -> None:
        """Repeat the commands that set a lasting state."""
        self.battery.resend_lasting()
        for device in self.devices.known():
            device.resend_lasting()

    def deliver(self, tag: int, message: str, values: Sequence[object]) -> None:
        """Give the controller a message in place of the simulator."""
        device = self.devices.device(tag)
        if device is not None:
            values = _completed(device, message, values)
        for owner in (device,) if tag else (self, self.battery, self.window):
            take = getattr(owner, f"take_{message}", None)
            if take is not None:
                take(*values)

    def deliver_picture(self, tag: int, code: int, pixels: bytes) -> None:
        """Give the controller a picture."""
        getattr(self.devices.device(tag), "segments" if code else "shared").put(pixels)

    def picture(self, tag: int) -> bytes | None:
        """The newest picture of a device with the points that follow it; None before the first one."""
        device: Any = self.devices.device(tag)
        content: bytes | None = device.shared.whole()
        return content


def _completed(device: DeviceHandle, message: str, values: Sequence[object]) -> Sequence[object]:
    """The values of a message with those of the device in place of `KEPT`."""
    if KEPT not in values:
        return values
    known = kind(device.node_type)
    assert known is not None, "its channel is in the catalogue"
    names = [channel.get.removeprefix("get_") for channel in known.channels if channel.message == message]
    pairs = zip(names, values, strict=True)
    return [getattr(device, name) if value is KEPT else value for name, value in pairs]
