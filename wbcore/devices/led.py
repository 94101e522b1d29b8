"""The LED: colors of the shapes and lights below it, and whether the lights are on (manual, chapter LED)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from wbcore.devices.device import Device
from wbcore.scene.node import Node
from wbcore.world.led_targets import led_targets

BLACK = (0.0, 0.0, 0.0)
Color = tuple[float, float, float]


class LED(Device):
    """Shines in a color of its list, or in a gradual one."""

    KEPT: ClassVar[tuple[str, ...]] = ("value",)

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.value = 0
        """What the controller has set; 0: off."""
        self._targets = [*led_targets(self.node)]
        for node, field, value in self._wanted():
            self.simulation.world.set(node, field, value)  # as loaded the LED is off

    def on_set(self, value: int) -> None:
        """Shine: the number of a color from 1 on; a share of 255; or 0xRRGGBB; 0: off."""
        self.value = value
        for node, field, wanted in self._wanted():
            if node.get(field) != wanted:
                self.simulation.set_field(node, field, wanted)

    def _wanted(self) -> Iterator[tuple[Node, str, Any]]:
        """The fields that follow, and their values of now. A light is on with any value but 0."""
        color = self.color
        for node, field in self._targets:
            yield node, field, color
            if node.is_a("Light"):
                yield node, "on", self.value != 0

    def set_power(self, on: bool) -> None:
        """Without energy it is off, and stays so until it is set again."""
        if not on:
            self.on_set(0)

    @property
    def color(self) -> Color:
        """The color of now, each part from 0 to 1."""
        colors, value = self.node.get("color"), self.value
        if not self.node.get("gradual"):
            return tuple(colors[value - 1]) if 1 <= value <= len(colors) else BLACK
        if len(colors):
            r, g, b = colors[0]
            share = max(0, min(value, 255)) / 255
            return (r * share, g * share, b * share)
        return ((value >> 16 & 255) / 255, (value >> 8 & 255) / 255, (value & 255) / 255)

    def load_more(self, state: Any) -> None:
        """Shine as the value says."""
        self.on_set(self.value)

    def field_changed(self, name: str) -> None:
        """Shine in the new color, or below a new child."""
        if name == "children":
            self._targets = [*led_targets(self.node)]
        self.on_set(self.value)
