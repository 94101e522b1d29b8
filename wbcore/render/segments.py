"""Colors of segmentation images: the first recognition color of the solid that contains a shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from wbridge.wbcore.physics.plan import SolidPlan
from wbridge.wbcore.render.drawn_scene import DrawnScene, World
from wbridge.wbcore.scene.node import Node

if TYPE_CHECKING:
    from numpy.typing import NDArray

BLACK = 0xFF000000


class SegmentColors:
    """Colors by the numbers of a scene's shapes, kept up to date with the tree."""

    def __init__(self, scene: DrawnScene, world: World) -> None:
        self._scene = scene
        self._version = -1
        self._colors: NDArray[np.uint32]
        world.edits.look_watchers.append(self._looked)

    def _looked(self, node: Node | None, name: str) -> None:
        if name == "recognitionColors":
            self._version = -1

    def read(self) -> NDArray[np.uint32]:
        """Return 0xFFRRGGBB by number; black for the background and shapes of other solids."""
        if self._version != self._scene.version:
            self._version = self._scene.version
            colors = [BLACK, *(_color(shape.solid) for shape in self._scene.shapes)]
            self._colors = np.array(colors, dtype=np.uint32)
        return self._colors


def _color(solid: SolidPlan | None) -> int:
    """Return the color of a solid or, without one, of the nearest solid above it."""
    while solid is not None:
        if "recognitionColors" in solid.node.spec.fields and len(solid.node.get("recognitionColors")):
            red, green, blue = (
                int(255 * channel + 0.5) for channel in solid.node.get("recognitionColors")[0]
            )
            return BLACK | red << 16 | green << 8 | blue
        solid = solid.parent
    return BLACK
