"""GPS, Gyro, Accelerometer, InertialUnit, Compass and Altimeter against closed forms."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from tests.devices.rig import NEW, OLD, OLDEST, STEP_MS, Rig, rig, robot, world
from wbridge.wbcore.devices.gps import GPS

G = 9.81
DT = STEP_MS / 1000
SOLID = "boundingObject Box { size 0.1 0.1 0.1 } physics Physics { }"


def free(children: str, fields: str = "", **options: object) -> Rig:
    """A robot with mass and no gravity."""
    return rig(children, fields=f"{SOLID} {fields}", info="gravity 0", **options)


# GPS


def test_gps_measures_its_own_place_speed_and_velocity():
    r = free('GPS { name "gps" translation 0 0 1 }', "translation 1 2 3 linearVelocity 3 0 4")
    r.enable("gps")
    r.step()
    gps = r["gps"]
    assert gps.get_values() == pytest.approx([1 + 3 * DT, 2, 4 + 4 * DT])
    assert gps.get_speed() == pytest.approx(5)
    assert gps.get_speed_vector() == pytest.approx([3, 0, 4])


def test_gps_velocity_is_that_of_its_point():
    r = free('GPS { name "gps" translation 1 0 0 }', "angularVelocity 0 0 2")
    r.enable("gps")
    r.step()
    assert r["gps"].get_speed() == pytest.approx(2)
    assert r["gps"].get_speed_vector() == pytest.approx(
        [-2 * math.sin(2 * DT), 2 * math.cos(2 * DT), 0], rel=1e-3
    )


def test_gps_without_a_body_takes_the_way_between_samples():
    r = rig('GPS { name "gps" }', fields="linearVelocity 0 2 0")
    r.enable("gps")
    r.step()
    assert math.isnan(r["gps"].get_speed())
    r.step()
    assert r["gps"].get_speed() == pytest.approx(2)
    assert r["gps"].get_speed_vector() == pytest.approx([0, 2, 0])


def test_gps_adds_the_reference_and_rounds():
    r = rig(
        'GPS { name "gps" resolution 0.5 }', fields="translation 1.3 -1.4 0.2", info="gpsReference 10 20 30"
    )
    r.enable("gps")
    r.step()
    assert r["gps"].get_values() == [11.5, 18.5, 30]


def test_gps_noise_has_the_field_as_deviation_and_is_shared():
    two = 'GPS { name "a" accuracy 0.5 } GPS { name "b" accuracy 0.5 noiseCorrelation 1 }'
    r = rig(two)
    r.enable("a", "b")
    values = []
    for _ in range(400):
        r.step()
        values.append(r["a"].get_values()[0])
        assert r["b"].get_values() == r["a"].get_values()
    mean = sum(values) / len(values)
    deviation = math.sqrt(sum((one - mean) ** 2 for one in values) / len(values))
    assert abs(mean) < 0.1
    assert deviation == pytest.approx(0.5, rel=0.15)


def test_gps_noise_has_the_same_bits_in_the_engine_and_in_python(monkeypatch: pytest.MonkeyPatch):
    fields = "accuracy 0.5 noiseCorrelation 0.7 speedNoise 0.1 resolution 0.001"
    two = f'GPS {{ name "a" translation 0 1 0 {fields} }} GPS {{ name "b" accuracy 0.1 }}'

    def values(steps: int) -> list[list[float]]:
        r = free(two, "linearVelocity 1 2 3 angularVelocity 0 1 2")
        r["a"].enable(STEP_MS)
        r["b"].enable(3 * STEP_MS)
        seen = []
        for _ in range(steps):
            r.step()
            seen += [[*r[name].get_values(), r[name].get_speed()] for name in "ab"]
        return seen

    native = values(200)
    monkeypatch.setattr(GPS, "source", lambda self: None)
    assert repr(values(200)) == repr(native)


def test_a_gps_without_a_body_has_the_same_bits_in_the_engine_and_in_python(monkeypatch: pytest.MonkeyPatch):
    """The judge of its velocity is the mean since the last sample."""
    fields = "accuracy 0.5 speedNoise 0.1 resolution 0.001"

    def values() -> list[list[float]]:
        r = rig(f'DEF GPS GPS {{ name "gps" {fields} }} GPS {{ name "exact" }}')
        r["gps"].enable(2 * STEP_MS)
        r["exact"].enable(STEP_MS)
        seen = []
        for step in range(20):
            r.set("GPS", "translation", (step * step / 100, 0.0, step / 10))
            r.step()
            seen += [[*r[name].get_values(), r[name].get_speed()] for name in ("gps", "exact")]
        return seen

    native = values()
    monkeypatch.setattr(GPS, "source", lambda self: None)
    assert repr(values()) == repr(native)


def test_speed_noise_is_a_factor():
    """Judge: manual, GPS: speedNoise is relative to the speed; Webots: the factor 1 + speedNoise g."""
    r = free('GPS { name "gps" speedNoise 0.1 }', "linearVelocity 3 0 4")
    r.enable("gps")
    factors = []
    for _ in range(400):
        r.step()
        factors.append(r["gps"].get_speed() / 5)
    mean = sum(factors) / len(factors)
    deviation = math.sqrt(sum((one - mean) ** 2 for one in factors) / len(factors))
    assert (mean, deviation) == (pytest.approx(1, abs=0.02), pytest.approx(0.1, rel=0.15))


def test_gps_noise_is_correlated_over_time():
    r = rig('GPS { name "gps" accuracy 1 noiseCorrelation 0.9 }')
    r.enable("gps")
    values = []
    for _ in range(2000):
        r.step()
        values.append(r["gps"].get_values()[1])
    kept = 0.9**DT
    now, before = values[1:], values[:-1]
    change = [a - kept * b for a, b in zip(now, before, strict=True)]
    deviation = math.sqrt(sum(one * one for one in change) / len(change))
    assert deviation == pytest.approx(math.sqrt(1 - kept * kept), rel=0.1)


def test_gps_tells_latitude_and_longitude():
    r = rig(
        'GPS { name "gps" }',
        fields="translation 100 200 5",
        info='gpsCoordinateSystem "WGS84" gpsReference 46.5 6.6 400',
    )
    gps = r["gps"]
    assert gps.get_coordinate_system() == 1
    r.enable("gps")
    r.step()
    latitude, longitude, height = gps.get_values()
    # One degree of latitude is 111.17 km here, one of longitude 76.77 km; the grid is turned by the meridian
    # convergence, at most 2 degrees.
    north, east = (latitude - 46.5) * 111170, (longitude - 6.6) * 76770
    assert height == 405
    assert math.hypot(north, east) == pytest.approx(math.hypot(100, 200), rel=2e-3)
    assert north == pytest.approx(200, abs=5)
    assert east == pytest.approx(100, abs=7)


@pytest.mark.parametrize("system", ["ENU", "NUE", "EUN"])
def test_gps_finds_the_axes_of_the_coordinate_system(system: str):
    place = {"E": 100.0, "N": 200.0, "U": 5.0}
    x, y, z = (place[one] for one in system)
    info = f'coordinateSystem "{system}" gpsCoordinateSystem "WGS84" gpsReference 10 3 0'
    r = rig('GPS { name "gps" }', fields=f"translation {x} {y} {z}", info=info)
    r.enable("gps")
    r.step()
    latitude, longitude, height = r["gps"].get_values()
    # On the central meridian (3 degrees) the grid is that of the globe, 1/0.9996 as large.
    assert latitude > 10
    assert (longitude - 3) * 109639 == pytest.approx(100 / 0.9996, rel=1e-4)
    assert (latitude - 10) * 110608 == pytest.approx(200 / 0.9996, rel=1e-4)
    assert height == 5


def test_gps_of_the_oldest_worlds_has_no_speed_fields():
    r = rig('GPS { name "gps" }', fields="translation 1 2 3", header=OLDEST)
    r.enable("gps")
    r.step()
    assert r["gps"].get_values() == [1, 2, 3]


def test_a_supervisor_may_change_fields_and_the_place():
    r = rig('DEF GPS GPS { name "gps" resolution 1 }', fields="translation 1.2 0 0")
    r.enable("gps")
    r.step()
    assert r["gps"].get_values()[0] == 1
    r.set("GPS", "resolution", -1.0)
    r.step()
    assert r["gps"].get_values()[0] == 1.2
    r.set("ROBOT", "translation", (4.0, 0.0, 0.0))
    r.step()
    assert r["gps"].get_values()[0] == 4
    r.set("GPS", "translation", (0.0, 1.0, 0.0))
    r.step()
    assert r["gps"].get_values()[:2] == [4, 1]


def test_a_sensor_goes_on_after_a_reset():
    r = free('GPS { name "gps" }', "linearVelocity 1 0 0")
    r.enable("gps")
    r.step(10)
    r.simulation.reset()
    r.lockstep.session(r.robot).exchange.restart_time()
    r.step()
    assert r["gps"].get_values()[0] == pytest.approx(DT)


# Gyro


def test_gyro_measures_in_its_own_axes():
    turned = "rotation 0 0 1 1.5707963267948966"
    r = free(f'Gyro {{ name "gyro" {turned} }}', "angularVelocity 1 0 0")
    r.enable("gyro")
    r.step()
    assert r["gyro"].get_values() == pytest.approx([0, -1, 0], abs=1e-9)


def test_axes_that_are_off_are_nan_and_the_table_counts():
    table = "lookupTable [ -2 -20 0 2 20 0 ] resolution 4"
    r = free(f'Gyro {{ name "gyro" yAxis FALSE {table} }}', "angularVelocity 0 0 1.3")
    r.enable("gyro")
    r.step()
    x, y, z = r["gyro"].get_values()
    assert (x, z) == (0, 12)
    assert math.isnan(y)
    assert r["gyro"].get_lookup_table() == [-2, -20, 0, 2, 20, 0]


def test_gyro_without_a_body_keeps_silent(caplog: pytest.LogCaptureFixture):
    r = rig('Gyro { name "gyro" }')
    r.enable("gyro")
    r.step(3)
    assert all(math.isnan(one) for one in r["gyro"].get_values())
    assert caplog.text.count("measures nothing without Physics") == 1


# Accelerometer


def test_accelerometer_in_free_fall_is_zero_and_at_rest_shows_gravity():
    r = rig('Accelerometer { name "a" }', fields=SOLID)
    r.enable("a")
    r.step(2)
    assert r["a"].get_values() == pytest.approx([0, 0, 0], abs=1e-9)
    floor = 'Solid { boundingObject Plane { } name "floor" }'
    r = rig('Accelerometer { name "a" }', floor, SOLID + " translation 0 0 0.05")
    r.enable("a")
    r.step(200)
    assert r["a"].get_values() == pytest.approx([0, 0, G], abs=1e-2)


def test_accelerometer_shows_the_way_around_a_circle():
    r = free('Accelerometer { name "a" translation 0.5 0 0 }', "angularVelocity 0 0 2")
    r.enable("a")
    r.step(2)
    # The mean over a step of a vector that turns: the chord instead of the arc.
    x, y, z = r["a"].get_values()
    assert math.hypot(x, y) == pytest.approx(0.5 * 4, rel=1e-3)
    assert x < 0
    assert z == pytest.approx(0)


def test_accelerometer_takes_the_change_since_the_last_sample():
    r = free('DEF A Accelerometer { name "a" }')
    r.enable("a", period=4 * STEP_MS)
    r.step(4)
    assert r["a"].get_values() == pytest.approx([0, 0, 0])
    for _ in range(4):
        body = r.simulation.physics.carrier(r.robot.node)[0]
        body.add_force((1, 0, 0))
        r.step()
    mass = body.mass.mass
    assert r["a"].get_values() == pytest.approx([1 / mass, 0, 0])


# InertialUnit


@pytest.mark.parametrize(
    ("header", "axes"),
    [("new", ((1, 0, 0), (0, 1, 0), (0, 0, 1))), ("old", ((1, 0, 0), (0, 0, 1), (0, 1, 0)))],
)
@pytest.mark.parametrize("which", [0, 1, 2])
def test_roll_pitch_and_yaw(header: str, axes: tuple[tuple[float, ...], ...], which: int):
    x, y, z = axes[which]
    header = OLD if header == "old" else NEW
    r = rig('InertialUnit { name "iu" }', fields=f"rotation {x} {y} {z} 0.4", header=header)
    r.enable("iu")
    r.step()
    expected = [0.0, 0.0, 0.0]
    expected[which] = 0.4
    assert r["iu"].get_roll_pitch_yaw() == pytest.approx(expected)


def test_inertial_unit_gives_the_quaternion_of_the_world():
    r = rig('InertialUnit { name "iu" rotation 0 1 0 0.3 }', fields="rotation 0 0 1 0.5")
    r.enable("iu")
    r.step()
    s, c, t, d = math.sin(0.25), math.cos(0.25), math.sin(0.15), math.cos(0.15)
    assert r["iu"].get_quaternion() == pytest.approx([-s * t, c * t, s * d, c * d])
    assert r["iu"].get_roll_pitch_yaw() == pytest.approx([0, 0.3, 0.5])


def test_inertial_unit_of_old_worlds_measures_against_north():
    info = "northDirection 0 0 1 gravity 0 -9.81 0"
    r = rig(
        'InertialUnit { name "iu" }', info=info, header=OLDEST, fields="rotation 0 1 0 -1.5707963267948966"
    )
    r.enable("iu")
    r.step()
    assert r["iu"].get_roll_pitch_yaw() == pytest.approx([0, 0, 0], abs=1e-9)


def test_angles_at_gimbal_lock_are_numbers():
    """Judge: Webots' library takes the angles from the quaternion; the manual of 8.3.1 promises NaN."""
    r = rig('InertialUnit { name "iu" }', header=OLDEST, fields="rotation 0 0 1 1.5707963267948966")
    r.enable("iu")
    r.step()
    assert r["iu"].get_roll_pitch_yaw() == pytest.approx([0, 1.5707963267948966, 0])


@pytest.mark.parametrize("turn", [-1.5707963267948966, 0.5])
def test_yaw_toward_the_east_is_negative_in_old_worlds(turn: float):
    """Judge: Webots (WbInertialUnit.cpp): the angle about the axis that points up; the manual of 8.3.1 has
    +pi/2 for a unit that heads east (+z, with north +x and y up)."""
    info, place = "gravity 0 -9.81 0", f"rotation 0 1 0 {turn}"
    r = rig('InertialUnit { name "iu" }', info=info, header=OLDEST, fields=place)
    r.enable("iu")
    r.step()
    assert r["iu"].get_roll_pitch_yaw() == pytest.approx([0, 0, turn], abs=1e-9)


def test_noise_of_the_inertial_unit_is_a_share_of_half_a_turn():
    r = rig('InertialUnit { name "iu" noise 0.01 }')
    r.enable("iu")
    yaws = []
    for _ in range(500):
        r.step()
        yaws.append(r["iu"].get_roll_pitch_yaw()[2])
    assert math.sqrt(sum(one * one for one in yaws) / len(yaws)) == pytest.approx(0.01 * math.pi, rel=0.12)


def test_an_axis_of_the_inertial_unit_that_is_off_takes_a_component_away():
    r = rig('InertialUnit { name "iu" xAxis FALSE }', fields="rotation 1 0 1 0.6")
    r.enable("iu")
    r.step()
    assert r["iu"].get_roll_pitch_yaw() == pytest.approx([0, 0, 0.6])


def test_old_inertial_units_answer_nan_for_disabled_axes():
    """Manual 8.3.1: zAxis FALSE disables the pitch, xAxis the roll, yAxis the yaw."""
    for name, place in (("xAxis", 0), ("zAxis", 1), ("yAxis", 2)):
        r = rig(f'InertialUnit {{ name "iu" {name} FALSE }}', fields="rotation 0 1 0 0.4", header=OLDEST)
        r.enable("iu")
        r.step()
        expected = [0.0, 0.0, 0.4]
        expected[place] = math.nan
        assert r["iu"].get_roll_pitch_yaw() == pytest.approx(expected, abs=1e-9, nan_ok=True)


def test_old_inertial_units_map_angles_by_their_lookup_table():
    """Manual 8.3.1: the table converts angles, for example to degrees; inputs outside are clamped."""
    table = f"lookupTable [ {-math.pi} -180 0, 1.5 {math.degrees(1.5)} 0 ]"
    for angle, degrees in ((0.4, math.degrees(0.4)), (2.0, math.degrees(1.5))):
        fields = f"rotation 0 1 0 {angle}"
        r = rig(f'InertialUnit {{ name "iu" {table} }}', fields=fields, header=OLDEST)
        r.enable("iu")
        r.step()
        assert r["iu"].get_roll_pitch_yaw() == pytest.approx([0, 0, degrees], abs=1e-9)


# Compass, Altimeter


@pytest.mark.parametrize(
    ("header", "info", "expected"),
    [
        ("new", "", (0, 1, 0)),
        ("new", 'coordinateSystem "NUE"', (1, 0, 0)),
        ("new", 'coordinateSystem "EUN"', (0, 0, 1)),
        ("oldest", "northDirection 0 0 5", (0, 0, 1)),
    ],
)
def test_compass_points_north(header: str, info: str, expected: tuple[float, ...]):
    r = rig('Compass { name "c" }', info=info, header=OLDEST if header == "oldest" else NEW)
    r.enable("c")
    r.step()
    assert r["c"].get_values() == pytest.approx(expected)


def test_compass_turns_with_the_robot():
    r = rig('Compass { name "c" }', fields="rotation 0 0 1 0.7")
    r.enable("c")
    r.step()
    assert r["c"].get_values() == pytest.approx([math.sin(0.7), math.cos(0.7), 0])


def test_altimeter_measures_height_above_the_reference():
    r = rig('Altimeter { name "h" }', fields="translation 1 2 3.4", info="gpsReference 5 6 100")
    r.enable("h")
    r.step()
    assert r["h"].get_value() == pytest.approx(103.4)
    r = rig('Altimeter { name "h" resolution 0.5 }', fields="translation 1 2 3.4")
    r.enable("h")
    r.step()
    assert r["h"].get_value() == 3.5


def test_noise_of_the_altimeter():
    r = rig('Altimeter { name "h" accuracy 0.2 }')
    r.enable("h")
    values = []
    for _ in range(500):
        r.step()
        values.append(r["h"].get_value())
    assert math.sqrt(sum(one * one for one in values) / len(values)) == pytest.approx(0.2, rel=0.12)


@pytest.mark.parametrize("kind", ["GPS", "Gyro", "Accelerometer", "InertialUnit", "Compass", "Altimeter"])
def test_nothing_is_known_before_the_first_sample(drive: Callable[..., Rig], kind: str):
    r = drive(world(robot(f'{kind} {{ name "s" }}', SOLID)))
    r.enable("s", period=3 * STEP_MS)

    def values() -> list[float]:
        s = r["s"]
        for name in ("get_values", "get_quaternion", "get_value"):
            if hasattr(s, name):
                found = getattr(s, name)()
                return found if isinstance(found, list) else [found]
        raise AssertionError

    r.step(2)
    assert all(math.isnan(one) for one in values())
    r.step()
    assert not any(math.isnan(one) for one in values())
