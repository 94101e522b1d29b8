"""Keep the newest picture of a camera, and reopen the camera after it was unplugged."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from wbridge.hal.link.errors import LinkError
from wbridge.remote_controls.cameras.capture import Capture
from wbridge.remote_controls.cameras.frame import Frame
from wbridge.remote_controls.common.wire import BackOff

WAIT = 0.1
"""Maximum time to wait for a picture at once, in s."""


class NewestFrame(threading.Thread):
    """Reads all pictures in a thread, so that none of them is old when a controller takes it."""

    def __init__(self, capture: Capture, reopen: Callable[[], Capture], say: Callable[[str], None]) -> None:
        """
        Args:
            capture: the open camera.
            reopen: opens it again, or raises LinkError.
            say: prints a message.
        """
        super().__init__(name="camera", daemon=True)
        self._capture: Capture | None = capture
        self._reopen, self._say = reopen, say
        self._lock = threading.Lock()
        self._frame: Frame | None = None
        self._ending = threading.Event()
        self._heard = time.monotonic()

    def take(self) -> Frame | None:
        """Return the newest picture; None if there is none since the last call."""
        with self._lock:
            frame, self._frame = self._frame, None
        return frame

    def silence(self) -> float:
        """Return the time without a picture, in s."""
        return time.monotonic() - self._heard

    def run(self) -> None:
        """Read until `close`."""
        back_off = BackOff()
        while not self._ending.is_set():
            if self._capture is None:
                self._try_again(back_off)
            else:
                self._read(self._capture)
        if self._capture is not None:
            self._capture.close()

    def _read(self, capture: Capture) -> None:
        try:
            frame = capture.read(WAIT)
        except LinkError as error:
            self._say(f"{error}; trying to reopen it")
            capture.close()
            self._capture = None
            return
        if frame is not None:
            with self._lock:
                self._frame, self._heard = frame, time.monotonic()

    def _try_again(self, back_off: BackOff) -> None:
        now = time.monotonic()
        if not back_off.due(now):
            self._ending.wait(WAIT)
            return
        try:
            self._capture = self._reopen()
        except LinkError:
            back_off.failed(now)
        else:
            back_off.reset()
            self._say("the camera is back")

    def close(self) -> None:
        """End the thread and release the camera."""
        self._ending.set()
        self.join()
