"""An MJCF document: includes resolved, default classes applied, compiler settings.

Source: MuJoCo's XML reference (include, default, compiler).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

from wbridge.wbcore.importers.asset_files import Assets
from wbridge.wbcore.importers.frames import from_columns, from_euler, vec3
from wbridge.wbcore.importers.reading import Reader
from wbridge.wbcore.importers.xml_tree import MAX_BYTES, MAX_ELEMENTS, Element, XmlError, parse_xml
from wbridge.wbcore.physics.pose import UPRIGHT, ZERO, Pose, Quat, axis_angle, cross, dot, unit
from wbridge.wbcore.scene.diagnostics import shown

MAX_INCLUDES = 200
MAX_CLASSES = 2000
ORIENTATIONS = ("quat", "axisangle", "euler", "xyaxes", "zaxis")
ACTUATORS = ("general", "motor", "position", "velocity", "intvelocity", "damper", "dcmotor", "orientation")
_ALTERNATIVES = (ORIENTATIONS, ("diaginertia", "fullinertia"))
"""Attributes of which an element's own one replaces an inherited one."""
Defaults = dict[str, dict[str, str]]
"""Attributes by tag."""


class Document:
    """The sections of a document; several of a kind count as one."""

    def __init__(self, root: Element, assets: Assets, reader: Reader) -> None:
        self.root = root
        self.reader = reader
        self._assets = assets
        self._includes = self._elements = 0
        self._include(root)
        self._classes: dict[str, Defaults] = {"main": {}}
        for element in self.section("default"):
            self._read_default(element)
        settings: dict[str, str] = {}
        for element in root.all("compiler"):
            settings |= element.attributes
        self.compiler = Element("compiler", settings, root.path, root.line, root.column)
        unit = reader.choice(self.compiler, "angle", ("degree", "radian"), "degree")
        self.angle = math.pi / 180 if unit == "degree" else 1.0
        """One unit of angles in rad."""
        if reader.text(self.compiler, "coordinate") == "global":
            text = "<compiler> coordinate 'global' was removed in MuJoCo 2.3.4; save the file with 2.3.3"
            reader.error(root, "value", text)
        self._order = reader.text(self.compiler, "eulerseq", "xyz")
        if len(self._order) != 3 or set(self._order.lower()) - set("xyz"):
            reader.error(
                root, "value", f"<compiler> eulerseq is {shown(self._order)}; expected such as 'xyz'"
            )
            self._order = "xyz"

    def section(self, tag: str) -> list[Element]:
        """Return the sections of a kind."""
        return self.root.all(tag)

    def entries(self, tag: str) -> Iterator[Element]:
        """Yield the elements in all sections of a kind."""
        for section in self.section(tag):
            yield from section.children

    def flag(self, name: str, default: bool) -> bool:
        """Return a yes or no of the compiler."""
        return self.reader.text(self.compiler, name, "true" if default else "false") == "true"

    def _include(self, element: Element) -> None:
        """Replace includes by what is in their files."""
        todo = [element]
        while todo:
            entry = todo.pop()
            while any(child.tag == "include" for child in entry.children):
                parts = [
                    self._included(child) if child.tag == "include" else [child] for child in entry.children
                ]
                entry.children = [child for part in parts for child in part]
            todo.extend(entry.children)

    def _included(self, element: Element) -> list[Element]:
        """Return what is in the file of an include."""
        name = self.reader.text(element, "file", None)
        self._includes += 1
        if self._includes > MAX_INCLUDES:
            if self._includes == MAX_INCLUDES + 1:
                self.reader.error(element, "include", f"more than {MAX_INCLUDES} files are included")
            return []
        if not name:
            return []
        path = self._assets.included(name, Path(element.path))
        try:
            with path.open("rb") as file:
                root = parse_xml(file.read(MAX_BYTES + 1), str(path))
            self._elements += sum(1 for _ in root.walk())
            if self._elements > MAX_ELEMENTS:
                raise XmlError(f"the included files have more than {MAX_ELEMENTS} elements")
            return root.children
        except (OSError, ValueError) as problem:
            place = f":{problem.line}:{problem.column}" if isinstance(problem, XmlError) else ""
            reason = getattr(problem, "strerror", None) or problem
            self.reader.error(element, "include", f"{path}{place}: {reason}")
            return []

    def _read_default(self, element: Element) -> None:
        """Read a class and those in it, which inherit from it."""
        todo = [(element, "")]
        while todo:
            entry, above = todo.pop()
            name = self.reader.text(entry, "class", "main" if not above else None)
            inherited = self._classes.get(above or name, {})
            defaults = {tag: dict(attributes) for tag, attributes in inherited.items()}
            for child in entry.children:
                if child.tag != "default":
                    tag = "actuator" if child.tag in ACTUATORS else child.tag
                    defaults[tag] = _merged(defaults.get(tag, {}), child.attributes)
            self._classes[name] = defaults
            if len(self._classes) > MAX_CLASSES:
                self.reader.error(entry, "default", f"more than {MAX_CLASSES} default classes")
                return
            todo.extend((child, name) for child in entry.all("default"))

    def resolved(self, element: Element, inherited: str = "") -> Element:
        """Return an element with the attributes of its default class; `inherited` is that of its body."""
        name = element.attributes.get("class", "") or inherited or "main"
        if name not in self._classes:
            self.reader.find(element, "default class", name, self._classes)
            name = "main"
        tag = "actuator" if element.tag in ACTUATORS else element.tag
        defaults = self._classes[name].get(tag, {})
        attributes = _merged(defaults, element.attributes)
        return Element(
            element.tag,
            attributes,
            element.path,
            element.line,
            element.column,
            element.children,
            element.text,
        )

    def pose(self, element: Element) -> Pose:
        """Return the pose that an element's attributes give."""
        position = vec3(self.reader.vector(element, "pos", ZERO))
        return Pose(position, self.orientation(element))

    def orientation(self, element: Element) -> Quat:
        """Return the rotation that one of the attributes for it gives."""
        reader = self.reader
        names = [name for name in ORIENTATIONS if name in element.attributes]
        if len(names) > 1:
            text = f"<{element.tag}> has {', '.join(names)}; an orientation is given by one of them"
            reader.error(element, "orientation", text)
        rotation: Quat | None = UPRIGHT
        name = names[0] if names else ""
        if name == "quat":
            rotation = _unit(reader.vector(element, name, None, 4))
        elif name == "axisangle":
            x, y, z, angle = reader.vector(element, name, None, 4)
            rotation = axis_angle((x, y, z), angle * self.angle)
        elif name == "euler":
            angles = reader.vector(element, name, None, 3)
            rotation = from_euler([angle * self.angle for angle in angles], self._order)
        elif name == "xyaxes":
            values = reader.vector(element, name, None, 6)
            rotation = from_columns(vec3(values[:3]), vec3(values[3:]))
        elif name == "zaxis":
            rotation = along_z(vec3(reader.vector(element, name, None, 3)))
        if rotation is None:
            reader.error(element, "orientation", f"<{element.tag}> {name} gives no direction")
        return rotation or UPRIGHT


def along_z(direction: tuple[float, float, float]) -> Quat | None:
    """Return the smallest rotation that takes the z axis to a direction; None for a zero vector."""
    to = unit(direction)
    if to is None:
        return None
    axis = cross((0.0, 0.0, 1.0), to)
    height = dot((0.0, 0.0, 1.0), to)
    if unit(axis) is None or abs(height) >= 1:
        return UPRIGHT if height > 0 else axis_angle((1.0, 0.0, 0.0), math.pi)
    return axis_angle(axis, math.acos(height))


def _unit(values: tuple[float, ...]) -> Quat | None:
    size = math.sqrt(sum(number * number for number in values))
    if not size > 0:
        return None
    w, x, y, z = (number / size for number in values)
    return (w, x, y, z)


def _merged(defaults: dict[str, str], own: dict[str, str]) -> dict[str, str]:
    """Return attributes with their defaults."""
    hidden: set[str] = set()
    for names in _ALTERNATIVES:
        if any(name in own for name in names):
            hidden.update(names)
    return {name: value for name, value in defaults.items() if name not in hidden} | own
