"""Open pages in the user's browser."""

from __future__ import annotations

import getpass
import logging
import os
import socket
import sys
from urllib.parse import urlsplit

_LOG = logging.getLogger("wbridge")
_DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
"""Variables of a graphical session; $BROWSER is the user's own choice, which may need none."""


def has_display() -> bool:
    """Return whether a browser can be shown; otherwise a browser in the terminal would start."""
    return sys.platform != "linux" or any(os.environ.get(name) for name in _DISPLAYS)


def open_page(address: str) -> None:
    """Open a page in the browser, or say how to open the address, which has been printed."""
    import webbrowser  # start-up: 5 ms, only for pages

    if has_display() and webbrowser.open(address) is not False:
        return
    why = "no browser could be started" if has_display() else "this machine has no display"
    _LOG.info("%s; open the address above in a browser%s", why, _elsewhere(address))


def _elsewhere(address: str) -> str:
    """Return how another machine reaches the page."""
    parts = urlsplit(address)
    if parts.scheme == "file":
        return "; on another machine, copy the file there first"
    port = parts.port or 80
    own = f"{getpass.getuser()}@{socket.gethostname()}"
    return f", on another machine after: ssh -L {port}:127.0.0.1:{port} {own}"
