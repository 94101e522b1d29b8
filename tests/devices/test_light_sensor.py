"""LightSensor: the manual's equation for each kind of light, filter, obstacles, changes."""

from __future__ import annotations

import math

import pytest

from tests.devices.rig import NEW, Rig, rig
from wbridge.wbcore.scene.load import load_text

ONE = "lookupTable [ ]"
SENSOR = f'LightSensor {{ name "ls" {ONE} }}'


def sensor(around: str, more: str = "", table: str = ONE, fields: str = "", **options: object) -> Rig:
    return rig(f'DEF LS LightSensor {{ name "ls" {table} {more} }}', around, fields, **options)


def read(*arguments: object, **options: object) -> float:
    return sensor(*arguments, **options).value("ls")


def test_a_directional_light_counts_by_the_cosine():
    light = "DirectionalLight { direction -1 0 0 intensity 3 }"
    assert read(light) == pytest.approx(3)
    assert read(light, "rotation 0 0 1 1.0471975511965976") == pytest.approx(1.5)
    assert read(light, "rotation 0 0 1 2") == 0


def test_a_direction_need_not_have_unit_length():
    assert read("DirectionalLight { direction -2 0 -2 intensity 1 }") == pytest.approx(math.sqrt(0.5))


@pytest.mark.parametrize("terms", [(1, 0, 0), (0, 2, 0), (1, 2, 3), (0, 0, 0)])
def test_a_point_light_fades_with_the_distance(terms: tuple[float, ...]):
    a, b, c = terms
    light = f"PointLight {{ location 2 0 0 intensity 5 attenuation {a} {b} {c} }}"
    assert read(light) == pytest.approx(5 / (a + 2 * b + 4 * c or 1))


def test_ambient_light_comes_from_everywhere_and_fades_as_well():
    light = "PointLight { location -2 0 0 ambientIntensity 0.6 attenuation 0 1 0 }"
    assert read(light) == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("angle", "expected"), [(0.1, 1), (0.19, 1), (0.3, 2 / 3), (0.4, 1 / 3), (0.49, 1 / 30), (0.51, 0)]
)
def test_a_spot_light_fades_between_its_two_angles(angle: float, expected: float):
    x, y = math.cos(angle), math.sin(angle)
    light = f"SpotLight {{ location 2 0 0 direction {-x} {y} 0 beamWidth 0.2 cutOffAngle 0.5 }}"
    assert read(light) == pytest.approx(expected)


def test_a_beam_that_is_wider_than_the_cut_is_cut():
    light = "SpotLight { location 2 0 0 direction -1 0.7 0 beamWidth 1.5 cutOffAngle @ }"
    assert read(light.replace("@", "0.8")) == pytest.approx(1)
    assert read(light.replace("@", "0.5")) == 0


def test_the_colors_are_filtered_and_averaged():
    light = "DirectionalLight { direction -1 0 0 intensity 3 color 0.2 0.5 1 }"
    assert read(light) == pytest.approx(3 * 1.7 / 3)
    assert read(light, "colorFilter 1 0 0.5") == pytest.approx(3 * 0.7 / 3)


def test_lights_add_up_and_those_that_are_off_do_not_count():
    one = "DirectionalLight { direction -1 0 0 intensity 2 }"
    assert read(
        one + "PointLight { location 3 0 0 }" + one.replace("intensity 2", "on FALSE")
    ) == pytest.approx(3)


def test_the_table_makes_the_value():
    light = "DirectionalLight { direction -1 0 0 intensity 0.25 }"
    assert read(light, table="lookupTable [ 0 0 0 1 1000 0 ]") == pytest.approx(250)
    assert read(light, "resolution 100", table="") == 300


WALL = 'Solid { name "w" translation 1 0 0 boundingObject Box { size 0.1 1 1 } }'


def test_obstacles_hide_the_direct_light_only():
    light = "PointLight { location 2 0 0 intensity 5 ambientIntensity 0.5 }"
    assert read(light + WALL) == pytest.approx(5.5)
    assert read(light + WALL, "occlusion TRUE") == pytest.approx(0.5)
    behind = WALL.replace("translation 1 0 0", "translation 3 0 0")
    assert read(light + behind, "occlusion TRUE") == pytest.approx(5.5)
    far = "DirectionalLight { direction -1 0 0 }"
    assert read(far + WALL, "occlusion TRUE") == 0


def test_the_own_robot_hides_no_light():
    own = "boundingObject Box { size 0.5 0.5 0.5 }"
    assert read("PointLight { location 2 0 0 }", "occlusion TRUE", fields=own) == pytest.approx(1)


def test_lights_may_be_carried():
    light = "Pose { translation 0 0 0 rotation 0 0 1 3.141592653589793 children [ @ ] }"
    point = "PointLight { location -2 0 0 attenuation 0 1 0 }"
    assert read(light.replace("@", point)) == pytest.approx(0.5)
    lamp = (
        'DEF LAMP Solid { name "lamp" translation 2 0 0 linearVelocity 62.5 0 0 children [ '
        "PointLight { attenuation 0 1 0 } ] }"
    )
    r = sensor(lamp)
    r.enable("ls")
    r.step()
    assert r["ls"].get_value() == pytest.approx(1 / 3)
    r.step()
    assert r["ls"].get_value() == pytest.approx(1 / 4)


def test_a_supervisor_may_switch_and_change_lights_and_the_sensor():
    r = sensor("DEF LIGHT DirectionalLight { direction -1 0 0 intensity 2 }")
    r.enable("ls")
    r.step()
    assert r["ls"].get_value() == pytest.approx(2)
    r.set("LIGHT", "intensity", 1.5)
    r.step()
    assert r["ls"].get_value() == pytest.approx(1.5)
    r.set("LIGHT", "on", False)
    r.step()
    assert r["ls"].get_value() == 0
    r.set("LIGHT", "on", True)
    r.set("LS", "colorFilter", (1.0, 0.0, 0.0))
    r.step()
    assert r["ls"].get_value() == pytest.approx(0.5)


def test_leds_switch_and_color_lights():
    light = "PointLight { location 2 0 0 intensity 3 }"
    lamp = f'LED {{ name "led" color [ 1 0.5 0, 0 0 1 ] children [ {light} ] }}'
    r = rig(f'LightSensor {{ name "ls" {ONE} colorFilter 1 1 0 }} {lamp}')
    assert r.value("ls") == 0
    for value, expected in ((1, 1.5), (2, 0), (1, 1.5), (0, 0)):
        r["led"].set(value)
        r.step()
        assert r["ls"].get_value() == pytest.approx(expected)


def test_moved_added_and_removed_lights():
    r = rig(SENSOR, "DEF FRAME Pose { children [ PointLight { location 2 0 0 attenuation 0 1 0 } ] }")
    assert r.value("ls") == pytest.approx(1 / 2)
    r.set("FRAME", "translation", (2.0, 0.0, 0.0))
    r.step()
    assert r["ls"].get_value() == pytest.approx(1 / 4)
    (added,) = load_text(NEW + "PointLight { location 1 0 0 }", "more.wbt").nodes
    r.simulation.edits.insert(None, "", 0, added)
    r.step()
    assert r["ls"].get_value() == pytest.approx(1 / 4 + 1)
    r.simulation.edits.remove(added)
    r.step()
    assert r["ls"].get_value() == pytest.approx(1 / 4)


def test_only_what_contains_a_light_moves_lights():
    """Supervisors move things in each step: the lights are read again only if one of them has moved."""
    holder = "DEF HOLDER Pose { children [ DEF FRAME Pose { children [ PointLight { location 2 0 0 } ] } ] }"
    r = rig(SENSOR, f"{holder} DEF OTHER Pose {{ }}")
    lights = r.simulation.lights.refresh()
    for name, expected in (("OTHER", False), ("FRAME", True), ("HOLDER", True)):
        r.set(name, "translation", (2.0, 0.0, 0.0))
        assert lights.stale == expected
        r.simulation.lights.refresh()


def test_the_engine_samples_it_without_python():
    r = rig(SENSOR, "PointLight { location 2 0 0 }")
    r.enable("ls")
    r.step(2)
    native = r.model("ls").robot.samples.single_pass
    assert native is not None
    assert native.sensors == [r.model("ls")]


def test_obstacles_do_not_change_the_hash_of_the_world():
    light = "PointLight { location 2 0 0 }"
    fields = "boundingObject Box { size 0.1 0.1 0.1 } physics Physics { }"
    hashes = []
    for use in (False, True):
        r = sensor(light + WALL, "occlusion TRUE", fields=fields)
        if use:
            r.enable("ls")
        r.step(5)
        hashes.append(r.simulation.hash())
    assert hashes[0] == hashes[1]
