"""The controller's devices by tag."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbridge.hal.modes.devices import device_class
from wbridge.hal.protocol.devices import codec_of

if TYPE_CHECKING:
    from wbridge.hal.modes.device import DeviceExchange, DeviceHandle
    from wbridge.hal.protocol.configure import Entry

__all__ = ["DeviceRegistry"]


class DeviceRegistry(list["DeviceHandle | None"]):
    """Devices by tag, starting at 1. Tag 0 and devices of unknown node types are None."""

    def __init__(self) -> None:
        super().__init__([None])

    def reset(self) -> None:
        """Remove all devices."""
        self[:] = [None]

    def add(self, entries: tuple[Entry, ...], exchange: DeviceExchange) -> None:
        """Append devices, each given by node type, name and model."""
        for node_type, name, model in entries:
            codec, device = codec_of(node_type, exchange.dialect), None
            if codec is not None:
                device = device_class(node_type)(exchange, len(self), node_type, name, model, codec)
            self.append(device)

    def drop_packets(self) -> None:
        """Drop the packets of emitters and receivers, after the simulation was reset."""
        for device in self.known():
            device.drop_packets()

    def device(self, tag: int) -> DeviceHandle | None:
        """The device with a tag, or None."""
        return self[tag] if 0 < tag < len(self) else None

    def known(self) -> list[DeviceHandle]:
        """All devices of known node types."""
        return [one for one in self if one is not None]

    def named(self, name: str) -> DeviceHandle | None:
        """The first device with a name, or None."""
        return next((one for one in self if one is not None and one.name == name), None)

    def names(self) -> list[str]:
        """The names of all devices."""
        return [one.name for one in self if one is not None]
