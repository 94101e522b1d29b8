"""The Skin: the poses of its bones, which a controller sets, or solids.

Without a readable model, poses are only stored, separately if absolute.
"""

from __future__ import annotations

from math import isfinite
from typing import Any, ClassVar

import numpy as np

from wbridge.hal import table
from wbridge.wbcore.devices.device import Device, DeviceRobot
from wbridge.wbcore.physics.exact_sums import product
from wbridge.wbcore.physics.pose import axis_angle, matrix
from wbridge.wbcore.scene.tables.rules import Place
from wbridge.wbcore.visual.skeletons import Poses, turn_of
from wbridge.wbcore.visual.skins import Skin as SkinModel
from wbridge.wbcore.visual.skins import skin_of

NO_TURN = (0.0, 0.0, 1.0, 0.0)
ORIGIN = (0.0, 0.0, 0.0)


class Skin(Device):
    """Sets bone orientations (axis and angle, rad) and positions (m), relative to the bone above or, if
    absolute, to the Skin."""

    KEPT: ClassVar[tuple[str, ...]] = ("orientations", "positions")

    def __init__(self, place: Place, entry: table.DeviceEntry, robot: DeviceRobot) -> None:
        super().__init__(place, entry, robot)
        self.orientations: dict[tuple[int, bool], tuple[float, ...]] = {}
        self.positions: dict[tuple[int, bool], tuple[float, ...]] = {}
        _ = self._skin  # bones of solids bind the model as it stands now

    @property
    def _skin(self) -> SkinModel | None:
        """The current model, which reads the poses that are set here."""
        skin = skin_of(self.simulation.physics, self.node)
        if skin is not None:
            skin.commands = self._commands
        return skin

    @property
    def _bones(self) -> list[str]:
        skin, named = self._skin, self.entry.constants["bones"]
        if skin is not None:
            return [bone.name for bone in skin.model.bones]
        return [str(name) for name in named] if isinstance(named, list) else []

    def _commands(self) -> tuple[Poses, Poses]:
        return self.orientations, self.positions

    def constants(self) -> dict[str, object]:
        """The bones of the model."""
        return {"bones": self._bones}

    def on_set_bone_orientation(self, bone: int, axis_angle: tuple[float, ...], absolute: bool) -> None:
        """Set the orientation of a bone."""
        if not self._check(bone, axis_angle):
            return
        if self._skin is not None and absolute:
            axis_angle, absolute = self._relative_turn(self._skin, bone, axis_angle), False
        self.orientations[bone, bool(absolute)] = tuple(axis_angle)

    def on_set_bone_position(self, bone: int, position: tuple[float, ...], absolute: bool) -> None:
        """Set the position of a bone."""
        if not self._check(bone, position):
            return
        if self._skin is not None and absolute:
            above = self._skin.skeleton.above(bone, *self._commands())
            x, y, z = np.linalg.solve(above, (*position, 1.0))[:3].tolist()
            position, absolute = (x, y, z), False
        self.positions[bone, bool(absolute)] = tuple(position)

    def on_get_bone_orientation(self, bone: int, absolute: bool) -> None:
        """Report the orientation of a bone."""
        turn = self.orientations.get((bone, bool(absolute)), NO_TURN)
        if self._skin is not None and 0 <= bone < len(self._bones):
            turn = turn_of(self._pose(self._skin, bone, absolute))
        self.send("bone_orientation", turn)

    def on_get_bone_position(self, bone: int, absolute: bool) -> None:
        """Report the position of a bone."""
        position = self.positions.get((bone, bool(absolute)), ORIGIN)
        if self._skin is not None and 0 <= bone < len(self._bones):
            x, y, z = self._pose(self._skin, bone, absolute)[:3, 3].tolist()
            position = (x, y, z)
        self.send("bone_position", position)

    def _pose(self, skin: SkinModel, bone: int, absolute: bool) -> Any:
        if absolute:
            return skin.skeleton.poses(*self._commands())[bone]
        return skin.skeleton.local(bone, *self._commands())

    def _relative_turn(self, skin: SkinModel, bone: int, turn: tuple[float, ...]) -> tuple[float, ...]:
        """Return an orientation in the frame of the Skin relative to the bone above."""
        above = skin.skeleton.above(bone, *self._commands())[:3, :3]
        above = above / np.linalg.norm(above, axis=0)
        x, y, z, angle = turn
        made = np.eye(4)
        made[:3, :3] = product(above.T, np.array(matrix(axis_angle((x, y, z), angle))))
        return turn_of(made)

    def _check(self, bone: int, values: tuple[float, ...]) -> bool:
        """Return False, with a warning, if solids move the bones.

        Raises:
            ValueError: there is no such bone, or a value is not finite.
        """
        if not 0 <= bone < len(self._bones):
            raise ValueError(f"no bone {bone}; there are {len(self._bones)}")
        if not all(isfinite(number) for number in values):
            raise ValueError(f"{values} are not finite")
        if self._skin is not None and self._skin.is_in_world:
            self.robot.warn(f"Skin '{self.name}': solids move its bones; poses of bones cannot be set")
            return False
        return True

    def reset(self) -> None:
        """Forget all bone poses."""
        self.orientations.clear()
        self.positions.clear()
