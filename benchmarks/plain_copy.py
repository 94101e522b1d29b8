"""A simulated world copied to a plain C++ loop over ODE: the same bodies, wheels, shapes and rays."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

from benchmarks.plain import library
from wbridge.wbcore.devices.distance_sensor import DistanceSensor
from wbridge.wbcore.engine import Body, Geom, Shape
from wbridge.wbcore.physics.pose import Pose, axis_angle
from wbridge.wbcore.simulation import Simulation
from wbridge.wbcore.visual.forms import form_of
from wbridge.wbcore.visual.shapes import shapes_of

MAX_TORQUE = 10.0
ALONG_Y = axis_angle((1.0, 0.0, 0.0), -1.5707963267948966)
"""ODE's cylinders are along z."""


def doubles(values: Sequence[float]) -> Any:
    """An array for C."""
    return (ctypes.c_double * len(values))(*values)


def pose_of(position: Sequence[float], orientation: Sequence[float]) -> Any:
    """A pose for C."""
    return doubles([*position, *orientation])


class PlainCopy:
    """The plain loop of a world whose joints are wheels along y and whose enabled sensors have one ray."""

    def __init__(self, simulation: Simulation, speeds: Sequence[float], rays: int) -> None:
        """
        Args:
            simulation: the world, before its first step.
            speeds: rad/s of the wheels of each robot.
            rays: number of infra-red sensors per robot, those with the lowest tags.
        """
        self._simulation, self._library = simulation, library()
        engine = simulation.physics.engine
        self._world = ctypes.c_void_p(self._library.plain_copy(engine.dt, len(simulation.robots) > 1))
        self._kept: list[Any] = []
        self._numbers: dict[int, int] = {}
        """Copied bodies by the id of the original."""
        for body in map(engine.body, range(engine.body_count)):
            self._copy_body(body)
        for geom in map(engine.geom, range(engine.geom_count)):
            self._copy_bounds(geom)
        for shape in shapes_of(simulation.physics):
            form = form_of(simulation.world, shape.node.get("geometry"), shape.place.scale)
            if form is not None:
                frame = Pose(shape.body.position, shape.body.orientation) if shape.body else Pose()
                self._copy_shape(form.shape, shape.body, frame @ shape.place.rigid, -1, True)
        self._copy_wheels(speeds)
        for robot in simulation.robots:
            sensors = [one for one in robot.devices if isinstance(one, DistanceSensor)]
            self._copy_rays(sensors[:rays])
        self._library.plain_copy_done(self._world)

    def seconds(self, steps: int) -> float:
        """Make steps; returns the seconds they took, measured in the loop."""
        return float(self._library.plain_steps(self._world, steps))

    def close(self) -> None:
        """Free the world."""
        self._library.plain_free(self._world)
        self._world = ctypes.c_void_p()

    def _number(self, body: Body | None) -> int:
        return -1 if body is None else self._numbers.get(body.id, -1)

    def _copy_body(self, body: Body) -> None:
        if body.kind != "dynamic":
            return
        self._numbers[body.id] = len(self._numbers)
        mass = body.mass
        place = pose_of(body.position, body.orientation)
        numbers = doubles(mass.center), doubles(mass.inertia)
        self._library.plain_copy_body(self._world, ctypes.c_double(mass.mass), *numbers, place)

    def _copy_bounds(self, geom: Geom) -> None:
        if geom.shape.kind == "plane":
            self._library.plain_copy_ground(self._world)
            return
        self._copy_shape(geom.shape, geom.body, Pose(geom.position, geom.orientation), geom.robot, False)

    def _copy_shape(self, shape: Shape, body: Body | None, pose: Pose, robot: int, visible: bool) -> None:
        if shape.kind == "mesh":
            self._copy_mesh(shape, body, pose, robot, visible)
            return
        kind, size = shape.kind, shape.size
        if kind == "frustum":  # ODE has none: cones and open cylinders become cylinders
            kind, size = "cylinder", (max(size[0], size[2]), size[1], 0.0)
        if kind == "cylinder" and shape.up == "y":
            pose = pose @ Pose((0.0, 0.0, 0.0), ALONG_Y)
        copy = getattr(self._library, f"plain_copy_{kind}")
        place = pose_of(pose.position, pose.orientation)
        copy(self._world, self._number(body), doubles(size), place, robot, visible)

    def _copy_mesh(self, shape: Shape, body: Body | None, pose: Pose, robot: int, visible: bool) -> None:
        mesh = shape.triangles
        assert mesh is not None, "meshes have triangles"
        self._kept.append(mesh)
        vertices, triangles = mesh.vertices, mesh.triangles
        place = pose_of(pose.position, pose.orientation)
        self._library.plain_copy_mesh(
            self._world, self._number(body), vertices.ctypes, len(vertices), triangles.ctypes, len(triangles),
            place, robot, visible,
        )  # fmt: skip

    def _copy_wheels(self, speeds: Sequence[float]) -> None:
        for number, joint in enumerate(self._simulation.physics.handles.joints.values()):
            numbers = self._number(joint.child), self._number(joint.parent)
            values = ctypes.c_double(speeds[number % len(speeds)]), ctypes.c_double(MAX_TORQUE)
            self._library.plain_copy_wheel(self._world, *numbers, doubles((0, 1, 0)), *values)

    def _copy_rays(self, sensors: Sequence[DistanceSensor]) -> None:
        for sensor in sensors:
            inner = sensor.mount.inner
            aim = doubles(inner.direction((1.0, 0.0, 0.0)))
            length = ctypes.c_double(float(sensor.node.get("lookupTable")[-1][0]))
            origin = doubles(inner.position)
            self._library.plain_copy_ray(self._world, self._number(sensor.mount.body), origin, aim, length)
