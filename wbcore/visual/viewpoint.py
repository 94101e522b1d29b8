"""The view of a world's Viewpoint, which may follow a solid.

Source: manual, chapter Viewpoint; WbViewpoint for the field of view, which is that of the larger side.
"""

from __future__ import annotations

from math import atan, atan2, tan

from wbridge.wbcore.physics.plan import SolidPlan
from wbridge.wbcore.physics.pose import (
    IDENTITY,
    Pose,
    Vec3,
    add,
    axis_angle,
    cross,
    dot,
    multiply,
    scaled,
    sub,
    unit,
)
from wbridge.wbcore.physics.world import PhysicsWorld
from wbridge.wbcore.scene.dialect import dialect
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.version import NEWEST
from wbridge.wbcore.visual.hidden import HiddenNodes
from wbridge.wbcore.visual.lens_flares import lens_flare_of
from wbridge.wbcore.visual.views import Effects, View

FAR = 1e4
UNREACHED = 21.0
"""The default of bloomThreshold."""
DEFAULT_ANGLE = 0.785398
DEFAULT_PLACE: Vec3 = (-10.0, 0.0, 0.0)
"""Where a world without a Viewpoint is seen from (m)."""
TRACKING, MOUNTED, PAN_AND_TILT = "Tracking Shot", "Mounted Shot", "Pan and Tilt Shot"


class ViewpointCamera:
    """Takes the view of a Viewpoint. Make it at the start of a run, so that it knows where things began."""

    def __init__(self, physics: PhysicsWorld, hidden: HiddenNodes) -> None:
        self._physics, self._hidden = physics, hidden
        self._given: object = None
        self._start: Pose | None = None
        """Pose of the followed solid when the Viewpoint got its current fields."""
        self._starts = {solid.node: solid.pose.rigid for solid in physics.solids()}
        self.view(1, 1)

    @property
    def node(self) -> Node | None:
        """The Viewpoint."""
        return self._physics.world.first("Viewpoint")

    def view(self, width: int, height: int) -> View:
        """Return the current view for a picture of this size in pixels."""
        node = self.node
        place = self._place(node)
        axes = node.source.dialect if node is not None and node.source is not None else dialect(NEWEST)
        forward, up = (place.direction(vector) for vector in (axes.view_axis, axes.view_up))
        return View(
            eye=place.position,
            forward=forward,
            up=up,
            right=cross(forward, up),
            width=width,
            height=height,
            field_of_view=_horizontal(_number(node, "fieldOfView", DEFAULT_ANGLE), width / height),
            near=_number(node, "near", 0.05),
            far=_number(node, "far", 0.0) or FAR,
            exposure=_number(node, "exposure", 1.0),
            hidden_from=self._hidden.bit(node) if node is not None else 0,
            has_backdrop=True,
            is_smooth=True,
            effects=Effects(
                occlusion_radius=_number(node, "ambientOcclusionRadius", 0.0),
                bloom_threshold=_bloom_of(node),
                flare=lens_flare_of(node),
            ),
        )

    def _place(self, node: Node | None) -> Pose:
        if node is None:
            return Pose(DEFAULT_PLACE)
        fixed = fixed_place(node)
        followed = solid_named(self._physics, str(node.get("follow")))
        given = (fixed, followed and followed.node)
        now = self._physics.solid_pose(followed).rigid if followed is not None else IDENTITY
        if given != self._given:
            is_first, self._given = self._given is None, given
            self._start = self._starts.get(followed.node, now) if is_first and followed is not None else now
        if followed is None or self._start is None:
            return fixed
        return _moved(follow_type(node), fixed, self._start, now, node)


def solid_named(physics: PhysicsWorld, name: str) -> SolidPlan | None:
    """Return the solid with this name, or path of names "robot:arm"; None for no name."""
    if not name:
        return None
    return next((solid for solid in physics.solids() if name in (_name(solid), _path(solid))), None)


def fixed_place(node: Node) -> Pose:
    """Return the pose of a Viewpoint that follows nothing."""
    x, y, z, angle = node.get("orientation")
    return Pose(node.get("position"), axis_angle((x, y, z), angle))


def _moved(kind: str, fixed: Pose, start: Pose, now: Pose, node: Node) -> Pose:
    """Return where a viewpoint is that follows a solid from its pose `start` to `now`."""
    if kind == TRACKING:
        return Pose(add(fixed.position, sub(now.position, start.position)), fixed.orientation)
    if kind == MOUNTED:
        return now @ start.relative(fixed)
    if kind == PAN_AND_TILT:
        return _looking_at(fixed, now.position, node)
    return fixed


def _looking_at(fixed: Pose, target: Vec3, node: Node) -> Pose:
    """Turn a pose so that its view goes to the target, by the smallest rotation."""
    axes = node.source.dialect if node.source is not None else dialect(NEWEST)
    old, new = fixed.direction(axes.view_axis), unit(sub(target, fixed.position))
    if new is None:
        return fixed
    axis = cross(old, new)
    sine = dot(axis, axis) ** 0.5
    if sine < 1e-9:
        return fixed
    turn = axis_angle(scaled(axis, 1 / sine), atan2(sine, dot(old, new)))
    return Pose(fixed.position, multiply(turn, fixed.orientation))


def follow_type(node: Node) -> str:
    """Return followType; in older releases followOrientation TRUE means mounted."""
    if "followType" in node.spec.fields:
        return str(node.get("followType"))
    is_mounted = "followOrientation" in node.spec.fields and node.get("followOrientation")
    return MOUNTED if is_mounted else TRACKING


def _horizontal(angle: float, aspect: float) -> float:
    """Return the horizontal field of view; the given one is that of the larger side."""
    return angle if aspect >= 1 else 2 * atan(tan(angle / 2) * aspect)


def _bloom_of(node: Node | None) -> float:
    """Return the field bloomThreshold; -1 for its default, which the usual lights do not reach, because the
    effect takes longer than the rest of the picture."""
    threshold = _number(node, "bloomThreshold", -1.0)
    return -1.0 if threshold == UNREACHED else threshold


def _number(node: Node | None, name: str, default: float) -> float:
    return float(node.get(name)) if node is not None and name in node.spec.fields else default


def _name(solid: SolidPlan) -> str:
    return str(solid.node.get("name"))


def _path(solid: SolidPlan) -> str:
    above = "" if solid.parent is None else _path(solid.parent) + ":"
    return above + _name(solid)
