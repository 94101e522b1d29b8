"""Pictures of small worlds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from wbridge.wbcore.simulation import Simulation

Picture = NDArray[np.int64]
"""(height, width, 3) red, green, blue from 0 to 255."""
WORLD = """#VRML_SIM {release} utf8
WorldInfo {{ basicTimeStep 16 }}
Viewpoint {{ }}
{nodes}
Robot {{ controller "<none>" children [ Camera {{ name "camera" width {width} height {height} {camera} }} ] }}
"""


class Studio:
    """A world with a camera at the origin that looks along the x axis (before R2022a: along -z)."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "worlds" / "studio.wbt"
        self._path.parent.mkdir()

    @property
    def folder(self) -> Path:
        """Where files lie that nodes name."""
        return self._path.parent

    def load(
        self, nodes: str, camera: str = "", size: tuple[int, int] = (33, 33), release: str = "R2023b"
    ) -> None:
        """Load a world with these nodes and camera fields."""
        width, height = size
        text = WORLD.format(release=release, nodes=nodes, camera=camera, width=width, height=height)
        self._path.write_text(text, encoding="utf-8")
        self.simulation = Simulation(self._path)
        self.robot = self.simulation.robots.list[-1]
        (self.camera,) = self.robot.devices
        self.size = size

    def take(self, elapsed: float = 0.016) -> Picture:
        """Take a picture now."""
        pixels = np.zeros(self.size[0] * self.size[1] * 4, dtype=np.uint8)
        self.simulation.renderer.follow()  # poses may have been set without a step
        self.camera.capture(pixels, elapsed)
        assert (pixels[3::4] == 255).all(), "cameras are opaque"
        return pixels.reshape(self.size[1], self.size[0], 4)[:, :, 2::-1].astype(np.int64)

    def picture(self, nodes: str, camera: str = "", **options: object) -> Picture:
        """Load a world and take a picture."""
        self.load(nodes, camera, **options)  # type: ignore[arg-type]
        return self.take()

    def set(self, name: str, field: str, value: object) -> None:
        """Set a field of the node with this DEF name."""
        self.simulation.set_field(self.simulation.world.find(name), field, value)


@pytest.fixture
def studio(tmp_path: Path) -> Studio:
    return Studio(tmp_path)


@pytest.fixture
def middle(studio: Studio) -> Callable[..., tuple[int, int, int]]:
    """The color in the middle of a picture of a wall 2 m ahead, seen face on."""

    def look(shape: str, nodes: str = "", camera: str = "", **options: object) -> tuple[int, int, int]:
        wall = (
            f"Solid {{ translation 2 0 0 children [ Shape {{ {shape} geometry Box {{ size "
            f"0.002 9 9 }} }} ] }}"
        )
        red, green, blue = studio.picture(wall + nodes, camera, **options)[16, 16]
        return int(red), int(green), int(blue)

    return look
