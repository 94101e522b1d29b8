"""The Skin: stores bone poses from the controller; meshes are not deformed."""

from __future__ import annotations

from math import isfinite
from typing import Any, ClassVar

from wbcore.devices.device import Device

NO_TURN = (0.0, 0.0, 1.0, 0.0)
ORIGIN = (0.0, 0.0, 0.0)


class Skin(Device):
    """Stores bone orientations (axis and angle, rad) and positions (m), separately if absolute."""

    KEPT: ClassVar[tuple[str, ...]] = ("orientations", "positions")

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.orientations: dict[tuple[int, bool], tuple[float, ...]] = {}
        self.positions: dict[tuple[int, bool], tuple[float, ...]] = {}

    def on_set_bone_orientation(self, bone: int, axis_angle: tuple[float, ...], absolute: bool) -> None:
        """Set the orientation of a bone."""
        self._check(bone, axis_angle)
        self.orientations[bone, bool(absolute)] = tuple(axis_angle)

    def on_set_bone_position(self, bone: int, position: tuple[float, ...], absolute: bool) -> None:
        """Set the position of a bone."""
        self._check(bone, position)
        self.positions[bone, bool(absolute)] = tuple(position)

    def on_get_bone_orientation(self, bone: int, absolute: bool) -> None:
        """Report the last orientation of a bone."""
        self.send("bone_orientation", self.orientations.get((bone, bool(absolute)), NO_TURN))

    def on_get_bone_position(self, bone: int, absolute: bool) -> None:
        """Report the last position of a bone."""
        self.send("bone_position", self.positions.get((bone, bool(absolute)), ORIGIN))

    def _check(self, bone: int, values: tuple[float, ...]) -> None:
        bones = self.entry.constants["bones"]
        count = len(bones) if isinstance(bones, list) else 0
        if bone >= count:
            raise ValueError(f"no bone {bone}; there are {count}")
        if not all(isfinite(one) for one in values):
            raise ValueError(f"{values} are not finite")

    def reset(self) -> None:
        """Forget all bone poses."""
        self.orientations.clear()
        self.positions.clear()
