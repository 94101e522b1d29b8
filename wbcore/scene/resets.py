"""Replacement of field values that are out of range.

Webots reports such a value and continues with another one. `fault` detects it, `replacement` returns the
value to use, and `reset_invalid` applies it to a whole world before the simulation; the checks only report.
Fields without an entry in the tables below use the default of the file's release: as a whole for single
values, per component for vectors and lists.
Sources: manual, chapters 3.63 and 3.73 (scale), 3.75 (WorldInfo); public source of Webots for the others.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from wbridge.wbcore.scene.node import Field, Node, walk
from wbridge.wbcore.scene.ranges import PI_SLACK, Each, Interval, Lengths, Lookup, Range, UnitAxis
from wbridge.wbcore.scene.schema import FieldSpec
from wbridge.wbcore.scene.values import VecArray

if TYPE_CHECKING:
    from wbridge.wbcore.scene.world import World

PLANAR_VIEW = 0.7854
"""The field of view (rad) in place of one that a planar picture cannot have."""
INT32_MIN, INT32_MAX = -(2**31), 2**31 - 1
_SIZE = 1.0
_ABOVE_ZERO = Interval(0.0, float("inf"), True, True)
_POSITIVE = Range((_ABOVE_ZERO,))
_NOT_ZERO = Range((Interval(-float("inf"), 0.0, True, True), _ABOVE_ZERO))

# Replacements of invalid values that differ from the field's default.
_FIXED: dict[str, object] = {
    "Box.size": (_SIZE, _SIZE, _SIZE),
    "Capsule.height": _SIZE,
    "Capsule.radius": _SIZE,
    "Cone.bottomRadius": _SIZE,
    "Cone.height": _SIZE,
    "Cylinder.height": _SIZE,
    "Cylinder.radius": _SIZE,
    "Sphere.radius": _SIZE,
    "Physics.inertiaMatrix": VecArray(3),
}

# Fields whose sign is dropped.
_ABSOLUTE = frozenset(
    ["springConstant", "dampingConstant", "staticFriction", "suspensionSpringConstant"]
    + ["suspensionDampingConstant", "maxVelocity"]
)

# Fields whose invalid values are reported but used.
_KEPT = frozenset(["Motor.controlPID", "WorldInfo.gravity", "Radar.minRadialSpeed", "Radar.maxRadialSpeed"])

# Fields that use the nearest value of their range.
_NEAREST = frozenset(["Damping.linear", "Damping.angular"])

# Nodes whose scale has no range in the schema: positive in numbered releases (3.73), later non-zero.
_SCALED = ("Transform", "Solid", "Fluid")
_WHOLE = (Lengths, Each, UnitAxis)

_CLASSES: dict[str, tuple[type, ...]] = {
    "SFBool": (bool,),
    "SFInt32": (int,),
    "SFFloat": (float, int),
    "SFString": (str,),
    "MFBool": (list,),
    "MFString": (list,),
    "MFInt32": (array,),
    "MFFloat": (array,),
}


_LIMITED_TYPES = frozenset(["SFRotation", "SFInt32", "MFInt32"])
_LIMITED_FIELDS = frozenset(["scale", "centerOfMass", "density"])
"""Fields without a range in the catalogue of nodes that are checked nevertheless."""


def range_of(node: Node, spec: FieldSpec) -> Range | None:
    """Return the values that a field accepts; None: all of its type."""
    if spec.name == "scale" and any(node.spec.is_a(name) for name in _SCALED):
        return _NOT_ZERO if node.source is None or node.source.version.is_yearly else _POSITIVE
    return spec.range


def fits_type(spec: FieldSpec, value: object) -> bool:
    """False for a value in the form of another release, such as gravity as a vector."""
    classes = _CLASSES.get(spec.type)
    if classes is None:
        return isinstance(value, VecArray if spec.is_list else tuple)
    return isinstance(value, classes) and (spec.type == "SFBool") == isinstance(value, bool)


def fault(spec: FieldSpec, allowed: Range | None, value: Any, lookup: Lookup) -> str | None:
    """Return why a value is invalid: "range", "int32" (beyond 32 bits) or "axis" (length 0), else None."""
    if not fits_type(spec, value):
        return None
    if spec.type == "SFRotation" or (allowed is not None and isinstance(allowed.choices[0], UnitAxis)):
        return None if any(value[:3]) else "axis"
    numbers = _numbers(value)
    low, high = (min(numbers), max(numbers)) if numbers else (0, 0)
    quickly = allowed is None or (bool(numbers) and _between(low, high, allowed, lookup))
    if not quickly and allowed is not None and not allowed.contains(value, lookup):
        return "range"
    return "int32" if spec.type[2:] == "Int32" and not INT32_MIN <= low <= high <= INT32_MAX else None


def _numbers(value: object) -> Sequence[float]:
    """Return all numbers of a value, without copying long lists."""
    if isinstance(value, VecArray):
        return value.data
    if isinstance(value, (tuple, array)):
        return value
    return (value,) if isinstance(value, (int, float)) else ()


def _between(low: float, high: float, allowed: Range, lookup: Lookup) -> bool:
    """True if one interval contains both numbers, and so all between them: a fast path for long lists."""
    for choice in allowed.choices:
        if isinstance(choice, _WHOLE):
            return False
        if isinstance(choice, Interval) and choice.contains(low, lookup) and choice.contains(high, lookup):
            return True
    return False


def restricted(spec: FieldSpec, value: Any) -> object:
    """Restrict a PROTO parameter's value to the values that its interface allows, as in Webots: an invalid
    single value becomes the default, invalid items are removed from lists. Valid values are not changed."""
    choices = spec.range.choices if spec.range is not None else ()
    if not choices or spec.is_node:
        return value
    if not spec.is_list:
        return value if value in choices else spec.make_default()
    kept = [choice for choice in value if choice in choices]
    if len(kept) == len(value):
        return value
    if isinstance(value, VecArray):
        return VecArray(value.width, kept)
    return array(value.typecode, kept) if isinstance(value, array) else kept


def replacement(node: Node, spec: FieldSpec, value: Any) -> Any:
    """Return the replacement of a value that `fault` rejects; the value itself if it is used anyway.

    An angle that is accepted because it is a rounded multiple of pi/2 becomes that multiple.
    """
    allowed = range_of(node, spec)
    found = fault(spec, allowed, value, node.get)
    if found is None and is_stretched(node, spec, value):
        return _scale(node, value)
    if found is None and is_wide_and_planar(node, spec.name, value):
        return PLANAR_VIEW if value >= math.pi + PI_SLACK else math.pi
    if found is None:
        return value if allowed is None else allowed.snapped(value, node.get)
    if any(label in _KEPT for label in _labels(node, spec)):
        return value
    if found == "axis":
        return (0.0, 0.0, 1.0, value[3]) if len(value) == 4 else spec.make_default()
    if found == "int32":
        return _each(value, lambda number, _: min(max(number, INT32_MIN), INT32_MAX), spec)
    for label in _labels(node, spec):
        if label in _FIXED:
            return _FIXED[label]
    if node.spec.is_a("Physics") and spec.name in ("mass", "density"):
        return _mass_or_density(node, spec.name)
    return _in_range(node, spec, value, allowed) if allowed is not None else value


def is_rounded(value: object, used: object) -> bool:
    """True if a value was replaced because it is a rounded multiple of pi/2: nobody needs to hear of that."""
    return isinstance(value, float) and isinstance(used, float) and abs(used - value) < PI_SLACK


def _labels(node: Node, spec: FieldSpec) -> Iterator[str]:
    """Yield "Type.field" for the type and all its base types."""
    ancestors = getattr(node.spec, "ancestors", (node.type,))
    return (f"{name}.{spec.name}" for name in ancestors)


def _mass_or_density(node: Node, name: str) -> float:
    """Return the replacement of an invalid mass or density; one of them must be known."""
    if name == "mass":
        return -1.0 if node.get("density") > 0 else 1.0
    return 1000.0 if node.get("mass") <= 0 else -1.0


def _in_range(node: Node, spec: FieldSpec, value: Any, allowed: Range) -> Any:
    if spec.name in _ABSOLUTE and isinstance(value, float) and value < 0:
        return abs(value)
    if any(isinstance(choice, Lengths) for choice in allowed.choices):
        return spec.make_default()
    if spec.name == "scale":
        return _scale(node, value)
    nearest = any(label in _NEAREST for label in _labels(node, spec))

    def mend(value: Any, default: Any) -> Any:
        if allowed.contains(value, node.get):
            return value
        return _nearest(value, allowed, node.get, None if nearest else default)

    return _each(value, mend, spec)


def is_stretched(node: Node, spec: FieldSpec, value: object) -> bool:
    """True for a scale that is not uniform, of a node whose scale has to be.

    Source: manual 8.3.1, chapters Transform, Solid and Fluid.
    """
    if spec.name != "scale" or not (node.spec.is_a("Solid") or node.spec.is_a("Fluid")):
        return False
    return isinstance(value, tuple) and len(set(value)) > 1


def is_too_wide(node: Node, name: str, value: Any) -> bool:
    """True for a field of view (rad) that no planar picture can have, not even a rounded half turn."""
    return is_wide_and_planar(node, name, value) and bool(value >= math.pi + PI_SLACK)


def is_wide_and_planar(node: Node, name: str, value: Any) -> bool:
    """True for a field of view (rad) above half a turn where pictures are planar.

    Source: Webots, WbAbstractCamera.cpp.
    """
    if name != "fieldOfView" or "projection" not in node.spec.fields or not value > math.pi:
        return False
    is_named, is_round = (
        node.get("projection") == "planar",
        node.get("spherical"),
    )
    return is_named or not is_round if node.spec.is_a("Lidar") else is_named and not is_round


def _scale(node: Node, value: tuple[float, ...]) -> tuple[float, ...]:
    """Return the valid scale: where it has to be uniform, the coordinate that has changed, else the first."""
    allowed = range_of(node, node.spec.fields["scale"])
    good = tuple(number if allowed is None or allowed.contains(number) else 1.0 for number in value)
    if not (node.spec.is_a("Solid") or node.spec.is_a("Fluid")):
        return good
    old = node.get("scale")
    changed = (new for new, number, before in zip(good, value, old, strict=True) if number != before)
    return (next(changed, good[0]),) * 3


def _nearest(value: object, allowed: Range, lookup: Lookup, default: object) -> object:
    """Return the default if it is in range (which may depend on other fields), else the nearest end."""
    if default is not None and allowed.contains(default, lookup):
        return default
    if not isinstance(value, (int, float)):
        return default
    intervals = [choice for choice in allowed.choices if isinstance(choice, Interval)]
    ends = [_end(end, lookup) for interval in intervals for end in interval[:2]]
    near = [end for end in ends if end is not None]
    return type(value)(min(near, key=lambda end: abs(end - value))) if near else default


def _end(end: float | str, lookup: Lookup) -> float | None:
    found = lookup(end) if isinstance(end, str) else end
    return found if isinstance(found, (int, float)) and abs(found) != float("inf") else None


def _each(value: Any, mend: Callable[[Any, Any], Any], spec: FieldSpec) -> Any:
    """Replace each number of a value by `mend`, which receives the number and its default."""
    if isinstance(value, tuple):
        return tuple(mend(number, default) for number, default in zip(value, spec.default, strict=False))
    if isinstance(value, VecArray):
        return VecArray.flat(value.width, array("d", (mend(number, 0.0) for number in value.data)))
    if isinstance(value, array):
        first = spec.default[0] if len(spec.default) else 0
        return array(value.typecode, (mend(number, first) for number in value))
    if isinstance(value, list):
        return [mend(element, spec.default[0] if spec.default else element) for element in value]
    return mend(value, spec.default)


def reset_invalid(world: World) -> int:
    """Replace all values out of range in a world's tree; return their number.

    `Physics.centerOfMass` keeps only its first vector, and a body without mass and density gets the default
    density. A PROTO parameter that is bound to such a field changes with it.
    """
    return reset_nodes(world.nodes)


def reset_nodes(nodes: list[Node]) -> int:
    """Replace all values out of range in some trees (see `reset_invalid`)."""
    count = 0
    for node in walk(nodes):
        if node.use_of is None and node.body is None and not node.is_placeholder:
            count += sum(_reset(node, name, field) for name, field in node.fields.items())
    return count


def is_massless(physics: Node) -> bool:
    """True if a Physics node has neither mass nor density."""
    return not physics.get("mass") > 0 and not physics.get("density") > 0


def _is_free(spec: FieldSpec) -> bool:
    """True if a field accepts all values of its type, as most do."""
    return spec.range is None and spec.type not in _LIMITED_TYPES and spec.name not in _LIMITED_FIELDS


def _reset(node: Node, name: str, field: Field) -> bool:
    spec = node.spec.fields.get(name)
    if spec is None or spec.is_node or _is_free(spec):
        return False
    new = replacement(node, spec, field.value)
    if name == "centerOfMass" and isinstance(field.value, VecArray) and len(field.value) > 1:
        new = VecArray(3, [field.value[0]])
    elif name == "density" and node.spec.is_a("Physics") and is_massless(node):
        new = spec.make_default()
    if new is field.value:
        return False
    field.value = new
    return True
