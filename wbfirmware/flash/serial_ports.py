"""The serial ports of this computer: which there are, which one appears, and opening one of them."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, NamedTuple

from wbridge.hal.installation import package_command
from wbridge.hal.link.transports.serial import LOCKED, PORT_ERRORS
from wbridge.wbfirmware.flash.flash_errors import FlashError

if TYPE_CHECKING:
    import serial

PAUSE = 0.1
"""s between two looks."""
ACCESS = 2.0
"""Time (s) for the system to let users open a new port."""


class SerialPort(NamedTuple):
    """A serial port of this computer."""

    name: str
    """For example /dev/ttyACM0 or COM3."""
    numbers: str
    """Vendor and product of the USB device, for example "2341:0036"; "": it is no USB device."""


def serial_ports() -> list[SerialPort]:
    """Return the serial ports of this computer; none without the package pyserial."""
    try:
        from serial.tools import list_ports  # start-up: 20 ms, only where a port is used
    except ImportError:
        return []
    return [
        SerialPort(device.device, "" if device.vid is None else f"{device.vid:04x}:{device.pid:04x}")
        for device in list_ports.comports()
    ]


def is_same(port: SerialPort, name: str) -> bool:
    """Return True if a name means this port: its own or that of a link to it; on Windows in any case."""
    if os.name == "posix":
        return port.name == os.path.realpath(name)
    return port.name.upper() == name.upper()


def new_port(before: Iterable[SerialPort], wanted: Collection[str], timeout: float) -> SerialPort | None:
    """Return the serial port that appears, maybe under a name that has just been given up.

    Args:
        before: the serial ports that there were.
        wanted: numbers of ports that are returned at once; another new port only if it is there at the end.
            Empty: any port is returned at once.
        timeout: in s.

    Returns:
        None if none appears.
    """
    known = set(before)
    new: list[SerialPort] = []
    end = time.monotonic() + timeout
    while time.monotonic() < end:
        now = serial_ports()
        new = [port for port in now if port not in known]
        port = next((serial_port for serial_port in new if not wanted or serial_port.numbers in wanted), None)
        if port is not None:
            return port
        known &= set(now)
        time.sleep(PAUSE)
    return new[0] if new else None


def wait_for_access(name: str, timeout: float = ACCESS) -> None:
    """Wait until this user may open a port: it appears a moment before the system sets its permissions.

    Args:
        name: the port.
        timeout: in s; then who opens the port reports the error.
    """
    end = time.monotonic() + timeout
    while os.name == "posix" and not os.access(name, os.R_OK | os.W_OK) and time.monotonic() < end:
        time.sleep(PAUSE)


def open_port(name: str, baud: int, timeout: float | None = None) -> serial.Serial:
    """Open a serial port that no other program uses.

    Args:
        name: for example /dev/ttyACM0 or COM3.
        baud: in bits per second.
        timeout: of reading, in s; None: none.

    Raises:
        FlashError: it cannot be opened, or another program has it open.
    """
    try:
        import serial  # start-up: 20 ms, only where a port is used
    except ImportError:
        raise FlashError(
            f"{name}: serial ports need the package pyserial: {package_command('pyserial')}"
        ) from None
    try:
        return serial.Serial(name, baud, timeout=timeout, exclusive=True)
    except PORT_ERRORS as problem:
        if getattr(problem, "errno", None) in LOCKED:
            raise FlashError(
                f"{name}: another program has this port open, perhaps a controller; end it first"
            ) from None
        raise FlashError(f"cannot use {name}: {problem}") from None
