"""The port that a person has connected in the page, as a byte pipe for the plugins of real robots.

The port itself is in the page (robot_windows/pages/live/robot_port.js), which also watches the steps: it
stops the robot when this program hangs, and when the page is hidden or closed.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from wbridge.hal.link.errors import ConnectionLost
from wbridge.live.page_bytes import PageBytes

__all__ = ["BrowserPort", "PagePipe", "PagePort"]

RESET_MS = 100.0
RETRY_S = 0.2
"""After what a message is repeated: bytes pass through the page, the browser and the driver."""


class BrowserPort(Protocol):
    """The functions of the worker (robot_windows/pages/live/worker_port.js)."""

    def open(self, baud: int) -> Awaitable[str]:
        """Open the port at a speed in bits per second; return "", or why that is impossible."""

    def write(self, data: bytes) -> None:
        """Send bytes."""

    def take(self) -> PageBytes | None:
        """Return the bytes that have arrived; None: there are none."""

    def lost(self) -> str:
        """Return why the port is gone; "" while it is there."""

    def wait(self, milliseconds: float) -> Awaitable[object]:
        """Wait for bytes, an event or the loss of the port, at most for a time."""

    def event(self) -> str | None:
        """Return the oldest event that was not taken yet: "expired", "halted" or "resumed"."""

    def guard(self, halt: bytes) -> None:
        """Note the bytes that stop the robot."""

    def feed(self, milliseconds: float) -> None:
        """Stop the robot unless this is called again in time; 0: do not watch."""

    def signals(self, is_on: bool) -> None:
        """Set the lines DTR and RTS, which reset many boards."""

    def pause(self, milliseconds: float) -> Awaitable[object]:
        """Wait for a time."""

    def driving(self) -> None:
        """Tell that the controller drives the robot."""

    def close(self) -> None:
        """Close the port."""


class PagePort:
    """Opens the port for the transport `page://`, and hears what the page does with it."""

    def __init__(self, port: BrowserPort, wait: Callable[[Awaitable[object]], object]) -> None:
        """
        Args:
            port: the functions of the worker.
            wait: lets other work go on until a result is there, and returns it.
        """
        self.browser, self.wait = port, wait
        self.on_event: Callable[[str], object] = lambda name: None
        """Called with "halted" when the page has stopped the robot for good, and with "resumed"."""
        self.on_expiry: Callable[[], object] = lambda: None
        """Called when no step was made in time and the page has stopped the robot."""

    def open(self, baud: int) -> PagePipe:
        """Open the port.

        Raises:
            ConnectionLost: the browser cannot open it; the message says why.
        """
        problem = str(self.wait(self.browser.open(baud)))
        if problem:
            raise ConnectionLost(problem)
        return PagePipe(self)

    def reset_board(self) -> None:
        """Reset the board at the open port, if its lines do that, as those of Arduino's boards."""
        for is_on in (False, True):
            self.browser.signals(is_on)
            self.wait(self.browser.pause(RESET_MS))

    def hear(self) -> None:
        """Act on the events of the page."""
        while (event := self.browser.event()) is not None:
            if event == "expired":
                self.on_expiry()
            else:
                self.on_event(event)


class PagePipe:
    """The open port (see `wbridge.hal.link.pipe.Pipe`)."""

    retry = RETRY_S

    def __init__(self, port: PagePort) -> None:
        self._port, self._browser = port, port.browser
        self._is_closed = False

    def send(self, data: bytes) -> None:
        """Send bytes; the page drops them while the robot has to stand still."""
        self._check()
        self._browser.write(data)

    def receive(self, timeout: float) -> bytes | None:
        """Return the bytes that have arrived; wait up to `timeout` s if there are none."""
        self._port.hear()
        data = self._browser.take()
        if data is None and timeout > 0 and not self._browser.lost():
            self._port.wait(self._browser.wait(1000 * timeout))
            self._port.hear()
            data = self._browser.take()
        if data is None:
            self._check()
            return None
        return data.to_bytes()

    def _check(self) -> None:
        if problem := "the port is closed" if self._is_closed else self._browser.lost():
            raise ConnectionLost(problem)

    def fileno(self) -> int:
        """No file."""
        return -1

    def close(self) -> None:
        """Close the port."""
        if not self._is_closed:
            self._is_closed = True
            self._browser.close()

    def watchdog(self, act: Callable[[], None], halt: bytes) -> PageWatchdog:
        """Return the page's watchdog: nothing here runs while a controller hangs."""
        self._port.on_expiry = act
        self._browser.guard(halt)
        return PageWatchdog(self._browser)


class PageWatchdog:
    """The page's watchdog on the steps (see `wbridge.remote_controls.common.watchdog.StepWatchdog`)."""

    def __init__(self, port: BrowserPort) -> None:
        self._port = port

    def feed(self, seconds: float) -> None:
        """Expect the next step within this time (s)."""
        self._port.feed(1000 * seconds)

    def disarm(self) -> None:
        """Expect no step."""
        self._port.feed(0)

    close = disarm
