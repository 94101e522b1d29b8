"""Messages on the simulator's console."""

from __future__ import annotations

from wbridge.hal.client.arguments import needs
from wbridge.hal.client.session import current


@needs("text")
def wb_console_print(text: str, stream: int) -> None:
    """Print a text on the simulator's console with the next step; stream 1 is stdout, 2 is stderr."""
    current().console_print(text, stream)
