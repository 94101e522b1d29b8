"""The connection to one page of the package: send the latest state, receive requests."""

from __future__ import annotations

import asyncio
import itertools
import json
import math
import struct
import time
from collections.abc import AsyncIterator, Mapping
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from wbridge.robot_windows.hub import Hub, State, Watched
from wbridge.robot_windows.messages import Hello, Line, News, SceneNews, plain
from wbridge.robot_windows.picture import address_of
from wbridge.robot_windows.requests import LONGEST, BadRequest, read_command, read_object
from wbridge.robot_windows.subscribers import Command

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection

PERIOD_S = 1 / 60
"""Minimum interval between updates of a page, in s."""
PER_SECOND, BURST = 400, 800
"""Maximum requests of one page per second, and in a burst."""
MOST_MISTAKES = 20
MOST_UNSEEN = 12
"""Maximum unacknowledged updates for a page that acknowledges; it acknowledges several at once."""
POSES = struct.Struct("<dd")
DRAWINGS = (
    *("bounds", "axes", "contacts", "forces", "masses", "inertia", "frames"),
    *("rays", "lidar", "cameras", "tracks"),
)
"""Kinds of optional drawings in the 3D view."""
TOO_MUCH = 1008
"""Close code: policy violation."""


class RateLimit:
    """Limits the rate of a page's requests."""

    def __init__(self, per_second: float = PER_SECOND, burst: float = BURST) -> None:
        self._per_second, self._burst, self._left = per_second, burst, burst
        self._last = time.monotonic()

    def take(self, count: int = 1) -> bool:
        """Count a request, a long one as several; return False if there are too many."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._last) * self._per_second)
        self._last = now
        self._left -= count
        return self._left >= 0


_PAGES = itertools.count(1)


class PageSession:
    """One page."""

    def __init__(self, hub: Hub, socket: ServerConnection) -> None:
        self._hub, self._socket = hub, socket
        self._page = next(_PAGES)
        """Its number, by which the run knows who drives."""
        query = urlsplit(socket.request.path).query if socket.request is not None else ""
        asked = parse_qs(query)
        self._name, self._number = asked.get("robot", [""])[0], asked.get("number", [""])[0]
        """Name and number of the robot in the page's address, or ""; robots with the same name have
        numbers."""
        self._watched = Watched(scene="scene" in asked)
        self._messages: tuple[int, dict[str, object]] = (0, {})
        """Number of the scene that the page shows, and the messages about it that were sent."""
        self._poses: tuple[int, bytes] = (0, b"")
        """Number of the scene and poses that were sent last."""
        self._shown: dict[int, Mapping[int | str, object]] = {}
        """The latest pictures, by robot and tag."""
        self._mistakes = 0
        self._says_seen = False
        self._unseen = 0
        """Updates sent to an acknowledging page but not acknowledged yet."""
        self._replies: list[dict[str, object]] = []

    async def talk(self) -> None:
        """Serve the page until it disconnects."""
        self._hub.watch(self, self._watched)
        sender = asyncio.create_task(self._tell())
        try:
            await self._listen()
        finally:
            sender.cancel()
            self._hub.leave(self)
            self._hub.put(Command("left", page=self._page))
            await asyncio.gather(sender, return_exceptions=True)

    # Messages from the page.

    async def _listen(self) -> None:
        rate = RateLimit()
        async for message in self._incoming():
            if not rate.take(1 + len(message) // LONGEST):
                await self._socket.close(TOO_MUCH, "too many requests")
                return
            try:
                self._take(read_object(message))
            except BadRequest as problem:
                self._mistakes += 1
                if self._mistakes >= MOST_MISTAKES:
                    await self._socket.close(TOO_MUCH, "too many mistakes")
                    return
                self._reply("error", f"{problem}")

    def _incoming(self) -> AsyncIterator[str | bytes]:
        from wbridge.robot_windows.whole_messages import whole_messages  # start-up: web pages have none

        return whole_messages(self._socket)

    def _take(self, data: dict[str, object]) -> None:
        if data.get("do") == "watch":
            self._watch(data)
        elif data.get("do") == "seen":
            self._see(data)
        elif not self._hub.put(read_command(data)._replace(page=self._page)):
            self._reply("error", "too many queued requests; this one was dropped")

    def _watch(self, data: dict[str, object]) -> None:
        robots, places, scene = data.get("robots", []), data.get("places", False), data.get("scene", False)
        numbers = [robot.number for robot in self._hub.world.robots]
        if not isinstance(robots, list):
            raise BadRequest("watch: robots: expected a list of numbers")
        unknown = [number for number in robots if type(number) is not int or number not in numbers]
        if unknown:
            raise BadRequest(f"watch: no robot {str(unknown[0])[:40]}; there are {len(numbers)}")
        if not isinstance(places, bool):
            raise BadRequest("watch: places: expected true or false")
        if not isinstance(scene, bool):
            raise BadRequest("watch: scene: expected true or false")
        drawings = data.get("drawings", [])
        if not isinstance(drawings, list) or not all(drawing in DRAWINGS for drawing in drawings):
            raise BadRequest(f"watch: drawings: expected a list of {', '.join(DRAWINGS)}")
        self._watched = Watched(frozenset(robots), places, scene, frozenset(drawings))
        self._hub.watch(self, self._watched)

    def _see(self, data: dict[str, object]) -> None:
        count = data.get("news")
        if type(count) is not int or count < 1:
            raise BadRequest("seen: expected a number of updates, 1 or more")
        self._says_seen, self._unseen = True, max(0, self._unseen - count)

    def _reply(self, kind: str, text: str) -> None:
        if len(self._replies) < MOST_MISTAKES:
            self._replies.append(plain(Line(text, kind, "")))

    # Messages to the page. A slow page receives fewer updates: after waiting it gets the latest state. The
    # buffers between server and browser can hold minutes of updates, which a slow page would show late;
    # therefore our pages acknowledge updates, and only a few are sent ahead.

    async def _tell(self) -> None:
        hub, version, world = self._hub, -1, 0
        cursor = hub.lines.start
        while not hub.world_version:  # a page was waiting for a run that has just started
            await asyncio.sleep(PERIOD_S)
        while True:
            if world != hub.world_version:
                world = hub.world_version
                self._watch_named()
                await self._socket.send(encode(self._introduction(world)))
            if self._says_seen and self._unseen >= MOST_UNSEEN:
                await asyncio.sleep(PERIOD_S)
                continue
            state, lines = hub.newest(), hub.lines.read(cursor)
            cursor = lines.cursor
            news: dict[str, object] = {}
            if state.version != version and state.run:
                version = state.version
                news = self._news(state)
            if lines.items or self._replies:
                said, self._replies = self._replies, []
                news["lines"], news["lost"] = [*lines.items, *said], lines.lost
            if news:
                self._unseen += 1
                await self._socket.send(encode(news))
                if self._watched.scene and state.scene is not None and "run" in news:
                    await self._send_poses(state)
            await asyncio.sleep(PERIOD_S)

    def _watch_named(self) -> None:
        """Watch the robot in the page's address without a further request."""
        same = [robot for robot in self._hub.world.robots if robot.name == self._name]
        if same:
            own = next((robot for robot in same if str(robot.number) == self._number), same[0])
            self._watched = self._watched._replace(robots=frozenset({own.number}))
            self._hub.watch(self, self._watched)

    def _introduction(self, version: int) -> dict[str, object]:
        world = self._hub.world
        hello = Hello(
            version,
            self._page,
            world.title,
            world.is_real,
            world.has_pictures,
            has_scene=world.scenes is not None,
            nearest=nearest(self._name, [robot.name for robot in world.robots]),
            shape=world.shape,
            robots=[plain(robot) for robot in world.robots],
        )
        return {"hello": plain(hello)}

    def _news(self, state: State) -> dict[str, object]:
        watched = self._watched
        numbers = [number for number in state.robots if number in watched.robots]
        robots = {number: self._with_addresses(number, state.robots[number]) for number in numbers}
        places = state.places if watched.places else None
        scene = self._scene_news(state.scene) if watched.scene and state.scene is not None else None
        return plain(News(state.run, robots or None, places, scene))

    def _scene_news(self, scene: Mapping[str, Any]) -> dict[str, object]:
        """Return the scene's number and file, and the messages that the page does not have yet."""
        number, sent = self._messages
        if number != scene["number"]:
            sent = {}
        news = {key: message for key, message in scene["messages"].items() if sent.get(key) != message}
        self._messages = scene["number"], {**sent, **news}
        return plain(SceneNews(scene["number"], scene["file"], news))

    async def _send_poses(self, state: State) -> None:
        """Send time (s, float64), number of the scene (float64) and poses (float32), if they are new."""
        assert state.scene is not None, "the caller has checked"
        poses = (state.scene["number"], bytes(state.scene["poses"]))
        if poses != self._poses:
            self._poses = poses
            await self._socket.send(POSES.pack(state.run["time"], poses[0]) + poses[1])

    def _with_addresses(self, number: int, robot: Mapping[str, Any]) -> Mapping[str, object]:
        """Return a robot's state with the pictures that the page does not have yet, as data URLs."""
        pictures = robot.get("pictures", {})
        shown = self._shown.get(number, {})
        new = {tag: picture for tag, picture in pictures.items() if shown.get(tag) != picture}
        self._shown[number] = pictures
        if not pictures:
            return robot
        return {**robot, "pictures": {tag: address_of(*picture) for tag, picture in new.items()}}


def nearest(name: str, names: list[str]) -> list[str]:
    """Return names ordered by similarity to a name; unchanged for ""."""
    if not name:
        return names
    likeness = SequenceMatcher(b=name.casefold())  # it caches data about the second sequence

    def unlike(other: str) -> float:
        likeness.set_seq1(other.casefold())
        return -likeness.ratio()

    return sorted(names, key=unlike)


def encode(data: object) -> str:
    """Return JSON for browsers: numbers that JSON cannot represent are null."""
    try:
        return json.dumps(data, allow_nan=False, separators=(",", ":"))
    except ValueError:
        return json.dumps(_finite(data), allow_nan=False, separators=(",", ":"))


def _finite(data: object) -> object:
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    if isinstance(data, dict):
        return {str(key): _finite(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_finite(element) for element in data]
    return data
