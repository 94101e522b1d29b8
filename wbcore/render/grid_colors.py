"""The colors of an ElevationGrid, as a texture that covers it.

Source: manual of 8.3.1, chapter ElevationGrid: a color for each point or for each quadrilateral; two colors
make a checkerboard.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from wbridge.wbcore.physics.tree import node_in, up_of
from wbridge.wbcore.render.images import BEST_FILTER, NO_FILTER, TextureUse
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.visual.images import Image

if TYPE_CHECKING:
    from numpy.typing import NDArray

LARGEST = 8192
"""The largest number of points along a side."""
Transform: TypeAlias = "NDArray[np.float64]"


@dataclass(frozen=True, slots=True)
class GridColors(TextureUse):
    """Pixels instead of a file."""

    data: bytes
    columns: int

    def pixels(self) -> Image:
        """Return the pixels."""
        return np.frombuffer(self.data, dtype=np.uint8).reshape(-1, self.columns, 4)

    @property
    def is_translucent(self) -> bool:
        """Colors are opaque."""
        return False


def grid_colors(geometry: Node | None) -> tuple[GridColors, Transform] | None:
    """Return the texture of a grid and the matrix (2, 3) of its texture coordinates; None for other
    geometries and for grids without enough colors."""
    if geometry is None or geometry.type != "ElevationGrid":
        return None
    color = node_in(geometry, "color")
    second = "z" if up_of(geometry) == "y" else "y"
    columns, rows = int(geometry.get("xDimension")), int(geometry.get(f"{second}Dimension"))
    if color is None or not (2 <= columns <= LARGEST and 2 <= rows <= LARGEST):
        return None
    given = np.array(color.get("color").data).reshape(-1, 3)
    is_smooth = len(given) != 2 and _is_per_vertex(geometry)
    if not is_smooth:
        columns, rows = columns - 1, rows - 1
    if len(given) == 2:
        given = given[np.add.outer(np.arange(rows), np.arange(columns)).ravel() % 2]
    if len(given) < rows * columns:
        return None
    pixels = np.full((rows, columns, 4), 255, dtype=np.uint8)
    pixels[:, :, :3] = (255 * given[: rows * columns].clip(0, 1) + 0.5).reshape(rows, columns, 3)
    if second == "y":
        pixels = pixels[::-1]  # the top of a picture is at the last row
    scale = np.diag([(columns - 1) / columns, (rows - 1) / rows]) if is_smooth else np.eye(2)
    offset = (0.5 / columns, 0.5 / rows) if is_smooth else (0.0, 0.0)
    use = GridColors(
        Path(), 0, True, False, False, BEST_FILTER - 1 if is_smooth else NO_FILTER, pixels.tobytes(), columns
    )
    return use, np.column_stack([scale, offset])


def _is_per_vertex(geometry: Node) -> bool:
    return "colorPerVertex" not in geometry.spec.fields or bool(geometry.get("colorPerVertex"))
