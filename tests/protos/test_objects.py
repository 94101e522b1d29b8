"""Boxes, balls, furniture and skies follow their fields."""

from __future__ import annotations

import math

import pytest

from tests.protos.models import bounding, findings, load, made, named, parts, pose


@pytest.mark.parametrize("name", ["WoodenBox", "CardboardBox"])
def test_box_without_mass_is_fixed_and_has_its_size(name):
    box = made(f"{name} {{\n  size 0.2 0.3 0.4\n}}\n")
    assert box.get("physics") is None
    assert [one.get("size") for one in parts(box, "Box")] == [(0.2, 0.3, 0.4)] * 2


@pytest.mark.parametrize("name", ["WoodenBox", "CardboardBox"])
def test_box_with_mass_moves(name):
    physics = made(f"{name} {{\n  mass 5\n}}\n").get("physics")
    assert (physics.get("density"), physics.get("mass")) == (-1, 5)


@pytest.mark.parametrize(("name", "most"), [("WoodenBox", 1000), ("CardboardBox", 100)])
def test_mass_is_kept_within_what_a_box_of_that_volume_may_weigh(name, most):
    scale = (0.5**3) ** (2 / 3)
    for given, kept in ((1e-6, scale), (1e6, most * scale)):
        world = load(f"{name} {{\n  size 0.5 0.5 0.5\n  mass {given}\n}}\n")
        assert world.nodes[0].root.get("physics").get("mass") == pytest.approx(kept)
        assert any("mass" in note for note in world.report.notes)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("WoodenBox {\n  size 9 0.5 0.001\n}\n", (3, 0.5, 0.01)),
        ("CardboardBox {\n  size 2.6 0.5 0.5\n}\n", (2.5, 0.5, 0.5)),
        ("CardboardBox {\n  size 2 2 2\n}\n", (0.6, 0.6, 0.6)),
        ("CardboardBox {\n  size 0.001 0.001 0.001\n}\n", (0.6, 0.6, 0.6)),
    ],
)
def test_box_sizes_are_kept_within_limits(text, size):
    world = load(text)
    assert parts(world.nodes[0].root, "Box")[0].get("size") == pytest.approx(size)
    assert any("size" in note for note in world.report.notes)


def test_solid_box_takes_a_physics_node():
    box = made("SolidBox {\n  size 1 2 3\n  physics Physics {\n    density 500\n  }\n}\n")
    assert box.get("physics").get("density") == 500
    assert box.get("boundingObject").get("size") == (1, 2, 3)
    assert load("SolidBox {\n}\n").nodes[0].proto.language is None


def test_pipe_is_a_ring_of_boxes_between_its_radii():
    pipe = made("SolidPipe {\n  radius 0.5\n  thickness 0.05\n  height 1\n  subdivision 16\n}\n")
    boxes = bounding(pipe, "Box")
    assert len(boxes) == 16
    assert all(0.45 <= math.hypot(*pose(box, pipe)[0][:2]) <= 0.5 for box in boxes)
    assert {box.get("size")[2] for box in boxes} == {1}
    assert made("SolidPipe {\n  enableBoundingObject FALSE\n}\n").get("boundingObject") is None


def test_pipe_faces_point_outward():
    pipe = made("SolidPipe {\n  subdivision 8\n}\n")
    (shape,) = parts(pipe, "IndexedFaceSet")
    points, indexes = list(shape.get("coord").get("point")), list(shape.get("coordIndex"))
    volume = 0.0
    for start in range(0, len(indexes), 5):
        a, b, c, d = (points[i] for i in indexes[start : start + 4])
        volume += triple(a, b, c) + triple(a, c, d)
    assert volume / 6 == pytest.approx(2 * 8 * math.sin(math.pi / 4) / 2 * (1 - 0.9**2))


def triple(a, b, c) -> float:
    """Scalar triple product: six times the volume of the tetrahedron with the origin."""
    return (
        a[0] * (b[1] * c[2] - b[2] * c[1])
        + a[1] * (b[2] * c[0] - b[0] * c[2])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
    )


def test_ball_has_the_inertia_of_the_data():
    ball = made("Ball {\n  mass 0.1\n  linearDamping 0.5\n}\n")
    physics = ball.get("physics")
    assert (physics.get("density"), physics.get("mass")) == (-1, 0.1)
    assert [tuple(one) for one in physics.get("inertiaMatrix")] == [(2.3e-5, 2.3e-5, 2.3e-5), (0, 0, 0)]
    damping = physics.get("damping")
    assert (damping.get("linear"), damping.get("angular")) == (0.5, 0.33)
    assert ball.get("boundingObject").get("radius") == 0.0325


@pytest.mark.parametrize("scale", [1, 2.5])
def test_duck_floats_and_grows_with_its_scale(scale):
    duck = made(f"RubberDuck {{\n  scale {scale}\n}}\n")
    spheres = bounding(duck, "Sphere")
    top = max(pose(one, duck)[0][2] + one.get("radius") for one in spheres)
    bottom = min(pose(one, duck)[0][2] - one.get("radius") for one in spheres)
    assert top == pytest.approx(0.101 * scale, rel=0.01)
    assert bottom == pytest.approx(0, abs=1e-9)
    assert duck.get("physics").get("density") == 400
    assert duck.get("immersionProperties")[0].get("fluidName") == "water"


def test_duck_without_density_is_fixed():
    assert made("RubberDuck {\n  density -1\n}\n").get("physics") is None


def test_table_stands_on_four_legs():
    table = made("Table {\n  size 0.8 1.2 0.53\n  feetPadding 0.05\n}\n")
    tray, *legs = bounding(table, "Box")
    assert tray.get("size") == pytest.approx((0.8, 1.2, 0.05))
    assert pose(tray, table)[0][2] + 0.025 == pytest.approx(0.53)
    corners = sorted(pose(leg, table)[0][:2] for leg in legs)
    assert corners == [pytest.approx((sx * 0.3, sy * 0.5)) for sx in (-1, 1) for sy in (-1, 1)]
    assert all(leg.get("size") == pytest.approx((0.1, 0.1, 0.48)) for leg in legs)
    assert len(bounding(made("Table {\n  feetSize 0 0.1\n}\n"), "Box")) == 1


def test_cabinet_has_the_doors_and_drawers_of_its_layout():
    cabinet = made("Cabinet {\n}\n")
    assert len(parts(cabinet, "HingeJoint")) == 2
    assert len(parts(cabinet, "SliderJoint")) == 4
    drawer = named(cabinet, "drawer 4")
    assert drawer.get("physics").get("mass") == 3.5
    for box in bounding(cabinet, "Box"):
        place, size = pose(box, cabinet)[0], box.get("size")
        assert place[0] - size[0] / 2 >= -1e-9 and place[0] + size[0] / 2 <= 0.5 + 1e-9
        assert abs(place[1]) + size[1] / 2 <= 0.4 + 1e-9
        assert place[2] + size[2] / 2 <= 1.5 + 1e-9


def test_a_layout_entry_that_does_not_fit_is_told_and_left_out():
    world = load(
        'Cabinet {\n  layout [ "Drawer (1, 1, 1, 1, 1)" "Drawer (9, 1, 1, 1)" "Lid (1, 1, 1, 1)" ]\n}\n'
    )
    assert len(world.report.notes) == 2
    assert len(parts(world.nodes[0].root, "SliderJoint")) == 1


def test_pallet_stack_holds_its_pallets_one_upon_the_other():
    stack = made("WoodenPalletStack {\n  palletNumber 3\n  palletMass 10\n}\n")
    heights = [named(stack, f"pallet {n}").get("translation")[2] for n in (1, 2, 3)]
    assert heights == pytest.approx([0, 0.14, 0.28])
    assert [one.get("mass") for one in parts(stack, "Physics")] == [10, 10, 10]


@pytest.mark.parametrize(
    "text", ["WoodenPallet {\n}\n", "TrafficCone {\n}\n", "PlasticCrate {\n}\n", "Desk {\n}\n"]
)
def test_things_stand_on_the_ground(text):
    thing = made(text)
    bottoms = []
    for box in bounding(thing, "Box"):
        bottoms.append(pose(box, thing)[0][2] - box.get("size")[2] / 2)
    assert min(bottoms) == pytest.approx(0, abs=1e-9)


def test_sky_color_comes_from_the_texture_name_or_from_the_field():
    sky = made('TexturedBackground {\n  texture "mars"\n  luminosity 0.5\n}\n')
    red, _, blue = list(sky.get("skyColor"))[0]
    assert red > blue
    assert sky.get("luminosity") == 0.5
    plain = made("TexturedBackground {\n  skybox FALSE\n  skyColor [ 0.2 0.3 0.4 ]\n}\n")
    assert [tuple(one) for one in plain.get("skyColor")] == [(0.2, 0.3, 0.4)]


def test_luminosity_multiplies_the_light():
    one, two = (made(f"TexturedBackgroundLight {{\n  luminosity {n}\n}}\n").get("intensity") for n in (1, 2))
    assert two == pytest.approx(2 * one)


def test_a_sky_that_is_not_known_is_told():
    world = load('TexturedBackgroundLight {\n  texture "swamp"\n}\n')
    assert any("swamp" in note for note in world.report.notes)


@pytest.mark.parametrize("type_name", ["chequered", "dark strip", "light strip", "mosaic"])
def test_parquetry_has_a_texture_for_each_type(type_name):
    floor = made(f'Floor {{\n  appearance Parquetry {{\n    type "{type_name}"\n  }}\n}}\n')
    (texture,) = parts(floor, "ImageTexture")
    assert list(texture.get("url")) == [f"textures/parquetry_{type_name.replace(' ', '_')}.png"]


def test_color_override_multiplies_the_texture():
    wood = made("VarnishedPine {\n  colorOverride 0.5 0.4 0.3\n}\n")
    assert wood.get("baseColor") == (0.5, 0.4, 0.3)
    assert wood.get("baseColorMap").type == "ImageTexture"
    assert made("Roughcast {\n}\n").get("baseColorMap") is None


def test_a_box_names_its_limits_in_round_numbers():
    """A box of 0.1 m weighs at most 1,000 kg times the square of its edge in meters, here 10 kg."""
    (found,) = findings(load("WoodenBox {\n  size 0.1 0.1 0.1\n  mass 20\n}\n"))
    assert "mass must be from 0.01 to 10; 10 is used." in found
