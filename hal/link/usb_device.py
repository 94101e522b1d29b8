"""A USB device inside the program: a backend of pyusb with one device of two bulk endpoints, and a robot
behind it.

    device = UsbDevice(0x1209, 0x0001, slave)
    transports.usb.BACKENDS["demo"] = device
    connect("usb://1209:0001?backend=demo")
"""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

from usb.backend import IBackend
from usb.core import USBError, USBTimeoutError

from wbridge.hal.link.framing import CobsDecoder, frame_cobs
from wbridge.hal.link.slave import Slave

ENDPOINT_OUT, ENDPOINT_IN = 0x01, 0x81
PACKET = 64
ENODEV, ETIMEDOUT = 19, 110
"""Error numbers."""
DEVICE = {
    "bLength": 18,
    "bDescriptorType": 1,
    "bcdUSB": 0x200,
    "bDeviceClass": 0xFF,
    "bDeviceSubClass": 0,
    "bDeviceProtocol": 0,
    "bMaxPacketSize0": PACKET,
    "bcdDevice": 0x100,
    "iManufacturer": 0,
    "iProduct": 0,
    "iSerialNumber": 0,
    "bNumConfigurations": 1,
    "address": 1,
    "bus": 1,
    "port_number": 1,
    "port_numbers": (1,),
    "speed": 2,
}
CONFIGURATION = {
    "bLength": 9,
    "bDescriptorType": 2,
    "wTotalLength": 32,
    "bNumInterfaces": 1,
    "bConfigurationValue": 1,
    "iConfiguration": 0,
    "bmAttributes": 0x80,
    "bMaxPower": 50,
    "extra_descriptors": [],
}
INTERFACE = {
    "bLength": 9,
    "bDescriptorType": 4,
    "bInterfaceNumber": 0,
    "bAlternateSetting": 0,
    "bNumEndpoints": 2,
    "bInterfaceClass": 0xFF,
    "bInterfaceSubClass": 0,
    "bInterfaceProtocol": 0,
    "iInterface": 0,
    "extra_descriptors": [],
}
ENDPOINT = {
    "bLength": 7,
    "bDescriptorType": 5,
    "bmAttributes": 2,
    "wMaxPacketSize": PACKET,
    "bInterval": 0,
    "bRefresh": 0,
    "bSynchAddress": 0,
    "extra_descriptors": [],
}


class UsbDevice(IBackend):  # type: ignore[misc]
    """A backend with one device; what is written to it goes to a robot's end of the link."""

    def __init__(self, vendor: int, product: int, slave: Slave) -> None:
        super().__init__()
        self._ids, self.slave = (vendor, product), slave
        self.plugged = True
        """Set it to False to pull the cable."""
        self._decoder, self._out = CobsDecoder(), bytearray()

    def enumerate_devices(self) -> list[object]:
        """The one device."""
        return [self] if self.plugged else []

    def get_device_descriptor(self, dev: object) -> SimpleNamespace:
        """Its numbers."""
        vendor, product = self._ids
        return SimpleNamespace(**DEVICE, idVendor=vendor, idProduct=product)

    def get_configuration_descriptor(self, dev: object, config: int) -> SimpleNamespace:
        """One configuration with one interface."""
        if config:
            raise IndexError(config)
        return SimpleNamespace(**CONFIGURATION)

    def get_interface_descriptor(self, dev: object, intf: int, alt: int, config: int) -> SimpleNamespace:
        """One interface with two endpoints."""
        if intf or alt:
            raise IndexError(intf)
        return SimpleNamespace(**INTERFACE)

    def get_endpoint_descriptor(
        self, dev: object, ep: int, intf: int, alt: int, config: int
    ) -> SimpleNamespace:
        """A bulk endpoint."""
        address = (ENDPOINT_OUT, ENDPOINT_IN)[ep]
        return SimpleNamespace(**ENDPOINT, bEndpointAddress=address)

    def open_device(self, dev: object) -> object:
        """A handle."""
        self._check()
        return self

    def close_device(self, dev_handle: object) -> None:
        """The program has let the device go."""
        self._out.clear()

    def get_configuration(self, dev_handle: object) -> int:
        """Always the only one."""
        return 1

    def set_configuration(self, dev_handle: object, config_value: int) -> None:
        """There is only one."""

    def claim_interface(self, dev_handle: object, intf: int) -> None:
        """Nobody else can have it."""
        self._check()

    def release_interface(self, dev_handle: object, intf: int) -> None:
        """Nobody else wants it."""

    def bulk_write(self, dev_handle: object, ep: int, intf: int, data: Any, timeout: int) -> int:
        """The robot takes bytes; what it answers waits for the next read."""
        self._check()
        for message in self._decoder.feed(bytes(data)):
            answer = self.slave.receive(message, 1000 * time.monotonic())
            if answer is not None:
                self._out += frame_cobs(answer)
        return len(data)

    def bulk_read(self, dev_handle: object, ep: int, intf: int, buff: Any, timeout: int) -> int:
        """The robot gives bytes, or the time runs out."""
        self._check()
        if not self._out:
            time.sleep(timeout / 1000)
            self._check()
            self.slave.tick(1000 * time.monotonic())
            raise USBTimeoutError("Operation timed out", error_code=None, errno=ETIMEDOUT)
        count = min(len(buff), len(self._out))
        for place in range(count):
            buff[place] = self._out[place]
        del self._out[:count]
        return count

    def _check(self) -> None:
        if not self.plugged:
            raise USBError("No such device (it may have been disconnected)", error_code=None, errno=ENODEV)
