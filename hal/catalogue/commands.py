"""Convert commands of the controller protocol to channel values and back, according to the catalogue."""

from __future__ import annotations

from typing import Any, NamedTuple

from wbridge.hal.catalogue import ChannelSpec, DeviceKind

Values = tuple[Any, ...]
SHIFTS = (16, 8, 0)
"""Shifts of red, green and blue in a color 0xRRGGBB."""


class Setting(NamedTuple):
    """The channels that a command of a kind sets."""

    command: str
    channels: tuple[ChannelSpec, ...]
    """The channels, in the order of the command's values."""
    switch: bool | None
    """The channel value of a command without values; None for other commands."""

    @property
    def plugin(self) -> str:
        """The method of remote-control plugins; "" if there is none."""
        return self.channels[0].plugin

    def read(self, values: Values) -> list[tuple[str, Any]]:
        """Convert the values of the command to channels with their values."""
        if self.switch is not None:
            return [(self.channels[0].name, self.switch)]
        found, at = [], 0
        for channel in self.channels:
            count = max(1, len(channel.fields))
            found.append((channel.name, _joined(channel, values[at : at + count])))
            at += count
        return found

    def arguments(self, *values: Any) -> Values:
        """The arguments of the plugin's method after the tag, from the values of the channels."""
        if self.switch is not None or len(self.channels) > 1:
            return tuple(value for _, value in self.read(values))
        return values


def settings(kind: DeviceKind) -> dict[str, Setting]:
    """The commands of a kind that set channels, by name."""
    found: dict[str, Setting] = {}
    for channel in kind.channels:
        if len(channel.command) == 2:
            for command, value in zip(channel.command, (True, False), strict=True):
                found[command] = Setting(command, (channel,), value)
        for command in channel.command if len(channel.command) == 1 else ():
            former = found[command].channels if command in found else ()
            found[command] = Setting(command, (*former, channel), None)
    return found


def values_of_switch(channel: ChannelSpec, value: Any) -> tuple[str, Values]:
    """The command, which has no values, that switches a channel on or off."""
    on, off = channel.command
    return (on if value else off), ()


def values_of_command(channel: ChannelSpec, value: Any) -> Values:
    """The values of the command for a channel."""
    if len(channel.fields) < 2:
        return (value,)
    return tuple(value) if channel.shape else tuple(value >> shift & 255 for shift in SHIFTS)


def _joined(channel: ChannelSpec, values: Values) -> Any:
    if len(channel.fields) < 2:
        return values[0]
    if channel.shape:
        return list(values)
    return sum(number << shift for number, shift in zip(values, SHIFTS, strict=True))
