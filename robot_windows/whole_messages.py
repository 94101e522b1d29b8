"""Messages of a page, put together from their parts; a message of very many small parts is refused.

A part costs far more memory than its bytes, and the limit of a message counts bytes only.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosedOK

__all__ = ["MOST_PARTS", "whole_messages"]

MOST_PARTS = 1000
"""Of a message; browsers send a message in a single part or in few."""
TOO_MUCH = 1008
"""Close code for a client that breaks the rules (RFC 6455, 7.4.1)."""


async def whole_messages(connection: ServerConnection) -> AsyncIterator[str | bytes]:
    """Yield the messages of a connection until it is closed.

    Raises:
        ConnectionClosed: it was lost.
    """
    while True:
        parts: list[str | bytes] = []
        try:
            async for part in connection.recv_streaming():
                parts.append(part)
                if len(parts) > MOST_PARTS:
                    await connection.close(TOO_MUCH, "too many parts")
                    return
        except ConnectionClosedOK:
            return
        whole = parts[0]
        yield whole if len(parts) == 1 else whole[:0].join(parts)  # type: ignore[arg-type]
