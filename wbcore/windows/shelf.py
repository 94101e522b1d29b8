"""What pages can put into a world: simple bodies, parts of robots, and the bundled models.

A page names an entry and a place. The text of the node is written here, so that no page decides which
programs start.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from wbridge.wbcore.physics.pose import Vec3
from wbridge.wbcore.scene.builtin import builtin_directory
from wbridge.wbcore.scene.diagnostics import did_you_mean
from wbridge.wbcore.scene.files import file_index, read_text
from wbridge.wbcore.scene.values import number_text, string_text
from wbridge.wbcore.scene.webots_models import declared_url

BODIES, PARTS = "Simple bodies", "Parts of robots"
DENSITY = 400
"""kg/m3 of simple bodies, as light wood."""
_SHAPES = {
    "Box": ("Box { size 0.1 0.1 0.1 }", "0.85 0.35 0.2"),
    "Sphere": ("Sphere { radius 0.05 subdivision 3 }", "0.9 0.6 0.1"),
    "Cylinder": ("Cylinder { radius 0.05 height 0.1 }", "0.25 0.55 0.8"),
    "Capsule": ("Capsule { radius 0.04 height 0.08 }", "0.4 0.65 0.35"),
}
"""Geometries (m) and colors."""
_DEVICES = (
    "Accelerometer Camera Compass DistanceSensor Emitter GPS Gyro InertialUnit LED Lidar LightSensor "
    "RangeFinder Receiver TouchSensor"
).split()
WHEEL, WHEEL_RADIUS, WHEEL_WIDTH = "Wheel with motor", 0.03, 0.02
_WHEEL_FORM = f"Cylinder {{ radius {WHEEL_RADIUS} height {WHEEL_WIDTH} }}"
_TRANSLATION = re.compile(r"^[ \t]*(?:vrmlField|field)[ \t]+SFVec3f[ \t]+translation\b", re.MULTILINE)


class Entry(NamedTuple):
    """Something that can be put into a world."""

    name: str
    group: str
    model: Path | None = None
    """The file of a bundled model."""

    @property
    def is_part(self) -> bool:
        """True for what is attached to the solid that it is dropped on."""
        return self.group == PARTS

    def text(self, release: str, place: Vec3, name: str) -> str:
        """Return the node as a file.

        Args:
            release: the release in the first line, such as "R2025a".
            place: where its origin is, in the frame of the node that gets it (m).
            name: of the new node, and the beginning of the names of its devices.
        """
        if self.model is not None:
            return model_text(self.name, declared_url(self.name), release, place)
        head = f"#VRML_SIM {release} utf8\n"
        at = " ".join(map(number_text, place))
        if self.name in _SHAPES:
            return head + _body(name, at, *_SHAPES[self.name])
        if self.name == "Robot":
            return head + _robot(name, at)
        if self.name == WHEEL:
            return head + _wheel(name, at)
        return f'{head}{self.name} {{ translation {at} name "{name}" }}\n'


class Group(NamedTuple):
    """Entries that belong together."""

    title: str
    names: list[str]


def groups() -> list[Group]:
    """Return all entries, by group."""
    return [
        Group(title, [item.name for item in items])
        for title, items in groupby(entries(), lambda item: item.group)
    ]


def entries() -> list[Entry]:
    """Return all entries, in the order of `groups`."""
    by_group: dict[str, list[Entry]] = {}
    for item in _entries().values():
        by_group.setdefault(item.group, []).append(item)
    return [item for items in by_group.values() for item in items]


def entry(name: str) -> Entry:
    """Return the entry with a name.

    Raises:
        ValueError: there is none.
    """
    known = _entries()
    if name not in known:
        raise ValueError(f'there is nothing named "{name}" to add{did_you_mean(name, known)}')
    return known[name]


def model_text(name: str, url: str, release: str, place: Vec3) -> str:
    """Return an instance of a model as a file, which declares the model.

    Args:
        name: of the model.
        url: of its file.
        release: the release in the first line, such as "R2025a".
        place: where its origin is, in the frame of the node that gets it (m).
    """
    at = " ".join(map(number_text, place))
    return f"#VRML_SIM {release} utf8\nEXTERNPROTO {string_text(url)}\n{name} {{ translation {at} }}\n"


@lru_cache(maxsize=1)
def _entries() -> dict[str, Entry]:
    bodies = [Entry(name, BODIES) for name in (*_SHAPES, "Robot")]
    parts = [Entry(name, PARTS) for name in (WHEEL, *_DEVICES)]
    return {item.name: item for item in (*bodies, *parts, *_models())}


def _models() -> list[Entry]:
    """Return the bundled models that have a place in the world, by their folders."""
    protos = builtin_directory() / "protos"
    models = []
    for name, path in file_index(protos, ".proto").items():
        folder = path.relative_to(protos).parts[0]
        if "abstract" not in path.parts and _TRANSLATION.search(read_text(path)[0]):
            models.append(Entry(name, folder.replace("_", " ").capitalize(), path))
    return sorted(models, key=lambda item: (item.group, item.name.lower()))


def _body(name: str, at: str, geometry: str, color: str) -> str:
    return (
        f'Solid {{ translation {at} name "{name}" children [ {_shape(geometry, color)} ] '
        f"boundingObject {geometry} physics Physics {{ density {DENSITY} }} }}\n"
    )


def _robot(name: str, at: str) -> str:
    """Return the body of a robot: a plate, and a ball without friction at its rear."""
    plate, ball = "Box { size 0.16 0.12 0.02 }", "Sphere { radius 0.02 subdivision 3 }"
    rear = "Pose {{ translation -0.06 0 -0.02 children [ {} ] }}"
    shapes = f"{_shape(plate, '0.2 0.4 0.8')} {rear.format(_shape(ball, '0.5 0.5 0.5'))}"
    return (
        f'Robot {{ translation {at} name "{name}" controller "<none>" children [ {shapes} ] '
        f"boundingObject Group {{ children [ {plate} {rear.format(ball)} ] }} "
        f"physics Physics {{ density -1 mass 0.5 }} }}\n"
    )


def _wheel(name: str, at: str) -> str:
    """Return a wheel that turns about the y axis of the robot."""
    shape = f"Pose {{ rotation 1 0 0 1.5707963 children [ {_shape(_WHEEL_FORM, '0.1 0.1 0.1')} ] }}"
    bounds = f"Pose {{ rotation 1 0 0 1.5707963 children [ {_WHEEL_FORM} ] }}"
    return (
        f"HingeJoint {{ jointParameters HingeJointParameters {{ axis 0 1 0 anchor {at} }} device [ "
        f'RotationalMotor {{ name "{name} motor" maxVelocity 12 maxTorque 0.2 }} '
        f'PositionSensor {{ name "{name} sensor" }} ] endPoint Solid {{ translation {at} name "{name}" '
        f"children [ {shape} ] boundingObject {bounds} physics Physics {{ density -1 mass 0.05 }} }} }}\n"
    )


def _shape(geometry: str, color: str) -> str:
    look = f"appearance PBRAppearance {{ baseColor {color} roughness 0.7 metalness 0 }}"
    return f"Shape {{ {look} geometry {geometry} }}"
