"""Reads URDF: links with inertia, visuals and collisions, and joints.

Source: the URDF XML specification of ROS (robot, link, joint). A link's frame is its parent joint's frame;
roll, pitch and yaw are about fixed axes; a joint without an axis turns about x.
"""

from __future__ import annotations

import math

import numpy as np

from wbridge.wbcore.importers import urdf_gazebo
from wbridge.wbcore.importers.asset_files import Assets
from wbridge.wbcore.importers.frames import from_rpy, vec3
from wbridge.wbcore.importers.reading import Reader
from wbridge.wbcore.importers.robot_model import Geometry, Joint, Link, Material, Mimic, Motor, Robot, Shape
from wbridge.wbcore.importers.xml_tree import Element
from wbridge.wbcore.physics.mass import Mass, rows
from wbridge.wbcore.physics.pose import IDENTITY, ONE, ZERO, Pose, unit
from wbridge.wbcore.scene.diagnostics import shown

_LINK = ("inertial", "visual", "collision")
_JOINT = (
    "origin",
    "parent",
    "child",
    "axis",
    "limit",
    "mimic",
    "dynamics",
    "safety_controller",
    "calibration",
)
_TYPES = {
    "revolute": "hinge",
    "continuous": "hinge",
    "prismatic": "slider",
    "fixed": "fixed",
    "floating": "floating",
    "planar": "planar",
}
_GEOMETRIES = {
    "box": ("size",),
    "sphere": ("radius",),
    "cylinder": ("radius", "length"),
    "capsule": ("radius", "length"),
    "mesh": ("filename", "scale"),
}
STRONG = 10000.0
"""Effort (N or N m) of a joint without a limit, as urdf2webots has it."""


def read_urdf(root: Element, reader: Reader, assets: Assets) -> Robot:
    """Return the robot of a document whose root is <robot>."""
    return _Urdf(root, reader, assets).read()


class _Urdf:
    def __init__(self, root: Element, reader: Reader, assets: Assets) -> None:
        self._root = root
        self._reader = reader
        self._assets = assets
        self._materials: dict[str, Material] = {}
        self.robot = Robot(reader.text(root, "name", "robot"), root)

    def read(self) -> Robot:
        """Read materials first: links may use those that come later."""
        known = ("link", "joint", "material", "gazebo", "transmission", "sensor")
        self._reader.known(self._root, ("name", "version"), known)
        for element in self._root.walk():
            if element.tag == "material" and (name := element.attributes.get("name", "").strip()):
                self._define(element, name)
        for element in self._root.all("link"):
            self._link(element)
        for element in self._root.all("joint"):
            self._joint(element)
        urdf_gazebo.read_gazebo(self._root, self.robot, self._reader)
        return self.robot

    def _define(self, element: Element, name: str) -> None:
        """Store a material that has values; the first definition of a name counts."""
        if element.first("color") or element.first("texture"):
            self._materials.setdefault(name, self._material_of(element, name))

    def _material_of(self, element: Element, name: str) -> Material:
        self._reader.known(element, ("name",), ("color", "texture"))
        material = Material(name)
        if color := self._reader.only(element, "color"):
            rgba = self._reader.vector(color, "rgba", None, 4)
            material.color = tuple(min(max(channel, 0.0), 1.0) for channel in rgba)
        if texture := self._reader.only(element, "texture"):
            file = self._reader.text(texture, "filename", None)
            material.texture = self._assets.find(texture, file, needed=False) if file else None
            material.color = (1.0, 1.0, 1.0, material.color[3]) if color is None else material.color
        return material

    def _link(self, element: Element) -> None:
        name = self._reader.text(element, "name", None)
        if name in self.robot.links:
            self._reader.error(element, "repeated-name", f"a second link is named {shown(name)}")
            return
        self._reader.known(element, ("name", "type"), _LINK)
        link = self.robot.links[name] = Link(name, element)
        if inertial := self._reader.only(element, "inertial"):
            link.mass = self._mass(inertial)
        for visual in element.all("visual"):
            self._reader.known(visual, ("name",), ("origin", "geometry", "material"))
            if geometry := self._geometry(visual):
                link.visuals.append(Shape(geometry, self._material(visual)))
        for collision in element.all("collision"):
            known = ("origin", "geometry", "verbose", "contact_coefficients")
            self._reader.known(collision, ("name", "group"), known)
            if geometry := self._geometry(collision):
                link.collisions.append(geometry)

    def _material(self, visual: Element) -> Material | None:
        element = self._reader.only(visual, "material")
        if element is None:
            return None
        name = self._reader.text(element, "name")
        if element.first("color") or element.first("texture"):
            return self._material_of(element, name)
        if name.startswith("Gazebo/"):
            return urdf_gazebo.material(name)
        if name and name not in self._materials:
            hint = self._reader.report.hint(name, self._materials)
            text = f"no material named {shown(name)}{hint}; this part has the default color, as with ROS"
            self._reader.warn(element, "unknown-name", text)
        return self._materials.get(name)

    def _pose(self, element: Element) -> Pose:
        origin = self._reader.only(element, "origin")
        if origin is None:
            return IDENTITY
        self._reader.known(origin, ("xyz", "rpy"))
        xyz = self._reader.vector(origin, "xyz", ZERO)
        return Pose(vec3(xyz), from_rpy(self._reader.vector(origin, "rpy", ZERO)))

    def _mass(self, element: Element) -> Mass | None:
        self._reader.known(element, (), ("origin", "mass", "inertia"))
        mass, inertia = self._reader.needed(element, "mass"), self._reader.only(element, "inertia")
        value = self._reader.number(mass, "value", None, least=0.0)
        if value == 0:
            if mass is not None:
                self._reader.warn(mass, "mass", "a mass of 0 counts as no mass")
            return None
        return Mass(value, ZERO, rows(self._inertia(inertia))).moved(self._pose(element))

    def _inertia(self, element: Element | None) -> np.ndarray:
        """Return the inertia in the axes of the inertial frame."""
        if element is None:
            return np.zeros((3, 3))
        xx, yy, zz = (self._reader.number(element, name, None) for name in ("ixx", "iyy", "izz"))
        xy, xz, yz = (self._reader.number(element, name, 0.0) for name in ("ixy", "ixz", "iyz"))
        return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])

    def _geometry(self, shape: Element) -> Geometry | None:
        """Return the geometry of a visual or collision in the link's frame."""
        pose = self._pose(shape)
        element = self._reader.needed(shape, "geometry")
        if element is None:
            return None
        self._reader.known(element, (), _GEOMETRIES)
        elements = element.all(*_GEOMETRIES)
        if len(elements) != 1:
            text = f"<geometry> needs one of {', '.join(_GEOMETRIES)}; it has {len(elements)}"
            self._reader.error(element, "geometry", text)
            return None
        geometry = self._geometry_of(elements[0])
        if geometry is not None:
            geometry.offset = pose
        return geometry

    def _geometry_of(self, element: Element) -> Geometry | None:
        self._reader.known(element, _GEOMETRIES[element.tag])
        if element.tag == "mesh":
            scale = vec3(self._reader.vector(element, "scale", ONE))
            if 0.0 in scale:
                self._reader.error(element, "value", "<mesh> scale has a 0; a mesh needs a volume")
                return None
            name = self._reader.text(element, "filename", None)
            return self._assets.mesh(element, name, scale) if name else None
        if element.tag == "box":
            size = self._reader.vector(element, "size", None, 3)
        else:
            names = _GEOMETRIES[element.tag]
            size = tuple(self._reader.number(element, name, None, least=0.0) for name in names)
        if min(size) <= 0:
            text = f"<{element.tag}> has a size that is not positive and was ignored"
            self._reader.warn(element, "size", text)
            return None
        return Geometry(element.tag, size)

    def _joint(self, element: Element) -> None:
        name = self._reader.text(element, "name", None)
        if name in self.robot.joints:
            self._reader.error(element, "repeated-name", f"a second joint is named {shown(name)}")
            return
        self._reader.known(element, ("name", "type"), _JOINT)
        kind = self._reader.choice(element, "type", tuple(_TYPES), None) or "fixed"
        parent, child = (self._end(element, tag) for tag in ("parent", "child"))
        if not parent or not child:
            return
        joint = Joint(name, _TYPES[kind], parent, child, element, self._pose(element))
        self.robot.joints[name] = joint
        if joint.type in ("hinge", "slider"):
            self._motion(joint, element, kind)

    def _end(self, element: Element, tag: str) -> str:
        """Return the link that a joint names."""
        end = self._reader.needed(element, tag)
        name = self._reader.text(end, "link", None) if end is not None else ""
        if not name or end is None:
            return ""
        return name if self._reader.find(end, "link", name, self.robot.links) else ""

    def _motion(self, joint: Joint, element: Element, kind: str) -> None:
        """Read axis, limits, dynamics and mimic of a joint that moves."""
        if axis := self._reader.only(element, "axis"):
            direction = unit(vec3(self._reader.vector(axis, "xyz", (1.0, 0.0, 0.0))))
            if direction is None:
                self._reader.error(axis, "value", "<axis> xyz is 0 0 0; an axis needs a direction")
            joint.axis = direction or joint.axis
        if dynamics := self._reader.only(element, "dynamics"):
            self._reader.known(dynamics, ("damping", "friction"))
            joint.damping = self._reader.number(dynamics, "damping", 0.0, least=0.0)
            joint.friction = self._reader.number(dynamics, "friction", 0.0, least=0.0)
        self._limits(joint, element, kind)
        if mimic := self._reader.only(element, "mimic"):
            self._reader.known(mimic, ("joint", "multiplier", "offset"))
            joint.mimic = Mimic(
                self._reader.text(mimic, "joint", None),
                self._reader.number(mimic, "multiplier", 1.0),
                self._reader.number(mimic, "offset", 0.0),
            )

    def _limits(self, joint: Joint, element: Element, kind: str) -> None:
        """Read hard limits (limit) and soft ones (safety_controller)."""
        joint.motor = motor = Motor(effort=STRONG)
        limit = self._reader.only(element, "limit")
        if limit is None:
            if kind != "continuous":
                text = f"joint '{joint.name}' has no <limit>; it moves without limits"
                self._reader.warn(element, "no-limit", text)
            return
        self._reader.known(limit, ("lower", "upper", "effort", "velocity", "acceleration", "jerk"))
        if kind != "continuous":
            joint.lower = self._reader.number(limit, "lower", 0.0, infinite=True, least=-math.inf)
            joint.upper = self._reader.number(limit, "upper", 0.0, infinite=True, least=-math.inf)
            if joint.lower > joint.upper:
                text = (
                    f"<limit> lower is {joint.lower:g}, upper {joint.upper:g}; lower must be the smaller one"
                )
                self._reader.error(limit, "value", text)
        motor.effort = self._positive(limit, "effort") or STRONG
        motor.velocity = self._positive(limit, "velocity")
        if kind != "continuous" and (safety := self._reader.only(element, "safety_controller")):
            low = self._reader.number(safety, "soft_lower_limit", joint.lower, infinite=True, least=-math.inf)
            high = self._reader.number(
                safety, "soft_upper_limit", joint.upper, infinite=True, least=-math.inf
            )
            if low < high:
                motor.lower, motor.upper = max(low, joint.lower), min(high, joint.upper)

    def _positive(self, limit: Element, name: str) -> float | None:
        """Return a limit; None for no limit, which exporters write as 0."""
        value = self._reader.number(limit, name, 0.0, infinite=True, least=0.0)
        if value == 0 and limit.attributes.get(name):
            otherwise = f"{STRONG:g}" if name == "effort" else "the default of Webots (10)"
            text = f"<limit> {name} is 0, with which the joint could not move; converted as {otherwise}"
            self._reader.warn(limit, "limit", text)
        return value if 0 < value < math.inf else None
