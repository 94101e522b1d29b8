"""Correct contradictory motor limits, as Webots does in WbMotor.cpp.

The soft limits of a motor include the position of its joint. Coupled motors (names "group::one"; manual,
chapter Motor) have the limits of the first one times the ratio of their multipliers. The fields are changed.
"""

from __future__ import annotations

from collections.abc import Iterator

from wbridge.wbcore.physics.tree import node_in, nodes_in, number
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.tables.device_tables import JOINT_LISTS, device_places

COUPLING = "::"
ROUNDING = 1e-4
"""Changes of limits below this (rad or m) are not reported."""
Limits = dict[str, float]
"""Field values of a motor."""


def settle(robot: Node, known: set[Node]) -> Iterator[tuple[Node, str]]:
    """Correct the limits of a robot's motors, except those in `known`.

    Returns:
        Each motor that is changed by more than `ROUNDING`, with a text that describes the change.
    """
    places = [place for place in device_places(robot) if place.node.is_a("Motor")]
    motors = [place.node for place in places]
    new = [place for place in places if place.node not in known]
    known.update(motors)
    for place in new:
        held_at = joint_position(place.holder, place.node)
        yield from _change(place.node, widened(place.node, held_at), f"to include position {held_at:g}")
    for place in new:
        for other in coupled(place.node, motors):
            found = coupled_limits(place.node, other)
            yield from _change(other, found, f'to match its coupled motor "{place.node.get("name")}"')


def _change(motor: Node, limits: Limits, why: str) -> Iterator[tuple[Node, str]]:
    for name, value in limits.items():
        before = number(motor, name)
        if before != value:
            motor.field(name).value = value
            if abs(value - before) < ROUNDING:
                continue  # a saved position is a little beyond the limit at which it stood
            yield motor, f"{name} is changed from {before:g} to {value:g} {why}"


def widened(motor: Node, position: float) -> Limits:
    """Return soft limits that include a position of the joint; empty if the motor has none."""
    low, high = number(motor, "minPosition"), number(motor, "maxPosition")
    if low == high == 0:
        return {}
    return {"maxPosition": max(high, position), "minPosition": min(low, position)}


def coupled(motor: Node, motors: list[Node]) -> list[Node]:
    """Return the motors of a robot that share the part of the name before "::"."""
    group, mark, _ = str(motor.get("name")).partition(COUPLING)
    same = (node for node in motors if node is not motor)
    return [
        motor for motor in same if mark and str(motor.get("name")).partition(COUPLING)[:2] == (group, mark)
    ]


def coupled_limits(motor: Node, other: Node) -> Limits:
    """Return the limits of a motor coupled to another one, by the ratio of their multipliers."""
    # Coupled motors receive the same command times their multiplier, so limits scale by the ratio. A negative
    # ratio exchanges the lower and the upper limit.
    ratio = _multiplier(other) / _multiplier(motor)
    low, high = sorted(number(motor, name) * ratio for name in ("minPosition", "maxPosition"))
    speed = abs(number(motor, "maxVelocity")) * abs(ratio)
    return {"minPosition": low, "maxPosition": high, "maxVelocity": speed}


def _multiplier(motor: Node) -> float:
    return number(motor, "multiplier", 1.0) or 1.0


def joint_position(holder: Node | None, device: Node) -> float:
    """Return the position (rad or m) in the fields of a device's axis; 0 without a joint."""
    if holder is None or not holder.is_a("Joint"):
        return 0.0
    for index, name in enumerate(JOINT_LISTS):
        if any(node.root is device for node in nodes_in(holder, name)):
            suffix = "" if index == 0 else str(index + 1)
            parameters = node_in(holder, f"jointParameters{suffix}")
            if parameters is not None and "position" in parameters.spec.fields:
                return number(parameters, "position")
            return number(holder, f"position{suffix}")
    return 0.0
