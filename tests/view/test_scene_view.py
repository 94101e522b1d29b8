"""Scenes as data for viewers."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.devices.rig import NEW
from wbridge.wbcore.physics.pose import Pose
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.simulation import Simulation
from wbridge.wbcore.view.scene_view import SceneView
from wbridge.wbcore.visual.shapes import shapes_of

BALL = (
    'DEF BALL Solid { name "ball" translation 0 0 10 children [ Shape { appearance '
    "DEF PAINT PBRAppearance { baseColor 1 0 0 metalness 0 } geometry Sphere { radius 0.1 } } ] "
    "boundingObject Sphere { radius 0.1 } physics Physics { } }\n"
)
POST = 'DEF POST Solid { name "post" translation 1 0 0 children [ Shape { geometry Box { } } ] }\n'


def simulation(text: str, path: str = "test.wbt") -> Simulation:
    world = load_text(f"{NEW}WorldInfo {{ basicTimeStep 16 }} Viewpoint {{ }} {text}", path)
    assert world.report.errors == []
    return Simulation(world)


def test_shapes_lie_in_their_bodies():
    of = simulation(BALL + POST)
    view = SceneView(of)
    ball, post = view.describe()["shapes"]
    assert ball["place"] == [0, 0, 0, 1, 0, 0, 0, 0.1, 0.1, 0.1]
    assert ball["body"] in view.moving()
    positions, turns = view.poses()
    row = list(view.moving()).index(ball["body"])
    assert positions[row].tolist() == [0, 0, 10]
    assert turns[row].tolist() == [1, 0, 0, 0]
    assert ball["node"] == of.nodes.number(of.node("BALL").node)
    assert post["mesh"] != ball["mesh"]


def test_a_mesh_file():
    view = SceneView(simulation(POST))
    (post,) = view.describe()["shapes"]
    data = view.files()[post["mesh"]]
    (count,) = struct.unpack_from("<I", data)
    vertices = np.frombuffer(data, "<f4", 8 * count, 4).reshape(-1, 8)
    indices = np.frombuffer(data, "<u4", offset=4 + 32 * count)
    assert abs(vertices[:, :3]).max() == 0.5, "a box of unit size; its scale is in its place"
    assert np.linalg.norm(vertices[:, 3:6], axis=1) == pytest.approx(1)
    assert (len(indices), indices.max()) == (36, count - 1)


def test_files_are_given_once():
    view = SceneView(simulation(POST + BALL))
    assert view.files()
    assert view.files() == {}


def test_equal_meshes_are_one_file():
    view = SceneView(simulation(POST + POST.replace("POST", "B").replace("post", "b")))
    assert len({one["mesh"] for one in view.describe()["shapes"]}) == 1


def test_motion_is_no_message():
    of = simulation(BALL + POST)
    view = SceneView(of)
    for _ in range(5):
        of.step()
        assert view.changes() == {}
    assert view.poses()[0][:, 2].min() < 10


def test_colors_are_messages():
    of = simulation(BALL + POST)
    view = SceneView(of)
    surface = view.describe()["shapes"][0]["surface"]
    of.set_field(of.node("PAINT").node, "baseColor", (0.0, 1.0, 0.0))
    (key,) = changed = view.changes()
    assert key == f"surface {surface}"
    assert changed[key]["record"][:4] == [0, 1, 0, 1]
    assert view.changes() == {}
    of.set_field(of.node("PAINT").node, "baseColor", (0.0, 1.0, 0.0))
    assert view.changes() == {}, "the same color"


def test_what_a_supervisor_moves_is_a_place_or_a_pose():
    of = simulation("DEF FRAME Pose { children [ Shape { geometry Box { } } ] }")
    view = SceneView(of)
    of.set_field(of.node("FRAME").node, "translation", (1.0, 2.0, 3.0))
    changed = view.changes()
    assert list(changed) == ["place 0"]
    assert changed["place 0"][:3] == [1, 2, 3]


def test_added_nodes_are_another_scene():
    of = simulation(BALL)
    view = SceneView(of)
    view.files()
    (cone,) = load_text(f"{NEW}Solid {{ children [ Shape {{ geometry Cone {{ }} }} ] }}", "").nodes
    of.edits.insert(None, "", -1, cone)
    changed = view.changes()
    assert list(changed) == ["scene"]
    scene = json.loads(view.files()[changed["scene"]])
    assert len(scene["shapes"]) == 2
    assert view.changes() == {}


def test_textures_are_files(tmp_path: Path):
    Image.new("RGB", (2, 2), (255, 0, 0)).save(tmp_path / "wood.png")
    paint = 'PBRAppearance { baseColorMap ImageTexture { url "wood.png" repeatS FALSE } }'
    of = simulation(f"Shape {{ appearance {paint} geometry Box {{ }} }}", str(tmp_path / "test.wbt"))
    view = SceneView(of)
    (surface,) = view.describe()["surfaces"]
    (texture,) = surface["textures"]
    assert (texture["repeat"], texture["is_color"]) == ([False, True], True)
    assert view.files()[texture["file"]] == (tmp_path / "wood.png").read_bytes()


def test_lights_that_move_are_messages():
    lamp = BALL.replace("children [", "children [ PointLight { location 0 0 1 }")
    of = simulation(lamp)
    view = SceneView(of)
    (light,) = view.describe()["lights"]["lights"]
    assert light["record"][4:7] == [0, 0, 11]
    of.step(10)
    height = view.changes()["lights"]["lights"][0]["record"][6]
    assert height == pytest.approx(1 + view.poses()[0][0, 2], abs=1e-4)


def test_the_description_is_json():
    for name in ("epuck_arena", "star_painter", "car"):
        view = SceneView(Simulation(f"worlds/{name}.wbt"))
        json.dumps(view.describe(), allow_nan=False)
        assert {one["mesh"] for one in view.describe()["shapes"]} <= view.files().keys()


def test_a_muscle_stretches_and_changes_its_color():
    """Judge: manual, chapter Muscle: from the origin of the robot to the end point, of constant volume."""
    of = simulation(
        "Robot { children [ HingeJoint { jointParameters HingeJointParameters { axis 1 0 0 anchor 0 0 0.5 }\n"
        'device RotationalMotor { name "m" muscles [ Muscle { volume 0.01 color [ 1 0 0, 0 1 0 ] } ] }\n'
        "endPoint DEF END Solid { translation 0 0 1 } } ] }"
    )
    view = SceneView(of)
    (shape,) = view.describe()["shapes"]
    assert shape["place"] == pytest.approx([0, 0, 0.5, 1, 0, 0, 0, 0.0488603, 0.0488603, 0.5], abs=1e-6)
    view.changes()
    assert view.changes() == {}
    of.robots.list[0].devices[0].on_set_position(1.0)
    for _ in range(10):
        of.step()
    x, y, z = of.physics.pose(of.node("END").node).position
    changed = view.changes()
    assert changed["place 0"][:3] == pytest.approx([x / 2, y / 2, z / 2], abs=1e-6)
    length = np.hypot(y, z)
    assert changed["place 0"][9] == pytest.approx(length / 2, abs=1e-6)
    assert changed["place 0"][8] == pytest.approx(np.sqrt(3 * 0.01 / (4 * np.pi * length)), abs=1e-6)
    red, green = changed["surface 0"]["record"][:2]
    assert 0 < green < 1
    assert 0 < red < 1


def test_wheels_and_pieces_of_a_belt_are_objects_with_poses():
    """Judge: the places of the same shapes in pictures."""
    ball = "Shape { geometry Sphere { } }"
    wheel = f"radius 0.1 children [ {ball} ]"
    of = simulation(
        "Robot { translation 1 2 3 rotation 0 0 1 1 boundingObject Box { } physics Physics { } children [\n"
        "DEF BELT Track { translation 0 0 0.5 scale 0.5 0.5 0.5 boundingObject Box { } physics Physics { }\n"
        'device LinearMotor { name "m" } geometriesCount 3\n'
        f"children [ TrackWheel {{ position -1 0.1 {wheel} }} TrackWheel {{ position 1 0.1 {wheel} }} ]\n"
        f"animatedGeometry Group {{ children [ {ball}\n"
        f"Pose {{ translation 0 0 0.2 children [ {ball} ] }} ] }}\n"
        "} ] }"
    )
    view = SceneView(of)
    of.physics.handles.tracks[of.node("BELT").node].position = 0.3
    shapes = view.describe()["shapes"]
    rows = {number: row for row, number in enumerate(view.moving())}
    assert len(shapes) == 2 + 3 * 2
    assert len({one["body"] for one in shapes}) == 2 + 3, "both shapes of a piece ride on one object"
    positions, turns = view.poses()
    assert len(positions) == len(turns) == len(rows)
    for one, drawn in zip(shapes, shapes_of(of.physics), strict=True):
        row = rows[one["body"]]
        (w, x, y, z), at = turns[row], one["place"][:3]
        carried = Pose(tuple(positions[row]), (w, x, y, z)).point(tuple(at))
        assert drawn.body is not None
        body = Pose(drawn.body.position, drawn.body.orientation)
        assert carried == pytest.approx(body.point(drawn.place.position), abs=1e-9)
    assert view.changes() == {}, "a running belt changes nothing but poses"
