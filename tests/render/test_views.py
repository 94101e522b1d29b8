"""Where things appear: projections, axes, sizes, visibility."""

from __future__ import annotations

from math import atan2, cos, hypot, pi, tan

import numpy as np
import pytest

GLOW = "appearance Appearance { material Material { diffuseColor 0 0 0 emissiveColor %s } }"
SIZE = (161, 121)


def ball(place: tuple[float, float, float], radius: float = 0.05, color: str = "1 1 1") -> str:
    x, y, z = place
    shape = f"Shape {{ {GLOW % color} geometry Sphere {{ radius {radius} }} }}"
    return f"Solid {{ translation {x} {y} {z} children [ {shape} ] }}"


def center(picture: np.ndarray, channel: int = 1) -> tuple[float, float]:
    """Column and row of the middle of what is bright."""
    rows, columns = np.nonzero(picture[:, :, channel] > 100)
    assert len(rows), "nothing is seen"
    return (columns.min() + columns.max()) / 2, (rows.min() + rows.max()) / 2


@pytest.mark.parametrize("place", [(4, 0, 0), (4, 1, 0), (4, -1.2, 0.6), (4, 0.5, -1)])
@pytest.mark.parametrize("angle", [0.8, 1.4])
def test_planar_pictures_have_square_pixels(studio, place, angle):
    x, y, z = place
    pixels = SIZE[0] / 2 / tan(angle / 2)
    wanted = (80 - pixels * y / x, 60 - pixels * z / x)
    picture = studio.picture(ball(place), f"fieldOfView {angle}", size=SIZE)
    assert center(picture) == pytest.approx(wanted, abs=0.75)


@pytest.mark.parametrize("place", [(4, 0, 0), (0, 4, 0.5), (-4, 0.5, 0), (1, -3, -0.6), (-3, -3, 0.8)])
def test_cylindrical_pictures_are_linear_in_azimuth_and_elevation(studio, place):
    x, y, z = place
    per_radian = SIZE[0] / (2 * pi)
    wanted = (80 - per_radian * atan2(y, x), 60 - per_radian * atan2(z, hypot(x, y)))
    camera = f'fieldOfView {2 * pi} projection "cylindrical"'
    picture = studio.picture(ball(place, 0.15), camera, size=SIZE)
    assert center(picture) == pytest.approx(wanted, abs=1)


def test_the_field_spherical_of_older_releases_means_cylindrical(studio):
    camera = f"fieldOfView {2 * pi} spherical TRUE"
    picture = studio.picture(ball((-4, 0, 0), 0.2), camera, size=SIZE, release="V8.3.1")
    assert center(picture)[0] == pytest.approx(80 - SIZE[0] / 4, abs=1)


@pytest.mark.parametrize("place", [(4, 0, 0), (2, 1, 0), (1, -2, 1), (0.1, 0, 3), (-1, 3, 0)])
def test_spherical_pictures_are_linear_in_the_angle_from_the_center(studio, place):
    x, y, z = place
    angle, angle_of_view = atan2(hypot(y, z), x), 4.5
    share = angle / angle_of_view
    direction = (-y / (hypot(y, z) or 1), -z / (hypot(y, z) or 1))
    wanted = [60 + 121 * share * one for one in direction]
    camera = f'fieldOfView {angle_of_view} projection "spherical"'
    picture = studio.picture(ball(place, 0.12), camera, size=(121, 121))
    assert center(picture) == pytest.approx(wanted, abs=1)


@pytest.mark.parametrize("projection", ["cylindrical", "spherical"])
def test_pictures_of_several_faces_have_no_seams(studio, projection):
    """A sphere around the camera, seen from inside by its back: an even color without a line."""
    walls = "".join(
        f"Solid {{ translation {x} {y} {z} children [ Shape {{ {GLOW % '0.3 0.5 0.7'} "
        f"geometry Box {{ size {s} }} }} ] }}"
        for x, y, z, s in [
            (3, 0, 0, "0.1 9 9"), (-3, 0, 0, "0.1 9 9"), (0, 3, 0, "9 0.1 9"),
            (0, -3, 0, "9 0.1 9"), (0, 0, 3, "9 9 0.1"), (0, 0, -3, "9 9 0.1"),
        ]
    )  # fmt: skip
    picture = studio.picture(walls, f'fieldOfView 6.28 projection "{projection}"', size=(120, 60))
    assert (picture == picture[0, 0]).all()


@pytest.mark.parametrize(("near", "is_seen"), [(0.5, True), (1.5, False)])
def test_what_is_nearer_than_near_is_not_seen(studio, near, is_seen):
    assert studio.picture(ball((1, 0, 0)), f"near {near}").any() == is_seen


@pytest.mark.parametrize(("far", "is_seen"), [(0, True), (30, False), (50, True)])
def test_what_is_farther_than_far_is_not_seen(studio, far, is_seen):
    assert studio.picture(ball((40, 0, 0), 4), f"far {far}").any() == is_seen


def test_cameras_before_r2022a_look_along_minus_z_with_y_up(studio):
    picture = studio.picture(ball((0.8, 0.4, -4)), "fieldOfView 1", size=SIZE, release="V8.3.1")
    pixels = SIZE[0] / 2 / tan(0.5)
    assert center(picture) == pytest.approx((80 + pixels * 0.2, 60 - pixels * 0.1), abs=0.75)


def test_the_camera_follows_its_robot(studio):
    studio.load(ball((0, 5, 0)) + ball((5, 0, 0), color="1 0 0"), "fieldOfView 0.5")
    assert studio.take()[16, 16].tolist() == pytest.approx([207, 0, 0], abs=1)
    studio.simulation.set_field(studio.robot.node, "rotation", (0.0, 0.0, 1.0, pi / 2))
    assert studio.take()[16, 16, 1] == pytest.approx(207, abs=1)


def test_bodies_are_seen_where_they_fall(studio):
    falling = ball((4, 0, 0)).replace(
        "children", "physics Physics { } boundingObject Sphere { radius 0.05 } children"
    )
    studio.load(falling, "fieldOfView 1", size=SIZE)
    studio.simulation.step(20)
    fallen = 9.81 * 0.016**2 * 20 * 21 / 2
    assert center(studio.take())[1] == pytest.approx(60 + SIZE[0] / 2 / tan(0.5) * fallen / 4, abs=0.75)


def test_nearer_things_hide_farther_ones(studio):
    picture = studio.picture(ball((4, 0, 0), 0.3, "0 1 0") + ball((2, 0, 0), 0.1, "1 0 0"))
    assert picture[16, 16, 0] > 200
    assert picture[16, 16, 1] == 0


def test_anti_aliasing_mixes_edges_only(studio):
    box = (
        "Solid { translation 2 0 0 rotation 1 0 0 0.3 children "
        f"[ Shape {{ {GLOW % '1 1 1'} geometry Box {{ size 0.1 1 1 }} }} ] }}"
    )
    hard, soft = (studio.picture(box, f"antiAliasing {one}", size=(65, 65)) for one in ("FALSE", "TRUE"))
    assert set(np.unique(hard)) == {0, 207}
    assert len(np.unique(soft)) > 3
    assert (hard == soft).mean() > 0.9


@pytest.mark.parametrize(
    ("geometry", "edges"),
    [
        ("Box { size 1 2 0.5 }", (1.0, 0.25)),
        ("Sphere { radius 0.6 }", (0.6, 0.6)),
        ("Cylinder { radius 0.4 height 1.2 }", (0.4, 0.6)),
        ("Cone { bottomRadius 0.5 height 1 }", (0.5, 0.5)),
        ("Capsule { radius 0.3 height 0.8 }", (0.3, 0.7)),
        ((
            "IndexedFaceSet { coord Coordinate { point [ 0 -1 -1 0 1 -1 0 1 1 0 -1 1 ] } "
            "coordIndex [ 0 3 2 1 ] }"
        ), (1, 1)),
    ],
)  # fmt: skip
def test_geometries_have_their_sizes(studio, geometry, edges):
    """Seen from 50 m with a narrow view, so that perspective does not matter."""
    shape = f"Solid {{ translation 50 0 0 children [ Shape {{ {GLOW % '1 1 1'} geometry {geometry} }} ] }}"
    picture = studio.picture(shape, "fieldOfView 0.06", size=(301, 301))
    rows, columns = np.nonzero(picture[:, :, 0])
    pixels = 301 / 2 / (50 * tan(0.03))
    assert (columns.max() - columns.min() + 1) / 2 == pytest.approx(edges[0] * pixels, abs=1.5)
    assert (rows.max() - rows.min() + 1) / 2 == pytest.approx(edges[1] * pixels, abs=1.5)


@pytest.mark.parametrize(
    ("geometry", "edges"),
    [
        ("Sphere { radius 0.6 }", (0.6, 0.6)),
        ("Cylinder { radius 0.4 height 1.2 }", (0.4, 0.6)),
        ("Cone { bottomRadius 0.5 height 1 }", (0.5, 0.5)),
        ("Capsule { radius 0.3 height 0.8 }", (0.3, 0.7)),
    ],
)
def test_round_shapes_are_stretched_along_each_axis(studio, geometry, edges):
    """The manual, Transform: "Graphical objects support any positive non-uniform scale"."""
    shape = f"Shape {{ {GLOW % '1 1 1'} geometry {geometry} }}"
    frame = f"Transform {{ translation 50 0 0 scale 2 0.5 1.5 children [ {shape} ] }}"
    rows, columns = np.nonzero(studio.picture(frame, "fieldOfView 0.06", size=(301, 301))[:, :, 0])
    pixels = 301 / 2 / (50 * tan(0.03))
    assert (columns.max() - columns.min() + 1) / 2 == pytest.approx(0.5 * edges[0] * pixels, abs=1.5)
    assert (rows.max() - rows.min() + 1) / 2 == pytest.approx(1.5 * edges[1] * pixels, abs=1.5)


def test_faces_are_seen_from_their_front_only(studio):
    back = (
        "IndexedFaceSet { coord Coordinate { point [ 0 -1 -1 0 1 -1 0 1 1 0 -1 1 ] } "
        "coordIndex [ 0 1 2 3 ] %s }"
    )
    shape = f"Solid {{ translation 3 0 0 children [ Shape {{ {GLOW % '1 1 1'} geometry {back} }} ] }}"
    assert not studio.picture(shape % "").any()
    assert studio.picture(shape % "ccw FALSE").any()


@pytest.mark.parametrize("distance", [1.0, 5.0, 20.0, 60.0])
def test_levels_of_detail_keep_the_outline(studio, distance):
    """Pixels covered by a sphere: those whose ray meets it."""
    angle = 0.6
    picture = studio.picture(ball((distance, 0, 0), 0.3), f"fieldOfView {angle}", size=(201, 201))
    at = (np.arange(201) - 100) / 100.5 * tan(angle / 2)
    off = np.hypot(*np.meshgrid(at, at))
    wanted = off < tan(np.arcsin(0.3 / distance))
    different = (picture[:, :, 0] > 0) != wanted
    assert different.sum() <= max(4, 0.02 * wanted.sum())


def test_lines_and_points_have_their_colors(studio):
    lines = (
        "Shape { appearance Appearance { material Material { emissiveColor 1 0 0 } } "
        "geometry IndexedLineSet { "
        "coord Coordinate { point [ 2 -1 0 2 1 0 ] } coordIndex [ 0 1 -1 ] } }"
    )
    points = (
        "Shape { geometry PointSet { coord Coordinate { point [ 2 0 0.4 ] } color Color "
        "{ color [ 0 1 0 ] } } }"
    )
    picture = studio.picture(f"Solid {{ children [ {lines} {points} ] }}")
    assert (picture[16, :, 0] > 150).sum() >= 32
    assert picture[:, :, 1].max() > 150


@pytest.mark.parametrize("turn", [0.0, 0.7])
def test_scaled_frames_scale_shapes_and_turn_normals(studio, turn):
    """A Transform of older releases with three scales; the color of an even side is that of its normal."""
    box = (
        f"Transform {{ rotation 0 1 0 {turn} translation 0 0 -4 scale 2 1 0.5 children [ "
        f"Shape {{ appearance Appearance "
        "{ material Material { diffuseColor 1 1 1 } } geometry Box { size 1 1 1 } } ] }"
    )
    light = "DirectionalLight { direction 0 0 -1 intensity 0.5 }"
    picture = studio.picture(light + box, "fieldOfView 0.8", size=(101, 101), release="V8.3.1")
    assert picture[50, 50, 0] == pytest.approx(255 * (1 - np.exp(-0.5 * cos(turn))) ** (1 / 2.2), abs=1)
    if not turn:
        columns = np.nonzero(picture[50, :, 0])[0]
        assert len(columns) / 101 * tan(0.4) * 3.75 * 2 == pytest.approx(2, abs=0.05)


def test_a_removed_shape_is_not_seen_any_more(studio):
    studio.load("DEF BALL " + ball((4, 0, 0), 0.4))
    assert studio.take().any()
    studio.simulation.edits.remove(studio.simulation.world.find("BALL"))
    assert not studio.take().any()


def test_sizes_follow_the_tree(studio):
    studio.load(ball((4, 0, 0), 0.4).replace("geometry Sphere", "geometry DEF S Sphere"))
    before = np.count_nonzero(studio.take())
    studio.set("S", "radius", 0.8)
    assert np.count_nonzero(studio.take()) == pytest.approx(4 * before, rel=0.15)


@pytest.mark.parametrize(
    ("command", "value", "before", "after"),
    [
        ("on_set_fov", 0.8, "fieldOfView 1.2 zoom Zoom { }", "fieldOfView 0.8"),
        ("on_set_exposure", 0.3, "exposure 1", "exposure 0.3"),
        (
            "on_set_focal_distance",
            1.0,
            "focus Focus { focalDistance 3 focalLength 0.5 maxFocalDistance 5 }",
            "focus Focus { focalDistance 1 focalLength 0.5 }",
        ),
    ],
)
def test_a_controller_changes_the_optics_of_the_next_picture(studio, command, value, before, after):
    wanted = studio.picture(ball((3, 0.2, 0), 0.5), after)
    first = studio.picture(ball((3, 0.2, 0), 0.5), before)
    assert (first != wanted).any()
    getattr(studio.camera, command)(value)
    assert (studio.take() == wanted).all()


PLAIN = "Shape { appearance Appearance { material Material { } } geometry %s }"


@pytest.mark.parametrize(
    "light", ["DirectionalLight { direction 1 0 -1 %s }", "PointLight { location 1 0 3 %s }"]
)
def test_hidden_nodes_cast_no_shadows(studio, light):
    world = light % "castShadows TRUE"
    world += f"Solid {{ translation 0 0 -1 children [ {PLAIN % 'Plane { size 20 20 }'} ] }}"
    empty = studio.picture(world)
    shown = studio.picture(world + f"DEF B Solid {{ translation 3 0 0 children [ {PLAIN % 'Box { }'} ] }}")
    assert (shown != empty).any()
    hidden, camera = studio.simulation.hidden, studio.camera.node
    hidden.hide(camera, studio.simulation.world.find("B"))
    assert (studio.take() == empty).all()
    hidden.show(camera, studio.simulation.world.find("B"))
    assert (studio.take() == shown).all()
