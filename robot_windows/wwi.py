"""The connection to one window made for Webots: texts between it and the controller of its robot.

Protocol of Webots R2022b and later: a window sends `robot:NAME:MESSAGE` or `robot:{"name":..,"message":..}`
and receives `robot: {"message":..,"name":..}`; all windows receive the messages of all robots. Older windows
use the same protocol through the script that replaces `webots.window`.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

from wbridge.robot_windows.hub import Hub, Watched
from wbridge.robot_windows.page_session import PERIOD_S, TOO_MUCH, RateLimit
from wbridge.robot_windows.subscribers import Command
from wbridge.robot_windows.whole_messages import whole_messages

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection

PREFIX = "robot:"
PER_SECOND, BURST = 2000, 4000
"""Maximum messages of one window per second, and in a burst: drawing programs send many."""


class WindowPage:
    """One window."""

    def __init__(self, hub: Hub, socket: ServerConnection) -> None:
        self._hub, self._socket = hub, socket

    async def talk(self) -> None:
        """Serve the window until it disconnects."""
        self._hub.watch(self, Watched())
        sender = asyncio.create_task(self._tell())
        try:
            await self._listen()
        finally:
            sender.cancel()
            self._hub.leave(self)
            await asyncio.gather(sender, return_exceptions=True)

    async def _listen(self) -> None:
        rate = RateLimit(PER_SECOND, BURST)
        async for text in whole_messages(self._socket):
            found = read_message(text) if isinstance(text, str) else None
            if found is None or not rate.take():
                await self._socket.close(
                    TOO_MUCH, "invalid message" if found is None else "too many messages"
                )
                return
            robot, message = found
            self._hub.has_windows = True
            if not self._hub.put(Command("message", -1, {"robot": robot, "text": message})):
                await self._socket.close(TOO_MUCH, "too many queued messages")
                return

    async def _tell(self) -> None:
        """Send messages; the first window also receives those that controllers sent before."""
        messages = self._hub.messages
        cursor = messages.end if self._hub.has_windows else messages.start
        while True:
            new = messages.read(cursor)
            cursor = new.cursor
            if new.lost:
                await self._socket.close(TOO_MUCH, "too slow: messages dropped")
                return
            for robot, message in new.items:
                await self._socket.send(_line(robot, message))
            await asyncio.sleep(PERIOD_S)


def _line(robot: str, message: bytes) -> str:
    data = {"message": message.decode("utf-8", "replace"), "name": robot}
    return "robot: " + json.dumps(data, separators=(",", ":"), ensure_ascii=False)


def read_message(text: str) -> tuple[str, str] | None:
    """Parse robot and message of a window's line; None if it is invalid."""
    if not text.startswith(PREFIX):
        return None
    rest = text[len(PREFIX) :]
    if rest.lstrip().startswith("{"):
        try:
            data = json.loads(rest)
        except (ValueError, RecursionError):
            data = None
        if (
            isinstance(data, dict)
            and isinstance(data.get("name"), str)
            and isinstance(data.get("message"), str)
        ):
            return data["name"], data["message"]
    name, colon, message = rest.partition(":")
    return (name, message) if colon else None
