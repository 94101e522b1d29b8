"""The hardware map as a form.

Judges: `load_hardware`, which `wbridge firmware build` uses, for what is right; `propose` for the first map;
the text, line by line, for what a change leaves alone.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.scene.tables.device_tables import DeviceTable, device_tables
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.map.form import MapForm, boards
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware
from wbridge.wbfirmware.problems import HardwareError
from wbridge.wbfirmware.template_folders import all_board_folders

WORLD = Path(__file__).parents[2] / "worlds" / "two_wheels.wbt"
LEFT, FRONT, LAMP = "left wheel motor", "front", "status"


@pytest.fixture(scope="module")
def table() -> DeviceTable:
    return device_tables(load_world(WORLD))[0]


@pytest.fixture
def form(table: DeviceTable, tmp_path: Path) -> MapForm:
    return MapForm(table, "../worlds/two_wheels.wbt", tmp_path / "hardware.toml", "pico")


def device(form: MapForm, name: str) -> dict[str, Any]:
    return next(each for each in form.shown()["devices"] if each["name"] == name)


def value(form: MapForm, name: str, parameter: str) -> Any:
    return next(each["value"] for each in device(form, name)["parameters"] if each["name"] == parameter)


def other_lines(before: str, after: str) -> set[str]:
    return set(before.splitlines()) ^ set(after.splitlines())


def test_all_boards_are_offered_and_begin_with_a_map_that_can_be_used(table: DeviceTable, tmp_path: Path):
    assert {each["name"] for each in boards()} == set(all_board_folders())
    for name in ("arduino-uno", "pico", "microbit-v2"):
        made = MapForm(table, "w.wbt", tmp_path / "hardware.toml", name)
        assert made.text == propose(table, "w.wbt", name)
        shown = made.shown()
        assert not [each for each in shown["problems"] if not each["is_doubt"]]
        assert shown["wiring"].startswith("<svg")
        assert {each["name"] for each in shown["pins"]} == {
            load_board(name).name_of(pin) for pin in load_board(name).pins
        }


def test_a_value_changes_its_line_alone(form: MapForm):
    before = form.text
    form.set(LAMP, "pin", "GP8")
    assert value(form, LAMP, "pin") == "GP8"
    gone, came = sorted(other_lines(before, form.text), key=lambda line: "GP8" in line)
    assert gone.startswith('pin = "GP7"') and came.startswith('pin = "GP8"')
    assert gone.split("#")[1] == came.split("#")[1], "the comment stays"
    users = {each["name"]: each["users"] for each in form.shown()["pins"]}
    assert users["GP8"] == [[LAMP, "pin"]] and users["GP7"] == []


def test_a_pin_that_is_used_twice_is_a_problem_of_its_device(form: MapForm, table: DeviceTable):
    form.set(LAMP, "pin", "GP2")
    shown = form.shown()
    (problem,) = [each for each in shown["problems"] if not each["is_doubt"]]
    assert problem["device"] == LAMP and "already used" in problem["text"]
    assert form.text.splitlines()[problem["line"] - 1].startswith('pin = "GP2"')
    assert shown["wiring"] == ""
    (pin,) = [each for each in shown["pins"] if len(each["users"]) > 1]
    assert pin["name"] == "GP2" and not pin["is_shared"]
    with pytest.raises(HardwareError, match="already used"):
        form.hardware()


@pytest.mark.parametrize(
    ("name", "driver", "keys"),
    [
        (LEFT, "servo", {"pin", "low", "high", "low_pulse", "high_pulse"}),
        (LEFT, "pca9685_servo", {"sda", "scl"}),
        (FRONT, "vl53l0x_distance", {"sda", "scl"}),
        (FRONT, "ultrasonic", {"trigger", "echo"}),
        (LAMP, "ws2812", {"pin"}),
    ],
)
def test_another_driver_gets_free_pins(
    form: MapForm, table: DeviceTable, name: str, driver: str, keys: set[str]
):
    before = form.text
    form.choose(name, driver)
    shown = device(form, name)
    assert shown["driver"] == driver
    assert keys <= {each["name"] for each in shown["parameters"]}
    hardware = form.hardware()
    assert next(each.driver.name for each in hardware.wirings if each.device.name == name) == driver
    assert load_hardware(hardware.path, table, None, False).wirings == hardware.wirings, "the file has it"
    kept = [line for line in before.splitlines() if line.startswith(("world", "robot", "board", "#"))][:3]
    assert all(line in form.text for line in kept)


def test_two_devices_share_a_bus(form: MapForm):
    form.choose(LEFT, "pca9685_servo")
    form.choose(FRONT, "vl53l0x_distance")
    assert value(form, LEFT, "sda") == value(form, FRONT, "sda")
    form.choose("right wheel motor", "pca9685_servo")
    assert {value(form, f"{side} wheel motor", "channel") for side in ("left", "right")} == {0, 1}
    assert form.hardware()
    shared = [each for each in form.shown()["pins"] if len(each["users"]) > 1]
    assert len(shared) == 2 and len(shared[0]["users"]) == 3 and all(each["is_shared"] for each in shared)


def test_a_device_leaves_the_board_and_returns_to_its_pins(form: MapForm):
    first = value(form, LAMP, "pin")
    form.choose(LAMP, "none")
    assert device(form, LAMP)["parameters"] == []
    assert LAMP not in [each.device.name for each in form.hardware().wirings]
    form.choose(LAMP, "gpio_led")
    assert form.hardware()
    form.choose(LAMP, "gpio_led")
    assert value(form, LAMP, "pin") != "" and first != ""


def test_what_cannot_be_is_refused_with_its_reason(form: MapForm):
    before = form.text
    for name, driver, words in (
        ("nose", "servo", 'no device "nose"'),
        (LAMP, "servo", "can have these drivers: .*gpio_led.*none"),
    ):
        with pytest.raises(ValueError, match=words):
            form.choose(name, driver)
    assert form.text == before


def test_a_text_that_a_person_has_written_is_shown_with_all_its_problems(form: MapForm):
    form.take(form.text.replace('"GP7"', '"GP77"').replace("samples = 1 ", "samples = 99 "))
    shown = form.shown()
    assert {each["device"] for each in shown["problems"]} == {FRONT, LAMP}
    form.take(form.text.replace('board = "pico"', 'board = "pica"'))
    assert "did you mean" in form.shown()["problems"][0]["text"]
    form.take("format = = 1")
    shown = form.shown()
    assert "not valid TOML" in shown["problems"][0]["text"]
    assert shown["devices"] == [] and shown["text"] == "format = = 1"
    with pytest.raises(HardwareError):
        form.set(LAMP, "pin", "GP8")
