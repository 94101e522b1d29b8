"""Ask a running program on a board for its boot loader, by its USB port.

A board whose USB port is opened and closed at 1200 baud starts its boot loader. Boards with an Arduino core
and those with the wire `usb` do this.
"""

from __future__ import annotations

from contextlib import suppress

from wbridge.hal.link.transports.serial import PORT_ERRORS
from wbridge.wbfirmware.flash.flash_errors import FlashError
from wbridge.wbfirmware.flash.serial_ports import open_port

BAUD, USUAL_BAUD = 1200, 9600


def touch(port: str) -> None:
    """Open and close a serial port at 1200 baud.

    The rate stays: boards with an Arduino core restart 0.1 s later, but not if they are told another rate
    before.

    Args:
        port: its name, for example /dev/ttyACM0 or COM3.

    Raises:
        FlashError: it cannot be opened, or another program uses it.
    """
    try:
        line = open_port(port, BAUD)
    except FlashError as problem:
        raise FlashError(f"cannot ask the board for its boot loader: {problem}") from None
    with suppress(*PORT_ERRORS):  # the board may already have gone
        line.dtr = False
    with suppress(*PORT_ERRORS):
        line.close()


def forget_touch(port: str) -> None:
    """Give a port that stayed after a touch another rate.

    The system keeps the rate of a port until it is unplugged: the next program that opens and closes it
    without setting a rate would touch the board again.

    Args:
        port: its name.
    """
    with suppress(FlashError):  # it has gone, or another program has set its own rate
        line = open_port(port, USUAL_BAUD)
        with suppress(*PORT_ERRORS):
            line.close()
