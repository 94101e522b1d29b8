"""Worlds and PROTOs that users reported as broken: each loads, or the finding says what is wrong.

The names and comments name public reports (owner/repository#number).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scene.helpers import messages, project, world
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.simulation import Simulation


def last(folder: Path, protos: dict[str, str], body: str, found: int = 0) -> Node:
    """The last node of a project's world, which has this number of findings."""
    loaded = load_world(project(folder, protos, body))
    assert len(messages(loaded)) == found, messages(loaded)
    return loaded.nodes[-1]


@pytest.mark.parametrize(
    "fields",
    ["translation IS translation translation 0 0 0.015", "translation 0 0 0.015 translation IS translation"],
)
def test_webots_6467_a_value_does_not_replace_a_parameter(tmp_path: Path, fields: str):
    """cyberbotics/webots#6467: Crazyflie.proto of R2022b; a robot at -5 -2 stands there."""
    proto = f"PROTO Drone [ field SFVec3f translation 0 0 0.015 ] {{ Robot {{ {fields} }} }}"
    drone = last(tmp_path, {"Drone": proto}, "Drone { translation -5 -2 0.5 }", found=1)
    assert drone.root.get("translation") == (-5, -2, 0.5)


def test_webots_6467_nodes_do_not_replace_a_parameter(tmp_path: Path):
    """Kin of cyberbotics/webots#6467: lists and single nodes."""
    proto = (
        "PROTO P [ field MFNode slot [ ] field SFNode shape NULL ] { Solid { children IS slot "
        "children [ Pose { } Pose { } ] boundingObject IS shape boundingObject Box { } } }"
    )
    solid = last(tmp_path, {"P": proto}, "P { slot Group { } shape Sphere { } }", found=2).root
    assert [one.type for one in solid.get("children")] == ["Group"]
    assert solid.get("boundingObject").type == "Sphere"


def test_webots_1231_a_def_in_a_default_can_be_used(tmp_path: Path):
    """cyberbotics/webots#1231: DEF in the default of a parameter, USE behind the instance."""
    proto = (
        "PROTO P [ field SFNode geometry DEF BODY Cylinder { radius 3 } ] { Solid { "
        "boundingObject IS geometry physics Physics { } } }"
    )
    robot = last(tmp_path, {"P": proto}, "Robot { children [ P { } ] boundingObject USE BODY }")
    assert robot.get("boundingObject").get("radius") == 3


SUM = """# template language: javascript
# tags: indirectFieldAccess
PROTO P [ field SFFloat a 1 field SFFloat b 5 field MFFloat unused [ 1 2 ] ] {
  %<
    function sum(all) { return all.a.value + all.b.value + all.unused.value.length; }
    const copy = fields;
  >%
  Solid { radarCrossSection %<= sum(fields) >% recognitionColors [ %<= Object.keys(copy).length >% 0 0 ] }
}
"""


def test_webots_6566_fields_can_be_handed_to_functions(tmp_path: Path):
    """cyberbotics/webots#6566: with the tag of its answer, a function that gets `fields` sees all of
    them.
    """
    solid = last(tmp_path, {"P": SUM}, "P { b 7 }").root
    assert solid.get("radarCrossSection") == 10


def test_webots_6630_a_list_may_have_the_name_of_a_field_of_the_base(tmp_path: Path):
    """cyberbotics/webots#6630: children IS children inside of another `children` field, without
    recursion.
    """
    protos = {
        "SolidProto": "PROTO SolidProto [ field MFNode children [ ] ] { Solid { children IS children } }",
        "Container": (
            'EXTERNPROTO "SolidProto.proto"\nPROTO Container [ field MFNode children [ ] ] { '
            "SolidProto { children [ Group { children IS children } ] } }"
        ),
    }
    solid = last(tmp_path, protos, "Container { children [ Pose { translation 1 0 0 } ] }").root
    (group,) = solid.get("children")
    assert [one.get("translation") for one in group.get("children")] == [(1, 0, 0)]


GEOMETRIES = [
    "IndexedLineSet { }",
    "IndexedLineSet { coord Coordinate { point [ 0 0 0 ] } }",
    "IndexedLineSet { coord Coordinate { } coordIndex [ 0 1 -1 ] }",
    "PointSet { }",
    "PointSet { coord Coordinate { } color Color { color [ 1 0 0 ] } }",
    "IndexedFaceSet { }",
    (
        "IndexedFaceSet { coord Coordinate { point [ 0 0 0 1 0 0 0 1 0 ] } coordIndex [ 0 1 2 -1 "
        "] normal Normal { vector [ 0 0 1 0 0 1 0 0 1 ] } }"
    ),
    (
        "IndexedFaceSet { coord Coordinate { point [ 0 0 0 1 0 0 0 1 0 ] } coordIndex [ 0 1 2 -1 "
        "] normal Normal { vector [ 0 0 1 0 0 1 ] } normalIndex [ 0 1 0 1 0 1 1 ] }"
    ),
    "IndexedFaceSet { coord Coordinate { point [ 0 0 0 1 0 0 0 1 0 ] } coordIndex [ 0 1 7 -1 -1 2 ] }",
    "ElevationGrid { xDimension 3 yDimension 2 height [ 0 ] }",
    "Mesh { }",
]


@pytest.mark.parametrize("geometry", GEOMETRIES)
def test_webots_6338_incomplete_geometries_do_no_harm(geometry: str):
    """cyberbotics/webots#6338, #1443, #2181, #354, #1789, #1837: loaded, seen by a camera, and run."""
    loaded = world(
        "WorldInfo { } Viewpoint { } "
        f"Solid {{ translation 2 0 0 children [ Shape {{ geometry {geometry} }} ] }} "
        'Robot { name "r" controller "<none>" children [ Camera { name "c" width 8 height 8 } ] }'
    )
    assert [str(one) for one in loaded.report.errors] == []
    Simulation(loaded).step(2)


def test_webots_4126_a_group_in_a_track_of_an_old_proto(tmp_path: Path):
    """cyberbotics/webots#4126: R2021b PROTO in a world of today, with a Group whose DEF is its bounding
    object.
    """
    proto = (
        "PROTO Belt [ ] { Track { children [ DEF G Group { children [ Shape { geometry Box { size "
        "1 0.1 0.3 } } ] } ] boundingObject USE G } }"
    )
    path = project(
        tmp_path,
        {"Belt": proto},
        'WorldInfo { } Viewpoint { } Robot { name "r" controller "<none>" children [ Belt { } ] }',
    )
    file = tmp_path / "protos" / "Belt.proto"
    file.write_text(file.read_text().replace("R2023b", "R2021b"))
    loaded = load_world(path)
    assert [str(one) for one in loaded.report.errors] == []
    simulation = Simulation(loaded)
    simulation.step(2)
    assert simulation.findings == []


def test_webots_5496_a_node_in_the_place_of_a_field_is_one_error_and_the_rest_is_there():
    """cyberbotics/webots#5496: Solid { Shape { } }."""
    loaded = world("WorldInfo {\n}\nSolid {\n  Shape {\n\n  }\n}\nGroup { }\n")
    assert len(loaded.report.errors) == 1
    assert loaded.report.errors[0].line in (5, 6)
    assert [one.type for one in loaded.nodes][:2] == ["WorldInfo", "Solid"]
    assert loaded.nodes[-1].type == "Group"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('Robot {\n  supervisor "true"\n}', 3),
        ('PointLight {\n  attenuation "foo"\n}', 3),
        ("Group {\n  children [\n    Foo { }\n  ]\n}", 4),
        ("Shape {\n  appearance DEF  PBRAppearance {\n  }\n}", 3),
    ],
)
def test_webots_2671_a_mistake_is_told_with_its_line(text: str, line: int):
    """cyberbotics/webots#2671, cyberbotics/blender-webots-exporter#5: each has its message and its
    place.
    """
    loaded = world(text)
    assert [one.line for one in loaded.report if one.severity in ("error", "warning")][:1] == [line]
