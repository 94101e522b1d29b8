"""What the simulator uses instead of values outside of their ranges."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.scene.helpers import HEADER, project, world
from wbridge.wbcore.scene.load import World, load_world
from wbridge.wbcore.scene.node import Field, Node
from wbridge.wbcore.scene.ranges import Interval
from wbridge.wbcore.scene.resets import fault, range_of, replacement, reset_invalid
from wbridge.wbcore.scene.schema import FieldSpec, schema
from wbridge.wbcore.scene.source import SourceFile
from wbridge.wbcore.scene.values import WIDTHS, VecArray
from wbridge.wbcore.scene.version import Version

OLD = "#VRML_SIM V8.3.1 utf8\n"


def found(loaded: World, type_name: str) -> Node:
    """The first node of a type, wherever it stands."""
    return next(node for node in loaded.walk() if node.type == type_name)


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("Box { size 1 -1 1 }", "size", (1.0, 1.0, 1.0)),
        ("Sphere { radius 0 }", "radius", 1.0),
        ("Capsule { height -3 }", "height", 1.0),
        ("Sphere { subdivision 50 }", "subdivision", 1),
        ("Transform { scale 0 -2 3 }", "scale", (1.0, -2.0, 3.0)),
        ("Transform { rotation 0 0 0 2 }", "rotation", (0.0, 0.0, 1.0, 2.0)),
        ("WorldInfo { CFM 0 }", "CFM", 1e-05),
        ("WorldInfo { ERP 1.5 }", "ERP", 0.2),
        ("WorldInfo { basicTimeStep -8 }", "basicTimeStep", 32.0),
        ("WorldInfo { gravity -9.81 }", "gravity", -9.81),
        (
            "ContactProperties { coulombFriction [ 2 -3 -1 ] }",
            "coulombFriction",
            array("d", [2.0, 1.0, -1.0]),
        ),
        ("ContactProperties { rollingFriction 1 -3 -1 }", "rollingFriction", (1.0, 0.0, -1.0)),
        ("Damping { linear 3 }", "linear", 1.0),
        ("Damping { angular -3 }", "angular", 0.0),
        ("RotationalMotor { maxVelocity -3 }", "maxVelocity", 3.0),
        ("RotationalMotor { acceleration -3 }", "acceleration", -1.0),
        ("RotationalMotor { multiplier 0 }", "multiplier", 1.0),
        ("HingeJointParameters { axis 0 0 0 }", "axis", (1.0, 0.0, 0.0)),
        ("JointParameters { axis 0 0 0 }", "axis", (0.0, 0.0, 1.0)),
        ("HingeJointParameters { dampingConstant -3 }", "dampingConstant", 3.0),
        ("RangeFinder { minRange 5 maxRange 2 near 1 }", "minRange", 2.0),
        ("Camera { fieldOfView 4 }", "fieldOfView", 0.7854),
        ("Camera { fieldOfView 0 }", "fieldOfView", 0.7854),
        ("RangeFinder { fieldOfView 6.2832 }", "fieldOfView", 0.7854),
        ('Lidar { fieldOfView 3.2 projection "planar" }', "fieldOfView", 0.7854),
        ('TouchSensor { type "squeeze" }', "type", "bumper"),
        ("Physics { mass -3 }", "mass", -1.0),
        ("Physics { density -3 mass 2 }", "density", -1.0),
        ("Physics { density -1 }", "density", 1000.0),
        ("Physics { inertiaMatrix [ 1 1 1 ] }", "inertiaMatrix", VecArray(3)),
        ("Physics { centerOfMass [ 1 1 1 2 2 2 ] }", "centerOfMass", VecArray(3, [(1, 1, 1)])),
        ("Receiver { channel 3000000000 }", "channel", 2**31 - 1),
        ("Charger { battery [ -1 5 5 ] }", "battery", array("d", [0.0, 5.0, 5.0])),
    ],
)
def test_a_bad_value_is_replaced(text: str, field: str, value: Any) -> None:
    loaded = world(f"Group {{ children [ {text} ] }}")
    reset_invalid(loaded)
    node = loaded.nodes[0].get("children")[0]
    assert node.get(field) == value
    assert type(node.get(field)) is type(value)


NUMBERS = (-5, -1, 0, 0.5, 1, 7, 100, 1e12)


def every_value(spec: FieldSpec) -> Iterator[Any]:
    """Values of a field's type, good and bad ones."""
    kind = spec.type[2:]
    for number in NUMBERS:
        if kind in WIDTHS:
            vector = (float(number),) * WIDTHS[kind]
            yield VecArray(len(vector), [vector]) if spec.is_list else vector
        elif kind == "Float":
            yield array("d", [number]) if spec.is_list else float(number)
        elif kind == "Int32":
            yield array("q", [int(number)]) if spec.is_list else int(number)
        elif kind == "String":
            yield ["?"] if spec.is_list else "?"


KEPT = ("controlPID", "gravity", "minRadialSpeed", "maxRadialSpeed")
"""Fields whose values Webots uses as they are (WbRadar::updateMinAndMaxRadialSpeed)."""


@pytest.mark.parametrize("release", ["V5.0", "V8.3.1", "R2021b", "R2025a"])
def test_what_replaces_a_bad_value_is_good(release: str) -> None:
    source = SourceFile("test.wbt", "", Version.parse(release))
    nodes = schema(source.version)
    for spec in filter(None, map(nodes.node, nodes.names())):
        for field in spec.fields.values():
            node = Node(spec, source, 0)
            for value in every_value(field):
                node.fields[field.name] = Field(field, value, source, 0)
                new = replacement(node, field, value)
                problem = fault(field, range_of(node, field), new, node.get)
                kept = field.name in KEPT and new is value
                assert problem is None or kept, (spec.name, field.name, value, new)


@pytest.mark.parametrize("header", [OLD, HEADER])
def test_scales_of_solids_are_uniform(header: str) -> None:
    """Manual, chapter Transform: x y z of a Solid or of its derived nodes becomes x x x."""
    text = "Solid { scale 2 1 3 }\nTransform { scale 2 1 3 }\nRobot { scale 0.5 1 1 }\nSolid { scale 3 3 3 }"
    loaded = world(text, header)
    reset_invalid(loaded)
    scales = [node.get("scale") for node in loaded.nodes]
    assert scales == [(2.0, 2.0, 2.0), (2.0, 1.0, 3.0), (0.5, 0.5, 0.5), (3.0, 3.0, 3.0)]


def test_a_changed_coordinate_is_that_of_all() -> None:
    """Manual, chapter Solid: when a coordinate is changed, the two others get the new value."""
    node = world("Solid { scale 2 2 2 }", OLD).nodes[0]
    spec = node.spec.fields["scale"]
    assert replacement(node, spec, (2.0, 5.0, 2.0)) == (5.0, 5.0, 5.0)
    assert replacement(node, spec, (4.0, 4.0, 4.0)) == (4.0, 4.0, 4.0)


def test_old_scales_must_be_positive() -> None:
    loaded = world("Transform { scale 0 -2 3 }\nSolid { scale 2 0 3 }", OLD)
    assert reset_invalid(loaded) == 2
    assert [node.get("scale") for node in loaded.nodes] == [(1.0, 1.0, 3.0), (2.0, 2.0, 2.0)]


def test_good_values_stay() -> None:
    text = (
        "Solid { rotation 0 3 0 1 boundingObject Box { size 1 2 3 } physics Physics { density -1 mass 2 } }"
    )
    loaded = world(text)
    before = found(loaded, "Box").get("size")
    assert reset_invalid(loaded) == 0
    assert found(loaded, "Box").get("size") is before


def test_the_number_of_replacements_is_told_and_the_second_pass_finds_none() -> None:
    loaded = world("Shape { geometry Sphere { radius -1 subdivision -1 } }\nFog { visibilityRange -3 }")
    assert reset_invalid(loaded) == 3
    assert reset_invalid(loaded) == 0


def test_vector_gravity_of_old_files_stays() -> None:
    loaded = world("WorldInfo { gravity 0 -9.81 0 }", HEADER)
    assert reset_invalid(loaded) == 0
    assert loaded.nodes[0].get("gravity") == (0.0, -9.81, 0.0)


def test_a_bound_parameter_changes_with_its_field(tmp_path: Path) -> None:
    protos = {"Ball": "PROTO Ball [ field SFFloat size 1 ] { Shape { geometry Sphere { radius IS size } } }"}
    loaded = load_world(project(tmp_path, protos, "Ball { size -2 }"))
    assert reset_invalid(loaded) == 1
    assert loaded.nodes[0].get("size") == 1.0


def ends_at_pi() -> list[tuple[str, str, str, float, int]]:
    """Release, type, field, end and outward direction of all ranges that end at a multiple of pi/2."""
    rows = {}
    for release in ("V5.0", "V8.3.1", "R2021b", "R2025a"):
        nodes = schema(Version.parse(release))
        for spec in filter(None, map(nodes.node, nodes.names())):
            for field in spec.fields.values():
                for choice in field.range.choices if field.range is not None else ():
                    ends = ((choice.low, -1), (choice.high, 1)) if isinstance(choice, Interval) else ()
                    for end, outward in ends:
                        if isinstance(end, float) and end and (end / (math.pi / 2)).is_integer():
                            rows[spec.name, field.name, end] = (release, spec.name, field.name, end, outward)
    return list(rows.values())


@pytest.mark.parametrize(("release", "type_name", "name", "end", "outward"), ends_at_pi())
def test_an_angle_just_beyond_a_multiple_of_pi_is_that_multiple(
    release: str, type_name: str, name: str, end: float, outward: int
) -> None:
    """Written with few digits, a full turn is 6.2832 or 6.2833."""
    source = SourceFile("test.wbt", "", Version.parse(release))
    spec = schema(source.version).node(type_name)
    assert spec is not None
    node, field = Node(spec, source, 0), spec.fields[name]
    if "projection" in spec.fields:  # a planar picture cannot have a full turn
        node.fields["projection"] = Field(spec.fields["projection"], "cylindrical", source)
    for beyond in (1e-9, 1.5e-5, 9.9e-5):
        value = end + outward * beyond
        assert fault(field, range_of(node, field), value, node.get) is None
        assert replacement(node, field, value) == end
    far = end + outward * 1.1e-4
    assert fault(field, range_of(node, field), far, node.get) == "range"
    inside = end - outward * 1e-5
    assert replacement(node, field, inside) == inside


def test_there_are_many_such_fields() -> None:
    named = {f"{row[1]}.{row[2]}" for row in ends_at_pi()}
    known = "Lidar.fieldOfView Lidar.tiltAngle Camera.fieldOfView Radar.verticalFieldOfView Emitter.aperture"
    known += " DistanceSensor.aperture SpotLight.cutOffAngle Viewpoint.fieldOfView Connector.axisTolerance"
    assert named >= set(known.split())
