"""Bundled models stand upright in worlds from before R2022a, whose y axis is up."""

from __future__ import annotations

import math

import pytest

from tests.conftest import CHECKOUT
from tests.scene.helpers import messages, world
from wbridge.wbcore.scene import frames
from wbridge.wbcore.scene.node import Node, walk

OLD = "#VRML_SIM R2021b utf8\n"
Matrix = tuple[tuple[float, ...], ...]


def rotation_matrix(rotation: tuple[float, ...]) -> Matrix:
    """Rodrigues' formula."""
    x, y, z, angle = rotation
    c, s, t = math.cos(angle), math.sin(angle), 1 - math.cos(angle)
    return (
        (t * x * x + c, t * x * y - s * z, t * x * z + s * y),
        (t * x * y + s * z, t * y * y + c, t * y * z - s * x),
        (t * x * z - s * y, t * y * z + s * x, t * z * z + c),
    )


def apply(matrix: Matrix, vector: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(sum(m * v for m, v in zip(row, vector, strict=True)) for row in matrix)


def in_world(node: Node, vector: tuple[float, ...]) -> tuple[float, ...]:
    """A direction of a node's own frame in world axes."""
    one: Node | None = node
    while one is not None:
        if one.proto is None and "rotation" in one.fields:
            vector = apply(rotation_matrix(one.get("rotation")), vector)
        one = one.parent
    return tuple(round(v, 6) + 0.0 for v in vector)


def placed(node: Node) -> tuple[float, ...]:
    """The origin of a node's own frame in the world."""
    one: Node | None = node
    place: tuple[float, ...] = (0, 0, 0)
    while one is not None:
        if one.proto is None and "translation" in one.spec.fields:
            turned = apply(rotation_matrix(one.get("rotation")), place)
            place = tuple(a + b for a, b in zip(turned, one.get("translation"), strict=True))
        one = one.parent
    return place


def find(loaded: object, kind: str) -> list[Node]:
    return [node for node in loaded.walk() if node.type == kind]  # type: ignore[attr-defined]


@pytest.mark.parametrize("turn", [frames.OBJECT, frames.ROBOT])
def test_matrix_and_axis_agree_and_up_is_up(turn: frames.Turn) -> None:
    for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)):
        assert apply(rotation_matrix(turn.rotation), axis) == pytest.approx(turn.apply(axis), abs=1e-12)
    assert turn.apply((0, 0, 1)) == (0, 1, 0)


def test_a_floor_lies_flat_in_both_worlds() -> None:
    for header, up in ((OLD, (0, 1, 0)), ("#VRML_SIM R2023b utf8\n", (0, 0, 1))):
        loaded = world("RectangleArena { floorSize 2 3 }", header=header)
        planes = find(loaded, "Plane")
        assert planes and all(in_world(plane, (0, 0, 1)) == up for plane in planes)
        size = planes[0].get("size")
        assert size == ((3, 2) if header is OLD else (2, 3)), "its x axis lies along the world's last"


def test_a_robot_looks_along_its_old_axis_and_its_wheels_turn_about_x() -> None:
    loaded = world("E-puck { rotation 0 1 0 0 }", header=OLD)
    (camera,) = find(loaded, "Camera")
    assert in_world(camera, (1, 0, 0)) == (0, 0, -1)
    (first, _) = find(loaded, "HingeJoint")[:2]
    axis = first.get("jointParameters").get("axis")
    assert in_world(first.parent or first, axis)[0] in (-1, 1)


def test_a_panel_of_an_old_sign_stands_upright() -> None:
    loaded = world("SpeedLimitPanel { }", header=OLD)
    (shape, *_) = find(loaded, "Shape")
    assert abs(in_world(shape, (0, 0, 1))[1]) == 1


def test_a_car_looked_along_z_and_its_sensors_too() -> None:
    loaded = world("BmwX5 { sensorsSlotFront [ DEF T Transform { } ] }", header=OLD)
    wheels = [one for one in find(loaded, "Solid") if one.get("name").startswith("front ")]
    assert len(wheels) == 2
    for wheel in wheels:
        x, _, z = placed(wheel)
        assert z > 2 and (x > 0) is (wheel.get("name") == "front left wheel")
    slot = loaded.find("T")
    assert slot is not None
    assert placed(slot)[2] > 2
    assert in_world(slot, (0, 0, -1)) == (0, 0, 1) and in_world(slot, (0, 1, 0)) == (0, 1, 0)


def test_what_a_car_is_extended_by_keeps_the_axes_of_the_car() -> None:
    loaded = world("Car { extensionSlot [ DEF T Transform { } ] }", header=OLD)
    slot = loaded.find("T")
    assert slot is not None
    for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1)):
        assert in_world(slot, axis) == axis


def test_a_size_means_the_axes_of_the_world_that_gives_it() -> None:
    loaded = world("SolidBox { size 1 2 3 }", header=OLD)
    box = next(node for node in find(loaded, "Box"))
    for axis, length in zip(((1, 0, 0), (0, 1, 0), (0, 0, 1)), box.get("size"), strict=True):
        along = in_world(box, axis)
        assert abs(sum(a * s for a, s in zip(along, (1, 2, 3), strict=True))) == length
    assert loaded.nodes[0].get("size") == (1, 2, 3)


def test_what_the_world_puts_into_a_model_keeps_its_axes() -> None:
    loaded = world("E-puck { turretSlot [ DEF T Transform { } ] }", header=OLD)
    slot = loaded.find("T")
    assert slot is not None
    for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1)):
        assert in_world(slot, axis) == axis


SENSORS = {path.stem: path for path in sorted((CHECKOUT / "protos" / "sensors").glob("*.proto"))}
LOOKING = ("Camera", "Lidar", "RangeFinder", "Radar")


@pytest.mark.parametrize("name", SENSORS)
def test_a_sensor_looks_along_its_old_axis_and_stands_upright(name: str) -> None:
    loaded = world(f"Robot {{ children [ {name} {{ }} ] }}", header=OLD)
    assert messages(loaded) == []
    for device in (one for one in loaded.walk() if one.proto is None and one.type in LOOKING):
        axes = device.source.dialect
        assert in_world(device, axes.view_axis) == (0, 0, -1)
        assert in_world(device, axes.view_up) == (0, 1, 0)
    for device in find(loaded, "DistanceSensor"):
        assert in_world(device, (1, 0, 0)) == (1, 0, 0)
        shapes = [one for one in device.child_nodes() if one.type == "Pose"]
        assert shapes
        assert all(in_world(shape, (0, 0, 1)) == (0, 1, 0) for shape in shapes[:1])


@pytest.mark.parametrize("rotation", ["", "rotation 0.84 0 0.54 0"])
def test_ground_sensors_of_an_old_e_puck_are_from_left_to_right_in_front(rotation: str) -> None:
    """The second rotation is that of a public world."""
    loaded = world(f"E-puck {{ groundSensorsSlot [ E-puckGroundSensors {{ {rotation} }} ] }}", header=OLD)
    sensors = {one.get("name"): one for one in find(loaded, "DistanceSensor")}
    left, center, right = (placed(sensors[f"gs{number}"]) for number in range(3))
    assert left[0] < center[0] < right[0]
    assert all(place[2] < -0.02 for place in (left, center, right))
    assert in_world(sensors["gs1"], (1, 0, 0)) == (0, -1, 0)


@pytest.mark.parametrize("name", ["Nao", "Tiago", "UR5e", "Youbot"])
@pytest.mark.parametrize(
    "rotation", ["", "rotation 1 0 0 -1.5707963", "rotation 0 0.707107 0.707107 3.1415927"]
)
def test_robots_that_had_z_up_are_stood_up_by_their_rotation(name: str, rotation: str) -> None:
    """What the model's file has is not turned: its own nodes have the robot's axes."""
    (robot,) = world(f"{name} {{ {rotation} }}", header=OLD).nodes
    ahead = (-1, 0, 0) if rotation.startswith("rotation 0") else (1, 0, 0)
    for node in (robot.root, next(one for one in walk(robot.root) if one.type == "Shape")):
        assert in_world(node, (0, 0, 1)) == pytest.approx((0, 1, 0), abs=1e-5)
        assert in_world(node, (1, 0, 0)) == pytest.approx(ahead, abs=1e-5)


def test_the_nao_of_the_oldest_worlds_had_y_up() -> None:
    (robot,) = world("Nao { rotation 0 1 0 0 }", header="#VRML_SIM V6.0 utf8\n").nodes
    cameras = [placed(one) for one in walk(robot.root) if one.proto is None and one.type == "Camera"]
    assert len(cameras) == 2 and all(place[1] > 0.1 > abs(place[2]) for place in cameras)


def test_what_an_upright_robot_carries_keeps_the_axes_of_the_robot() -> None:
    """A slot and a sensor as a public world of R2021 has them: the sensor looks ahead."""
    kinect = "Kinect { translation 0.27 0 -0.02 rotation 0.57735 -0.57735 -0.57735 2.0944 }"
    loaded = world(f"Youbot {{ translation 0 0.1 0 bodySlot [ {kinect} ] }}", header=OLD)
    (camera,) = [one for one in find(loaded, "RangeFinder") if one.proto is None]
    assert in_world(camera, (1, 0, 0)) == pytest.approx((1, 0, 0), abs=1e-4)
    assert in_world(camera, (0, 0, 1)) == pytest.approx((0, 1, 0), abs=1e-4)
    assert placed(camera)[0] > 0.2 and 0.05 < placed(camera)[1] < 0.2


def test_inertia_and_centre_of_mass_turn_along() -> None:
    new, old = world("E-puck { }"), world("E-puck { }", header=OLD)
    physics = [loaded.nodes[0].root.get("physics").root for loaded in (new, old)]
    (x, y, z), (right, up, back) = (one.get("centerOfMass")[0] for one in physics)
    assert (right, up, back) == (-y, z, -x) and up > 0
    diagonals = [one.get("inertiaMatrix")[0] for one in physics]
    assert diagonals[1] == (diagonals[0][1], diagonals[0][2], diagonals[0][0])


def test_the_tree_is_saved_as_the_user_wrote_it() -> None:
    from wbridge.wbcore.scene.writer import nodes_text

    loaded = world("RectangleArena { floorSize 2 3 }", header=OLD)
    assert messages(loaded) == []
    assert nodes_text(loaded.nodes) == "RectangleArena {\n  floorSize 2 3\n}\n"


def test_bundled_lights_shine_downward() -> None:
    """The world's y axis is up; a light that shone along +y would leave all walls black."""
    loaded = world("TexturedBackgroundLight { }", header=OLD)
    (light,) = find(loaded, "DirectionalLight")
    east, north, up = (0.55, -0.6, -1)  # of the model, in the axes x, y, z since R2022a
    assert light.get("direction") == pytest.approx((north, up, east))
