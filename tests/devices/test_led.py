"""LEDs: which color, and which shapes and lights below change with it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.devices.rig import Rig, robot, world

SHAPE = "Shape { appearance DEF LOOK PBRAppearance { emissiveColor 1 1 1 } geometry Sphere { } }"


def led(children: str, fields: str = "") -> str:
    return world(robot(f'LED {{ name "led" {fields} children [ {children} ] }}'))


def look(rig: Rig, def_name: str = "LOOK", field: str = "emissiveColor") -> tuple[float, ...]:
    return tuple(rig.node(def_name).get(field))


def test_it_is_off_at_first(drive: Callable[..., Rig]):
    assert look(drive(led(SHAPE))) == (0, 0, 0)


@pytest.mark.parametrize(
    ("fields", "value", "color"),
    [
        ("color [ 1 0 0, 0 0.5 0 ]", 1, (1, 0, 0)),
        ("color [ 1 0 0, 0 0.5 0 ]", 2, (0, 0.5, 0)),
        ("color [ 1 0 0, 0 0.5 0 ]", 3, (0, 0, 0)),
        ("color [ 1 0 0, 0 0.5 0 ]", -1, (0, 0, 0)),
        ("color [ 1 0.5 0 ] gradual TRUE", 51, (0.2, 0.1, 0)),
        ("color [ 1 0.5 0 ] gradual TRUE", 1000, (1, 0.5, 0)),
        ("color [ ] gradual TRUE", 0xFF3300, (1, 0.2, 0)),
    ],
)
def test_the_value_chooses_the_color(
    drive: Callable[..., Rig], fields: str, value: int, color: tuple[float, ...]
):
    rig = drive(led(SHAPE, fields))
    rig["led"].set(value)
    rig.step()
    assert look(rig) == pytest.approx(color)
    rig["led"].set(0)
    rig.step()
    assert look(rig) == (0, 0, 0)


def test_materials_and_lights_in_a_group_follow_only_in_the_first_child(drive: Callable[..., Rig]):
    material = "Shape { appearance Appearance { material DEF M Material { } } geometry Sphere { } }"
    light = "DEF L PointLight { color 1 1 1 }"
    rig = drive(led(f"Group {{ children [ {material} Group {{ children [ {light} ] }} ] }} {SHAPE}"))
    assert look(rig, "L", "color") == (0, 0, 0)
    rig["led"].set(1)
    rig.step()
    assert look(rig, "M") == (1, 0, 0)
    assert look(rig, "L", "color") == (1, 0, 0)
    assert look(rig) == (1, 1, 1)


def test_an_led_without_children_is_set_all_the_same(drive: Callable[..., Rig]):
    rig = drive(led(""))
    rig["led"].set(1)
    rig.step()
    assert rig.model("led").color == (1, 0, 0)


@pytest.mark.parametrize("light", ["PointLight", "SpotLight", "DirectionalLight"])
@pytest.mark.parametrize("group", ["", "Group", "Pose", "Solid"])
def test_a_light_is_on_as_long_as_the_value_is_not_0(drive: Callable[..., Rig], light: str, group: str):
    """WbLed::setMaterialsAndLightsColor, postFinalize and reset switch lights, whatever `on` says."""
    lamp = f"DEF L {light} {{ on FALSE }}"
    rig = drive(led(f"{group} {{ children [ {lamp} ] }}" if group else lamp))
    assert not rig.node("L").get("on")
    rig["led"].set(1)
    rig.step()
    assert rig.node("L").get("on")
    rig["led"].set(0)
    rig.step()
    assert not rig.node("L").get("on")


def test_a_light_that_is_on_in_the_file_is_off_until_the_led_is_set(drive: Callable[..., Rig]):
    rig = drive(led("DEF L PointLight { on TRUE }"))
    assert not rig.node("L").get("on")
    rig["led"].set(9)  # no such color: black, but on
    rig.step()
    assert rig.node("L").get("on")
    rig.simulation.reset()
    assert not rig.node("L").get("on")


def test_a_color_that_was_shown_follows_its_field(drive: Callable[..., Rig]):
    rig = drive(led(SHAPE, "color [ 1 0 0, 0 1 0 ]"))
    rig["led"].set(1)
    rig.step()
    colors = rig.model("led").node.get("color")
    rig.simulation.set_field(rig.model("led").node, "color", type(colors)(3, [(0, 0, 1), (0, 1, 0)]))
    assert look(rig) == (0, 0, 1)
    for value, color in ((2, (0, 1, 0)), (1, (0, 0, 1))):
        rig["led"].set(value)
        rig.step()
        assert look(rig) == color
