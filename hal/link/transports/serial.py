"""Serial lines: `serial://PORT?baud=115200`, for example serial:///dev/ttyACM0 or serial://COM3."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from wbridge.hal.installation import package_command
from wbridge.hal.link.errors import AddressError, ConnectionLost, RobotBusy
from wbridge.hal.link.pipe import FramedPipe, Listener, Pipe
from wbridge.hal.link.single_listener import SingleListener
from wbridge.hal.link.url import Url, bits_per_second, seconds
from wbridge.hal.ready import readable
from wbridge.hal.table import DeviceTable

if TYPE_CHECKING:
    import serial

PORT_ERRORS: tuple[type[Exception], ...] = (OSError, ValueError)
"""What pyserial raises if a port cannot be opened or set."""
if sys.platform != "win32":
    import termios

    PORT_ERRORS += (termios.error,)  # a device that goes while its port is set up; it is no OSError

FORM = "serial://PORT?baud=115200&settle=0"
BAUD = 115200
TERMINALS = "/dev/pts/"
CHUNK = 4096


OPTIONS: dict[str, Callable[[str], object]] = {"baud": bits_per_second, "settle": seconds}


LOCKED = (errno.EAGAIN, errno.EWOULDBLOCK, errno.EBUSY)
"""Numbers of the error when the port is another program's."""


class SerialPipe:
    """A byte pipe over a serial port."""

    def __init__(self, port: serial.Serial) -> None:
        self._port = port
        # Two frames of 64 bytes at ten bits each, and time to think.
        self.retry = 0.05 + 2 * 640 / port.baudrate

    def send(self, data: bytes) -> None:
        """Send some bytes."""
        try:
            data = self._write_now(data)
            if data:
                self._port.write(data)
        except (OSError, TypeError) as error:  # pyserial's own errors are OSErrors
            raise ConnectionLost(f"{self._port.port}: {error}") from None

    def _write_now(self, data: bytes) -> bytes:
        """Give the system what it takes without waiting; the rest."""
        if os.name != "posix":
            return data
        try:
            return data[os.write(self._port.fileno(), data) :]
        except BlockingIOError:
            return data

    def receive(self, timeout: float) -> bytes | None:
        """The next bytes."""
        try:
            return self._read(timeout)
        except (OSError, TypeError, ValueError) as error:
            raise ConnectionLost(f"{self._port.port}: {error}") from None

    def _read(self, timeout: float) -> bytes | None:
        if os.name != "posix":
            self._port.timeout = timeout
            return self._port.read(min(self._port.in_waiting, CHUNK) or 1) or None
        number = self._port.fileno()
        if not readable([number], timeout):
            return None
        data = os.read(number, CHUNK)
        if not data:
            raise OSError("unplugged")
        return data

    def fileno(self) -> int:
        """Of the port."""
        return int(self._port.fileno())

    def close(self) -> None:
        """End the connection."""
        self._port.close()


def open_bytes(url: Url) -> SerialPipe:
    """The byte pipe of a URL's port.

    Raises:
        AddressError: the URL is wrong, or pyserial is missing.
        ConnectionLost: the port cannot be opened.
        RobotBusy: another program has it open.
    """
    try:
        import serial  # start-up: an optional package
    except ImportError:
        raise AddressError(
            f"{url.text}: serial lines need the package pyserial: {package_command('pyserial')}"
        ) from None
    options = url.read_options(OPTIONS)
    port = _port_of(url)
    if url.pinned and os.path.exists(port) and pin(url) != url.pinned:
        raise ConnectionLost(
            f"{url.text}: another program uses this terminal now; the robot's program has ended"
        )
    try:
        opened = serial.Serial(port, options.get("baud", BAUD), timeout=0, exclusive=True, write_timeout=2)
    except PORT_ERRORS as error:
        if getattr(error, "errno", None) in LOCKED:
            raise RobotBusy(
                f"{url.text}: another program has this port open, perhaps another controller; end it first"
            ) from None
        if getattr(error, "errno", None) == errno.ENOENT:
            raise ConnectionLost(_no_port(url)) from None
        raise ConnectionLost(f"{url.text}: {error}") from None
    if options.get("settle"):
        time.sleep(options["settle"])  # boards that restart when their port is opened
    try:
        opened.reset_input_buffer()
    except PORT_ERRORS as error:
        opened.close()
        raise ConnectionLost(f"{url.text}: {error}") from None
    return SerialPipe(opened)


def _port_of(url: Url) -> str:
    port = url.path or url.host.upper()
    if not port:
        raise AddressError(f"{url.text}: expected {FORM}, for example serial:///dev/ttyACM0")
    return port


def _no_port(url: Url) -> str:
    return f"{url.text}: port {_port_of(url)} not found; `wbridge ports` lists what is plugged in"


def check(url: Url) -> None:
    """Check that the port exists, without opening it.

    Raises:
        AddressError: there is none.
    """
    port = _port_of(url)
    if os.name == "posix" and not os.path.exists(port):
        raise AddressError(_no_port(url))


def pin(url: Url) -> str:
    """When a pseudo terminal was made, "" for other ports.

    Its number goes to the next program that needs a terminal, perhaps somebody's shell, which must not get
    what is meant for a robot. A real port, or a link at a place of its own, is the robot's for ever.
    """
    port = _port_of(url)
    try:
        return str(os.stat(port).st_ctime_ns) if port.startswith(TERMINALS) else ""
    except OSError:
        return ""


def connect(url: Url) -> Pipe:
    """A pipe to a robot at a serial port."""
    return FramedPipe(open_bytes(url), "cobs")


def listen(url: Url, table: DeviceTable) -> Listener:
    """Be the robot at a serial port of this computer."""
    return SingleListener(url.text, FramedPipe(open_bytes(url), "cobs"))


def listen_bytes(url: Url) -> Listener:
    """Be a robot with a protocol of its own at a serial port of this computer."""
    return SingleListener(url.text, open_bytes(url))
