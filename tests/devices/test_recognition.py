"""Recognition: which objects a camera recognizes, and where, against closed forms.

Judges: manual, chapters Camera and Recognition; Webots' WbCamera (projectOnImage,
setRecognizedObjectProperties, refreshRecognitionSensorIfNeeded) and WbObjectDetection (isWithinBounds).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from math import floor, sqrt, tan
from typing import Any

import pytest

from tests.devices.rig import OLD, Rig, robot, world
from wbridge.hal.protocol.dialect import DIALECTS

W, H, FOV = 200, 100, 1.0
REACH = 2 * tan(FOV / 2)
RED = "recognitionColors [1 0 0]"


def camera(recognition: str = "", fields: str = "") -> str:
    return (
        f'Camera {{ name "c" width {W} height {H} fieldOfView {FOV} {fields} '
        f"recognition Recognition {{ {recognition} }} }}"
    )


def box(place: str, size: str = "0.5 0.5 0.5", fields: str = RED, name: str = "a") -> str:
    return (
        f'DEF {name.upper()} Solid {{ name "{name}" translation {place} {fields} '
        f"boundingObject Box {{ size {size} }} }}\n"
    )


def make(drive: Callable[..., Rig], around: str, device: str = "", **options: Any) -> Rig:
    rig = drive(world(robot(device or camera()), around), **options)
    rig["c"].recognition_enable(rig.period)
    rig.step()
    return rig


def objects(drive: Callable[..., Rig], around: str, device: str = "", **options: Any) -> list[Any]:
    found: list[Any] = make(drive, around, device, **options)["c"].recognition_get_objects()
    return found


def column(left: float, ahead: float) -> int:
    return floor((W - 1) * (0.5 - left / ahead / REACH))


def row(up: float, ahead: float) -> int:
    return floor((H - 1) * (0.5 - up / ahead / (REACH * H / W)))


def middle(low: int, high: int) -> int:
    return floor((low + high) / 2 + 0.5)


@pytest.mark.parametrize("tcp", [False, True])
@pytest.mark.parametrize("dialect", list(DIALECTS))
def test_a_box_in_all_dialects(drive: Callable[..., Rig], dialect: str, tcp: bool):
    around = box("2 0.3 0.1", "0.5 0.4 0.2", 'recognitionColors [1 0 0, 0 0.5 1] model "brick"')
    rig = make(drive, around, dialect=DIALECTS[dialect], tcp=tcp)
    (one,) = rig["c"].recognition_get_objects()
    assert one.id == rig.simulation.nodes.number(rig.node("A"))
    assert one.position == pytest.approx((2, 0.3, 0.1))
    assert one.orientation == pytest.approx((0, 0, 1, 0))
    assert one.size == pytest.approx((0.5, 0.4))
    left, right = column(0.5, 1.75), column(0.1, 2.25)
    top, bottom = row(0.2, 1.75), row(0, 2)
    assert one.position_on_image == (middle(left, right), middle(top, bottom))
    assert one.size_on_image == (right - left, bottom - top)
    assert (one.colors, one.model) == ([1, 0, 0, 0, 0.5, 1], "brick")


def test_axes_of_older_releases(drive: Callable[..., Rig]):
    """Up to R2021b a camera looks along -z with y up: sizes along x and y are width and height."""
    (one,) = objects(drive, box("0.3 0.1 -2", "0.4 0.2 0.5"), header=OLD)
    assert one.position == pytest.approx((0.3, 0.1, -2))
    assert one.size == pytest.approx((0.4, 0.2))
    left, right = column(-0.1, 2.25), column(-0.5, 1.75)
    assert one.position_on_image[0] == middle(left, right)


def test_the_orientation_is_relative_to_the_camera(drive: Callable[..., Rig]):
    device = f"Pose {{ rotation 0 0 1 0.5 children [ {camera()} ] }}"
    (one,) = objects(drive, box("2 1 0", fields=f"rotation 0 0 1 0.8 {RED}"), device)
    assert one.orientation == pytest.approx((0, 0, 1, 0.3))
    angle = math.atan2(1, 2) - 0.5
    assert one.position == pytest.approx((sqrt(5) * math.cos(angle), sqrt(5) * math.sin(angle), 0))


def test_a_sphere_is_outlined_by_the_ends_of_its_axes(drive: Callable[..., Rig]):
    around = f"Solid {{ translation 2 0 0 {RED} boundingObject Sphere {{ radius 0.3 }} }}"
    (one,) = objects(drive, around)
    assert one.size == pytest.approx((0.6, 0.6))
    left, right = column(0.3, 2), column(-0.3, 2)
    assert one.size_on_image[0] == right - left


def test_an_object_without_bounding_objects_is_its_bounding_sphere(drive: Callable[..., Rig]):
    shape = "Shape { geometry Box { size 0.4 0.4 0.4 } }"
    (one,) = objects(drive, f"Solid {{ translation 2 0 0 {RED} children [ {shape} ] }}")
    assert one.size == pytest.approx((0.4 * sqrt(3), 0.4 * sqrt(3)))
    assert one.position == pytest.approx((2, 0, 0))


def test_spheres_of_several_shapes_are_joined(drive: Callable[..., Rig]):
    ball = "Shape { geometry Sphere { radius 0.1 } }"
    children = f"{ball} Pose {{ translation 0 0.4 0 children [ {ball} ] }}"
    (one,) = objects(drive, f"Solid {{ translation 3 0 0 {RED} children [ {children} ] }}")
    assert one.size == pytest.approx((0.6, 0.6))
    assert one.position == pytest.approx((3, 0.2, 0))


@pytest.mark.parametrize(("turn", "size"), [("1 0 0 0", (0.2, 0.2)), ("0 1 0 1.5707963", (0.8, 0.2))])
def test_a_cylinder(drive: Callable[..., Rig], turn: str, size: tuple[float, float]):
    bounds = "boundingObject Cylinder { radius 0.1 height 0.8 }"
    (one,) = objects(drive, f"Solid {{ translation 3 0 0 rotation {turn} {RED} {bounds} }}")
    assert one.size == pytest.approx(size, abs=1e-6)


def test_a_tilted_capsule(drive: Callable[..., Rig]):
    """Its box along an axis at the angle a to it: (h + 2 r) |cos a| + 2 r sin a."""
    bounds = "boundingObject Capsule { radius 0.1 height 0.5 }"
    (one,) = objects(drive, f"Solid {{ translation 3 0 0 rotation 0 1 0 0.6 {RED} {bounds} }}")
    assert one.size[0] == pytest.approx(0.7 * math.sin(0.6) + 0.2 * math.cos(0.6))


def test_solids_below_belong_to_the_object(drive: Callable[..., Rig]):
    child = 'Solid { name "child" translation 0 0.5 0 boundingObject Box { size 0.2 0.2 0.2 } }'
    around = (
        f"Solid {{ translation 3 0 0 {RED} children [ {child} ] boundingObject Box {{ size 0.2 0.2 0.2 }} }}"
    )
    (one,) = objects(drive, around)
    assert one.size == pytest.approx((0.2, 0.7))
    assert one.position == pytest.approx((3, 0.25, 0))


def test_corners_out_of_view_are_moved_onto_its_side(drive: Callable[..., Rig]):
    """The left plane has the inward normal (sin f/2, -cos f/2, 0)."""
    (one,) = objects(drive, box("2 1 0", "0.2 0.4 0.2"))
    n = (math.sin(FOV / 2), -math.cos(FOV / 2))
    lefts = []
    for x, y in ((1.9, 0.8), (1.9, 1.2), (2.1, 0.8), (2.1, 1.2)):
        beyond = min(0, x * n[0] + y * n[1])
        lefts.append((x - beyond * n[0], y - beyond * n[1]))
    low, high = min(y for _, y in lefts), max(y for _, y in lefts)
    assert one.position[1] == pytest.approx((low + high) / 2)
    assert one.position_on_image[0] - one.size_on_image[0] / 2 <= 1


def test_a_sphere_is_shortened_by_the_part_out_of_view(drive: Callable[..., Rig]):
    around = f"Solid {{ translation 2 1 0 {RED} boundingObject Sphere {{ radius 0.3 }} }}"
    (one,) = objects(drive, around)
    beyond = 0.3 - (2 * math.sin(FOV / 2) - math.cos(FOV / 2))
    assert one.size == pytest.approx((0.6, 0.6 - beyond))
    assert one.position == pytest.approx((2, 1 - beyond / 2, 0))


@pytest.mark.parametrize("place", ["-2 0 0", "2 3 0", "2 0 -2", "0.1 4 0"])
def test_objects_out_of_view_are_not_found(drive: Callable[..., Rig], place: str):
    assert objects(drive, box(place)) == []


def test_an_object_wider_than_the_view_is_found(drive: Callable[..., Rig]):
    """No corner is in view, but the object reaches from one side to the other."""
    (one,) = objects(drive, box("2 0 0", "0.2 8 0.2"))
    assert one.size_on_image[0] == W - 1


def test_the_range_is_measured_along_the_view(drive: Callable[..., Rig]):
    """An object counts if its near end is within maxRange."""
    near, far = box("5.2 0 0"), box("5.3 1 0", name="b")
    assert len(objects(drive, near + far, camera("maxRange 5"))) == 1


@pytest.mark.parametrize(("most", "names"), [(-1, "small large"), (1, "large"), (2, "large small"), (0, "")])
def test_the_largest_objects_are_kept(drive: Callable[..., Rig], most: int, names: str):
    small = box("2 -0.4 0", "0.1 0.1 0.1", f'{RED} model "small"')
    large = box("2 0.4 0", "0.4 0.4 0.4", f'{RED} model "large"', "b")
    found = objects(drive, small + large, camera(f"maxObjects {most}"))
    expected = names.split() if most != 2 else ["small", "large"]
    assert [one.model for one in found] == expected


@pytest.mark.parametrize(("occlusion", "count"), [(0, 1), (1, 0), (2, 0)])
def test_a_wall_hides_an_object(drive: Callable[..., Rig], occlusion: int, count: int):
    wall = box("1 0 0", "0.1 2 2", "", "wall")
    assert len(objects(drive, box("2 0 0") + wall, camera(f"occlusion {occlusion}"))) == count


@pytest.mark.parametrize(("occlusion", "count"), [(1, 0), (2, 1)])
def test_a_post_hides_the_center_but_not_the_corners(drive: Callable[..., Rig], occlusion: int, count: int):
    post = box("1 0 0", "0.02 0.02 0.5", "", "post")
    assert len(objects(drive, box("2 0 0") + post, camera(f"occlusion {occlusion}"))) == count


def test_occlusion_of_older_releases_is_a_flag(drive: Callable[..., Rig]):
    wall = box("0 0 -1", "2 2 0.1", "", "wall")
    assert objects(drive, box("0 0 -2") + wall, header=OLD) == []
    assert len(objects(drive, box("0 0 -2") + wall, camera("occlusion FALSE"), header=OLD)) == 1


def test_what_is_in_front_by_less_than_half_the_depth_hides_nothing(drive: Callable[..., Rig]):
    plate = box("1.8 0 0", "0.01 0.3 0.3", "", "plate")
    assert len(objects(drive, box("2 0 0") + plate)) == 1


def test_parts_of_the_robot_are_not_recognized(drive: Callable[..., Rig]):
    part = f'Solid {{ name "part" translation 1 0 0 {RED} boundingObject Box {{ size 0.2 0.2 0.2 }} }}'
    assert objects(drive, "", camera() + part) == []


def projected(kind: str, left: float, ahead: float) -> int:
    """Angles grow evenly along the middle row of both projections."""
    return floor((W - 1) * (0.5 - math.atan2(left, ahead) / 2.5))


@pytest.mark.parametrize("kind", ["cylindrical", "spherical"])
def test_other_projections(drive: Callable[..., Rig], kind: str):
    device = camera().replace(f"fieldOfView {FOV}", f'fieldOfView 2.5 projection "{kind}"')
    around = f"Solid {{ translation 1 1 0 {RED} boundingObject Sphere {{ radius 0.1 }} }}"
    (one,) = objects(drive, around, device)
    ends = [(1.1, 1), (0.9, 1), (1, 1.1), (1, 0.9)]
    columns = [projected(kind, left, ahead) for ahead, left in ends]
    assert one.size_on_image[0] == max(columns) - min(columns)
    assert one.position == pytest.approx((1, 1, 0))
    assert objects(drive, around.replace("1 1 0", "-1 1 0"), device) == []


def test_a_lens_moves_places_on_the_image(drive: Callable[..., Rig]):
    """Brown's model on coordinates from 0 to 1: u + k1 r^2 (u - 0.5)."""
    around = f"Solid {{ translation 2 0.5 0 {RED} boundingObject Sphere {{ radius 0.2 }} }}"
    (one,) = objects(drive, around, camera("", "lens Lens { radialCoefficients 0.4 0 }"))
    ends = []
    for left, ahead, up in ((0.7, 2, 0), (0.3, 2, 0), (0.5, 1.8, 0), (0.5, 2.2, 0), (0.5, 2, 0.2)):
        u, v = 0.5 - left / ahead / REACH, 0.5 - up / ahead / (REACH * H / W)
        square = (u - 0.5) ** 2 + (v - 0.5) ** 2
        ends.append(floor((W - 1) * (u + 0.4 * square * (u - 0.5))))
    assert one.size_on_image[0] == max(ends) - min(ends)


def test_sampling_and_changes(drive: Callable[..., Rig]):
    """The camera itself need not be enabled; colors may be set during the run."""
    rig = drive(world(robot(camera()), box("2 0 0", fields="")))
    device = rig["c"]
    device.recognition_enable(2 * rig.period)
    assert device.recognition_get_sampling_period() == 2 * rig.period
    rig.set("A", "recognitionColors", [(0.0, 1.0, 0.0)])
    rig.step()
    assert device.recognition_get_objects() == []
    rig.step()
    assert [one.colors for one in device.recognition_get_objects()] == [[0, 1, 0]]
    device.recognition_disable()
    rig.set("A", "recognitionColors", [])
    rig.step(4)
    assert len(device.recognition_get_objects()) == 1


def test_the_state_keeps_the_sampling(drive: Callable[..., Rig]):
    rig = make(drive, box("2 0 0"))
    state = rig.simulation.state()
    rig["c"].recognition_disable()
    rig.step(2)
    rig.simulation.restore(state)
    assert rig.model("c").recognition.period == rig.period


@pytest.mark.parametrize("fields", ["width 0", "height 0", "fieldOfView 0", "fieldOfView 3.14159265"])
@pytest.mark.parametrize("kind", ["planar", "cylindrical", "spherical"])
def test_odd_cameras_do_no_harm(drive: Callable[..., Rig], fields: str, kind: str):
    device = f'Camera {{ name "c" projection "{kind}" {fields} recognition Recognition {{ }} }}'
    for around in (box("2 0 0"), f"Solid {{ {RED} boundingObject Sphere {{ radius 0.3 }} }}"):
        for one in objects(drive, around, device):
            assert all(math.isfinite(number) for number in (*one.position, *one.size))


def test_objects_without_shapes_are_not_found(drive: Callable[..., Rig]):
    flat = "boundingObject Plane { size 5 5 }"
    assert objects(drive, f"Solid {{ translation 2 0 0 {RED} }}") == []
    assert objects(drive, f"Solid {{ translation 2 0 0 {RED} {flat} }}") == []
