"""The port that a person has chosen in a web page: `page://port?baud=115200`, in wbridge Live only.

The page gives the way to its port (`provide`): only the browser can open it.
"""

from __future__ import annotations

from collections.abc import Callable

from wbridge.hal.link.errors import AddressError
from wbridge.hal.link.pipe import FramedPipe, Pipe
from wbridge.hal.link.url import Url, bits_per_second

FORM = "page://port?baud=115200"
BAUD = 115200
OPTIONS: dict[str, Callable[[str], object]] = {"baud": bits_per_second}
_open: Callable[[int], Pipe] | None = None


def provide(open_port: Callable[[int], Pipe] | None) -> None:
    """Set what opens the port of the page at a speed in bits per second; None: there is no page."""
    global _open
    _open = open_port


def check(url: Url) -> None:
    """See that there is a page.

    Raises:
        AddressError: this program does not run in a web page.
    """
    if _open is None:
        raise AddressError(
            f"{url.text}: only wbridge Live has the port of a web page; use serial://PORT here, for example "
            "serial:///dev/ttyACM0"
        )


def open_bytes(url: Url) -> Pipe:
    """The byte pipe of the page's port.

    Raises:
        AddressError: the URL is wrong, or this program does not run in a web page.
        ConnectionLost: the browser cannot open the port; the message says why.
    """
    check(url)
    assert _open is not None, "it was checked"
    return _open(url.read_options(OPTIONS).get("baud", BAUD))


def connect(url: Url) -> Pipe:
    """A pipe to a robot that supports the robot link."""
    return FramedPipe(open_bytes(url), "cobs")
