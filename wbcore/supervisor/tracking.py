"""Tracking: fields, poses and contact points that the simulator sends periodically."""

from __future__ import annotations

from collections.abc import Callable

from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.supervisor.command_group import WRONG, CommandGroup
from wbridge.wbcore.supervisor.contacts import Contacts
from wbridge.wbcore.supervisor.dispatcher import Dispatcher
from wbridge.wbcore.supervisor.fields import Fields
from wbridge.wbcore.supervisor.nodes import NO_LAYER
from wbridge.wbcore.supervisor.poses import Poses

Key = tuple[object, ...]
ROUNDING = 1e-6


class Tracked:
    """A tracked item: its period (ms), the time of its last message, and a function for its values."""

    def __init__(self, message: str, numbers: tuple[int, ...], period: int) -> None:
        self.message, self.numbers, self.period = message, numbers, max(period, 0)
        self.last = float("-inf")
        self.values: Callable[[], tuple[object, ...]] = tuple
        self.same: Callable[[tuple[object, ...]], bool] = bool
        """Return whether the values of a message belong to this item."""


class Tracking(CommandGroup):
    """Sends tracked values: immediately on request, then once per period."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        super().__init__(dispatcher)
        self._tracked: dict[Key, Tracked] = {}

    def on_track_field(self, number: int, index: int, base: bool, period: int | None) -> None:
        """Track the value of a field; None stops tracking."""
        key = ("value", number, index, base)
        if self._ends(key, period):
            return
        fields = self.dispatcher.groups["fields"]
        assert isinstance(fields, Fields)
        target = fields.target(number, NO_LAYER, index, base)
        if target.spec.is_list:
            raise ValueError(f"{target.name} is a list; only single values can be tracked")
        item = Tracked("value", (number,), period or 0)
        item.values = lambda: fields.value(fields.target(number, NO_LAYER, index, base), None)
        item.same = lambda values: values[1:4] == (number, NO_LAYER, index)
        self._start(key, item)

    def on_track_pose(self, from_: int, number: int, period: int | None) -> None:
        """Track a pose; None stops tracking."""
        key = ("pose", from_, number)
        if self._ends(key, period):
            return
        poses = self.dispatcher.groups["poses"]
        assert isinstance(poses, Poses)
        item = Tracked("pose", (from_, number), period or 0)
        item.values = lambda: poses.pose(from_, number)
        item.same = lambda values: values[:2] == (from_, number)
        self._start(key, item)

    def on_track_contact_points(self, number: int, descendants: bool, period: int | None) -> None:
        """Track contact points; None stops tracking."""
        key = ("contact_points", number, descendants)
        if self._ends(key, period):
            return
        contacts = self.dispatcher.groups["contacts"]
        assert isinstance(contacts, Contacts)
        item = Tracked("contact_points", (number,), period or 0)
        item.values = lambda: contacts.points(number, descendants)
        item.same = lambda values: values[:2] == (number, descendants)
        self._start(key, item)

    def _ends(self, key: Key, period: int | None) -> bool:
        if period is None:
            self._tracked.pop(key, None)
        return period is None

    def _start(self, key: Key, item: Tracked) -> None:
        now = self.simulation.time_ms
        self._send(item, now)
        self._tracked[key] = item

    def _send(self, item: Tracked, now: float) -> None:
        """Send the current values, replacing older ones that still wait."""
        values = item.values()
        robot = self.robot
        robot.drop(item.message, item.same)
        robot.send(item.message, *values)
        item.last = now

    def sample(self, now: float) -> None:
        """Send the items that are due."""
        for key, item in list(self._tracked.items()):
            if now < item.last + item.period - ROUNDING:
                continue
            try:
                self._send(item, now)
            except WRONG as problem:
                del self._tracked[key]
                self.robot.warn(f"tracking stopped: {problem}")

    def save(self) -> dict[Key, tuple[int, float]]:
        """Return period (ms) and last time (ms) of each item."""
        return {key: (item.period, item.last) for key, item in self._tracked.items()}

    def load(self, state: dict[Key, tuple[int, float]]) -> None:
        """See `save`. Items with removed nodes are skipped."""
        begin: dict[str, Callable[..., None]] = {
            "value": self.on_track_field,
            "pose": self.on_track_pose,
            "contact_points": self.on_track_contact_points,
        }
        self._tracked.clear()
        for key, (period, last) in state.items():
            try:
                begin[str(key[0])](*key[1:], period)
            except WRONG:
                continue
            self._tracked[key].last = last

    def connect(self) -> None:
        """Stop all tracking for a new controller."""
        self._tracked.clear()

    def reset(self) -> None:
        """Stop all tracking."""
        self._tracked.clear()

    def node_gone(self, node: Node, number: int) -> None:
        """Stop tracking a removed node."""
        self._tracked = {key: item for key, item in self._tracked.items() if number not in item.numbers}
