"""The LED: sets the colors of shapes and lights below it and switches the lights (manual, chapter LED)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from wbridge.hal import table
from wbridge.wbcore.devices.device import Device, DeviceRobot
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.tables.rules import Place
from wbridge.wbcore.world.led_targets import led_targets

BLACK = (0.0, 0.0, 0.0)
Color = tuple[float, float, float]
Look = tuple[Node, str, Any]
"""A field of a node, and a value of it."""


class LED(Device):
    """Shows a color of its list, or a gradual one."""

    KEPT: ClassVar[tuple[str, ...]] = ("value",)

    def __init__(self, place: Place, entry: table.DeviceEntry, robot: DeviceRobot) -> None:
        super().__init__(place, entry, robot)
        self.value = 0
        """The controller's last value; 0: off."""
        self._targets = [*led_targets(self.node)]
        self._looks: dict[int, list[Look]] = {}
        """What each value shows, as long as the fields stay the same."""
        for node, field, value in self._wanted():
            self.simulation.world.set(node, field, value)  # the LED starts switched off

    def on_set(self, value: int) -> None:
        """Set the value: a color's number from 1, a brightness to 255, or 0xRRGGBB if gradual; 0: off."""
        self.value = value
        looks = self._looks.get(value)
        if looks is None:
            looks = list(self._wanted())
            if not self.node.get("gradual"):
                self._looks[value] = looks
        for node, field, wanted in looks:
            if node.get(field) != wanted:
                self.simulation.set_field(node, field, wanted)

    def quick_handler(self, command: str) -> Callable[[int], None] | None:
        """Switching an LED changes colors only."""
        return self.on_set if command == "set" else None

    def _wanted(self) -> Iterator[Look]:
        """Yield the fields that follow the value, with new values. Any value but 0 turns lights on."""
        color = self.color
        for node, field in self._targets:
            yield node, field, color
            if node.is_a("Light"):
                yield node, "on", self.value != 0

    def set_power(self, on: bool) -> None:
        """Switch off without energy, until the next command."""
        if not on:
            self.on_set(0)

    @property
    def color(self) -> Color:
        """The current color, components from 0 to 1."""
        colors, value = self.node.get("color"), self.value
        if not self.node.get("gradual"):
            return tuple(colors[value - 1]) if 1 <= value <= len(colors) else BLACK
        if len(colors):
            r, g, b = colors[0]
            share = max(0, min(value, 255)) / 255
            return (r * share, g * share, b * share)
        return ((value >> 16 & 255) / 255, (value >> 8 & 255) / 255, (value & 255) / 255)

    def load_more(self, state: object) -> None:
        """Show the restored value."""
        self.on_set(self.value)

    def field_changed(self, name: str) -> None:
        """Apply a new color, or color a new child."""
        self._looks.clear()
        if name == "children":
            self._targets = [*led_targets(self.node)]
        self.on_set(self.value)
