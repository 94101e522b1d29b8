"""The objects that a camera recognizes: solids with recognitionColors, by their bounding objects.

Source: manual, chapters Camera and Recognition; Webots' WbCamera and WbObjectDetection for the details.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from wbridge.wbcore.devices.camera_view import CameraView, Frame
from wbridge.wbcore.devices.field_of_view import corner_points
from wbridge.wbcore.devices.image_points import ImagePoints
from wbridge.wbcore.devices.object_bounds import Bounds
from wbridge.wbcore.devices.surroundings import Surroundings
from wbridge.wbcore.physics.exact_sums import dots
from wbridge.wbcore.physics.mount import Mount
from wbridge.wbcore.physics.plan import Geometry, SolidPlan
from wbridge.wbcore.physics.pose import Pose, Vec3, conjugate, multiply, to_axis_angle
from wbridge.wbcore.scene.dialect import Dialect
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.visual.balls import Ball, balls_of, joined

if TYPE_CHECKING:
    from numpy.typing import NDArray

Points: TypeAlias = "NDArray[np.float64]"
LEAST_WAY = 1e-9
"""Length of rays to objects at the camera itself (m)."""
FLAT = frozenset({"box", "mesh", "heightfield"})
"""Geometries that are bounded by their corners."""


class Seen(NamedTuple):
    """A recognized object, in the order of the protocol."""

    id: int
    position: Vec3
    """Center of its box, in the camera's axes (m)."""
    orientation: tuple[float, float, float, float]
    """Relative to the camera: axis and angle (rad)."""
    size: tuple[float, float]
    """Sizes along the camera's x and y axes (m)."""
    position_on_image: tuple[int, int]
    size_on_image: tuple[int, int]
    colors: list[Vec3]
    model: str

    @property
    def area(self) -> int:
        """Size on the image (pixels)."""
        return self.size_on_image[0] * self.size_on_image[1]


class ObjectFinder:
    """Finds the objects in a camera's view. Call `find` when a sample is due."""

    def __init__(self, surroundings: Surroundings, mount: Mount) -> None:
        self._surroundings = surroundings
        self._mount = mount
        self._key: tuple[object, ...] = ()
        self._candidates: list[SolidPlan] = []
        self._below: dict[SolidPlan, list[SolidPlan]] = {}
        self._balls: dict[SolidPlan, list[Ball]] = {}
        self._corners: dict[Geometry, Points] = {}

    def find(self, camera: Node, recognition: Node, axes: Dialect) -> list[Seen]:
        """Return the recognized objects, in the order of the tree, or by size if there are too many.

        Args:
            camera: the node, which may have been regenerated since the last call.
            recognition: its Recognition node.
            axes: the directions of views in its file.
        """
        self._mount.follow()
        self._follow_tree(camera)
        if int(camera.get("width")) < 1 or int(camera.get("height")) < 1:
            return []
        view = CameraView(ImagePoints(camera), self._mount.pose(), axes, float(recognition.get("maxRange")))
        bounds = [
            (candidate, box)
            for candidate in self._candidates
            if (box := self._bounds(candidate, view)) is not None
        ]
        occlusion = int(recognition.get("occlusion"))
        if occlusion and bounds:
            bounds = self._unhidden(bounds, view, occlusion == 1)
        objects = self._seen(bounds, view) if bounds else []
        most = int(recognition.get("maxObjects"))
        if 0 <= most < len(objects):
            objects = sorted(objects, key=lambda item: -item.area)[:most]
        return objects

    def _follow_tree(self, camera: Node) -> None:
        """Find the candidates again after a change of the tree."""
        physics = self._surroundings.physics
        key = (physics.builder, physics.structure, self._surroundings.edits.looks)
        if key == self._key:
            return
        self._key = key
        own = self._mount.solid.robot
        self._below, self._candidates = {}, []
        for solid in physics.solids():
            if solid.parent is not None:
                self._below.setdefault(solid.parent, []).append(solid)
            is_own = own is not None and own.node in (solid.node, solid.parent and solid.parent.node)
            if not is_own and solid.node is not camera.root and colors_of(solid.node):
                self._candidates.append(solid)
        self._corners = {}
        needs_balls = any(not self._has_bounds(candidate) for candidate in self._candidates)
        self._balls = balls_of(physics) if needs_balls else {}

    def _line(self, solid: SolidPlan) -> list[SolidPlan]:
        """Return a solid and all solids below it."""
        solids = [solid]
        for item in solids:
            solids += self._below.get(item, ())
        return solids

    def _has_bounds(self, solid: SolidPlan) -> bool:
        return any(plan.geometries for plan in self._line(solid))

    # Boxes.

    def _bounds(self, solid: SolidPlan, view: CameraView) -> Bounds | None:
        """Return the box around the visible part of an object; None if it is out of view."""
        line = self._line(solid)
        boxes = [self._of_solid(solid, view) for solid in line if solid.geometries]
        if not boxes:
            boxes = [self._of_balls(line, view)]
        seen = [box for box in boxes if box is not None]
        if not seen:
            return None
        box = seen[0]
        for next_box in seen[1:]:
            box = box.joined(next_box)
        return box if abs(box.center[0]) <= view.farthest + box.size[0] / 2 else None

    def _of_solid(self, solid: SolidPlan, view: CameraView) -> Bounds | None:
        place = view.relative(self._surroundings.physics.solid_pose(solid).rigid)
        found = None
        for geometry in solid.geometries:
            box = self._of_geometry(geometry, place, view)
            if box is not None:
                found = box if found is None else found.joined(box)
        return found

    def _of_geometry(self, geometry: Geometry, place: Frame, view: CameraView) -> Bounds | None:
        if geometry.kind in FLAT:
            if geometry not in self._corners:
                self._corners[geometry] = corner_points(geometry)
            return view.around_points(place.points(self._corners[geometry]))
        if geometry.kind == "plane":
            return None
        radius = geometry.size[0]
        center = place.points(np.array([geometry.offset.position]))[0]
        if geometry.kind == "sphere":
            return view.around_round(center, np.full(3, 2 * radius), True)
        height = geometry.size[1] + (2 * radius if geometry.kind == "capsule" else 0.0)
        axis = geometry.offset.direction((0.0, 1.0, 0.0) if geometry.up == "y" else (0.0, 0.0, 1.0))
        along = np.abs(dots(place.turn, np.array(axis)))
        size = along * height + 2 * radius * np.sqrt(np.maximum(0, 1 - along * along))
        return view.around_round(center, size, False)

    def _of_balls(self, line: list[SolidPlan], view: CameraView) -> Bounds | None:
        """Return the box of the bounding sphere of all shapes."""
        balls = list(chain.from_iterable(self._balls.get(solid, ()) for solid in line))
        if not balls:
            return None
        center, radius = joined([(_in_world(ball), ball.radius) for ball in balls])
        return view.around_round(view.points(center[None])[0], np.full(3, 2 * radius), True)

    # Properties.

    def _seen(self, bounds: list[tuple[SolidPlan, Bounds]], view: CameraView) -> list[Seen]:
        """Return the objects of at least one pixel, projected together."""
        image = view.image
        marks = [box.marks() for _, box in bounds]
        if not image.is_planar:
            marks = [
                np.concatenate([mark, box.center[None]]) for mark, (_, box) in zip(marks, bounds, strict=True)
            ]
        starts = np.cumsum([0, *(len(mark) for mark in marks[:-1])])
        places = image.places(np.concatenate(marks))
        pixels = image.pixels(places)
        lows, highs = np.minimum.reduceat(pixels, starts), np.maximum.reduceat(pixels, starts)
        is_seen = (highs - lows >= 1).all(axis=1)
        if not image.is_planar:
            is_inside = ((places >= 0) & (places <= 1)).all(axis=1)
            is_seen &= np.logical_or.reduceat(is_inside, starts)
        middles = np.floor((lows + highs) / 2 + 0.5).astype(int).tolist()
        extents = (highs - lows).astype(int).tolist()
        chosen = [(bounds[i], middles[i], extents[i]) for i in np.flatnonzero(is_seen).tolist()]
        return [self._object(entry, box, view, middle, extent) for (entry, box), middle, extent in chosen]

    def _object(
        self, solid: SolidPlan, box: Bounds, view: CameraView, middle: list[int], extent: list[int]
    ) -> Seen:
        turn = self._surroundings.physics.solid_pose(solid).orientation
        px, py, pz = view.in_camera(box.center).tolist()
        sx, sy, _ = np.abs(view.in_camera(box.size)).tolist()
        return Seen(
            self._surroundings.nodes.number(solid.node),
            (px, py, pz),
            to_axis_angle(multiply(conjugate(view.pose.orientation), turn)),
            (sx, sy),
            (middle[0], middle[1]),
            (extent[0], extent[1]),
            colors_of(solid.node),
            str(solid.node.get("model")),
        )

    # Occlusion.

    def _unhidden(
        self, bounds: list[tuple[SolidPlan, Bounds]], view: CameraView, is_by_origin: bool
    ) -> list[tuple[SolidPlan, Bounds]]:
        """Return the objects that are not behind others, seen along a ray to their origin or rays to the
        marks of their boxes."""
        physics = self._surroundings.physics
        eye = np.array(view.pose.position)
        targets = [
            np.array([physics.solid_pose(solid).position]) if is_by_origin else view.in_world(box.marks())
            for solid, box in bounds
        ]
        ways = np.concatenate(targets) - eye
        ways[~ways.any(axis=1)] = (LEAST_WAY, 0, 0)
        lengths = np.linalg.norm(ways, axis=1)
        directions = ways / lengths[:, None]
        own = self._mount.solid.robot
        rays = physics.engine.add_rays(
            [tuple(eye)] * len(ways), directions.tolist(), lengths.tolist(),
            robot=own.number if own is not None else -1,
        )  # fmt: skip
        rays.cast()
        hits, gaps = rays.geoms.tolist(), (lengths - rays.distances).tolist()
        rays.remove()
        kept, at = [], 0
        for (solid, box), marks in zip(bounds, targets, strict=True):
            span = range(at, at + len(marks))
            at += len(marks)
            line, depth = set(self._line(solid)), float(box.size[0])
            if not all(self._blocks(hits[i], gaps[i], line, depth) for i in span):
                kept.append((solid, box))
        return kept

    def _blocks(self, hit: int, gap: float, line: set[SolidPlan], depth: float) -> bool:
        """True if a ray hits another object, in front of its end by over half the object's depth."""
        return hit >= 0 and gap > depth / 2 and self._surroundings.physics.handles.geoms[hit][0] not in line


def colors_of(solid: Node) -> list[Vec3]:
    """Return the recognitionColors of a solid; empty in releases without the field."""
    return list(solid.get("recognitionColors")) if "recognitionColors" in solid.spec.fields else []


def _in_world(ball: Ball) -> Points:
    if ball.body is None:
        return np.array(ball.center)
    return np.array(Pose(ball.body.position, ball.body.orientation).point(ball.center))
