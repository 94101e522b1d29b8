"""A window of the benchmarks: looks at a robot, or not, as it is told line by line ("on", "off")."""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import suppress

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed


async def _read(socket: ClientConnection) -> None:
    with suppress(ConnectionClosed):
        async for message in socket:
            json.loads(message)


async def look(url: str) -> None:
    """Connect for each "on" until the next line. News is read in one thread, as in a browser's page."""
    while line := await asyncio.to_thread(sys.stdin.readline):
        if line.strip() != "on":
            continue
        async with connect(url, compression=None) as socket:
            await socket.send(json.dumps({"do": "watch", "robot": 0}))
            reader = asyncio.create_task(_read(socket))
            await asyncio.to_thread(sys.stdin.readline)
        await reader


if __name__ == "__main__":
    asyncio.run(look(sys.argv[1]))
