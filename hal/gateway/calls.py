"""Map a controller's commands to calls of a plugin, by node type and name of the command."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from wbridge.hal.catalogue import DeviceKind, kinds, period_of
from wbridge.hal.catalogue.commands import Setting, settings

Values = tuple[object, ...]


def _same(*values: object) -> Values:
    return values


class Call(NamedTuple):
    """The plugin calls for a command."""

    name: str
    """The plugin's specific method; "" if there is none."""
    arguments: Callable[..., Values] = _same
    """Converts the command's values to the method's arguments after the tag."""
    channels: Callable[..., list[tuple[str, Any]]] | None = None
    """Converts the command's values to channels of the device table with their values."""
    period: str = ""
    """The API function, if the command sets a sampling period."""


def _set(setting: Setting) -> Call:
    return Call(setting.plugin, setting.arguments, lambda *values: setting.read(values))


def _calls(kind: DeviceKind) -> dict[str, Call]:
    found = {command: _set(one) for command, one in settings(kind).items()}
    for channel in kind.channels:
        if channel.enable:
            period = kind.period(channel.enable)
            found[period.command] = Call(period.plugin, period=channel.enable)
    return found


BATTERY = period_of("wb_robot_battery_sensor_enable").plugin
CALLS: dict[str, dict[str, Call]] = {
    name: _calls(kind) for name, kind in kinds().items() if kind.remote and not kind.abstract
}
"""Other commands go to the simulator: displays, radio, speakers and queries."""
