"""The joints of a robot: positions, kinematics and dynamics.

Rows and columns of arrays are freedoms: one for each axis of a joint, in the order of `names`. If the robot
is not fixed to the world, six come before them: its linear and its angular velocity, in the axes of the
world, as in MuJoCo. Springs, dampers, brakes and friction of joints are no part of masses and forces here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wbridge.api.articulation import Articulation, Frame
from wbridge.api.names import unknown
from wbridge.api.nodes import Node
from wbridge.api.vectors import reals, vector
from wbridge.wbcore.physics.pose import Quat, Vec3, axis_angle, cross, dot, from_axes, matrix, sub
from wbridge.wbcore.simulation import Simulation

if TYPE_CHECKING:
    from wbridge.api.robots import Robot

    Array = NDArray[np.float64]

ROUNDING = 1e-6
"""Of the numbers of rotation matrices."""


class Solution(NamedTuple):
    """The result of inverse kinematics."""

    positions: Array
    """(joints,) rad or m: the best positions."""
    is_reached: bool
    """True if the errors are within the tolerances."""
    distance: float
    """Error of the position (m)."""
    angle: float
    """Error of the orientation (rad); 0 if none was wanted."""
    iterations: int
    """Iterations of all attempts."""


class Joints:
    """All joints of a robot, as the state of the simulation has them now; methods take other states, too."""

    def __init__(self, core: Simulation, robot: Robot, changes: Callable[[], None]) -> None:
        """
        Args:
            core: the simulation.
            robot: of it.
            changes: called before something is changed.
        """
        self._core, self._robot, self._changes = core, robot, changes
        self._built: Articulation | None = None

    @property
    def _model(self) -> Articulation:
        built, physics = self._built, self._core.physics
        if built is None or built.structure != physics.structure:
            built = self._built = Articulation(physics, self._robot.core.node)
        return built

    def __len__(self) -> int:
        return len(self._model.axes)

    def __repr__(self) -> str:
        return f'<Joints of robot "{self._robot.name}": {", ".join(self.names)}>'

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each axis: that of its motor, else of its position sensor, else of its end point."""
        return tuple(axis.name for axis in self._model.axes)

    @property
    def is_floating(self) -> bool:
        """True if the robot is not fixed to the world: six freedoms come before those of the joints."""
        return self._model.is_floating

    @property
    def limits(self) -> Array:
        """(joints, 2) rad or m: least and greatest position, by stops and motors; infinite without."""
        return np.array([(axis.low, axis.high) for axis in self._model.axes]).reshape(-1, 2)

    # The state.

    @property
    def positions(self) -> Array:
        """(joints,) rad or m. Setting them moves the joints at once, at rest; motors keep them there."""
        model = self._model
        return self._core.physics.engine.joint_positions[model.rows]

    @positions.setter
    def positions(self, values: ArrayLike) -> None:
        """Move the joints at once."""
        self._changes()
        for axis, value in zip(self._model.axes, self._numbers(values, "positions"), strict=True):
            self._core.physics.set_joint_position(axis.node, value, axis.place)

    @property
    def velocities(self) -> Array:
        """(joints,) rad/s or m/s."""
        return self._core.physics.engine.joint_velocities[self._model.rows]

    @property
    def targets(self) -> Array:
        """(joints,) rad or m: target positions of the motors; the present position of joints without one.
        Setting them moves the motors there.

        Raises:
            RuntimeError: the robot's controller runs already.
        """
        motors, places = self._robot.motors, self.positions
        for i, axis in enumerate(self._model.axes):
            if axis.motor:
                places[i] = motors[axis.motor].position
        return places

    @targets.setter
    def targets(self, values: ArrayLike) -> None:
        """Move the motors there."""
        motors = self._robot.motors
        for axis, value in zip(self._model.axes, self._numbers(values, "targets"), strict=True):
            if axis.motor:
                motors[axis.motor].position = value

    # Kinematics.

    def pose(self, node: str | Node | None = None, positions: ArrayLike | None = None) -> Array:
        """Return the (4, 4) pose of a node of the robot in the world: forward kinematics.

        Args:
            node: name of a solid, device or other node of the robot, or the node; None: the last solid.
            positions: of the joints (rad or m); None: those of the simulation.

        Raises:
            UnknownNameError: the robot has no such node.
        """
        frame, model = self._frame(node), self._placed(positions)
        position, orientation = model.chain.pose(frame.link)
        outer = frame.placed(position, orientation)
        pose = np.eye(4)
        pose[:3, :3] = np.array(matrix(outer.orientation)).reshape(3, 3)
        pose[:3, 3] = outer.position
        return pose

    def jacobian(
        self,
        node: str | Node | None = None,
        point: ArrayLike = (0.0, 0.0, 0.0),
        positions: ArrayLike | None = None,
    ) -> Array:
        """Return the (6, freedoms) velocity of a point of a node per velocity of each freedom: three rows of
        linear velocity (m/s), three of angular velocity (rad/s), in the axes of the world.

        Args:
            node: as for `pose`.
            point: in the axes of the node (m).
            positions: as for `pose`.

        Raises:
            UnknownNameError: the robot has no such node.
        """
        frame, model = self._frame(node), self._placed(positions)
        return model.chain.jacobian(frame.link, frame.point(vector(point, "point")))

    def inverse_kinematics(
        self,
        position: ArrayLike,
        rotation: ArrayLike | None = None,
        node: str | Node | None = None,
        *,
        point: ArrayLike = (0.0, 0.0, 0.0),
        start: ArrayLike | None = None,
        tolerance: tuple[float, float] = (1e-6, 1e-6),
        iterations: int = 100,
        attempts: int = 10,
    ) -> Solution:
        """Find positions of the joints that bring a point of a node to a place: damped least squares within
        the limits of the joints. Joints that do not move the node keep their positions.

        Args:
            position: where the point shall be, in the world (m).
            rotation: of the node in the world: a (3, 3) matrix, or an axis and an angle (rad) as in fields;
                None: any.
            node: as for `pose`.
            point: in the axes of the node (m).
            start: positions to start from (rad or m); None: those of the simulation.
            tolerance: errors that are small enough (m, rad).
            iterations: most of an attempt.
            attempts: the first from `start`, others from random positions, always the same ones.

        Raises:
            UnknownNameError: the robot has no such node.
            ValueError: numbers are missing or not finite, or the node does not move.
        """
        frame, model = self._frame(node), self._model
        if frame.link < 0:
            raise ValueError(
                f"no joint of {self._robot!r} moves {node!r}; choose another node: {_listed(model)}"
            )
        wanted = None if rotation is None else frame.link_orientation(_quaternion(rotation))
        base = self._base(model)
        begin = self.positions if start is None else self._numbers(start, "start")
        solution = model.chain.reach(
            *base,
            list(begin),
            frame.link,
            frame.point(vector(point, "point")),
            vector(position, "position"),
            wanted,
            *tolerance,
            iterations,
            attempts,
        )
        positions, distance, angle, count, is_reached = solution
        return Solution(positions, is_reached, distance, angle, count)

    # Dynamics.

    def mass_matrix(self, positions: ArrayLike | None = None) -> Array:
        """Return the (freedoms, freedoms) mass matrix: forces are this matrix times accelerations, without
        the forces of gravity and velocities (kg m^2 for hinges, kg for sliders).

        Args:
            positions: as for `pose`.
        """
        return self._placed(positions).chain.mass_matrix()

    def inverse_dynamics(
        self,
        accelerations: ArrayLike = 0.0,
        velocities: ArrayLike | None = None,
        positions: ArrayLike | None = None,
    ) -> Array:
        """Return the (freedoms,) forces (N or N m) that give the freedoms these accelerations, against
        gravity and the forces of velocities. With accelerations and velocities of 0 they hold the robot
        against gravity.

        Args:
            accelerations: (freedoms,) or one for all (rad/s^2 or m/s^2).
            velocities: (freedoms,) or one for all (rad/s or m/s); None: those of the simulation.
            positions: as for `pose`.
        """
        model = self._placed(positions)
        count = model.chain.freedoms
        speeds = self._freedoms(model) if velocities is None else _spread(velocities, count, "velocities")
        gravity = self._core.physics.engine.gravity
        return model.chain.forces(speeds, _spread(accelerations, count, "accelerations"), gravity)

    # Help.

    def _placed(self, positions: ArrayLike | None) -> Articulation:
        model = self._model
        placed = self.positions if positions is None else self._numbers(positions, "positions")
        model.chain.place(*self._base(model), list(placed))
        return model

    def _base(self, model: Articulation) -> tuple[Vec3, Quat]:
        pose = self._core.physics.body_pose(model.root)
        return pose.position, pose.orientation

    def _freedoms(self, model: Articulation) -> list[float]:
        moving: list[float] = self.velocities.tolist()
        if not model.is_floating:
            return moving
        linear, angular = self._core.physics.velocity(model.root.root.node)
        return [*linear, *angular, *moving]

    def _numbers(self, values: ArrayLike, what: str) -> list[float]:
        return _spread(values, len(self._model.axes), what)

    def _frame(self, node: str | Node | None) -> Frame:
        model = self._model
        try:
            return model.frame(node if node is None or isinstance(node, str) else node.node)
        except KeyError:
            name = node if isinstance(node, str) else repr(node)
            what = f'robot "{self._robot.name}" has no node "{name}"'
            raise unknown(what, str(node), model.names, "nodes") from None


def _listed(model: Articulation) -> str:
    return ", ".join(list(model.names)[:12])


def _spread(values: ArrayLike, count: int, what: str) -> list[float]:
    array = reals(values, what)
    numbers: list[float] = [array.item()] * count if array.shape == () else array.ravel().tolist()
    if array.shape not in ((), (count,)) or not all(map(math.isfinite, numbers)):
        raise ValueError(f"{what}: expected {count} finite numbers, or one for all, not {values!r}")
    return numbers


def _quaternion(rotation: ArrayLike) -> Quat:
    array = reals(rotation, "rotation")
    rows = array.tolist()
    if array.shape == (4,) and all(map(math.isfinite, rows)) and any(rows[:3]):
        length = math.hypot(*rows[:3])
        return axis_angle((rows[0] / length, rows[1] / length, rows[2] / length), rows[3])
    if array.shape == (3, 3) and _is_rotation(*rows):
        return from_axes(*zip(*rows, strict=True))
    raise ValueError(
        f"rotation: expected an axis and an angle, or a (3, 3) rotation matrix, not {rotation!r}"
    )


def _is_rotation(x: Vec3, y: Vec3, z: Vec3) -> bool:
    """True if rows are perpendicular, of length 1, and right-handed."""
    gaps = (dot(x, x) - 1, dot(y, y) - 1, dot(x, y), *sub(cross(x, y), z))
    return all(abs(gap) < ROUNDING for gap in gaps)
