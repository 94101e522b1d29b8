"""List local serial ports and USB devices that may be robots."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from wbridge.hal.installation import package_command


class Candidate(NamedTuple):
    """A serial port or USB device."""

    url: str
    """For `wbridge remote --url`."""
    kind: str
    """serial or usb."""
    name: str
    """Name given by the device or the system."""
    ids: str
    """USB vendor and product in hexadecimal, VVVV:PPPP; empty for ports that are not USB."""
    plugins: tuple[str, ...]
    """Remote controls that may fit, the most likely first."""
    hint: str
    """A description of the known device."""


class _Known(NamedTuple):
    """Devices of a vendor (and product, 0: any) or with a word in their name."""

    vendor: int
    product: int
    word: str
    plugins: str
    hint: str


_KNOWN = (
    _Known(0, 0, "e-puck", "epuck", "e-puck robot"),
    _Known(0x1D50, 0x6018, "", "epuck", "e-puck2's programmer: one of its two ports is the robot's monitor"),
    _Known(0, 0, "rfcomm", "epuck wblink", "Bluetooth serial port, as of a paired e-puck"),
    _Known(0x2341, 0, "", "firmata wblink", "Arduino"),
    _Known(0x2A03, 0, "", "firmata wblink", "Arduino"),
    _Known(0x1A86, 0, "", "firmata wblink", "CH340 serial adapter, usual on boards like Arduino's"),
    _Known(0x10C4, 0xEA60, "", "wblink firmata", "CP210x serial adapter, usual on boards with an ESP32"),
    _Known(0x303A, 0, "", "wblink", "Espressif board"),
    _Known(0x2E8A, 0, "", "wblink firmata", "Raspberry Pi Pico"),
    _Known(0x239A, 0, "", "firmata wblink", "Adafruit board"),
    _Known(0x16C0, 0x0483, "", "wblink firmata", "Teensy"),
    _Known(0x0483, 0x5740, "", "wblink", "STM32 board"),
    _Known(0x0403, 0x6015, "", "create2 wblink", "FTDI serial adapter, as in the cable of the Create 2"),
    _Known(0x0403, 0, "", "wblink create2 firmata", "FTDI serial adapter"),
    _Known(0x067B, 0, "", "wblink create2", "Prolific serial adapter"),
    _Known(0x1209, 0, "", "wblink", "device of a small manufacturer"),
)
_ANY = _Known(0, 0, "", "wblink", "")
_BULK, _HUB, _STORAGE = 2, 9, 8
"""Endpoint type, and classes of devices that are not robots."""
_MASK = 3


def candidates(backend: object = None) -> tuple[list[Candidate], list[str]]:
    """Return all candidates, and notes on what could not be searched.

    Args:
        backend: backend of pyusb; None: the default.
    """
    notes: list[str] = []
    serial = _serial_ports(notes)
    at_serial = {port.ids for port in serial if port.ids}
    usb = [device for device in _usb_devices(notes, backend) if device.ids not in at_serial]
    return [*serial, *usb], notes


def _fitting(vendor: int, product: int, text: str) -> _Known:
    """Return what is known about a device."""
    for device in _KNOWN:
        if device.word and device.word in text.lower():
            return device
        if device.vendor and device.vendor == vendor and device.product in (0, product):
            return device
    return _ANY


def _candidate(url: str, kind: str, name: str, vendor: int, product: int) -> Candidate:
    from wbridge.hal.remote_plugins import plugins

    known, there = _fitting(vendor, product, f"{url} {name}"), plugins()
    fitting = tuple(plugin for plugin in known.plugins.split() if plugin in there)
    ids = f"{vendor:04x}:{product:04x}" if vendor else ""
    return Candidate(url, kind, name, ids, fitting, known.hint)


def _serial_ports(notes: list[str]) -> list[Candidate]:
    try:
        from serial.tools.list_ports import comports
    except ImportError:
        notes.append(f"serial ports need the package pyserial: {package_command('pyserial')}")
        return []
    found = sorted(comports(), key=lambda port: str(port.device))
    return [
        _candidate(
            f"serial://{candidate.device}",
            "serial",
            _described(candidate),
            candidate.vid or 0,
            candidate.pid or 0,
        )
        for candidate in found
    ]


def _described(port: Any) -> str:
    """Return manufacturer and product, if known."""
    told = [text for text in (port.manufacturer, port.product) if text]
    return " ".join(told) or (port.description if port.description not in (None, "n/a") else "")


def _usb_devices(notes: list[str], backend: Any) -> list[Candidate]:
    try:
        import usb.core
    except ImportError:
        notes.append(f"USB devices need the package pyusb: {package_command('pyusb')}")
        return []
    try:
        found: Iterable[Any] = list(usb.core.find(find_all=True, backend=backend))
    except usb.core.NoBackendError:
        notes.append("USB devices need libusb; on Debian and Ubuntu: sudo apt install libusb-1.0-0")
        return []
    except (usb.core.USBError, OSError) as problem:
        notes.append(f"USB devices cannot be listed: {problem}")
        return []
    return [
        _candidate(
            f"usb://{candidate.idVendor:04x}:{candidate.idProduct:04x}",
            "usb",
            _product(candidate),
            candidate.idVendor,
            candidate.idProduct,
        )
        for candidate in found
        if candidate.bDeviceClass != _HUB and _has_bulk_pair(candidate)
    ]


def _has_bulk_pair(device: Any) -> bool:
    """Return True if an interface that is not a disk has bulk endpoints in both directions."""
    from usb.core import USBError

    try:
        for configuration in device:
            for interface in configuration:
                ends = [
                    endpoint.bEndpointAddress & 0x80
                    for endpoint in interface
                    if endpoint.bmAttributes & _MASK == _BULK
                ]
                if interface.bInterfaceClass != _STORAGE and len(set(ends)) > 1:
                    return True
    except (USBError, OSError):
        return False  # disconnected in the meantime
    return False


def _product(device: Any) -> str:
    """Return manufacturer and product; empty without permission to query the device."""
    try:
        told = [text for text in (device.manufacturer, device.product) if text]
    except Exception:  # pyusb passes on exceptions of its backends, also for missing permissions
        return ""
    return " ".join(told)
