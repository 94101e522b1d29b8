"""The connection of a run to the page around it, by messages in place of a WebSocket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, cast

from wbridge.robot_windows.hub import Hub
from wbridge.robot_windows.page_session import PageSession

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection


__all__ = ["MessageSession"]


class MessageSocket:
    """What a session needs of a WebSocket."""

    request = None
    """There is no address that names a robot."""

    def __init__(self, post: Callable[[str | bytes], object]) -> None:
        self._post = post
        self.received: asyncio.Queue[str] = asyncio.Queue()

    async def send(self, data: str | bytes) -> None:
        """Pass on a message to the page."""
        self._post(data)

    async def close(self, code: int, reason: str) -> None:
        """Stop to serve a page that breaks the rules."""
        raise ConnectionAbortedError(f"{reason} ({code})")


class MessageSession(PageSession):
    """The session of a page that is reached by messages."""

    def __init__(self, hub: Hub, post: Callable[[str | bytes], object]) -> None:
        """
        Args:
            hub: what the run publishes.
            post: sends a message to the page.
        """
        self._ours = MessageSocket(post)
        super().__init__(hub, cast("ServerConnection", self._ours))

    def receive(self, text: str) -> None:
        """Take a message of the page."""
        self._ours.received.put_nowait(text)

    async def _incoming(self) -> AsyncIterator[str | bytes]:
        while True:
            yield await self._ours.received.get()
