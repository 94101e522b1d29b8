"""Optional drawings over the scene, as in Webots' View menu: bounding objects, joint axes, contacts and more.

A drawing consists of parts: lines (each two points are a segment), or points. A part belongs to a body of the
scene, or is fixed in the world; those of bodies are sent once, and move with the body's pose.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from math import isfinite, tan
from time import monotonic
from typing import Any

import numpy as np

from wbridge.wbcore.devices.camera import Camera
from wbridge.wbcore.devices.device import Device
from wbridge.wbcore.devices.distance_sensor import DistanceSensor
from wbridge.wbcore.devices.gps import GPS
from wbridge.wbcore.devices.lidar import Lidar
from wbridge.wbcore.devices.range_finder import RangeFinder
from wbridge.wbcore.physics.mass import Mass
from wbridge.wbcore.physics.mount import Mount, engine_frame
from wbridge.wbcore.physics.plan import BodyPlan
from wbridge.wbcore.physics.pose import IDENTITY, Pose, Vec3, add, length, scaled
from wbridge.wbcore.physics.settings import directions
from wbridge.wbcore.physics.world import PhysicsWorld
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.simulation import Simulation
from wbridge.wbcore.view.outlines import Segments, edges_of, inertia_box

LINE_SCALE = 0.1
MOST_POINTS = 6000
"""Points of all lidars together."""
MOST_RAYS = 2000
FORCE_LENGTH = 4.0
LARGEST_PICTURE = 160
"""Columns and rows of the pictures in camera frusta."""
PICTURES_S = 0.2
DIGITS = 5
Part = dict[str, Any]


class Drawings:
    """Makes the drawings of one simulation."""

    def __init__(self, simulation: Simulation) -> None:
        self.simulation = simulation
        self._stamp: tuple[object, ...] = ()
        self._fixed: dict[str, list[Part]] = {}
        """Drawings that change only when the world is rebuilt."""
        self._heaviest: float | None = None
        """kg, of the heaviest mechanism."""
        self._addresses: Mapping[str, str] = {}
        self._next_pictures = 0.0

    def messages(self, kinds: Collection[str]) -> Mapping[str, Any]:
        """Return messages for viewers: "draw KIND" with the parts of each kind.

        A part has `body` (number, or null for the world), `shape` ("lines", "points", "track" or "frustum"),
        `look` (a name of a color), `at` (coordinates in m, in the frame of the body). With "cameras" also
        comes "draw pictures": what cameras see, as addresses (data:) by robot and tag.
        """
        physics = self.simulation.physics
        stamp = (physics.builder, physics.structure, len(self._devices()))
        if stamp != self._stamp:
            self._stamp = stamp
            self._fixed.clear()
            self._heaviest = None
        found: dict[str, Any] = {}
        for kind in KINDS:
            if kind not in kinds:
                continue
            make, is_fixed = _MAKERS[kind]
            if not is_fixed:
                found[f"draw {kind}"] = make(self)
                continue
            if kind not in self._fixed:
                self._fixed[kind] = make(self)
            found[f"draw {kind}"] = self._fixed[kind]
        if "cameras" in kinds:
            found["draw pictures"] = self._pictures()
        return found

    @property
    def _unit(self) -> float:
        """WorldInfo.lineScale: the length of axes (m)."""
        info = self.simulation.world.first("WorldInfo")
        return (
            float(info.get("lineScale"))
            if info is not None and "lineScale" in info.spec.fields
            else LINE_SCALE
        )

    def _frame(self, body: BodyPlan, inner: Pose) -> tuple[int | None, Pose]:
        """Return the number of the engine's body that carries a pose, and the pose in it."""
        made, place = engine_frame(self.simulation.physics, body, inner)
        return (int(made.id) if made is not None else None), place.rigid

    def _devices(self) -> list[Device]:
        return [device for robot in self.simulation.robots for device in robot.devices]

    def _of(self, *types: type[Device]) -> list[Any]:
        """Return the devices of these types that are in the world."""
        return [
            device
            for robot in self.simulation.robots
            for device in robot.devices
            if isinstance(device, types) and device.tag not in robot.removed_tags
        ]

    # What does not move in its body.

    def _bounds(self) -> list[Part]:
        parts: dict[int | None, Segments] = {}
        for solid in self.simulation.physics.solids():
            body, place = self._frame(solid.body, solid.offset)
            for geometry in solid.geometries:
                parts.setdefault(body, []).extend(place.point(edge) for edge in edges_of(geometry))
        return [_part(body, "lines", "bounds", points) for body, points in parts.items()]

    def _axes(self) -> list[Part]:
        parts: dict[int | None, Segments] = {}
        for part in self.simulation.physics.plan.parts:
            for joint in part.joints:
                above = joint.parent
                body, place = (None, IDENTITY) if above is None else self._frame(above.body, above.offset)
                for axis in joint.axes:
                    ends = (
                        add(joint.anchor, scaled(axis.direction, sign * self._unit / 2)) for sign in (-1, 1)
                    )
                    parts.setdefault(body, []).extend(place.point(end) for end in ends)
        return [_part(body, "lines", "axes", points) for body, points in parts.items()]

    def _masses(self) -> list[Part]:
        return [
            _part(body, "points", "masses", [place.point(mass.center)]) for body, place, mass in self._loads()
        ]

    def _inertia(self) -> list[Part]:
        """Boxes of the same mass and inertia, but even density."""
        return [
            _part(body, "lines", "masses", map(place.point, inertia_box(mass)))
            for body, place, mass in self._loads()
        ]

    def _loads(self) -> Iterator[tuple[int | None, Pose, Mass]]:
        """Yield the masses of bodies, each with the number of its body and its frame in it."""
        for part in self.simulation.physics.plan.parts:
            for plan in part.bodies:
                if plan.is_dynamic and plan.mass is not None:
                    yield *self._frame(plan, IDENTITY), plan.mass

    def _frames(self) -> list[Part]:
        parts: dict[tuple[int | None, str], Segments] = {}
        unit = self._unit / 2
        for solid in self.simulation.physics.solids():
            body, place = self._frame(solid.body, solid.offset)
            for look, tip in (("x", (unit, 0.0, 0.0)), ("y", (0.0, unit, 0.0)), ("z", (0.0, 0.0, unit))):
                parts.setdefault((body, look), []).extend((place.position, place.point(tip)))
        return [_part(body, "lines", look, points) for (body, look), points in parts.items()]

    def _tracks(self) -> list[Part]:
        parts = []
        for sensor in self._of(GPS):
            body, place = _mounted(sensor.mount)
            if body is not None:
                parts.append(_part(body, "track", "track", [place.position]))
        return parts

    # What changes in each step.

    def _contacts(self) -> list[Part]:
        points = self.simulation.physics.engine.contacts().points
        return [{**_part(None, "points", "contacts", ()), "at": np.round(points, DIGITS).ravel().tolist()}]

    def _forces(self) -> list[Part]:
        """Of the two forces at a contact in the last step the one that points up. The weight of the heaviest
        mechanism is `FORCE_LENGTH` times WorldInfo.lineScale long."""
        physics = self.simulation.physics
        physics.engine.contact_feedback = True  # the page sees forces from the next step on
        contacts = physics.engine.contacts(solved=True)
        up = np.array(directions(self.simulation.world.coordinate_system)[1])
        forces = np.where((contacts.forces @ up < 0)[:, None], -contacts.forces, contacts.forces)
        if self._heaviest is None:
            self._heaviest = _heaviest(physics)
        weight = self._heaviest * length(physics.engine.gravity) or 1.0
        ends = contacts.points + forces * (FORCE_LENGTH * self._unit / weight)
        lines = np.stack([contacts.points, ends], axis=1)
        return [{**_part(None, "lines", "forces", ()), "at": np.round(lines, DIGITS).ravel().tolist()}]

    def _rays(self) -> list[Part]:
        free: Segments = []
        hits: Segments = []
        for sensor in self._of(DistanceSensor)[:MOST_RAYS]:
            origin, length, rays = sensor.shown_rays()
            for direction, distance in rays:
                into = hits if distance < length else free
                into += [origin, add(origin, scaled(direction, distance))]
        return [_part(None, "lines", "free", free), _part(None, "lines", "hits", hits)]

    def _lidar(self) -> list[Part]:
        found: list[Any] = []
        for sensor in self._of(Lidar):
            points = sensor.shown_points()
            if points is not None and len(points):
                found.append(points)
        if not found:
            return []
        points = np.concatenate(found)
        points = points[:: -(-len(points) // MOST_POINTS)]
        return [{**_part(None, "points", "lidar", ()), "at": np.round(points, 3).ravel().tolist()}]

    def _cameras(self) -> list[Part]:
        unit, parts = 2 * self._unit, []
        for device in self._of(Camera, RangeFinder):
            node = device.node
            body, place = _mounted(Mount(self.simulation.physics, partial(_same, node)))
            columns, rows, angle = int(node.get("width")), int(node.get("height")), _angle(device)
            if not columns or not rows or angle is None:
                continue
            forward, up = device.conventions.view_axis, device.conventions.view_up
            right = (
                forward[1] * up[2] - forward[2] * up[1],
                forward[2] * up[0] - forward[0] * up[2],
                forward[0] * up[1] - forward[1] * up[0],
            )
            across = unit * tan(angle / 2)
            high = across * rows / columns
            corners = [
                place.point(add(scaled(forward, unit), add(scaled(right, x * across), scaled(up, y * high))))
                for x, y in ((-1, 1), (1, 1), (1, -1), (-1, -1))
            ]
            parts.append(_part(body, "frustum", "cameras", [place.position, *corners]))
            parts[-1]["key"] = _key(device)
        return parts

    def _pictures(self) -> Mapping[str, str]:
        """Return what cameras see, a few times per second."""
        now = monotonic()
        if now >= self._next_pictures:
            self._next_pictures = now + PICTURES_S
            shown = {
                _key(device): device.shown_picture(LARGEST_PICTURE)
                for device in self._of(Camera, RangeFinder)
            }
            self._addresses = {
                key: _address(picture) for key, picture in shown.items() if picture is not None
            }
        return self._addresses


def _heaviest(physics: PhysicsWorld) -> float:
    """Return the mass (kg) of the heaviest mechanism."""
    masses = [
        sum(body.mass.mass for body in part.bodies if body.is_dynamic and body.mass is not None)
        for part in physics.plan.parts
    ]
    return max(masses, default=0.0)


def _address(picture: tuple[int, int, bytes]) -> str:
    """Return a picture (columns, rows, blue green red alpha) as the address of a JPEG file."""
    from PIL import Image  # start-up: only for pictures in drawings

    columns, rows, data = picture
    pixels = np.frombuffer(data, np.uint8).reshape(rows, columns, 4)
    file = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(pixels[..., 2::-1])).save(file, "JPEG", quality=80)
    return "data:image/jpeg;base64," + base64.b64encode(file.getvalue()).decode()


def _angle(device: Any) -> float | None:
    """Return the horizontal angle of a planar view that a pyramid can show (rad)."""
    node = device.node
    angle = float(node.get("fieldOfView")) if "fieldOfView" in node.spec.fields else 0.0
    return angle if 0 < angle < 3 else None


def _key(device: Device) -> str:
    return f"{device.robot.number}/{device.tag}"


def _same(node: Node) -> Node:
    return node


def _mounted(mount: Mount) -> tuple[int | None, Pose]:
    mount.follow()
    return (int(mount.body.id) if mount.body is not None else None), mount.inner.rigid


def _part(body: int | None, shape: str, look: str, points: Iterable[Vec3]) -> Part:
    at = [
        round(coordinate, DIGITS) if isfinite(coordinate) else 0.0 for point in points for coordinate in point
    ]
    return {"body": body, "shape": shape, "look": look, "at": at}


_MAKERS: dict[str, tuple[Callable[[Drawings], list[Part]], bool]] = {
    "bounds": (Drawings._bounds, True),
    "axes": (Drawings._axes, True),
    "contacts": (Drawings._contacts, False),
    "forces": (Drawings._forces, False),
    "masses": (Drawings._masses, True),
    "inertia": (Drawings._inertia, True),
    "frames": (Drawings._frames, True),
    "rays": (Drawings._rays, False),
    "lidar": (Drawings._lidar, False),
    "cameras": (Drawings._cameras, True),
    "tracks": (Drawings._tracks, True),
}
KINDS = tuple(_MAKERS)
"""The kinds of drawings."""
