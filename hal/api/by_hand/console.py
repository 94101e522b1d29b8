"""Messages on the simulator's console."""

from __future__ import annotations

from hal.modes.arguments import needs
from hal.modes.session import current
from hal.protocol.robot import STDERR, STDOUT

__all__ = ["wb_console_print"]

CONSOLE = 30


@needs("text", prefix="")
def wb_console_print(text: str, stream: int) -> None:
    """Print a text on the simulator's console with the next step; stream 1 is stdout, 2 is stderr."""
    current().exchange.queue(CONSOLE, STDERR if stream == STDERR else STDOUT, text)
