"""Joints: end points, devices of each axis, stops and limits, directions (manual, 3.34 to 3.49)."""

from __future__ import annotations

from math import pi
from typing import Any

from wbridge.wbcore.scene.checks._checker import Checker, is_unknown
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.ranges import PI_SLACK

_DEVICE_KINDS = ("Motor", "PositionSensor", "Brake")
_SUFFIXES = ("", "2", "3")
_SLACK = 1e-4
_PARALLEL = 1e-6


def check_end_point(node: Node, checker: Checker) -> None:
    """Check that a joint has an end point; without one, it moves nothing."""
    if node.use_of is None and node.get("endPoint") is None:
        checker.warn("no-end-point", f"{node.type} has no endPoint; it moves nothing", node)


def check_devices(node: Node, checker: Checker) -> None:
    """Check that each axis has at most one motor, position sensor and brake."""
    if node.use_of is not None:
        return
    for suffix in _SUFFIXES:
        devices = _given(node, f"device{suffix}") or []
        for kind in _DEVICE_KINDS:
            found = [device for device in devices if device.is_a(kind)]
            for extra in found[1:]:
                text = f"a second {kind} for the same axis of {node.type}; there may be one only"
                checker.warn("repeated-device", text, extra)


def check_stops(node: Node, checker: Checker) -> None:
    """Check the order of minStop, maxStop and position; two stops of 0 mean no stops."""
    low, high = node.get("minStop"), node.get("maxStop")
    if node.use_of is not None or low == high == 0:
        return
    position = node.get("position")
    if low > high:
        text = f"{node.type}.minStop is {low:g}, maxStop {high:g}; minStop must be the smaller one"
        checker.warn("stops", text, node, "minStop")
    elif not low - _SLACK <= position <= high + _SLACK:
        text = f"{node.type}.position is {position:g}; the stops allow {low:g} to {high:g}"
        checker.warn("stops", f"{text}; the joint will jump", node, "position")


def check_hinge_stops(node: Node, checker: Checker) -> None:
    """Check stops of hinges: beyond half a turn they have no effect in ODE."""
    for suffix in _SUFFIXES:
        parameters = _parameters(node, suffix)
        if parameters is None:
            continue
        for name, beyond in (("minStop", -1), ("maxStop", 1)):
            stop = parameters.get(name)
            if stop * beyond > pi + PI_SLACK:
                text = f"{parameters.type}.{name} is {stop:g}; a stop of a hinge beyond pi has no effect"
                checker.warn("stops", f"{text}; allowed: -pi to 0 and 0 to pi", parameters, name)


def check_limits(node: Node, checker: Checker) -> None:
    """Check that a motor's minPosition is below its maxPosition; two limits of 0 mean no limits."""
    low, high = node.get("minPosition"), node.get("maxPosition")
    if node.use_of is None and low > high:
        text = f"{node.type}.minPosition is {low:g}, maxPosition {high:g}; minPosition must be smaller"
        checker.warn("motor-limits", text, node, "minPosition")


def check_motor_inside_stops(node: Node, checker: Checker) -> None:
    """Check that the motor's limits are inside the joint's stops (3.49.8)."""
    for suffix in _SUFFIXES:
        parameters = _parameters(node, suffix)
        if parameters is None or parameters.get("minStop") == parameters.get("maxStop") == 0:
            continue
        for device in _given(node, f"device{suffix}") or []:
            if device.is_a("Motor"):
                _compare(device.root, parameters, checker)


def _compare(motor: Node, parameters: Node, checker: Checker) -> None:
    low, high = motor.get("minPosition"), motor.get("maxPosition")
    if low == high == 0:
        return
    for name, value, stop, outside in (
        ("minPosition", low, "minStop", low < parameters.get("minStop") - _SLACK),
        ("maxPosition", high, "maxStop", high > parameters.get("maxStop") + _SLACK),
    ):
        if outside:
            text = f"{motor.type}.{name} is {value:g}, outside of {parameters.type}.{stop}"
            text += f" {parameters.get(stop):g}; the motor cannot reach it"
            checker.warn("motor-limits", text, motor, name)


def check_axes(node: Node, checker: Checker) -> None:
    """Check that the two axes of a Hinge2Joint are not parallel."""
    if node.use_of is not None:
        return
    first, second = _axis(node, "", (1.0, 0.0, 0.0)), _axis(node, "2", (0.0, 0.0, 1.0))
    if first and second and _parallel(first, second):
        text = "both axes of this Hinge2Joint have the same direction; they must not be parallel"
        checker.warn("parallel-axes", text, node)


def _axis(node: Node, suffix: str, default: tuple[float, ...]) -> tuple[float, ...]:
    if not isinstance(node.get(f"jointParameters{suffix}"), Node):
        return default
    parameters = _parameters(node, suffix)
    return parameters.get("axis") if parameters is not None else ()


def _parallel(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    cross = (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
    product = sum(x * x for x in a) * sum(x * x for x in b)
    return product > 0 and sum(x * x for x in cross) < _PARALLEL * product


def _given(node: Node, name: str) -> Any:
    field = node.fields.get(name)
    return field.value if field is not None else None


def _parameters(node: Node, suffix: str) -> Node | None:
    found = _given(node, f"jointParameters{suffix}")
    if node.use_of is not None or not isinstance(found, Node) or is_unknown(found):
        return None
    return found.root if found.root.spec.is_a("JointParameters") else None


NODE_RULES = (
    ("Joint", check_end_point),
    ("Joint", check_devices),
    ("Track", check_devices),
    ("JointParameters", check_stops),
    ("HingeJoint", check_hinge_stops),
    ("BallJoint", check_hinge_stops),
    ("Motor", check_limits),
    ("Joint", check_motor_inside_stops),
    ("Hinge2Joint", check_axes),
)
