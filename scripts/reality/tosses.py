"""The recordings of a cube that was tossed onto a table, and how far a simulation is from them.

ContactNets (Pfrommer, Halm, Posa 2020) recorded 570 tosses of an acrylic cube with motion capture at 148 Hz:
github.com/DAIRLab/contact-nets, data/tosses_processed, under the BSD license.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scripts.reality.torch_file import read_array

HALF_WIDTH = 0.0524
"""m; the recordings have it as unit of length."""
WIDTH = 2 * HALF_WIDTH
MASS = 0.37
INERTIA = 0.2950002913583124 * HALF_WIDTH**2
"""kg m^2, about each axis; from the data set's own parameters."""
GRAVITY = 9.81
STEP = 1 / 148
"""s."""
Values = NDArray[np.float64]


class Toss(NamedTuple):
    """One toss: n frames from release to rest, the table at height 0."""

    number: int
    positions: Values
    """(n, 3) m, of the center."""
    orientations: Values
    """(n, 4), w first."""
    velocity: Values
    """(3,) m/s, at the first frame."""
    spin: Values
    """(3,) rad/s in the axes of the world, at the first frame."""


class Error(NamedTuple):
    """Mean distance of simulated from recorded motions, over all frames of each toss and then over tosses."""

    position: float
    """Share of the cube's width."""
    rotation: float
    """Degrees."""

    @property
    def cost(self) -> float:
        """What a fit makes small: how far a corner may be away, as a share of the cube's width."""
        return self.position + math.radians(self.rotation) * math.sqrt(3) / 2


def read_tosses(folder: Path) -> list[Toss]:
    """Return all tosses in a folder of .pt files, in the order of their numbers.

    Raises:
        OSError: a file cannot be read.
        TorchFileError: a file is damaged.
    """
    files = sorted(folder.glob("*.pt"), key=lambda one: int(one.stem))
    return [_toss(int(one.stem), read_array(one.read_bytes())[0]) for one in files]


def _toss(number: int, rows: Values) -> Toss:
    orientations = rows[:, 3:7] / np.linalg.norm(rows[:, 3:7], axis=1)[:, None]
    spin = rotation_matrix(orientations[0]) @ rows[0, 10:13]
    return Toss(number, rows[:, :3] * HALF_WIDTH, orientations, rows[0, 7:10] * HALF_WIDTH, spin)


def halves(tosses: list[Toss]) -> tuple[list[Toss], list[Toss]]:
    """Return the tosses with even numbers, to fit, and those with odd ones, to judge."""
    return [one for one in tosses if one.number % 2 == 0], [one for one in tosses if one.number % 2]


def rotation_matrix(q: Values) -> Values:
    """Return the rotation matrix of a unit quaternion."""
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def distances(toss: Toss, positions: Values, orientations: Values) -> tuple[Values, Values]:
    """Return for each frame the distance (m) of two centers and the angle (degrees) between two cubes."""
    away = np.linalg.norm(positions - toss.positions, axis=1)
    cosines = np.abs(np.sum(orientations * toss.orientations, axis=1))
    return away, np.degrees(2 * np.arccos(np.clip(cosines, 0, 1)))


def mean_error(found: list[tuple[Values, Values]]) -> Error:
    """Return the mean over tosses of their means over frames; `found` has the distances of each toss."""
    position = np.mean([np.mean(away) for away, _ in found]) / WIDTH
    return Error(float(position), float(np.mean([np.mean(angle) for _, angle in found])))
