"""Hidden fields: state inside PROTO instances that files store by index (chapter 5.7).

The solids of an instance are numbered depth first, starting with the instance itself (0); the joints of a
solid are numbered in the same order, without those of solids below it. For example, `translation_2` is the
position of the third solid, `position_0_1` that of the second joint of the first. The helices of a Propeller
have no numbers: Webots counts the children of solids and the end points of joints only.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from wbridge.wbcore.scene.diagnostics import Report
from wbridge.wbcore.scene.hidden_turns import can_turn
from wbridge.wbcore.scene.node import Field, Node, walk
from wbridge.wbcore.scene.untyped import HIDDEN_NAME, HIDDEN_OF_JOINTS

PLAY_M, PLAY_RAD = 0.02, 0.1
"""How far a simulation may have moved a solid that is fixed to the one above it."""
OF_INSTANCE = ("translation_0", "rotation_0", "linearVelocity_0", "angularVelocity_0")
"""Hidden fields of the instance itself, whatever it consists of."""


def solids(instance: Node) -> list[tuple[Node, list[Node]]]:
    """Return the solids of an instance in index order, each with its joints in index order."""
    found: list[tuple[Node, list[Node]]] = []
    owner: dict[Node, int] = {}
    for node in walk(instance):
        if node.body is not None or node.use_of is not None or _is_of_helix(node, instance):
            continue
        if node.spec.is_a("Solid"):
            owner[node] = len(found)
            found.append((node, []))
        elif _is_joint(node):
            above = _solid_above(node, owner)
            if above is not None:
                found[owner[above]][1].append(node)
    return found


def _is_of_helix(node: Node, instance: Node) -> bool:
    """True for a helix of a propeller inside an instance and what is part of it."""
    above = node
    while above is not instance and above.parent is not None:
        above = above.parent
        if above.spec.name == "Propeller":
            return True
    return False


def _is_joint(node: Node) -> bool:
    return node.spec.is_a("Joint")


def _solid_above(node: Node, owner: dict[Node, int]) -> Node | None:
    above = node.parent
    while above is not None and above not in owner:
        above = above.parent
    return above


def apply_hidden(instance: Node, report: Report) -> None:
    """Apply the hidden fields of an instance to its body.

    If some have no target, or one that cannot be there, the file was written with another version of the
    model, whose numbers mean other solids. Then only those of the instance itself apply, and one warning
    reports the rest.
    """
    given = [(name, field) for name, field in instance.fields.items() if field.hidden]
    if not given:
        return
    bodies = solids(instance)
    matches = [(name, field, HIDDEN_NAME.match(name)) for name, field in given]
    found = [
        (name, field, _plausible(_target(bodies, match), field.value) if match else None)
        for name, field, match in matches
    ]
    unfit = [(name, field) for name, field, target in found if target is None]
    turned = _turned_otherwise(found, _saved_positions(bodies, given))
    for name, field, target in found:
        is_posed = target is not None and target[1] in ("translation", "rotation")
        if (
            target is not None
            and (not unfit or name in OF_INSTANCE)
            and not (is_posed and target[0] in turned)
        ):
            target[0].set(target[1], field.value)
    if unfit:
        names = ", ".join(name for name, _ in unfit[:4]) + (", ..." if len(unfit) > 4 else "")
        text = (
            f"{len(unfit)} hidden fields fit no solid or joint of {instance.type}: {names}; all hidden "
            "fields of its parts are ignored, because another version of the model wrote them"
        )
        report.warning("hidden-field", text, unfit[0][1].source, unfit[0][1].offset)


def _saved_positions(
    bodies: list[tuple[Node, list[Node]]], fields: list[tuple[str, Field]]
) -> dict[Node, float]:
    """Return the saved positions of the first axes of joints."""
    saved: dict[Node, float] = {}
    for name, field in fields:
        match = HIDDEN_NAME.match(name)
        if match is None or match.group(3) is None or match.group(1) != "position":
            continue
        solid, joint = int(match.group(2)), int(match.group(3))
        if solid < len(bodies) and joint < len(bodies[solid][1]):
            saved[bodies[solid][1][joint]] = field.value
    return saved


def _turned_otherwise(
    matches: list[tuple[str, Field, tuple[Node, str] | None]], saved: dict[Node, float]
) -> set[Node]:
    """Return the end points of joints whose saved rotation is in the frame of another model."""
    return {
        target[0]
        for _, field, target in matches
        if target is not None and target[1] == "rotation" and not can_turn(target[0], field.value, saved)
    }


def _target(bodies: list[tuple[Node, list[Node]]], match: re.Match[str]) -> tuple[Node, str] | None:
    """Return the node and field of a hidden name."""
    if match.group(2) is None:
        return None
    name, solid, joint = match.group(1), int(match.group(2)), match.group(3)
    if solid >= len(bodies) or (joint is None) == (name in HIDDEN_OF_JOINTS):
        return None
    node, joints = bodies[solid]
    if joint is None:
        return (node, name) if name in node.spec.fields else None
    return joint_position(joints[int(joint)], name) if int(joint) < len(joints) else None


def _plausible(target: tuple[Node, str] | None, value: Any) -> tuple[Node, str] | None:
    """Return a target, or None for a pose that its solid cannot have: it sits where the model has it."""
    if target is None or target[1] not in ("translation", "rotation") or not _is_rigid(target[0]):
        return target
    own = target[0].get(target[1])
    if target[1] == "translation":
        return target if math.dist(own, value) <= PLAY_M else None
    return target if _apart(own, value) <= PLAY_RAD else None


def _is_rigid(solid: Node) -> bool:
    """True for a solid inside an instance that neither a joint nor its own physics lets move."""
    above = solid.parent
    while above is not None and not above.spec.is_a("Solid"):
        if _is_joint(above) or above.proto is not None:
            return False
        above = above.parent
    return above is not None and (solid.get("physics") is None or above.get("physics") is not None)


def _apart(first: Sequence[float], second: Sequence[float]) -> float:
    """Return an upper limit of the angle (rad) between two rotations (axis and angle), 0 for equal ones.

    It is the distance of their rotation vectors, of which each rotation has one for every whole turn.
    """
    turns = (-2 * math.pi, 0.0, 2 * math.pi)
    return min(math.dist(_vector(first, 0.0), _vector(second, turn)) for turn in turns)


def _vector(rotation: Sequence[float], turn: float) -> list[float]:
    length = math.sqrt(sum(part * part for part in rotation[:3])) or 1.0
    return [(rotation[3] + turn) * part / length for part in rotation[:3]]


def joint_position(joint: Node, name: str) -> tuple[Node, str] | None:
    """Return where a joint stores an axis position: in the axis' parameters, else in a hidden field.

    Args:
        joint: a joint.
        name: position, position2 or position3.
    """
    given = joint.fields.get(f"jointParameters{name.removeprefix('position')}")
    holder = given.value.root if given is not None and isinstance(given.value, Node) else None
    if holder is not None and "position" in holder.spec.fields:
        return holder, "position"
    return (joint, name) if name in joint.spec.fields else None


def names(instance: Node) -> Iterator[tuple[str, Node, str]]:
    """Yield every hidden name of an instance, in Webots' order: name, node inside, its field."""
    for index, (solid, joints) in enumerate(solids(instance)):
        for field in ("translation", "rotation"):
            yield f"{field}_{index}", solid, field
        for number, joint in enumerate(joints):
            for field in HIDDEN_OF_JOINTS:
                place = joint_position(joint, field)
                if place is not None:
                    yield f"{field}_{index}_{number}", *place
        for field in ("linearVelocity", "angularVelocity"):
            yield f"{field}_{index}", solid, field


def state(instance: Node, fresh: Node) -> dict[str, Field]:
    """Return the hidden fields that store the current state of an instance in a file.

    Those that the instance was read with come first, in their order and with their current values. Fields of
    another version of the model (see `apply_hidden`) stay as they are while nothing else has moved;
    afterwards they are left out, since with them no reader would apply the others.

    Args:
        instance: the instance in its current state.
        fresh: the instance without hidden fields (`Expander.again`). Values equal to those in it need no
            hidden field.
    """
    read = {name: field for name, field in instance.fields.items() if field.hidden}
    now, then = list(names(instance)), list(names(fresh))
    if [entry[0] for entry in now] != [entry[0] for entry in then]:  # the numbers would refer to other solids
        now, then = ([entry for entry in some if entry[0] in OF_INSTANCE] for some in (now, then))
    is_foreign = not _all_fit(read, fresh)
    valid = [name for name in read if name in OF_INSTANCE or not is_foreign]
    current = {}
    for (name, node, key), (_, other, _) in zip(now, then, strict=True):
        field = node.fields.get(key)
        if field is not None and (name in valid or field.value != other.get(key)):
            current[name] = Field(field.spec, field.value, hidden=True)
    if is_foreign and current.keys() <= set(valid):
        return {name: current.get(name, field) for name, field in read.items()}
    return {name: current.pop(name) for name in valid if name in current} | current


def _all_fit(given: Iterable[str], instance: Node) -> bool:
    """Return True if each hidden name has a target in an instance."""
    bodies = solids(instance)
    matches = (HIDDEN_NAME.match(name) for name in given)
    return all(match is not None and _target(bodies, match) is not None for match in matches)
