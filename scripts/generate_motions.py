#!/usr/bin/env python3
"""Generate the motions of the NAO in motions/, by the names that controllers load.

A walk is planned as for a cart on a table (Kajita et al., Biped Walking Pattern Generation by using Preview
Control of Zero-Moment Point, ICRA 2003): the steps give the zero-moment point, the point under which the
forces of the ground act; the way of the center of mass follows from c - (h / g) c'' = p, solved for the whole
walk at once, at rest at both ends; inverse kinematics of the legs give the angles. Lengths are in m, angles
in rad, times in s. `--check` only compares.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts.generated import Made, write_or_compare  # noqa: E402

Array = NDArray[np.float64]

FOLDER = ROOT / "motions"
STEP = 0.02
"""Time between planned instants; each second one becomes a pose of the file."""
LEG = ("HipYawPitch", "HipRoll", "HipPitch", "KneePitch", "AnklePitch", "AnkleRoll")
THIGH, SHANK, HIP_Y, HIP_Z, SOLE = 0.1, 0.1029, 0.05, -0.085, 0.04511
"""Lengths of the robot, from its model: Nao.proto."""
HIP_HEIGHT = 0.222
"""Height of the hips above the ground in a walk: the knees are bent by 1.05 rad."""
MASS_HEIGHT = 0.26
"""Height of the center of mass in a walk."""
MASS_X = -0.002
"""Place of the center of mass before the hips in a walk, with the arms hanging."""
FOOT_X = 0.012
"""Place before the ankle under which the robot stands: the foot reaches further ahead than behind."""
GRAVITY = 9.81
UNTURNED = np.eye(3)
SLIP = 1.07
"""How much further than the robot shall turn its feet are turned, because they slip."""


class Foothold(NamedTuple):
    """Where a foot stands: the place below its hip, and its heading."""

    x: float
    y: float
    heading: float


class Gait(NamedTuple):
    """Timing and shape of the steps of a walk."""

    step_time: float = 0.56
    both_share: float = 0.25
    """Share of a step during which both feet stand."""
    lift: float = 0.022
    begin: float = 0.6
    """Time of shifting the weight at both ends."""
    sway: float = 1.0
    """Part of the way to the standing foot that the zero-moment point goes."""


def rotation(axis: tuple[float, float, float], angle: float) -> Array:
    """Return the matrix of a turn about an axis of length 1."""
    cross, square = _cross(axis)
    turned: Array = UNTURNED + math.sin(angle) * cross + (1 - math.cos(angle)) * square
    return turned


@cache
def _cross(axis: tuple[float, float, float]) -> tuple[Array, Array]:
    """Return the matrix of the cross product with an axis, and its square."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return cross, cross @ cross


def foot_pose(angles: Array, side: int) -> tuple[Array, Array]:
    """Return place and orientation of an ankle relative to its hip, for the angles of a leg (side: 1 left, -1
    right)."""
    half = math.sqrt(0.5)
    yaw, roll, hip, knee, pitch, ankle = angles
    x, y = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
    turned = rotation((0.0, half, -half * side), yaw) @ rotation(x, roll) @ rotation(y, hip)
    place = turned @ np.array([0, 0, -THIGH])
    turned = turned @ rotation(y, knee)
    place = place + turned @ np.array([0, 0, -SHANK])
    return place, turned @ rotation(y, pitch) @ rotation(x, ankle)


def leg_angles(place: Array, turned: Array, side: int, start: Array) -> Array:
    """Return the angles that bring an ankle to a pose relative to its hip, by Newton's method.

    Raises:
        ValueError: the foot does not get there.
    """
    angles: Array = start.copy()
    for _ in range(30):
        error = _error(angles, place, turned, side)
        if np.abs(error).max() < 1e-9:
            return angles
        slope = np.empty((6, 6))
        for index in range(6):
            moved = angles.copy()
            moved[index] += 1e-6
            slope[:, index] = (_error(moved, place, turned, side) - error) / 1e-6
        angles -= np.linalg.solve(slope, error)
    raise ValueError(f"no angles bring the ankle to {place}")


def _error(angles: Array, place: Array, turned: Array, side: int) -> Array:
    found, orientation = foot_pose(angles, side)
    off = turned.T @ orientation
    twist = np.array([off[2, 1] - off[1, 2], off[0, 2] - off[2, 0], off[1, 0] - off[0, 1]]) / 2
    return np.concatenate([found - place, twist])


def center_of_mass(points: Array) -> Array:
    """Return the way of the center of mass for a zero-moment point (c - h / g * c'' = p), at rest over the
    first and the last point."""
    count = len(points)
    weight = MASS_HEIGHT / GRAVITY / STEP**2
    matrix: Array = np.eye(count)
    inner = np.arange(1, count - 1)
    matrix[inner, inner] += 2 * weight
    matrix[inner, inner - 1] -= weight
    matrix[inner, inner + 1] -= weight
    return np.asarray(np.linalg.solve(matrix, points), np.float64)


def ease(share: float) -> float:
    """Return a share of a way (0 to 1) that starts and ends at rest."""
    return (1 - math.cos(math.pi * min(max(share, 0.0), 1.0))) / 2


class Walk:
    """Plans a walk: footholds one after the other, from and to a stand on both feet."""

    def __init__(self, gait: Gait = Gait()) -> None:  # noqa: B008 - a gait does not change
        self.gait = gait
        self.feet = {1: Foothold(0, HIP_Y, 0), -1: Foothold(0, -HIP_Y, 0)}
        self.instants: list[tuple[dict[int, Foothold], dict[int, float], tuple[float, float]]] = []
        self._stand(gait.begin, self._middle(), self._middle())

    def step(self, side: int, target: Foothold) -> None:
        """Put the foot of a side to a new place, while the robot stands on the other one."""
        gait, start = self.gait, self.feet[side]
        over = self._over(-side)
        both = round(gait.step_time * gait.both_share / STEP)
        before = self.instants[-1][2]
        self._shift(both, before, over)
        single = round(gait.step_time / STEP) - both
        for index in range(1, single + 1):
            share = ease(index / single)
            at = Foothold(*(a + share * (b - a) for a, b in zip(start, target, strict=True)))
            height = gait.lift * math.sin(math.pi * index / single) ** 2
            self.instants.append(({**self.feet, side: at}, {side: height, -side: 0.0}, over))
        self.feet[side] = target

    def swing(self, side: int, ways: list[tuple[float, float, float]]) -> None:
        """Move a foot to and fro over the ground: duration, place ahead and height of each movement's end."""
        over, foot, height = self._over(-side), self.feet[side], 0.0
        self._shift(round(0.5 / STEP), self.instants[-1][2], over)
        for seconds, x, z in ways:
            count, start, low = round(seconds / STEP), foot, height
            for index in range(1, count + 1):
                share = ease(index / count)
                foot, height = foot._replace(x=start.x + share * (x - start.x)), low + share * (z - low)
                self.instants.append(({**self.feet, side: foot}, {side: height, -side: 0.0}, over))

    def end(self) -> None:
        """Stand on both feet."""
        self._stand(self.gait.begin, self.instants[-1][2], self._middle())

    def _over(self, side: int) -> tuple[float, float]:
        foot, sway = self.feet[side], self.gait.sway
        x, y = self._point(foot)
        middle = self._middle()
        return middle[0] + sway * (x - middle[0]), middle[1] + sway * (y - middle[1])

    def _middle(self) -> tuple[float, float]:
        (a, b), (c, d) = (self._point(foot) for foot in self.feet.values())
        return (a + c) / 2, (b + d) / 2

    def _point(self, foot: Foothold) -> tuple[float, float]:
        return foot.x + FOOT_X * math.cos(foot.heading), foot.y + FOOT_X * math.sin(foot.heading)

    def _stand(self, seconds: float, start: tuple[float, float], end: tuple[float, float]) -> None:
        count = round(seconds / STEP)
        self._shift(count // 3, start, end)
        self._shift(count - count // 3, end, end)

    def _shift(self, count: int, start: tuple[float, float], end: tuple[float, float]) -> None:
        for index in range(1, count + 1):
            share = index / count
            point = (start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]))
            self.instants.append((dict(self.feet), {1: 0.0, -1: 0.0}, point))

    def angles(self) -> list[list[float]]:
        """Return the angles of the left, then of the right leg for each instant."""
        way = center_of_mass(np.array([point for _, _, point in self.instants]))
        last = {1: _bent(), -1: _bent()}
        rows = []
        for (feet, heights, _), (x, y) in zip(self.instants, way, strict=True):
            heading = (feet[1].heading + feet[-1].heading) / 2
            for side in (1, -1):
                place, turned = _relative(feet[side], heights[side], side, (x, y, heading))
                last[side] = leg_angles(place, turned, side, last[side])
            rows.append([*last[1], *last[-1]])
        return rows


def _bent() -> Array:
    angle = math.acos((HIP_HEIGHT - SOLE) / (THIGH + SHANK))
    return np.array([0, 0, -angle, 2 * angle, -angle, 0.0])


def _relative(
    foot: Foothold, height: float, side: int, mass: tuple[float, float, float]
) -> tuple[Array, Array]:
    """Return the pose of an ankle relative to its hip; `mass` is place and heading of the center of mass."""
    x, y, heading = mass
    c, s = math.cos(heading), math.sin(heading)
    ahead, left = foot.x - x, foot.y - y
    place = [c * ahead + s * left + MASS_X, -s * ahead + c * left - HIP_Y * side, height + SOLE - HIP_HEIGHT]
    return np.array(place), rotation((0, 0, 1), foot.heading - heading)


def forward(length: float, count: int) -> Walk:
    """Walk straight with `count` steps, of which the first and the last one are half as long."""
    walk = Walk()
    x = length / 2
    for index in range(count):
        side = 1 if index % 2 == 0 else -1
        walk.step(side, Foothold(x, HIP_Y * side, 0))
        x += length if index < count - 2 else 0
    walk.end()
    return walk


def turn(degrees: float, count: int) -> Walk:
    """Turn on the spot by an angle, counterclockwise if positive, in `count` pairs of steps."""
    walk = Walk()
    first = 1 if degrees > 0 else -1
    for index in range(1, count + 1):
        heading = math.radians(SLIP * degrees) * index / count
        for side in (first, -first):
            y = HIP_Y * side
            walk.step(side, Foothold(-y * math.sin(heading), y * math.cos(heading), heading))
    walk.end()
    return walk


def sideways(length: float, count: int) -> Walk:
    """Walk to the left, or to the right if the length of a step is negative, in `count` pairs of steps."""
    walk = Walk()
    first = 1 if length > 0 else -1
    for index in range(1, count + 1):
        for side in (first, -first):
            walk.step(side, Foothold(0, HIP_Y * side + length * index, 0))
    walk.end()
    return walk


def kick() -> Walk:
    """Kick with the right foot while the left one stands."""
    walk = Walk(Gait(begin=1.2))
    walk.swing(-1, [(0.6, -0.05, 0.03), (0.2, 0.09, 0.035), (0.6, 0.0, 0.03), (0.4, 0.0, 0.0)])
    walk.end()
    return walk


ARMS = ("ShoulderPitch", "ShoulderRoll", "ElbowYaw", "ElbowRoll")
REST = (1.5, -0.15, 1.2, 0.5)
"""Angles of the right arm at rest; those of the left one have opposite signs but for the first."""
RAISED = (-1.0, -0.35, 1.2, 0.7)
WAVES = ((RAISED[:3] + (1.3,)), (RAISED[:3] + (0.4,)))


def wave() -> tuple[list[str], list[tuple[float, list[float]]]]:
    """Return joints and poses of a wave of the right hand."""
    poses = [(0.0, REST), (0.8, RAISED)]
    for index in range(6):
        poses.append((1.2 + 0.4 * index, WAVES[index % 2]))
    poses += [(3.6, RAISED), (4.6, REST)]
    return [f"R{joint}" for joint in ARMS], [(time, list(pose)) for time, pose in poses]


def wipe() -> tuple[list[str], list[tuple[float, list[float]]]]:
    """Return joints and poses of the right hand that wipes the forehead, and of the head."""
    up, left, right = (-0.9, -0.1, 0.9, 1.5), (-1.0, 0.25, 0.9, 1.5), (-1.0, -0.2, 0.9, 1.5)
    poses = [
        (0.0, REST, 0.0),
        (1.0, up, 0.3),
        (1.6, left, 0.3),
        (2.2, right, 0.3),
        (2.8, left, 0.3),
        (3.4, up, 0.3),
    ]
    poses.append((4.4, REST, 0.0))
    joints = [*(f"R{joint}" for joint in ARMS), "HeadPitch"]
    return joints, [(time, [*pose, head]) for time, pose, head in poses]


def of_walk(walk: Walk) -> tuple[list[str], list[tuple[float, list[float]]]]:
    """Return joints and poses of a walk."""
    joints = [side + joint for side in "LR" for joint in LEG]
    rows = walk.angles()
    kept = [*range(0, len(rows) - 1, 2), len(rows) - 1]
    return joints, [(index * STEP, rows[index]) for index in kept]


def text(joints: Iterable[str], poses: Iterable[tuple[float, list[float]]]) -> str:
    """Return a motion file."""
    lines = [",".join(["#WEBOTS_MOTION", "V1.0", *joints])]
    for number, (time, angles) in enumerate(poses, 1):
        minutes, milliseconds = divmod(round(1000 * time), 60_000)
        stamp = f"{minutes:02}:{milliseconds // 1000:02}:{milliseconds % 1000:03}"
        values = (f"{angle:.3f}".rstrip("0").rstrip(".") for angle in angles)
        lines.append(",".join([stamp, f"Pose{number}", *("0" if one == "-0" else one for one in values)]))
    return "\n".join(lines) + "\n"


def generate() -> Made:
    """Return the files."""
    made = {
        "Forwards": of_walk(forward(0.04, 3)),
        "Forwards50": of_walk(forward(0.05, 6)),
        "Backwards": of_walk(forward(-0.03, 4)),
        "SideStepLeft": of_walk(sideways(0.04, 1)),
        "SideStepRight": of_walk(sideways(-0.04, 1)),
        "TurnLeft40": of_walk(turn(40, 2)),
        "TurnRight40": of_walk(turn(-40, 2)),
        "TurnLeft60": of_walk(turn(60, 3)),
        "TurnRight60": of_walk(turn(-60, 3)),
        "TurnLeft180": of_walk(turn(180, 9)),
        "Shoot": of_walk(kick()),
        "HandWave": wave(),
        "WipeForehead": wipe(),
    }
    return {FOLDER / f"{name}.motion": text(*motion) for name, motion in made.items()}


def main() -> int:
    """Write or check the files; return the exit code."""
    return write_or_compare("Make the motions of the NAO.", generate)


if __name__ == "__main__":
    sys.exit(main())
