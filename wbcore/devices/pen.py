"""The Pen: paints on the shape below it, where infra-red sensors and cameras see the ink."""

from __future__ import annotations

import zlib
from typing import ClassVar

import numpy as np

from wbridge.hal import table
from wbridge.wbcore.devices.device import Device, DeviceRobot
from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.mount import Mount
from wbridge.wbcore.physics.tree import node_in
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.tables.rules import Place
from wbridge.wbcore.visual.balls import bounding_radius
from wbridge.wbcore.visual.ink import Ink, Inks, default_size

UNLIMITED = 1e6
"""The reach of a pen without maxDistance (m)."""


class Pen(Device):
    """Paints before each physics step while its field `write` is set."""

    KEPT_FIELDS: ClassVar[tuple[str, ...]] = ("write", "inkColor", "inkDensity")

    def __init__(self, place: Place, entry: table.DeviceEntry, robot: DeviceRobot) -> None:
        super().__init__(place, entry, robot)
        self._mount = Mount(self.simulation.physics, lambda: self.node)
        self._rays: _engine.SceneRays | None = None
        self._version = -1
        if self._inks.keeper is None:
            self._inks.keeper = self

    @property
    def setting(self) -> bool:
        """Whether it writes (field `write`)."""
        return bool(self.node.get("write"))

    @property
    def _inks(self) -> Inks:
        return self.simulation.inks

    def on_write(self) -> None:
        """Start writing."""
        self.set_own_field("write", True)

    def on_lift(self) -> None:
        """Stop writing."""
        self.set_own_field("write", False)

    def on_set_ink_color(self, red: int, green: int, blue: int, density: float) -> None:
        """Set the ink: color components from 0 to 255, density from 0 to 1."""
        if not 0 <= density <= 1:
            raise ValueError(f"a density of {density}; allowed: 0 to 1")
        self.set_own_field("inkColor", (red / 255, green / 255, blue / 255))
        self.set_own_field("inkDensity", density)

    # Painting.

    def before_step(self) -> None:
        """Paint, and let the ink of all pens evaporate."""
        inks = self._inks
        if inks.by_shape:
            inks.evaporate(self._evaporation, self.simulation.time_ms / 1000)
        if self.node.get("write"):
            self._paint()

    @property
    def _evaporation(self) -> float:
        info = self.simulation.world.first("WorldInfo")
        has_field = info is not None and "inkEvaporation" in info.spec.fields
        return float(info.get("inkEvaporation")) if info is not None and has_field else 0.0

    def _paint(self) -> None:
        rays = self._aimed()
        rays.cast()
        number, place = int(rays.instances[0]), rays.place(0)
        if number < 0 or place is None:
            return
        shape, scale = self.simulation.visual.placed(number)
        ink, width, radius = self._ink_on(shape, max(abs(factor) for factor in scale))
        size = int(float(self.node.get("leadSize")) * width / radius) if radius > 0 else 1
        density = min(max(float(self.node.get("inkDensity")), 0.0), 1.0)
        ink.paint(place, min(max(size, 1), 4 * width), self.node.get("inkColor"), density)

    def _aimed(self) -> _engine.SceneRays:
        """Return the ray downward from the pen."""
        visual = self.simulation.visual
        version = visual.refresh()
        if self._mount.follow() or self._rays is None or version != self._version:
            self._version = version
            down = (0.0, 0.0, -1.0) if self.conventions.z_up else (0.0, -1.0, 0.0)
            reach = float(self.node.get("maxDistance")) if "maxDistance" in self.node.spec.fields else 0.0
            length = reach if 0 < reach < UNLIMITED else UNLIMITED
            self._rays = visual.rays(self._mount.body, self._mount.inner, [down], length)
        return self._rays

    def _ink_on(self, shape: Node, scale: float) -> tuple[Ink, int, float]:
        """Return the ink on a shape, its width (pixels) and the unscaled bounding radius (m)."""
        geometry = node_in(shape, "geometry")
        radius = bounding_radius(self.simulation.world, geometry) if geometry is not None else 0.0
        size = self.simulation.visual.texture_size(shape)
        if not size[0]:
            size = (default_size(radius * scale),) * 2
        ink = self._inks.on(shape, *size)
        return ink, ink.density.shape[1], radius

    # The state of a simulation.

    def save_more(self) -> list[tuple[int, int, int, bytes, bytes]]:
        """Return the ink on all shapes, if this is the pen that keeps it."""
        nodes = self.simulation.nodes
        return [
            (nodes.number(shape), *ink.density.shape, _packed(ink.colors), _packed(ink.density))
            for shape, ink in (self._inks.by_shape.items() if self._inks.keeper is self else ())
        ]

    def load_more(self, state: list[tuple[int, int, int, bytes, bytes]]) -> None:
        """See `save_more`."""
        if self._inks.keeper is self:
            self._inks.restart(self.simulation.time_ms / 1000)
        for number, height, width, colors, density in state:
            shape = self.simulation.nodes.node(number)
            if shape is not None:
                ink = self._inks.on(shape, width, height)
                ink.colors[:] = _unpacked(colors).reshape(height, width, 3)
                ink.density[:] = _unpacked(density).reshape(height, width)
                ink.show(slice(None), slice(None))

    def reset(self) -> None:
        """Remove all ink."""
        self._inks.restart(0.0)

    def field_changed(self, name: str) -> None:
        """Aim again."""
        self._rays = None

    def renewed(self) -> None:
        """Aim from the new node."""
        self._rays = None

    def removed(self) -> None:
        """Leave the ink to another pen."""
        if self._inks.keeper is self:
            self._inks.keeper = None


def _packed(values: np.ndarray) -> bytes:
    return zlib.compress(values.tobytes(), 1)


def _unpacked(data: bytes) -> np.ndarray:
    return np.frombuffer(zlib.decompress(data), dtype=np.float64)
