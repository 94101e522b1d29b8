"""Reads MJCF: bodies with inertia and geoms, and joints.

Source: MuJoCo's XML reference. A body may have several joints: they act one after the other, so that all but
the last get a link of their own. Without a joint a body is fixed to the one above; a free joint makes it a
robot of its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from wbridge.wbcore.importers.asset_files import Assets
from wbridge.wbcore.importers.frames import vec3
from wbridge.wbcore.importers.mjcf_devices import Devices
from wbridge.wbcore.importers.mjcf_document import ORIENTATIONS, Document
from wbridge.wbcore.importers.mjcf_geoms import LIGHTEST, Geoms
from wbridge.wbcore.importers.mjcf_keyframes import Place, apply_keyframe, place_of
from wbridge.wbcore.importers.mjcf_springs import SpringDamper, tune_springs
from wbridge.wbcore.importers.reading import Reader
from wbridge.wbcore.importers.robot_model import FIXED, Joint, Link, Robot
from wbridge.wbcore.importers.structure import ENVIRONMENT
from wbridge.wbcore.importers.xml_tree import Element
from wbridge.wbcore.physics.mass import Mass, rows, total
from wbridge.wbcore.physics.pose import IDENTITY, ZERO, Pose, unit
from wbridge.wbcore.scene.diagnostics import shown

_IN_BODY = ("body", "frame", "geom", "joint", "freejoint", "site", "camera", "light", "inertial")
_TYPES = {"hinge": "hinge", "slide": "slider", "ball": "ball"}
_BODY = ("name", "childclass", "pos", *ORIENTATIONS, "mocap", "gravcomp", "user", "sleep")
_JOINT = (
    *(
        "name",
        "class",
        "type",
        "group",
        "pos",
        "axis",
        "range",
        "limited",
        "damping",
        "frictionloss",
        "armature",
    ),
    *(
        "stiffness",
        "springref",
        "springdamper",
        "ref",
        "margin",
        "user",
        "actuatorfrcrange",
        "actuatorfrclimited",
    ),
    *("solreflimit", "solimplimit", "solreffriction", "solimpfriction", "actuatorgravcomp"),
)
Placed = tuple[Element, Pose, str]
"""An element, with the pose and the default class of the frames around it."""


def read_mjcf(root: Element, reader: Reader, assets: Assets, body: str = "", keyframe: str = "") -> Robot:
    """Return the robot of a document whose root is <mujoco>: all bodies at the world, or the one with this
    name; its joints start at a keyframe, if one is named."""
    return _Mjcf(Document(root, assets, reader), assets).read(body, keyframe)


class _Mjcf:
    def __init__(self, document: Document, assets: Assets) -> None:
        self._document = document
        self._reader = document.reader
        self._geoms = Geoms(document, assets)
        self.robot = Robot(self._reader.text(document.root, "model", "robot"), document.root)
        self._devices = Devices(document, self.robot)
        self._numbers = 0
        self._joint_at: dict[Place, Joint] = {}
        self._springs: dict[Joint, SpringDamper] = {}

    def read(self, wanted: str, keyframe: str) -> Robot:
        """Read the bodies of the world, then what acts on their joints."""
        top = list(self._at_world())
        chosen = self._chosen([body for body, _, _ in top], wanted)
        placed = [entry for entry in top if any(entry[0] is body for body in chosen)]
        if len(chosen) == 1 and self._is_free(chosen[0]):
            self._bodies(placed, "")
        elif chosen:
            self.robot.links[ENVIRONMENT] = Link(ENVIRONMENT, self._document.root)
            self._bodies(placed, ENVIRONMENT)
        self._options()
        self._devices.finish()
        if keyframe:
            apply_keyframe(self._document, keyframe, self._joint_at)
        self._scale_masses()
        tune_springs(self.robot, self._springs)
        return self.robot

    def _at_world(self) -> Iterator[Placed]:
        """Yield the bodies at the world; name elements there that make bodies, but are not read."""
        for section in self._document.section("worldbody"):
            self._reader.known(section, ("childclass",), _IN_BODY)
            contents = self._contents(section, section.attributes.get("childclass", ""))
            yield from (entry for entry in contents if entry[0].tag == "body")

    def _options(self) -> None:
        """Take gravity over for the world, and name the options that change the motion of a robot."""
        for option in self._document.section("option"):
            for flag in option.all("flag"):
                if flag.attributes.get("gravity") == "disable":
                    self.robot.gravity = 0.0
                if flag.attributes.get("contact") == "disable":
                    self._reader.warn(flag, "option", "without contacts in MuJoCo; here, the robot has them")
            if "gravity" in option.attributes and self.robot.gravity is None:
                x, y, z = self._reader.vector(option, "gravity", (0.0, 0.0, -9.81))
                self.robot.gravity = max(-z, 0.0)
                if x or y or z > 0:
                    text = f"gravity is {x:g} {y:g} {z:g}; in the new world it acts along -z only"
                    self._reader.warn(option, "option", text)

    def _chosen(self, top: list[Element], wanted: str) -> list[Element]:
        """Return the bodies of the robot: the one with a name, all that are not free, or the largest."""
        if wanted:
            known = {element.attributes.get("name", ""): element for element in top}
            body = self._reader.find(self._document.root, "body", wanted, known)
            return [known[wanted]] if body else []
        free = [element for element in top if self._is_free(element)]
        if not free or len(top) == 1:
            return top
        fixed = [element for element in top if element not in free]
        groups = [*([element] for element in free), *([fixed] if fixed else [])]
        best = max(groups, key=lambda group: sum(_size(element) for element in group))
        for element in top:
            if element not in best:
                name = shown(element.attributes.get("name", "without a name"))
                text = f"body {name} is another robot or object and was left out; choose one with --body NAME"
                self._reader.warn(element, "bodies", text)
        return best

    def _is_free(self, body: Element) -> bool:
        """Return True for a body with a free joint."""
        return any(
            child.tag == "freejoint" or child.tag == "joint" and child.attributes.get("type") == "free"
            for child in body.children
        )

    def _bodies(self, top: list[Placed], parent: str) -> None:
        """Read bodies and those in them, in the order of the file."""
        todo = [(element, parent, frame, inherited) for element, frame, inherited in reversed(top)]
        while todo:
            element, above, frame, inherited = todo.pop()
            self._reader.known(element, _BODY, (*_IN_BODY, "plugin"))
            link = self._link(element)
            inner = element.attributes.get("childclass", inherited)
            contents = list(self._contents(element, inner))
            if above:
                pose = frame @ self._document.pose(element)
                self._joints(contents, link, above, pose)
            self._fill(contents, link)
            bodies = [(entry, link.name, at, kind) for entry, at, kind in contents if entry.tag == "body"]
            todo.extend(reversed(bodies))

    def _link(self, element: Element) -> Link:
        name = self._reader.text(element, "name")
        if name in self.robot.links:
            self._reader.error(element, "repeated-name", f"a second body is named {shown(name)}")
        self._numbers += 1
        name = name or f"body_{self._numbers}"
        link = self.robot.links[name] = Link(name, element)
        return link

    def _contents(self, body: Element, inherited: str) -> list[Placed]:
        """Return what is in a body."""
        sites = []
        todo = [(child, IDENTITY, inherited) for child in reversed(body.children)]
        while todo:
            element, pose, kind = todo.pop()
            if element.tag == "frame":
                inside = pose @ self._document.pose(element)
                inner = element.attributes.get("childclass", kind)
                todo.extend((child, inside, inner) for child in reversed(element.children))
            elif element.tag in _IN_BODY:
                sites.append((element, pose, kind))
            elif pose != IDENTITY:
                self._reader.warn(element, "unknown-element", f"<{element.tag}> in <frame> was ignored")
        return sites

    def _fill(self, contents: list[tuple[Element, Pose, str]], link: Link) -> None:
        """Read geoms, inertia and devices of a body."""
        masses: list[Mass] = []
        for element, pose, kind in contents:
            if element.tag == "geom":
                self._geoms.read(self._document.resolved(element, kind), pose, link, masses)
            elif element.tag in ("site", "camera"):
                self._devices.place(self._document.resolved(element, kind), pose, link)
        inertial = next((entry for entry, _, _ in contents if entry.tag == "inertial"), None)
        from_geoms = self._reader.text(self._document.compiler, "inertiafromgeom", "auto")
        if inertial is not None and from_geoms != "true":
            link.mass = self._inertial(inertial)
        elif from_geoms != "false":
            link.mass = total(masses)
        if link.mass is not None:
            link.mass = self._bounded(link.mass)

    def _inertial(self, element: Element) -> Mass | None:
        mass = self._reader.number(element, "mass", None, least=0.0)
        if mass == 0:
            return None
        if "fullinertia" in element.attributes:
            xx, yy, zz, xy, xz, yz = self._reader.vector(element, "fullinertia", None, 6)
            inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        else:
            inertia = np.diag(self._reader.vector(element, "diaginertia", ZERO))
        return Mass(mass, ZERO, rows(inertia)).moved(self._document.pose(element))

    def _bounded(self, mass: Mass) -> Mass:
        """Return a mass with the least values that the compiler demands."""
        compiler = self._document.compiler
        least = self._reader.number(compiler, "boundmass", 0.0)
        moment = self._reader.number(compiler, "boundinertia", 0.0)
        values, axes = np.linalg.eigh(mass.inertia)
        if moment > 0 and values.min() < moment:
            mass = Mass(mass.mass, mass.center, rows(axes @ np.diag(np.maximum(values, moment)) @ axes.T))
        if self._reader.text(compiler, "balanceinertia") == "true" and 2 * values.max() > values.sum():
            mass = Mass(mass.mass, mass.center, rows(np.eye(3) * float(values.mean())))
        return Mass(max(mass.mass, least), mass.center, mass.inertia)

    def _scale_masses(self) -> None:
        wanted = self._reader.number(self._document.compiler, "settotalmass", -1.0)
        mass = sum(link.mass.mass for link in self.robot.links.values() if link.mass is not None)
        if wanted > 0 and mass > LIGHTEST:
            for link in self.robot.links.values():
                link.mass = link.mass.times(wanted / mass) if link.mass is not None else None

    def _joints(self, contents: list[tuple[Element, Pose, str]], link: Link, above: str, pose: Pose) -> None:
        """Connect a body to the one above, with a link between each two joints."""
        joints = [
            self._document.resolved(entry, kind)
            for entry, _, kind in contents
            if entry.tag in ("joint", "freejoint")
        ]
        if not joints:
            name = f"{link.name}_fixed"
            self.robot.joints[name] = Joint(name, FIXED, above, link.name, link.place, pose)
        for number, element in enumerate(joints, start=1):
            self._reader.known(element, _JOINT)
            name = self._reader.text(element, "name") or f"{link.name}_joint{number if number > 1 else ''}"
            child = link.name
            if number < len(joints):
                child = f"{link.name}_{number}"
                self.robot.links[child] = Link(child, link.place, is_helper=True)
            if name in self.robot.joints:
                self._reader.error(element, "repeated-name", f"a second joint is named {shown(name)}")
            joint = self._joint(element, name, above, child, pose)
            self.robot.joints[name] = self._joint_at[place_of(element)] = joint
            above, pose = child, IDENTITY

    def _joint(self, element: Element, name: str, above: str, child: str, pose: Pose) -> Joint:
        kind = self._reader.choice(element, "type", (*_TYPES, "free"), "hinge")
        if element.tag == "freejoint" or kind == "free":
            text = f"joint {shown(name)} is free, but its body is not alone at the world; converted as fixed"
            self._reader.warn(element, "joint-type", text)
            return Joint(name, FIXED, above, child, element, pose)
        joint = Joint(name, _TYPES[kind], above, child, element, pose)
        joint.anchor = vec3(self._reader.vector(element, "pos", ZERO))
        joint.damping = self._coefficient(element, "damping")
        joint.friction = self._coefficient(element, "frictionloss")
        joint.stiffness = self._coefficient(element, "stiffness")
        if kind != "ball":
            self._motion(joint, element, self._document.angle if kind == "hinge" else 1.0)
        elif self._is_limited(element):
            text = f"the range of ball joint {shown(name)} was left out: a BallJoint limits no whole angle"
            self._reader.warn(element, "range", text)
        return joint

    def _is_limited(self, element: Element) -> bool:
        limited = self._reader.text(element, "limited", "auto")
        if limited == "auto":
            return "range" in element.attributes and self._document.flag("autolimits", True)
        return limited == "true"

    def _coefficient(self, element: Element, name: str) -> float:
        """Return the linear coefficient of a force: the first number, others are of higher orders."""
        text = self._reader.text(element, name)
        values = self._reader.numbers(element, name, text) if text else None
        return max(values[0], 0.0) if values else 0.0

    def _motion(self, joint: Joint, element: Element, scale: float) -> None:
        """Read axis, reference and range of a hinge or slide; `scale` takes its unit to rad or m."""
        axis = unit(vec3(self._reader.vector(element, "axis", (0.0, 0.0, 1.0))))
        if axis is None:
            self._reader.error(element, "value", "<joint> axis is 0 0 0; an axis needs a direction")
        joint.axis = axis or joint.axis
        joint.rest = joint.position = self._reader.number(element, "ref", 0.0) * scale
        spring = self._reader.number(element, "springref", 0.0) * scale
        time, ratio = self._reader.vector(element, "springdamper", (0.0, 0.0))
        if time > 0 and ratio > 0:
            armature = self._reader.number(element, "armature", 0.0)
            self._springs[joint] = SpringDamper(time, ratio, armature)
        if (joint.stiffness or joint in self._springs) and abs(spring) > 1e-9:
            text = (
                f"the spring of joint '{joint.name}' acts towards {spring:g}; Webots' springs act towards 0"
            )
            self._reader.warn(element, "spring", text)
        if self._is_limited(element):
            low, high = self._reader.vector(element, "range", (0.0, 0.0))
            joint.lower, joint.upper = low * scale, high * scale
            if not low < high:
                text = f"<joint> range is {low:g} {high:g}; the first number must be the smaller one"
                self._reader.error(element, "value", text)
                joint.lower, joint.upper = -math.inf, math.inf


def _size(body: Element) -> int:
    return sum(element.tag == "body" for element in body.walk())
