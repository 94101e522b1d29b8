"""A robot's end at a pseudo terminal, for controllers that expect a serial port: `pty:///path/of/a/link`.

The path, if there is one, becomes a symbolic link to the terminal; the listener's URL names it as a
controller's.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

from wbridge.hal.link.errors import AddressError, ConnectionLost
from wbridge.hal.link.pipe import FramedPipe, Listener
from wbridge.hal.link.single_listener import SingleListener
from wbridge.hal.link.url import Url
from wbridge.hal.ready import readable
from wbridge.hal.table import DeviceTable

if sys.platform != "win32":
    import termios
    import tty

FORM = "pty://[/PATH]"
CHUNK = 4096
OUTPUT_SPEED = 5
"""Its place among the attributes of a terminal."""
AS_MADE = 38400
"""What a terminal has that nobody has set."""


class PtyPipe:
    """A byte pipe over the inner end of a pseudo terminal."""

    retry = 0.05

    def __init__(self) -> None:
        self._inner, self._outer = os.openpty()
        tty.setraw(self._outer)
        os.set_blocking(self._inner, False)
        self.name = os.ttyname(self._outer)
        """The port for controllers. It stays open here, so that they can come and go."""
        self.link: Path | None = None

    def send(self, data: bytes) -> None:
        """Send some bytes; what nobody reads is lost when the terminal is full, as on a real line."""
        while data:
            try:
                data = data[os.write(self._inner, data[:CHUNK]) :]
            except BlockingIOError:
                return
            except OSError as error:
                raise ConnectionLost(f"{self.name}: {error}") from None

    def receive(self, timeout: float) -> bytes | None:
        """The next bytes."""
        try:
            if not readable([self._inner], timeout):
                return None
            return os.read(self._inner, CHUNK) or None
        except (OSError, ValueError) as error:
            raise ConnectionLost(f"{self.name}: {error}") from None

    def fileno(self) -> int:
        """Of the inner end."""
        return self._inner

    def speed(self) -> int:
        """What the controller has set, in bits per second; 0: nothing, or nothing that has a name."""
        number = termios.tcgetattr(self._inner)[OUTPUT_SPEED]
        names = (name for name in dir(termios) if name[0] == "B" and name[1:].isdecimal())
        rate = next((int(name[1:]) for name in names if getattr(termios, name) == number), 0)
        return rate if rate != AS_MADE else 0

    def close(self) -> None:
        """Unplug: controllers at the port see it vanish."""
        if self._inner < 0:
            return
        os.close(self._inner)
        os.close(self._outer)
        self._inner = -1
        if self.link is not None:
            with contextlib.suppress(OSError):
                self.link.unlink()


def listen(url: Url, table: DeviceTable) -> Listener:
    """Be the robot at a new pseudo terminal."""
    pipe = _open(url)
    return SingleListener(f"serial://{pipe.link or pipe.name}", FramedPipe(pipe, "cobs"))


def listen_bytes(url: Url) -> Listener:
    """Be a robot with a protocol of its own at a new pseudo terminal."""
    pipe = _open(url)
    return SingleListener(f"serial://{pipe.link or pipe.name}", pipe)


def _open(url: Url) -> PtyPipe:
    url.read_options({})
    if sys.platform == "win32":
        raise AddressError(f"{url.text}: Windows has no pseudo terminals; use tcp://127.0.0.1:0, for example")
    pipe = PtyPipe()
    if url.path not in ("", "/"):
        link = Path(url.path)
        try:
            if link.is_symlink():
                _refuse_used(url, link)
                link.unlink()
            link.symlink_to(pipe.name)
        except OSError as error:
            pipe.close()
            raise ConnectionLost(f"{url.text}: the link {link} cannot be created: {error.strerror}") from None
        except AddressError:
            pipe.close()
            raise
        pipe.link = link
    return pipe


def _refuse_used(url: Url, link: Path) -> None:
    """Leave the link of another robot alone; one whose terminal has gone was left behind.

    Raises:
        AddressError: the link leads to a terminal that exists.
    """
    if link.exists():
        raise AddressError(
            f"{url.text}: it already leads to {link.readlink()}, perhaps of another robot that still runs; "
            "end that one, choose another path, or remove the link"
        )
