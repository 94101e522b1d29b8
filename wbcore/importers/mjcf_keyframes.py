"""Keyframes of MJCF: positions of all joints by which a robot can start.

Source: MuJoCo's XML reference (keyframe/key). `qpos` has the joints of all bodies in the order of the file: 7
numbers for a free joint, 4 for a ball, 1 for others, in m and rad.
"""

from __future__ import annotations

from collections.abc import Iterator

from wbridge.wbcore.importers.mjcf_document import Document
from wbridge.wbcore.importers.robot_model import Joint
from wbridge.wbcore.importers.xml_tree import Element

Place = tuple[str, int, int]
"""File, line and column."""
_NUMBERS = {"free": 7, "ball": 4}


def place_of(element: Element) -> Place:
    """Return the place of an element, which it shares with its copies."""
    return (element.path, element.line, element.column)


def apply_keyframe(document: Document, name: str, joints: dict[Place, Joint]) -> None:
    """Start a robot's joints at the positions of the keyframe with this name."""
    reader = document.reader
    known = {entry.attributes.get("name", ""): entry for entry in document.entries("keyframe")}
    if not reader.find(document.root, "keyframe", name, known):
        return
    key = known[name]
    values = reader.numbers(key, "qpos", reader.text(key, "qpos", None))
    elements = list(_joints(document))
    counts = [_NUMBERS.get(kind, 1) for _, kind in elements]
    if values is None or len(values) != sum(counts):
        if values is not None:
            text = f"<key> qpos has {len(values)} numbers; the joints of the file need {sum(counts)}"
            reader.error(key, "value", text)
        return
    at = 0
    for (element, _), count in zip(elements, counts, strict=True):
        joint = joints.get(place_of(element))
        if joint is not None and count == 1:
            joint.position = min(max(values[at], joint.lower), joint.upper)
            if abs(joint.position - values[at]) > 1e-6:
                text = f"<key> {name}: {values[at]:g} is outside of the range of joint '{joint.name}'"
                reader.warn(key, "value", f"{text}; converted as {joint.position:g}")
        at += count


def _joints(document: Document) -> Iterator[tuple[Element, str]]:
    """Yield the joints of all bodies with their types; those of a body come before those of bodies in it."""
    todo = [(entry, "") for entry in reversed(list(document.entries("worldbody")))]
    while todo:
        element, inherited = todo.pop()
        inner = element.attributes.get("childclass", inherited)
        for child in element.children:
            if child.tag in ("joint", "freejoint"):
                kind = document.resolved(child, inner).attributes.get("type", "hinge")
                yield child, "free" if child.tag == "freejoint" else kind
        inside = [(child, inner) for child in element.children if child.tag in ("body", "frame")]
        todo.extend(reversed(inside))
