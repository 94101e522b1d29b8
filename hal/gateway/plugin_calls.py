"""Call a plugin by channels of the device table, for manual control."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from wbridge.hal.catalogue import actuators, kind, period_of
from wbridge.hal.remote import RemoteControl

MOTORS = tuple(name for name, how in actuators().items() if how == "motor")
INFINITY = float("inf")


@cache
def _method(node_type: str, channel: str) -> str:
    """The plugin's method that sets a channel of one value; "" if there is none."""
    found = kind(node_type)
    spec = found.channel(channel) if found is not None and found.remote else None
    return spec.plugin if spec is not None and len(spec.fields) < 2 else ""


class Unable(Exception):
    """The plugin does not support a command."""


class PluginCalls:
    """Calls a plugin as RemoteMode does for a controller."""

    def __init__(self, plugin: RemoteControl, type_of: Callable[[int], str]) -> None:
        """
        Args:
            plugin: a started remote control.
            type_of: returns the node type of the device with a tag; "" if there is none.
        """
        self._plugin, self._type_of = plugin, type_of

    def resume(self) -> None:
        """Let a robot move again that has stopped by a latch or after a fault."""
        self._plugin.resume()

    def set(self, tag: int, channel: str, value: object) -> None:
        """Set a channel.

        Raises:
            Unable: the plugin has no method for this.
        """
        name = _method(self._type_of(tag), channel)
        self._call(tag, (name, tag, value), ("set_channel", tag, channel, value))

    def set_period(self, tag: int, function: str, period: int) -> None:
        """Sample a sensor every `period` ms; 0 disables it.

        Args:
            tag: tag of the device; 0 is the robot.
            function: enabling function, for example "wb_gps_enable".
            period: sampling period in ms.

        Raises:
            Unable: the plugin has no method for this.
        """
        method = period_of(function).plugin
        own = (method, tag, period) if tag else (method, period)
        self._call(tag, own, ("set_period", tag, function, period))

    def stand(self, tag: int) -> None:
        """Stop a motor.

        Raises:
            Unable: the plugin has no method for this.
        """
        self.set(tag, "position", INFINITY)
        self.set(tag, "velocity", 0.0)

    def _call(self, tag: int, *calls: tuple[Any, ...]) -> None:
        plugin = self._plugin.plugin_of(tag)
        for name, *arguments in calls:
            if name and hasattr(plugin, name):
                getattr(plugin, name)(*arguments)
                return
        raise Unable(f"this remote control has no {calls[0][0] or calls[-1][0]}")
