"""Make Ctrl-C and termination signals end endless work."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = [signal.SIGINT, signal.SIGTERM]
if sys.platform != "win32":
    SIGNALS.append(signal.SIGHUP)


@contextmanager
def ending(end: Callable[[], object]) -> Iterator[None]:
    """Call `end` at the first signal; a second one raises KeyboardInterrupt at once."""
    came = False

    def take(number: int, frame: FrameType | None) -> None:
        nonlocal came
        if came:
            raise KeyboardInterrupt
        came = True
        end()

    former = {number: signal.signal(number, take) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)
