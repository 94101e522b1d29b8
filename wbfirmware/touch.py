"""Ask a running program on a board for its boot loader, by its USB port.

A board whose USB port is opened and closed at 1200 baud starts its boot loader. Boards with an Arduino core
and those with the wire `usb` do this.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, TypeVar

from wbfirmware.flash_errors import FlashError

__all__ = ["BAUD", "SerialPort", "new_one", "new_port", "serial_ports", "touch"]

BAUD = 1200
PAUSE = 0.1
"""s between two looks."""

Found = TypeVar("Found", Path, str)


class SerialPort(NamedTuple):
    """A serial port of this computer."""

    name: str
    """For example /dev/ttyACM0 or COM3."""
    numbers: str
    """Vendor and product of the USB device, for example "2341:0036"; "": it is no USB device."""


def touch(port: str) -> None:
    """Open and close a serial port at 1200 baud.

    Args:
        port: its name, for example /dev/ttyACM0 or COM3.

    Raises:
        FlashError: it cannot be opened.
    """
    import serial  # start-up: 20 ms, only where a port is used

    try:
        line = serial.Serial(port, BAUD)
    except (serial.SerialException, OSError) as problem:
        raise FlashError(f"cannot ask the board at {port} for its boot loader: {problem}") from None
    with suppress(OSError):  # the board may already have gone
        line.dtr = False
    with suppress(OSError):
        line.close()


def new_one(look: Callable[[], Iterable[Found]], before: Iterable[Found], timeout: float) -> Found | None:
    """Return what appears in a list, or None if nothing does.

    Args:
        look: returns the list.
        before: what was in it.
        timeout: in s.
    """
    known = set(before)
    end = time.monotonic() + timeout
    while time.monotonic() < end:
        found = next((one for one in look() if one not in known), None)
        if found is not None:
            return found
        time.sleep(PAUSE)
    return None


def serial_ports() -> list[SerialPort]:
    """Return the serial ports of this computer."""
    from serial.tools import list_ports  # start-up: 20 ms, only where a port is used

    return [
        SerialPort(one.device, "" if one.vid is None else f"{one.vid:04x}:{one.pid:04x}")
        for one in list_ports.comports()
    ]


def new_port(before: Iterable[SerialPort], timeout: float) -> SerialPort | None:
    """Return the serial port that appears, maybe under a name that has just been given up; None: none does.

    Args:
        before: the serial ports that there were.
        timeout: in s.
    """
    known = set(before)
    end = time.monotonic() + timeout
    while time.monotonic() < end:
        now = serial_ports()
        found = next((one for one in now if one not in known), None)
        if found is not None:
            return found
        known &= set(now)
        time.sleep(PAUSE)
    return None
