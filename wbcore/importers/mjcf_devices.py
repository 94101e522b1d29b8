"""The actuators, couplings and sensors of MJCF.

Source: MuJoCo's XML reference (actuator, tendon/fixed, equality/joint, sensor, camera). A camera looks along
its negative z axis, y is up; Webots' look along x, z is up.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from wbridge.wbcore.importers.frames import from_columns
from wbridge.wbcore.importers.mjcf_document import ACTUATORS, Document
from wbridge.wbcore.importers.robot_model import FIXED, Joint, Link, Mimic, Motor, Robot, Sensor
from wbridge.wbcore.importers.xml_tree import Element
from wbridge.wbcore.physics.pose import IDENTITY, UPRIGHT, Pose
from wbridge.wbcore.scene.diagnostics import shown

STRONG = 10000.0
"""Force (N or N m) of an actuator without a limit."""
_CAMERA = Pose(orientation=from_columns((0.0, 0.0, -1.0), (-1.0, 0.0, 0.0)) or UPRIGHT)
_RAY = Pose(orientation=from_columns((0.0, 0.0, 1.0), (0.0, 1.0, 0.0)) or UPRIGHT)
"""A rangefinder measures along z."""
_SENSORS = {
    "accelerometer": "Accelerometer",
    "gyro": "Gyro",
    "magnetometer": "Compass",
    "framepos": "GPS",
    "framequat": "InertialUnit",
    "rangefinder": "DistanceSensor",
}
_WITHOUT_DEVICE = (
    "jointpos",
    "jointvel",
    "actuatorpos",
    "actuatorvel",
    "actuatorfrc",
    "jointactuatorfrc",
    "clock",
)
"""Sensors whose values a controller has from motors, position sensors and the robot."""


class Devices:
    """Collects sites and cameras while bodies are read, then makes devices of them."""

    def __init__(self, document: Document, robot: Robot) -> None:
        self._document = document
        self._reader = document.reader
        self._robot = robot
        self._sites: dict[str, tuple[Link, Pose]] = {}

    def place(self, element: Element, frame: Pose, link: Link) -> None:
        """Take note of a site, or make a camera."""
        pose = frame @ self._document.pose(element)
        if element.tag == "site":
            self._sites[element.attributes.get("name", "")] = (link, pose)
            return
        name = self._reader.text(element, "name", f"camera{len(link.sensors) + 1}")
        if self._reader.text(element, "mode", "fixed") != "fixed":
            text = f"camera {shown(name)} follows bodies and was left out; only fixed ones have a counterpart"
            self._reader.warn(element, "camera", text)
            return
        width, height = (
            int(min(max(size, 1), 4096)) for size in self._reader.vector(element, "resolution", (1, 1))
        )
        width, height = (64, 64) if width == height == 1 else (width, height)
        fovy = math.radians(min(max(self._reader.number(element, "fovy", 45.0), 0.1), 170.0))
        wide = 2 * math.atan(math.tan(fovy / 2) * width / height)
        fields: dict[str, object] = {"name": name, "fieldOfView": wide, "width": width, "height": height}
        link.sensors.append(Sensor("Camera", fields, pose @ _CAMERA))

    def finish(self) -> None:
        """Make motors of actuators, mimics of equalities, and devices of sensors."""
        for element in self._document.entries("actuator"):
            self._actuator(self._document.resolved(element))
        for element in self._document.entries("equality"):
            self._equality(self._document.resolved(element))
        for element in self._document.entries("sensor"):
            self._sensor(element)

    def _actuator(self, element: Element) -> None:
        """Give the joints of an actuator a motor."""
        if element.tag not in ACTUATORS:
            text = f"actuator <{element.tag}> was left out; supported: {', '.join(ACTUATORS)}"
            self._reader.warn(element, "actuator", text)
            return
        driven = list(self._driven(element))
        if not driven:
            return
        gear = abs(self._first(element, "gear", 1.0)) or 1.0
        force = self._largest(element, "forcerange", "forcelimited")
        if force is None and element.tag in ("motor", "general") and "biastype" not in element.attributes:
            force = self._largest(element, "ctrlrange", "ctrllimited")
        speed = self._largest(element, "ctrlrange", "ctrllimited") if element.tag == "velocity" else None
        name = self._reader.text(element, "name") if len(driven) == 1 else ""
        for joint, factor in driven:
            effort = (force if force is not None else STRONG) * (
                gear * abs(factor) if force is not None else 1.0
            )
            limit = self._largest(joint.place, "actuatorfrcrange", "actuatorfrclimited")
            effort = min(effort, limit) if limit else effort
            if joint.motor is None:
                joint.motor = Motor(name, effort or STRONG, speed, *self._targets(element, joint))
            else:
                joint.motor.effort = max(joint.motor.effort or 0.0, effort)
                joint.motor.lower = joint.motor.upper = None

    def _targets(self, element: Element, joint: Joint) -> tuple[float, float] | tuple[()]:
        """Return the positions that an actuator <position> can demand of its joint, within its range."""
        if element.tag != "position" or "tendon" in element.attributes:
            return ()
        if self._largest(element, "ctrlrange", "ctrllimited") is None:
            return ()
        gear = self._first(element, "gear", 1.0) or 1.0
        low, high = sorted(bound / gear for bound in self._reader.vector(element, "ctrlrange", (0.0, 0.0)))
        low, high = max(low, joint.lower), min(high, joint.upper)
        return (low, high) if low < high else ()

    def _driven(self, element: Element) -> Iterator[tuple[Joint, float]]:
        """Yield the joints that an actuator acts on, with their factors in a fixed tendon."""
        for key in ("joint", "jointinparent"):
            if name := self._reader.text(element, key):
                if (joint := self._joint(element, name)) is not None:
                    yield joint, 1.0
                return
        tendon = self._reader.text(element, "tendon")
        fixed = next(
            (entry for entry in self._document.entries("tendon") if entry.attributes.get("name") == tendon),
            None,
        )
        if fixed is None or fixed.tag != "fixed":
            name = shown(self._reader.text(element, "name", "without a name"))
            text = f"actuator {name} acts on no joint or fixed tendon and was left out"
            self._reader.warn(element, "actuator", text)
            return
        for part in fixed.all("joint"):
            joint = self._joint(part, self._reader.text(part, "joint", None))
            if joint is not None:
                yield joint, self._reader.number(part, "coef", 1.0)

    def _joint(self, element: Element, name: str) -> Joint | None:
        """Return a joint that can have a motor; those of bodies that were left out are passed over."""
        joint = self._robot.joints.get(name)
        if joint is not None and joint.type in ("hinge", "slider"):
            return joint
        if joint is not None and joint.type != FIXED:
            self._reader.warn(element, "actuator", f"joint {shown(name)} is a {joint.type} and gets no motor")
        elif joint is None and name not in self._all_joints():
            self._reader.find(element, "joint", name, self._robot.joints)
        return None

    def _all_joints(self) -> set[str]:
        elements = (element for section in self._document.section("worldbody") for element in section.walk())
        return {element.attributes.get("name", "") for element in elements if element.tag == "joint"}

    def _first(self, element: Element, name: str, default: float) -> float:
        text = self._reader.text(element, name)
        values = self._reader.numbers(element, name, text) if text else None
        return values[0] if values else default

    def _largest(self, element: Element, name: str, limited: str) -> float | None:
        """Return the larger bound of a range; None without one."""
        if name not in element.attributes or self._reader.text(element, limited, "auto") == "false":
            return None
        return max(map(abs, self._reader.vector(element, name, (0.0, 0.0)))) or None

    def _equality(self, element: Element) -> None:
        """Couple a joint to another one: joint1 = c0 + c1 joint2."""
        if element.attributes.get("active") == "false":
            return
        names = [self._reader.text(element, name) for name in ("joint1", "joint2")]
        if element.tag != "joint" or not names[1]:
            name = shown(self._reader.text(element, "name", "without a name"))
            text = f"equality <{element.tag}> {name} was left out: only couplings of two joints are converted"
            self._reader.warn(element, "equality", text)
            return
        joint, leader = (self._joint(element, name) for name in names)
        text = self._reader.text(element, "polycoef", "0 1 0 0 0")
        factors = [*(self._reader.numbers(element, "polycoef", text) or ()), 0.0, 0.0]
        if joint is None or leader is None:
            return
        if any(factors[2:]):
            self._reader.warn(element, "equality", f"the coupling of '{names[0]}' is converted as linear")
        offset = joint.rest + factors[0] - factors[1] * leader.rest
        joint.mimic = Mimic(leader.name, factors[1], offset)
        joint.motor = joint.motor or Motor(effort=STRONG)
        leader.motor = leader.motor or Motor(effort=STRONG)

    def _sensor(self, element: Element) -> None:
        if element.tag in _WITHOUT_DEVICE:
            return
        if element.tag not in _SENSORS:
            near = self._reader.report.hint(element.tag, _SENSORS)
            text = f"sensor <{element.tag}> was left out; converted are {', '.join(_SENSORS)}{near}"
            self._reader.warn(element, "sensor", text)
            return
        name = element.attributes.get("site") or self._reader.text(element, "objname")
        site = self._sites.get(name)
        if site is None and name in self._robot.links:
            site = (self._robot.links[name], IDENTITY)
        if site is None:
            text = f"sensor <{element.tag}> is at {shown(name)}, which is not in the robot; it was left out"
            self._reader.warn(element, "sensor", text)
            return
        link, pose = site
        fields: dict[str, object] = {"name": self._reader.text(element, "name", f"{name} {element.tag}")}
        if element.tag == "rangefinder":
            far = self._reader.number(element, "cutoff", 0.0) or 10.0
            fields |= {"type": "laser", "lookupTable": [(0.0, 0.0, 0.0), (far, far, 0.0)]}
            pose = pose @ _RAY
        link.sensors.append(Sensor(_SENSORS[element.tag], fields, pose))
