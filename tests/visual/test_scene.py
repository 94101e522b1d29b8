"""The visible world: which shapes are in it, where they are, and when it is made anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.physics.worlds import NEW, OLD
from wbridge.wbcore.physics.pose import IDENTITY, Vec3
from wbridge.wbcore.scene.load import World, load_text
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.simulation import Simulation
from wbridge.wbcore.visual.forms import Form, form_of

BALL = "Shape { geometry Sphere { radius 0.5 } }"


def simulation(text: str, header: str = NEW, path: str = "test.wbt") -> Simulation:
    world = load_text(header + "WorldInfo { gravity 0 }\n" + text, path)
    assert world.report.errors == []
    return Simulation(world)


def distance(s: Simulation, y: float = 0.0) -> float:
    """How far from the yz plane a ray along x meets something, at y; 100 without anything."""
    rays = s.visual.rays(None, IDENTITY._replace(position=(0, y, 0)), [(1.0, 0.0, 0.0)], 100)
    s.visual.refresh()
    rays.cast()
    return float(rays.distances[0])


def test_shapes_at_the_top_in_groups_and_in_frames():
    s = simulation(
        f"Pose {{ translation 2 0 0 children [ {BALL} ] }}"
        f"Group {{ children [ Transform {{ translation 3 5 0 scale 2 2 2 children [ {BALL} ] }} ] }}"
    )
    assert distance(s) == pytest.approx(1.5)
    assert distance(s, 5) == pytest.approx(2)


@pytest.mark.parametrize(
    ("geometry", "radius"),
    [
        ("Sphere { radius 0.5 }", 0.4),
        ("Capsule { radius 0.5 height 1 }", 0.5),
        ("Capsule { radius 0.5 height 1 bottom FALSE }", 0.5),
        ("Cylinder { radius 0.5 height 2 }", 0.5),
        ("Cone { bottomRadius 0.5 height 2 }", 0.5 * 0.35),
    ],
)
def test_rays_meet_shapes_that_are_stretched_along_each_axis(geometry: str, radius: float):
    """The ray passes at a height of 0.3 of the shape before it is stretched, at 0.6 of its radius there."""
    frame = f"Transform {{ translation 9 0 0 scale 3 0.5 2 children [ Shape {{ geometry {geometry} }} ] }}"
    s = simulation(frame)
    rays = s.visual.rays(
        None, IDENTITY._replace(position=(0, 0.6 * 0.5 * radius, 0.6)), [(1.0, 0.0, 0.0)], 100
    )
    s.visual.refresh()
    rays.cast()
    assert float(rays.distances[0]) == pytest.approx(9 - 3 * 0.8 * radius, abs=2e-3)


def test_a_shape_that_is_used_again_stands_at_each_place():
    s = simulation(
        f"Pose {{ translation 2 0 0 children [ DEF S {BALL} ] }}"
        "Pose { translation 4 5 0 children [ USE S ] }"
        "DEF G Group { children [ Pose { translation 0 -5 0 children [ USE S ] } ] }"
        "Pose { translation 6 -5 0 children [ USE G ] }"
    )
    assert distance(s) == pytest.approx(1.5)
    assert distance(s, 5) == pytest.approx(3.5)
    assert distance(s, -10) == pytest.approx(5.5)


def test_shapes_below_joints_move_with_them():
    s = simulation(
        'Robot { name "r" children [ SliderJoint { jointParameters JointParameters { axis 1 0 0 } '
        'device LinearMotor { name "m" maxVelocity 10 } '
        f'endPoint DEF END Solid {{ translation 2 0 0 name "e" children [ {BALL} ] '
        "boundingObject Box { } physics Physics { density -1 mass 0.1 } } } ] }"
    )
    assert distance(s) == pytest.approx(1.5)
    motor = s.robots.list[0].devices[0]
    motor.on_set_position(1.0)
    s.run(2)
    assert distance(s) == pytest.approx(2.5, abs=1e-3)


def test_bounding_objects_are_not_seen():
    s = simulation('Solid { name "s" translation 2 0 0 boundingObject Sphere { radius 0.5 } }')
    assert distance(s) == 100


def test_models_are_seen_as_their_bodies_are(tmp_path: Path):
    (tmp_path / "Thing.proto").write_text(
        f"{NEW}PROTO Thing [ field SFVec3f translation 0 0 0 field SFFloat radius 0.5 ] "
        '{ Solid { translation IS translation name "t" children [ '
        "Shape { geometry Sphere { radius IS radius } } ] } }"
    )
    text = 'EXTERNPROTO "Thing.proto"\nWorldInfo { }\nDEF T Thing { translation 2 0 0 }'
    s = Simulation(load_text(NEW + text, str(tmp_path / "test.wbt")))
    assert distance(s) == pytest.approx(1.5)
    s.set_field(s.node("T").node, "radius", 0.25)
    s.visual.refresh()
    assert distance(s) == pytest.approx(1.75)
    s.set_field(s.node("T").node, "translation", (3.0, 0.0, 0.0))
    s.visual.refresh()
    assert distance(s) == pytest.approx(2.75)


def test_old_worlds_scale_solids():
    s = simulation(
        f'Solid {{ name "s" translation 4 0 0 scale 2 2 2 children [ {BALL} ] }}'.replace("gravity 0", ""),
        OLD,
    )
    assert distance(s) == pytest.approx(3)


def test_a_shape_that_cannot_be_used_is_told_and_left_out(caplog: pytest.LogCaptureFixture):
    s = simulation(
        'Shape { geometry Mesh { url "none.stl" } } Shape { geometry IndexedFaceSet { } } Shape { }'
        f"Pose {{ translation 2 0 0 children [ {BALL} ] }}"
    )
    assert distance(s) == pytest.approx(1.5)
    assert "mesh file 'none.stl' not found" in caplog.text
    assert "there are no faces" in caplog.text


def test_mesh_files_are_seen(tmp_path: Path):
    (tmp_path / "wall.obj").write_text("v 2 -1 -1\nv 2 -1 1\nv 2 1 1\nv 2 1 -1\nf 1 2 3 4\n")
    for ccw, expected in (("TRUE", 2), ("FALSE", 100)):
        s = simulation(
            f'Shape {{ geometry Mesh {{ url "wall.obj" ccw {ccw} }} }}', path=str(tmp_path / "test.wbt")
        )
        assert distance(s, 0.1) == pytest.approx(expected)


def counted_forms(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The types of the geometries that are converted from now on."""
    made: list[str] = []

    def count(world: World, geometry: Node, scale: Vec3) -> Form | None:
        made.append(geometry.type)
        return form_of(world, geometry, scale)

    monkeypatch.setattr("wbridge.wbcore.visual.scene.form_of", count)
    return made


def test_moved_solids_keep_their_forms_and_changed_ones_do_not(monkeypatch: pytest.MonkeyPatch):
    s = simulation(
        f'DEF S Solid {{ name "s" translation 2 0 0 children [ {BALL} ] }}'
        "Pose { translation 0 9 0 children [ Shape { geometry Box { } } ] }"
    )
    assert distance(s) == pytest.approx(1.5)
    made = counted_forms(monkeypatch)
    s.set_field(s.node("S").node, "translation", (4.0, 0.0, 0.0))
    s.visual.refresh()
    assert distance(s) == pytest.approx(3.5)
    assert made == []
    shape = s.node("S").node.get("children")[0]
    s.set_field(shape.get("geometry"), "radius", 1.0)
    s.visual.refresh()
    assert distance(s) == pytest.approx(3)
    assert made == ["Sphere"]


def test_colors_change_without_a_new_scene(monkeypatch: pytest.MonkeyPatch):
    s = simulation(
        "Pose { translation 2 0 0 children [ Shape { appearance DEF A PBRAppearance { baseColor 1 0 0 } "
        "geometry Sphere { radius 0.5 } } ] }"
    )
    rays = s.visual.rays(None, IDENTITY, [(1.0, 0.0, 0.0)], 100)
    made = counted_forms(monkeypatch)
    appearance = s.node("A").node
    for name, value in (("emissiveColor", (1.0, 1.0, 1.0)), ("baseColor", (0.0, 1.0, 0.0))):
        s.set_field(appearance, name, value)
    s.visual.refresh()
    rays.cast()
    assert rays.look(0) == ((0.0, 1.0, 0.0), 0.0, 0.0)
    assert rays.distances[0] == pytest.approx(1.5)
    assert made == []


def test_an_elevation_grid_has_its_heights():
    grid = "ElevationGrid { xDimension 2 yDimension 2 xSpacing 4 ySpacing 4 height [ 1 3 1 3 ] }"
    s = simulation(
        "Pose { translation 5 -2 -2 rotation 0 1 0 -1.5707963267948966 "
        f"children [ Shape {{ geometry {grid} }} ] }}"
    )
    # Turned, its heights point along -x, and its x axis along z: halfway up they are 2.
    assert distance(s) == pytest.approx(3)


def test_propellers_are_seen_at_rest():
    s = simulation(
        f'Robot {{ controller "<none>" children [ Propeller {{ slowHelix Solid {{ translation 3 0 0 '
        f'children [ {BALL} ] }} fastHelix Solid {{ name "fast" translation 2 0 0 children [ {BALL} ] }} '
        "device RotationalMotor { } } ] }"
    )
    assert distance(s) == pytest.approx(2.5)
