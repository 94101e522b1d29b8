"""Commands to a plugin by channels of the device table, from somebody who is not the controller."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from hal.catalogue import actuators, kind, period_of

__all__ = ["MOTORS", "Hands", "Unable"]

MOTORS = tuple(name for name, how in actuators().items() if how == "motor")
INFINITY = float("inf")


@cache
def _method(node_type: str, channel: str) -> str:
    """The plugin's own method that sets a channel by one value; "": there is none."""
    found = kind(node_type)
    spec = found.channel(channel) if found is not None and found.remote else None
    return spec.plugin if spec is not None and len(spec.fields) < 2 else ""


class Unable(Exception):
    """The plugin has nothing for a command."""


class Hands:
    """Calls a plugin as RemoteMode would for the commands of a controller."""

    def __init__(self, plugin: object, type_of: Callable[[int], str]) -> None:
        """
        Args:
            plugin: a remote control that has started.
            type_of: the node type of the device with a tag; "" when there is none.
        """
        self._plugin, self._type_of = plugin, type_of

    def set(self, tag: int, channel: str, value: Any) -> None:
        """Let a channel have a value.

        Raises:
            Unable: the plugin has no method for it.
        """
        name = _method(self._type_of(tag), channel)
        self._call((name, tag, value), ("set_channel", tag, channel, value))

    def set_period(self, tag: int, function: str, period: int) -> None:
        """Let a sensor be sampled every `period` ms; 0: no more.

        Args:
            tag: of the device; 0 is the robot.
            function: that enables it, for example "wb_gps_enable".
            period: in ms.

        Raises:
            Unable: the plugin has no method for it.
        """
        method = period_of(function).plugin
        own = (method, tag, period) if tag else (method, period)
        self._call(own, ("set_period", tag, function, period))

    def stand(self, tag: int) -> None:
        """Let a motor stand still.

        Raises:
            Unable: the plugin has no method for it.
        """
        self.set(tag, "position", INFINITY)
        self.set(tag, "velocity", 0.0)

    def _call(self, *calls: tuple[Any, ...]) -> None:
        for name, *arguments in calls:
            if name and hasattr(self._plugin, name):
                getattr(self._plugin, name)(*arguments)
                return
        raise Unable(f"this remote control has no {calls[0][0] or calls[-1][0]}")
