"""Optional drawings over the scene."""

from __future__ import annotations

import json
from math import hypot, tan

import pytest

from tests.devices.rig import NEW
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.simulation import Simulation
from wbridge.wbcore.view.drawings import KINDS, Drawings

WORLD = """
DEF ARM Robot { translation 0 0 1 children [
    HingeJoint { jointParameters HingeJointParameters { axis 0 1 0 anchor 0.1 0 0.2 }
      endPoint DEF HAND Solid { translation 0.1 0 0.4 boundingObject Sphere { radius 0.05 }
        physics Physics { } } }
    GPS { translation 0 0 0.3 }
    DistanceSensor { lookupTable [ 0 0 0, 0.5 1 0 ] type "laser" }
    Camera { fieldOfView 1 width 40 height 20 }
    Lidar { horizontalResolution 8 numberOfLayers 1 maxRange 5 fieldOfView 0.1 } ]
  boundingObject Box { size 0.1 0.2 0.3 } physics Physics { centerOfMass [ 0.01 0 0 ] } controller "<none>" }
Solid { translation 0.3 0 1 name "wall"
  children [ DEF CUBE Shape { geometry Box { size 0.2 2 2 } } ] boundingObject USE CUBE }
"""


@pytest.fixture(scope="module")
def simulation() -> Simulation:
    world = load_text(
        f"{NEW}WorldInfo {{ basicTimeStep 16 gravity 0 lineScale 0.4 }} Viewpoint {{ }} {WORLD}"
    )
    assert world.report.errors == []
    made = Simulation(world)
    for device in made.robots.list[0].devices:
        if (enable := getattr(device, "on_enable", None)) is not None:
            enable(16)
        elif device.entry.type == "DistanceSensor":
            device.on_set_sampling_period(16)  # type: ignore[attr-defined]
    made.step(2)
    made.robots.list[0].sample()
    return made


def parts(simulation: Simulation, kind: str) -> list[dict[str, object]]:
    made: list[dict[str, object]] = Drawings(simulation).messages([kind])[f"draw {kind}"]
    return made


def body(simulation: Simulation, name: str) -> int:
    physics = simulation.physics
    return int(physics.handles.bodies[physics.solid(simulation.node(name).node).body].id)


def points(part: dict[str, object]) -> list[tuple[float, ...]]:
    at = part["at"]
    assert isinstance(at, list)
    return list(zip(at[::3], at[1::3], at[2::3], strict=True))


def test_only_what_is_asked_for_is_drawn(simulation: Simulation):
    assert Drawings(simulation).messages([]) == {}
    everything = Drawings(simulation).messages(KINDS)
    assert set(everything) == {f"draw {kind}" for kind in KINDS} | {"draw pictures"}
    json.dumps(everything, allow_nan=False)


def test_bounding_objects_lie_in_their_bodies(simulation: Simulation):
    by_body = {one["body"]: points(one) for one in parts(simulation, "bounds")}
    arm = by_body[body(simulation, "ARM")]
    assert len(arm) == 2 * 12, "the edges of a box"
    assert {tuple(map(abs, one)) for one in arm} == {(0.05, 0.1, 0.15)}
    hand = by_body[body(simulation, "HAND")]
    assert all(sum(x * x for x in one) ** 0.5 == pytest.approx(0.05, abs=1e-5) for one in hand)


def test_a_joint_axis_goes_through_its_anchor(simulation: Simulation):
    (axis,) = parts(simulation, "axes")
    assert axis["body"] == body(simulation, "ARM")
    assert points(axis) == [(0.1, -0.2, 0.2), (0.1, 0.2, 0.2)], "as long as WorldInfo.lineScale"


def test_centers_of_mass(simulation: Simulation):
    by_body = {one["body"]: points(one) for one in parts(simulation, "masses")}
    assert by_body[body(simulation, "ARM")] == [(0.01, 0, 0)]
    assert by_body[body(simulation, "HAND")] == [(0, 0, 0)]


def test_the_box_of_equal_inertia_of_a_box_is_this_box(simulation: Simulation):
    """Judge: the solid itself, whose density is even; a sphere's moment 2/5 m r^2 is that of a cube of
    m / 6 a^2."""
    by_body = {one["body"]: points(one) for one in parts(simulation, "inertia")}
    arm = by_body[body(simulation, "ARM")]
    center = (0.01, 0.0, 0.0)
    offsets = {tuple(round(abs(a - b), 4) for a, b in zip(one, center, strict=True)) for one in arm}
    assert offsets == {(0.05, 0.1, 0.15)}
    side = 0.05 * (12 / 5) ** 0.5
    for x, y, z in by_body[body(simulation, "HAND")]:
        assert (x * x + y * y + z * z) ** 0.5 == pytest.approx(side * 3**0.5 / 2, abs=1e-4)


@pytest.mark.parametrize("system", ["ENU", "NUE"])
def test_contact_forces_carry_the_weight_and_change_no_bit(system: str):
    """Judge: Newton; the weight of the only mechanism is four times lineScale long."""
    up = (0.0, 0.0, 1.0) if system == "ENU" else (0.0, 1.0, 0.0)
    floor = "Plane { }" if system == "ENU" else "Box { size 4 0.2 4 }"
    height, depth = (0.1, 0.0) if system == "ENU" else (0.1, -0.1)
    at = [" ".join(str(h * x) for x in up) for h in (height, depth)]
    info = f'WorldInfo {{ basicTimeStep 16 lineScale 0.2 coordinateSystem "{system}" }} Viewpoint {{ }}'
    text = (
        f"{NEW}{info} Solid {{ translation {at[1]} boundingObject {floor} }} "
        f"Solid {{ translation {at[0]} boundingObject Box {{ size 0.2 0.2 0.2 }} physics Physics {{ }} }}"
    )
    shown, hidden = (Simulation(load_text(text)) for _ in range(2))
    drawings = Drawings(shown)
    for _ in range(40):
        drawings.messages(["forces"])
        shown.step()
        hidden.step()
    assert shown.hash() == hidden.hash()
    (arrows,) = drawings.messages(["forces"])["draw forces"]
    ends = points(arrows)
    sums = [sum(b[i] - a[i] for a, b in zip(ends[::2], ends[1::2], strict=True)) for i in range(3)]
    assert sums == pytest.approx([0.8 * x for x in up], abs=0.01)


def test_rays_end_where_they_meet_something(simulation: Simulation):
    free, hits = parts(simulation, "rays")
    assert (free["at"], hits["look"]) == ([], "hits")
    start, end = points(hits)
    assert start == pytest.approx((0, 0, 1), abs=1e-4)
    assert end == pytest.approx((0.2, 0, 1), abs=1e-4), "the wall's front"


def test_points_of_a_lidar_lie_on_the_wall(simulation: Simulation):
    (cloud,) = parts(simulation, "lidar")
    found = points(cloud)
    assert len(found) == 8
    assert all(x == pytest.approx(0.2, abs=2e-3) for x, _, _ in found)


def test_a_frustum_has_the_angle_of_its_camera(simulation: Simulation):
    (camera,) = parts(simulation, "cameras")
    eye, *corners = points(camera)
    for x, y, z in corners:
        assert abs(y - eye[1]) / (x - eye[0]) == pytest.approx(tan(0.5), abs=1e-4)
        assert abs(z - eye[2]) / (x - eye[0]) == pytest.approx(tan(0.5) / 2, abs=1e-4)


def test_tracks_begin_at_the_gps(simulation: Simulation):
    (track,) = parts(simulation, "tracks")
    assert (track["body"], points(track)) == (body(simulation, "ARM"), [(0, 0, 0.3)])


def test_contacts_are_points_in_the_world():
    world = load_text(
        f"{NEW}WorldInfo {{ basicTimeStep 16 }} Viewpoint {{ }} Solid {{ boundingObject Plane {{ }} }} "
        'DEF BALL Solid { name "ball" translation 1 2 0.1 boundingObject Sphere { radius 0.1 } '
        "physics Physics { } }"
    )
    simulation = Simulation(world)
    simulation.step(20)
    (contacts,) = parts(simulation, "contacts")
    assert contacts["body"] is None
    for x, y, z in points(contacts):
        assert hypot(x - 1, y - 2) < 0.01 and abs(z) < 0.01
