"""What is proposed passes the checks, for every robot and board; and it serves all devices that it can."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import permutations, product
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet

from tests.conftest import CHECKOUT
from tests.firmware.conftest import WORLD, families, require_board, two_wheels
from tests.firmware.test_drivers import LOOKUP, MOTOR, device
from tests.work import calls_of
from wbridge.hal.table import DeviceTable
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.scene.tables.device_tables import device_tables
from wbridge.wbfirmware.boards.board import Board, load_board
from wbridge.wbfirmware.boards.drivers import Driver, drivers
from wbridge.wbfirmware.building.build import build
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.map.pin_allocation import WEIGHTS, DriverChoice, allot
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware
from wbridge.wbfirmware.problems import HardwareError
from wbridge.wbfirmware.template_folders import all_board_folders

WORLDS = sorted((CHECKOUT / "worlds").glob("*.wbt"))
PLAIN = {"lookupTable": []}


@cache
def robots(world: Path) -> tuple[DeviceTable, ...]:
    return tuple(device_tables(load_world(world)))


def hardware(folder: Path, table: DeviceTable, board: str) -> Hardware:
    """What is proposed, read back; it must be right."""
    file = folder / "hardware.toml"
    file.write_text(propose(table, "w.wbt", board))
    return load_hardware(file, table)


def boards_and_worlds() -> list[ParameterSet]:
    """All pairs; each board and each world is in a sixth that `make test` runs."""
    names = families()
    return [
        pytest.param(board, world, id=f"{world.stem}-{board}", marks=[pytest.mark.slow] * ((k + n) % 6 > 0))
        for k, world in enumerate(WORLDS)
        for n, board in enumerate(names)
    ]


@pytest.mark.parametrize(("board", "world"), boards_and_worlds())
def test_what_is_proposed_passes_the_checks(tmp_path: Path, world: Path, board: str):
    for table in robots(world):
        found = hardware(tmp_path, table, board)
        assert len(found.wirings) + len(found.absent) == len(table.devices)


@pytest.mark.slow
@pytest.mark.parametrize("world", ["epuck_arena", "four_wheel_robot", "pioneer"])
def test_what_is_proposed_fits_on_the_board(tmp_path: Path, world: str):
    require_board("arduino-uno")
    (table, *_) = robots(CHECKOUT / "worlds" / f"{world}.wbt")
    built = build(hardware(tmp_path, table, "arduino-uno"), tmp_path / "firmware")
    assert 0 < built.size.flash <= built.board.flash


def robot(*devices: tuple[str, dict[str, object]]) -> DeviceTable:
    made = tuple(
        device(k + 1, f"device {k}", type_, constants) for k, (type_, constants) in enumerate(devices)
    )
    return DeviceTable(device(0, "robot", "Robot", {}), made)


WHEEL = ("RotationalMotor", {**MOTOR, "minPosition": 0.0, "maxPosition": 0.0, "type": "rotational"})
JOINT = ("RotationalMotor", {**MOTOR, "type": "rotational"})
SENSOR = ("DistanceSensor", {"lookupTable": LOOKUP})
LIGHT = ("LightSensor", PLAIN)


BUMPER = ("TouchSensor", {"type": "bumper", "lookupTable": []})


def served(found: Hardware) -> int:
    """The importance of the devices that have a driver, without LEDs."""
    return sum(WEIGHTS.get(one.device.type, 1) for one in found.wirings if one.device.type != "LED")


def used(found: Hardware) -> list[str]:
    return [one.driver.name for one in found.wirings]


def test_scarce_pins_go_to_those_that_need_them(tmp_path: Path):
    """Six light sensors need all analog pins of an Uno, so the distance sensors get digital ones."""
    found = hardware(tmp_path, robot(*[SENSOR] * 3, *[LIGHT] * 6), "arduino-uno")
    assert used(found) == ["ultrasonic"] * 3 + ["analog"] * 6


SONAR = ("DistanceSensor", {"lookupTable": LOOKUP, "type": "sonar"})
LAMP = ("LED", {"gradual": False, "color": [[1, 0, 0]]})
ENCODER = ("PositionSensor", {"type": "rotational"})


@pytest.mark.parametrize("board", ["arduino-uno", "pico", "esp32"])
def test_a_sonar_is_proposed_as_one(board: str, tmp_path: Path):
    """It has a trigger and an echo; a sensor by infrared light, at an analog pin, is another part."""
    kinds = used(hardware(tmp_path, robot(SONAR, SENSOR), board))
    assert kinds == ["ultrasonic", "analog_distance"]


def test_lamps_take_no_pins_from_more_important_devices(tmp_path: Path):
    """Also where the search for pins ends early: what is served without LEDs is served with them."""
    crowd = (WHEEL, WHEEL, *[ENCODER] * 4, *[SONAR] * 3, *[SENSOR] * 5, *[BUMPER] * 3)
    alone = hardware(tmp_path, robot(*crowd), "esp32-c3")
    among = hardware(tmp_path, robot(*crowd, *[LAMP] * 5), "esp32-c3")
    assert served(among) >= served(alone)


def test_joints_get_the_timer_of_servos_and_wheels_the_others(tmp_path: Path):
    found = hardware(tmp_path, robot(WHEEL, JOINT, WHEEL, JOINT), "arduino-uno")
    assert used(found) == ["hbridge", "servo", "hbridge", "servo"]
    assert {one.values["pin"] for one in found.wirings if one.driver.name == "servo"} == {"D9", "D10"}


def test_a_wheel_is_not_proposed_a_servo(tmp_path: Path):
    found = hardware(tmp_path, robot(*[WHEEL] * 7), "arduino-uno")
    assert used(found) == ["hbridge"] * 6  # as many as there are pins with PWM


def test_parts_at_the_bus_share_its_pins_and_have_addresses_of_their_own(tmp_path: Path):
    found = hardware(tmp_path, robot(*[("Accelerometer", PLAIN), ("Gyro", PLAIN)] * 3), "arduino-uno")
    assert {(one.values["sda"], one.values["scl"]) for one in found.wirings} == {("A4", "A5")}
    assert [one.values["address"] for one in found.wirings] == [0x68, 0x68, 0x69, 0x69]
    assert "no pins are left" in propose(found.table, "w.wbt", "arduino-uno")


def test_lamps_get_drivers_for_their_colors(tmp_path: Path):
    colors = [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    lamps = [
        ("LED", {"gradual": gradual, "color": colors[:count]})
        for gradual in (False, True)
        for count in (1, 0)
    ]
    assert used(hardware(tmp_path, robot(*lamps), "host")) == ["gpio_led", "gpio_led", "pwm_led", "rgb_led"]


@pytest.mark.parametrize(("lights", "counted"), [(6, 2), (13, 1), (15, 0)])
def test_timers_count_encoders_if_no_other_device_loses_its_pins(tmp_path: Path, lights: int, counted: int):
    """16 pins are analog inputs, among them those of timers 2 and 3; timer 4 has pins for PWM besides."""
    table = robot(WHEEL, WHEEL, *[("PositionSensor", {})] * 2, *[LIGHT] * lights)
    found = hardware(tmp_path, table, "stm32f405")
    assert len(found.wirings) == len(table.devices)
    assert sum(one.timer is not None for one in found.wirings) == counted


def test_why_a_device_has_no_driver(tmp_path: Path):
    table = robot(*[WHEEL] * 7, ("Pen", {}))
    text = propose(table, "w.wbt", "arduino-uno")
    assert "no pins are left for hbridge" in text
    assert "no driver for Pen" in text


def choices(board: Board, chosen: tuple[Driver, ...]) -> Iterator[dict[str, list[str]]]:
    """The pins for each need of some drivers, for all that the timers can do."""
    timers = sorted({timer for one in board.pins.values() for timer in one.values() if timer})
    for modes in product(("pwm", "servo"), repeat=len(timers)):
        does = dict(zip(timers, modes, strict=True))
        needs = {}
        for k, driver in enumerate(chosen):
            for one in driver.parameters.values():
                if one.kind == "pin":
                    needs[f"{k} {one.name}"] = [
                        pin
                        for pin, able in board.pins.items()
                        if one.function in able and does.get(able[one.function], one.function) == one.function
                    ]
        yield needs


def possible(board: Board, chosen: tuple[Driver, ...]) -> bool:
    """Can the drivers have pins? By trying all ways."""
    for needs in choices(board, chosen):
        if len(needs) <= len(board.pins) and any(
            all(pin in able for pin, able in zip(pins, needs.values(), strict=True))
            for pins in permutations(board.pins, len(needs))
        ):
            return True
    return False


SMALL = {
    "P1": {"analog": "", "input": "", "output": ""},
    "P2": {"analog": "", "change": "", "output": ""},
    "P3": {"pwm": "1", "servo": "1", "output": ""},
    "P4": {"pwm": "1", "servo": "1", "change": ""},
    "P5": {"output": "", "input": "", "change": ""},
    "P6": {"pwm": "2", "output": ""},
}
KINDS = [WHEEL, JOINT, SENSOR, LIGHT, ("LED", {"gradual": True, "color": [[1.0, 0.0, 0.0]]})]


@pytest.mark.parametrize(
    "kinds", [*product(range(len(KINDS)), repeat=2), (0, 2, 4), (1, 2, 3), (1, 3, 4), (2, 2, 4)]
)
def test_all_are_served_whenever_that_is_possible(kinds: tuple[int, ...]):
    board = load_board("host")._replace(name="small", pins=SMALL)
    table = robot(*(KINDS[k] for k in kinds))
    wishes = [DriverChoice(one, tuple(d for d in drivers().values() if d.fits(one))) for one in table.devices]
    found = allot(wishes, board)
    ways = product(*(wish.drivers for wish in wishes))
    assert (None not in found.values()) == any(possible(board, way) for way in ways)


@pytest.mark.parametrize(
    "board",
    # The Nucleo-F446RE with MicroPython has the pins of the F411RE's and takes as long.
    [
        pytest.param(name, marks=[pytest.mark.slow] * (name == "nucleo-f446re-micropython"))
        for name in all_board_folders()
        if load_board(name).circuit.proposed_last
    ],
)
def test_pins_with_uses_of_their_own_are_proposed_last(board: str):
    """Buttons, LEDs on the board, and the log of an ESP32-C3, which would move a motor at each start."""
    found = load_board(board)
    last = set(found.circuit.proposed_last)
    lamp = ("LED", {"gradual": False, "color": [[1.0, 0.0, 0.0]]})
    touch = ("TouchSensor", {"type": "bumper", **PLAIN})
    assert not last & pins_for(robot(WHEEL, lamp, touch), found)
    many = len(found.pins)
    assert last <= pins_for(robot(*[lamp] * many), found) | pins_for(robot(*[touch] * many), found)


def test_the_lamp_on_a_board_is_one_of_the_robot():
    """Where an e-puck takes all pins of a Nucleo, D13 does not start an ultrasonic sensor."""
    (table,) = robots(CHECKOUT / "worlds" / "epuck_arena.wbt")
    sections = propose(table, "w.wbt", "nucleo-f401re").split("[devices.")
    (user,) = (one for one in sections if '"D13"' in one)
    assert 'driver = "gpio_led"' in user


def pins_for(table: DeviceTable, board: Board) -> set[str]:
    """All pins that are proposed for a robot's devices."""
    wishes = [DriverChoice(one, tuple(d for d in drivers().values() if d.fits(one))) for one in table.devices]
    return {pin for one in allot(wishes, board).values() if one for pin in one.pins.values()}


MOST_CALLS = 4_000_000
"""Some three times what one hundred devices need; trying all pins for all of them would be far above."""


def test_a_robot_with_many_devices_does_not_take_long():
    table = robot(*[SENSOR] * 40, *[LIGHT] * 40, *[WHEEL] * 10, *[JOINT] * 10)
    assert calls_of(lambda: propose(table, "w.wbt", "arduino-uno")) < MOST_CALLS


def test_the_pins_of_the_serial_line_are_free_with_usb(tmp_path: Path):
    path = tmp_path / "hardware.toml"
    text = propose(two_wheels(), str(WORLD), "pico")
    lamp = re.sub(r'(?<=driver = "gpio_led"\npin = ).*', '"GP0"', text)
    assert lamp != text
    path.write_text(lamp)
    assert load_hardware(path, two_wheels()).link.wire == "usb"
    path.write_text(lamp.replace('wire = "usb"', 'wire = "serial"'))
    with pytest.raises(HardwareError, match=r"GP0.*the robot link goes through it"):
        load_hardware(path, two_wheels())
