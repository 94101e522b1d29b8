"""TouchSensor: contacts that last until they are read, and forces that a joint holds."""

from __future__ import annotations

import math

import pytest

from tests.devices.rig import OLD, STEP_MS, Rig, rig

G = 9.81
FLOOR = 'DEF FLOOR Solid { boundingObject Plane { } name "floor" }'
FOOT = "boundingObject Box { size 0.1 0.1 0.1 } physics Physics { density -1 mass 1 }"
BODY = "boundingObject Box { size 0.2 0.2 0.2 } physics Physics { density -1 mass 4 }"
DOWN = "rotation 0 1 0 1.5707963267948966"
"""x points down."""


def standing(kind: str, table: str = "lookupTable [ ]", header: str = "", turn: str = DOWN) -> Rig:
    """A robot of 4 kg that stands on a sensor of 1 kg."""
    sensor = f'TouchSensor {{ name "t" type "{kind}" {table} translation 0 0 -0.15 {turn} {FOOT} }}'
    return rig(sensor, FLOOR, f"translation 0 0 0.2 {BODY}")


def test_a_force_is_the_weight_above_the_sensor():
    r = standing("force")
    r.enable("t")
    r.step(150)
    assert r["t"].get_value() == pytest.approx(4 * G, rel=0.02)


def test_a_force_away_from_the_axis_is_no_force():
    r = standing("force", turn="rotation 0 1 0 -1.5707963267948966")
    r.enable("t")
    r.step(100)
    assert r["t"].get_value() == 0


def test_a_force_along_another_axis_does_not_count():
    r = standing("force", turn="")
    r.enable("t")
    r.step(100)
    assert abs(r["t"].get_value()) < 1


def test_a_vector_of_forces_is_in_the_axes_of_the_sensor():
    r = standing("force-3d")
    r.enable("t")
    r.step(150)
    x, y, z = r["t"].get_values()
    assert x == pytest.approx(-4 * G, rel=0.02)
    assert math.hypot(y, z) < 0.5


def test_the_default_table_counts_tenths_of_a_newton():
    r = standing("force", table="")
    r.enable("t")
    r.step(150)
    assert r["t"].get_value() == pytest.approx(40 * G, rel=0.02)


def test_old_worlds_measure_along_z():
    sensor = (
        'TouchSensor { name "t" type "force" lookupTable [ ] translation 0 -0.15 0 '
        f"rotation 1 0 0 1.5707963267948966 {FOOT} }}"
    )
    r = rig(sensor, FLOOR, f"translation 0 0.2 0 {BODY}", header=OLD)
    r.enable("t")
    r.step(150)
    assert r["t"].get_value() == pytest.approx(4 * G, rel=0.02)


def test_without_physics_there_is_no_force(caplog: pytest.LogCaptureFixture):
    table = "lookupTable [ 0 3 0 10 10 0 ]"
    r = rig(f'TouchSensor {{ name "t" type "force" {table} boundingObject Sphere {{ radius 0.1 }} }}')
    r.enable("t")
    r.step(2)
    assert r["t"].get_value() == 3
    assert "add a Physics node to it" in caplog.text


def bumper(period: int = STEP_MS) -> Rig:
    """A sensor in front of which a ball of 0.1 m stands, 0.05 m away."""
    around = 'DEF BALL Solid { name "b" translation 0.35 0 0 boundingObject Sphere { radius 0.1 } }'
    r = rig('TouchSensor { name "t" boundingObject Box { size 0.4 0.4 0.4 } }', around, info="gravity 0")
    r.enable("t", period=period)
    return r


def test_a_bumper_tells_whether_it_touches():
    r = bumper()
    r.step()
    assert r["t"].get_value() == 0
    r.set("BALL", "translation", (0.29, 0.0, 0.0))
    r.step()
    assert r["t"].get_value() == 1
    r.set("BALL", "translation", (0.35, 0.0, 0.0))
    r.step()
    assert r["t"].get_value() == 0


def test_a_bumper_remembers_a_contact_until_it_is_sampled():
    r = bumper(period=4 * STEP_MS)
    r.step(5)
    r.set("BALL", "translation", (0.29, 0.0, 0.0))
    r.step()
    r.set("BALL", "translation", (0.35, 0.0, 0.0))
    r.step()
    assert r["t"].get_value() == 0
    r.step()
    assert r["t"].get_value() == 1
    r.step(4)
    assert r["t"].get_value() == 0


@pytest.mark.parametrize("kind", ["bumper", "force", "force-3d"])
def test_the_engine_samples_it_without_python(kind: str):
    r = standing(kind)
    r.enable("t")
    r.step(2)
    robot = r.model("t").robot
    assert robot.is_plain
    native = robot.samples.single_pass
    assert native is not None
    assert native.sensors == [r.model("t")]


def test_types_and_constants():
    for number, kind in enumerate(("bumper", "force", "force-3d")):
        r = rig(f'TouchSensor {{ name "t" type "{kind}" boundingObject Box {{ }} }}')
        assert r["t"].get_type() == number
        assert r["t"].get_lookup_table() == [0, 0, 0, 5000, 50000, 0]


SLEEPY = "physicsDisableTime 0.1 physicsDisableLinearThreshold 0.1 physicsDisableAngularThreshold 0.1"


def asleep(kind: str) -> Rig:
    """A robot that stands on a sensor, and sleeps since a while."""
    sensor = f'TouchSensor {{ name "t" type "{kind}" lookupTable [ ] translation 0 0 -0.15 {DOWN} {FOOT} }}'
    made = rig(sensor, FLOOR, f"translation 0 0 0.2 {BODY}", SLEEPY)
    made.enable("t")
    made.step(150)
    bodies = made.simulation.physics.handles.bodies.items()
    assert not any(body.awake for plan, body in bodies if plan.is_dynamic)
    return made


def test_a_bumper_feels_what_sleeps_on_it():
    """WbSimulationCluster::odeNearCallback tells the sensor before it looks for sleepers."""
    made = asleep("bumper")
    assert [(made.step(), made["t"].get_value())[1] for _ in range(5)] == [1] * 5


def test_a_bumper_that_is_enabled_when_all_sleeps_feels_it_too():
    made = asleep("bumper")
    made["t"].disable()
    made.step(5)
    assert made.value("t") == 1


def test_a_force_stays_when_the_body_falls_asleep():
    made = asleep("force")
    assert made["t"].get_value() == pytest.approx(4 * G, rel=0.1)


def test_a_force_sensor_at_a_joint_is_told_why_it_measures_nothing():
    """It has a Physics node: the joint, and not a missing one, is the reason."""
    sensor = (
        'HingeJoint { endPoint DEF T TouchSensor { name "t" type "force" lookupTable [ ] '
        "boundingObject Box { size 0.1 0.1 0.1 } physics Physics { density -1 mass 1 } } }"
    )
    made = rig(sensor, fields=BODY)
    assert made.value("t") == 0
    (warning,) = (one for one in made.robot.warned if "TouchSensor" in one)
    assert "as the end point of a joint" in warning
    assert "add a Physics node" not in warning
