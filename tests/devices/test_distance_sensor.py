"""DistanceSensor: rays against bounding objects, weights, tables, noise; changes while the world runs."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from tests.devices.rig import OLD, STEP_MS, Rig, rig
from wbridge.wbcore.devices import fan

METERS = "lookupTable [ 0 0 0 2 2 0 ]"


def wall(x: float, more: str = "", name: str = "WALL") -> str:
    """A wall that stands across the x axis and begins at `x`."""
    return (
        f'DEF {name} Solid {{ name "{name.lower()}" translation {x + 0.5} 0 0 {more} '
        "boundingObject Box { size 1 20 20 } }"
    )


def sensor(more: str = "", table: str = METERS, around: str = "", **options: object) -> Rig:
    return rig(f'DEF DS DistanceSensor {{ name "ds" {table} {more} }}', around, **options)


# Fans


def test_a_fan_of_two_lies_in_the_plane():
    one, other = fan.directions(2, math.pi / 2, z_up=True)
    s = math.sqrt(0.5)
    assert one == pytest.approx((s, s, 0), abs=1e-12)
    assert other == pytest.approx((s, -s, 0), abs=1e-12)
    old = fan.directions(2, math.pi / 2, z_up=False)
    assert old[0] == pytest.approx((s, 0, s), abs=1e-12)


@pytest.mark.parametrize("count", [*range(1, 16), 30, 100])
@pytest.mark.parametrize("aperture", [0.0, 0.3, 1.5708, 3.0])
def test_fans_have_unit_rays_within_the_cone_and_weights_of_one(count: int, aperture: float):
    rays = fan.directions(count, aperture, z_up=True)
    shares = fan.weights(count, aperture, 0.7)
    assert len(rays) == len(shares) == (count if aperture else 1)
    assert sum(shares) == pytest.approx(1)
    widest = max(math.acos(min(x, 1)) for x, _, _ in rays)
    assert widest == pytest.approx(aperture / 2 if len(rays) > 1 else 0, abs=1e-7)
    for (x, y, z), share in zip(rays, shares, strict=True):
        assert math.hypot(x, y, z) == pytest.approx(1)
        angle = math.acos(min(x, 1))
        expected = math.exp(-((angle / (aperture * 0.7)) ** 2)) if len(rays) > 1 else 1
        assert share / max(shares) == pytest.approx(
            expected / max(math.exp(-((math.acos(min(r[0], 1)) / (aperture * 0.7)) ** 2)) for r in rays)
            if len(rays) > 1
            else 1,
            abs=1e-6,
        )


@pytest.mark.parametrize("count", [3, 4, 5, 6, 7, 8, 9, 10])
def test_small_fans_are_symmetric_left_and_right_and_begin_upward(count: int):
    rays = fan.directions(count, 1.0, z_up=True)
    mirrored = {(round(x, 9), round(-y, 9) + 0.0, round(z, 9)) for x, y, z in rays}
    assert mirrored == {(round(x, 9), round(y, 9) + 0.0, round(z, 9)) for x, y, z in rays}
    first = next(one for one in rays if one[0] < 1)
    assert first[1] == pytest.approx(0)
    assert first[2] > 0


def test_more_rays_lie_on_circles():
    rays = fan.directions(14, 2.0, z_up=True)
    tilts = [round(math.acos(min(x, 1)), 6) for x, _, _ in rays]
    assert [tilts.count(one) for one in sorted(set(tilts))] == [1, 4, 7, 2]


# Generic


def test_the_distance_to_a_bounding_object():
    r = sensor(around=wall(0.75))
    assert r.value("ds") == pytest.approx(0.75)


def test_a_miss_is_the_end_of_the_range():
    r = sensor(around=wall(2.5))
    assert r.value("ds") == 2


def test_without_a_table_the_value_is_zero():
    r = sensor(table="lookupTable [ ]", around=wall(0.5))
    assert r.value("ds") == 0


def test_values_between_rows_are_interpolated_and_rounded():
    r = sensor("resolution 50", "lookupTable [ 0 1000 0 1 0 0 ]", wall(0.27))
    assert r.value("ds") == 750
    ds = r["ds"]
    assert (ds.get_min_value(), ds.get_max_value()) == (0, 1000)
    assert ds.get_lookup_table() == [0, 1000, 0, 1, 0, 0]


@pytest.mark.parametrize("count", [2, 5, 12])
def test_the_mean_of_a_fan_is_weighted(count: int):
    r = sensor(f"numberOfRays {count} aperture 0.8 gaussianWidth 0.6", around=wall(0.5))
    rays, shares = fan.directions(count, 0.8, True), fan.weights(count, 0.8, 0.6)
    assert r.value("ds") == pytest.approx(sum(w * 0.5 / x for (x, _, _), w in zip(rays, shares, strict=True)))


def test_the_own_robot_is_passed_unless_it_collides_with_itself():
    own = 'Solid { name "shield" translation 0.3 0 0 boundingObject Box { size 0.1 1 1 } }'
    ds = f'DistanceSensor {{ name "ds" {METERS} }}'
    assert rig(ds + own, wall(0.75)).value("ds") == pytest.approx(0.75)
    assert rig(ds + own, wall(0.75), "selfCollision TRUE").value("ds") == pytest.approx(0.25)


def test_a_sensor_that_is_turned_and_moved_looks_from_there():
    pose = "translation 0 0 1 rotation 0 0 1 1.5707963267948966"
    side = "Solid { translation 0 1.5 0 boundingObject Box { size 9 1 9 } }"
    assert sensor(pose, around=side).value("ds") == pytest.approx(1)


def test_a_robot_that_moves_measures_at_the_new_place():
    body = "boundingObject Box { size 0.1 0.1 0.1 } physics Physics { } linearVelocity 1 0 0"
    r = sensor(around=wall(1), fields=body, info="gravity 0")
    r.enable("ds")
    r.step(10)
    assert r["ds"].get_value() == pytest.approx(1 - 10 * STEP_MS / 1000)


def test_the_range_scales_in_old_worlds():
    old = f'Transform {{ scale 2 2 2 children [ DistanceSensor {{ name "ds" {METERS} }} ] }}'
    r = rig(old, wall(3), header=OLD)
    assert r.value("ds") == pytest.approx(1.5)


def test_noise_is_a_share_of_the_value():
    r = sensor(table="lookupTable [ 0 0 0.1 2 200 0.1 ]", around=wall(1))
    r.enable("ds")
    values = []
    for _ in range(500):
        r.step()
        values.append(r["ds"].get_value())
    mean = sum(values) / len(values)
    assert mean == pytest.approx(100, rel=0.02)
    deviation = math.sqrt(sum((one - mean) ** 2 for one in values) / len(values))
    assert deviation == pytest.approx(10, rel=0.12)


# Sonar and laser


@pytest.mark.parametrize(("degrees", "is_heard"), [(0, True), (22, True), (23, False), (60, False)])
def test_sonar_hears_only_what_faces_it(degrees: float, is_heard: bool):
    angle = math.radians(degrees)
    turned = wall(0, f"rotation 0 0 1 {angle}").replace("translation 0.5", "translation 1.5")
    r = sensor('type "sonar"', around=turned)
    distance = 1.5 - 0.5 / math.cos(angle)
    assert r.value("ds") == pytest.approx(distance if is_heard else 2)


def test_sonar_takes_the_nearest_of_its_rays():
    near = 'Solid { name "n" translation 0.5 0.25 0 boundingObject Sphere { radius 0.1 } }'
    r = sensor('type "sonar" numberOfRays 2 aperture 0.9272952180016122', around=wall(1.2) + near)
    assert r.value("ds") == pytest.approx(math.hypot(0.5, 0.25) - 0.1, abs=1e-3)


def test_a_laser_has_one_ray_and_passes_glass():
    glass = (
        'DEF GLASS Solid { name "glass" translation 0.5 0 0 '
        "boundingObject Shape { geometry DEF PANE Box { size 0.1 2 2 } "
        "appearance PBRAppearance { transparency 1 } } }"
    )
    laser = 'type "laser" numberOfRays 7 aperture 0.5'
    r = sensor(laser, around=wall(1) + glass)
    assert r.value("ds") == pytest.approx(1)
    r.set("GLASS", "translation", (0.7, 0.0, 0.0))
    r.set("PANE", "size", (0.2, 2.0, 2.0))
    r.simulation.physics.removed(r.node("GLASS"))
    r.simulation.physics.added(r.node("GLASS"))
    r.step()
    assert r["ds"].get_value() == pytest.approx(1)
    assert sensor("", around=wall(1) + glass).value("ds") == pytest.approx(0.45)


@pytest.mark.parametrize(("kind", "number"), [("generic", 0), ("infra-red", 1), ("sonar", 2), ("laser", 3)])
def test_types(kind: str, number: int):
    r = sensor(f'type "{kind}" aperture 0.25')
    assert r["ds"].get_type() == number
    assert r["ds"].get_aperture() == 0.25


# Time and change


def test_a_long_period_keeps_the_value_between_samples():
    r = sensor(around=wall(1), fields="linearVelocity 1 0 0")
    r.enable("ds", period=3 * STEP_MS)
    seen = []
    for _ in range(7):
        r.step()
        seen.append(r["ds"].get_value())
    dt = STEP_MS / 1000
    assert math.isnan(seen[0])
    assert math.isnan(seen[1])
    assert seen[2:] == pytest.approx([1 - 3 * dt] * 3 + [1 - 6 * dt] * 2)


def test_rays_leave_the_engine_when_the_sensor_is_off():
    r = sensor(around=wall(1))
    r.enable("ds")
    r.step()
    assert r.simulation.physics.engine.ray_set_count == 1
    r["ds"].disable()
    r.step(2)
    assert r.simulation.physics.engine.ray_set_count == 0
    assert r["ds"].get_value() == pytest.approx(1)


def test_fields_may_change_while_the_world_runs():
    r = sensor(around=wall(0.75))
    r.enable("ds")
    r.step()
    r.set("DS", "type", "sonar")
    r.set("DS", "numberOfRays", 3)
    r.set("DS", "aperture", 0.2)
    r.step()
    assert r["ds"].get_type() == 2
    assert r["ds"].get_aperture() == 0.2
    assert r["ds"].get_value() == pytest.approx(0.75 / math.cos(0.1))
    r.set("WALL", "translation", (1.5, 0.0, 0.0))
    r.step()
    assert r["ds"].get_value() == pytest.approx(1 / math.cos(0.1))
    r.set("ROBOT", "translation", (0.5, 0.0, 0.0))
    r.step()
    assert r["ds"].get_value() == pytest.approx(0.5 / math.cos(0.1))


def test_a_reset_brings_the_values_back():
    body = "boundingObject Box { size 0.1 0.1 0.1 } physics Physics { } linearVelocity 1 0 0"
    r = sensor("numberOfRays 4 aperture 0.5", around=wall(1), fields=body, info="gravity 0")
    r.enable("ds")
    first = []
    for _ in range(5):
        r.step()
        first.append(r["ds"].get_value())
    for _ in range(2):
        r.simulation.reset()
        r.lockstep.session(r.robot).exchange.restart_time()
        again = []
        for _ in range(5):
            r.step()
            again.append(r["ds"].get_value())
        assert again == first
    r.set("WALL", "translation", (1.6, 0.0, 0.0))
    r.step()
    r.simulation.reset()
    r.lockstep.session(r.robot).exchange.restart_time()
    r.step()
    assert r["ds"].get_value() == first[0]


def test_sensors_do_not_change_the_hash_of_the_world():
    body = "boundingObject Box { size 0.1 0.1 0.1 } physics Physics { } translation 0 0 0.1"
    floor = 'Solid { name "f" boundingObject Plane { } }'
    hashes = []
    for use in (False, True):
        r = sensor(around=wall(1) + floor, fields=body)
        if use:
            r.enable("ds")
        r.step(20)
        hashes.append(r.simulation.hash())
    assert hashes[0] == hashes[1]


def test_a_sensor_goes_on_in_a_model_that_is_made_anew(tmp_path: Path):
    (tmp_path / "Probe.proto").write_text(
        "#VRML_SIM R2023b utf8\n# template language: javascript\n"
        "PROTO Probe [ field SFFloat reach 2 field SFVec3f translation 0 0 0 "
        'field SFString controller "" ] {\n'
        'Robot { translation IS translation controller IS controller name "probe" children [\n'
        '%<= "DistanceSensor { name \\"ds\\" lookupTable [ 0 0 0 " + fields.reach.value + " 100 0 ] }" >%\n'
        "] } }\n"
    )
    text = f'EXTERNPROTO "Probe.proto"\nWorldInfo {{ basicTimeStep {STEP_MS} }}\n'
    r = Rig(text + 'DEF P Probe { controller "<extern>" }' + wall(1), path=tmp_path / "test.wbt")
    r.enable("ds")
    r.step()
    assert r["ds"].get_value() == pytest.approx(50)
    r.set("P", "reach", 4.0)
    r.step(2)
    assert r["ds"].get_value() == pytest.approx(25)
    r.set("P", "translation", (0.2, 0.0, 0.0))
    r.step()
    assert r["ds"].get_value() == pytest.approx(20)


def test_a_sensor_that_is_enabled_anew_measures_anew():
    r = sensor(around=wall(1), fields="linearVelocity 1 0 0")
    dt = STEP_MS / 1000
    r.enable("ds")
    r.step(3)
    for steps in range(4, 9):
        r["ds"].disable()
        r["ds"].enable(STEP_MS)
        r.step()
        assert r["ds"].get_value() == pytest.approx(1 - steps * dt)
    r["ds"].disable()
    r.step(3)
    r["ds"].enable(2 * STEP_MS)
    r.step(2)
    assert r["ds"].get_value() == pytest.approx(1 - 13 * dt)


def test_a_sensor_measures_where_a_saved_state_leads():
    body = "boundingObject Box { size 0.1 0.1 0.1 } physics Physics { } linearVelocity 1 0 0"
    r = sensor(around=wall(1), fields=body, info="gravity 0")
    dt = STEP_MS / 1000
    r.enable("ds")
    r.step(2)
    state = r.simulation.state()
    r.step(1)
    r.simulation.restore(state)
    r.simulation.step(1)
    assert r.model("ds").measure(dt) == (pytest.approx(1 - 3 * dt),)
