"""Which calls of a plugin a controller's commands become, by node type and name of the command."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from hal.catalogue import DeviceKind, kinds, period_of
from hal.catalogue.commands import Setting, settings

__all__ = ["BATTERY", "CALLS", "Call"]

Values = tuple[Any, ...]


def _same(*values: Any) -> Values:
    return values


class Call(NamedTuple):
    """What one command becomes."""

    name: str
    """The plugin's own method for it; "": there is none."""
    arguments: Callable[..., Values] = _same
    """From the command's values to the method's arguments behind the tag."""
    channels: Callable[..., list[tuple[str, Any]]] | None = None
    """From the command's values to channels of the device table and their values."""
    period: str = ""
    """The function of the API whose sampling period this is."""


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
"""Commands that are not here go to the simulator: displays, radio, speakers and questions to it."""
