"""Poses of the bones of a Skin: relative to the bone above, or in the frame of the Skin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from wbridge.wbcore.physics.pose import axis_angle, matrix, to_axis_angle
from wbridge.wbcore.visual.skin_models import Bone

if TYPE_CHECKING:
    from numpy.typing import NDArray

Floats: TypeAlias = "NDArray[np.float64]"
Poses = Mapping[tuple[int, bool], tuple[float, ...]]
"""By bone, and False for relative to the bone above: positions, or axes with angles."""


class Skeleton:
    """The bones of a model. Where nothing is set, a bone has the pose in which it binds the vertices."""

    def __init__(self, bones: tuple[Bone, ...]) -> None:
        self.bones = bones
        self._from_bind: Floats = np.stack([np.linalg.inv(bone.bind) for bone in bones])
        self._local = [
            bone.bind if bone.parent < 0 else self._from_bind[bone.parent] @ bone.bind for bone in bones
        ]
        self._order = _from_the_top(bones)

    def local(self, bone: int, orientations: Poses, positions: Poses) -> Floats:
        """Return the pose (4, 4) relative to the bone above."""
        found: Floats = self._local[bone].copy()
        turn, place = orientations.get((bone, False)), positions.get((bone, False))
        if turn is not None:
            sizes = np.linalg.norm(found[:3, :3], axis=0)
            x, y, z, angle = turn
            found[:3, :3] = np.array(matrix(axis_angle((x, y, z), angle))).reshape(3, 3) * sizes
        if place is not None:
            found[:3, 3] = place
        return found

    def poses(self, orientations: Poses, positions: Poses) -> Floats:
        """Return the poses (b, 4, 4) in the frame of the Skin."""
        matrices = np.tile(np.eye(4), (len(self.bones), 1, 1))
        for bone in self._order:
            parent = self.bones[bone].parent
            local = self.local(bone, orientations, positions)
            matrices[bone] = local if parent < 0 else matrices[parent] @ local
        return matrices

    def movements(self, poses: Floats) -> Floats:
        """Return the matrices (b, 4, 4) that take bound vertices to poses of the bones."""
        matrices: Floats = poses @ self._from_bind
        return matrices

    def above(self, bone: int, orientations: Poses, positions: Poses) -> Floats:
        """Return the pose (4, 4) of the bone above, in the frame of the Skin."""
        parent = self.bones[bone].parent
        matrices: Floats = np.eye(4) if parent < 0 else self.poses(orientations, positions)[parent]
        return matrices


def _from_the_top(bones: tuple[Bone, ...]) -> list[int]:
    """Return all bones, each after the one above; a bone in a ring counts as one at the top."""
    done: list[int] = []
    known: set[int] = set()
    for bone in range(len(bones)):
        line: list[int] = []
        while bone >= 0 and bone not in known and bone not in line:
            line.append(bone)
            bone = bones[bone].parent
        done += line[::-1]
        known.update(line)
    return done


def turn_of(pose: Floats) -> tuple[float, float, float, float]:
    """Return axis and angle (rad) of a pose (4, 4) with or without scale."""
    rows = pose[:3, :3] / np.linalg.norm(pose[:3, :3], axis=0)
    w = np.sqrt(max(1 + np.trace(rows), 0.0)) / 2
    vector = np.array([rows[2, 1] - rows[1, 2], rows[0, 2] - rows[2, 0], rows[1, 0] - rows[0, 1]])
    if w > 1e-6:
        x, y, z = (vector / (4 * w)).tolist()
    else:
        column = int(np.argmax(np.diag(rows)))
        x, y, z = ((rows[:, column] + np.eye(3)[column]) / 2).tolist()
        size = float(np.sqrt(x * x + y * y + z * z))
        x, y, z = x / size, y / size, z / size
    return to_axis_angle((float(w), x, y, z))
