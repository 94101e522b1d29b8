"""Every driver compiles without a warning for every board, and those that are not in two_wheels.wbt work."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.firmware.conftest import Firmware, boards, require_board
from wbridge.hal.catalogue import kind
from wbridge.hal.link.master import Master
from wbridge.hal.link.pipe import VirtualClock
from wbridge.hal.table import Channel, DeviceEntry, DeviceTable
from wbridge.libcontroller.compiling import BuildError
from wbridge.wbfirmware.bench import Bench, lockstep_pipe
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.boards.drivers import drivers
from wbridge.wbfirmware.building.build import Built, build
from wbridge.wbfirmware.map.reading import load_hardware

LOOKUP = [[0.0, 1000.0, 0.0], [2.0, 0.0, 0.0]]
MOTOR = {"minPosition": -1.0, "maxPosition": 1.0, "maxVelocity": 2.0, "controlPID": [10.0, 0.0, 0.0]}
DEVICES = {
    "sonar": ("DistanceSensor", {"lookupTable": LOOKUP}),
    "light": ("LightSensor", {"lookupTable": []}),
    "bumper": ("TouchSensor", {"type": "bumper", "lookupTable": []}),
    "arm": ("RotationalMotor", {**MOTOR, "type": "rotational"}),
    "wheel": ("RotationalMotor", {**MOTOR, "type": "rotational"}),
    "wheel sensor": ("PositionSensor", {"type": "rotational"}),
    "ir": ("DistanceSensor", {"lookupTable": LOOKUP}),
    "lamp": ("LED", {"gradual": False}),
}
MAP = """format = 1
world = "w.wbt"
robot = "all"
board = "BOARD"
[battery]
driver = "battery_voltage"
pin = "A5"
ratio = 4.0
curve = [[6.0, 0.0], [8.0, 1000.0]]
[devices.sonar]
driver = "ultrasonic"
trigger = "D2"
echo = "D4"
range = 2.0
[devices.light]
driver = "analog"
pin = "A0"
low = 100.0
high = 600.0
[devices.bumper]
driver = "bumper"
pin = "D7"
[devices.arm]
driver = "servo"
pin = "D9"
low = -1.0
high = 1.0
[devices.wheel]
driver = "hbridge"
pwm = "D5"
forward = "D8"
backward = "D12"
full_speed = 2.0
[devices."wheel sensor"]
driver = "quadrature_encoder"
a = "D10"
b = "D11"
[devices.ir]
driver = "analog_distance"
pin = "A1"
curve = [[0.0, 2.0], [SUPPLY, 0.0]]
[devices.lamp]
driver = "gpio_led"
pin = "D13"
"""
STEP = 32
ON_BUS = {"mpu6050_accelerometer", "mpu6050_gyro", "hmc5883l_compass", "qmc5883l_compass", "ina219_battery"}
ELSEWHERE = {*ON_BUS, "rgb_led", "pwm_led"}
"""Drivers that test_imu.py is about."""
PACKETS = {"serial_emitter", "serial_receiver"}
"""And test_packets.py."""
PARTS = {"ak8963_compass", "bno055_inertial_unit", "drv8833", "step_direction", "stepper"}
"""And test_parts.py."""
MEASURING = {"hx711_force", "qtr_rc", "vl53l0x_distance"}
"""And test_measuring_parts.py."""
SERVOS = {f"{kind}_servo{part}" for kind in ("sts", "dynamixel") for part in ("", "_position", "_health")}
"""And test_servos.py; the next ones have files of their own, too."""
SINGLE = {"pca9685_servo", "nmea_gps", "bmp280_altimeter", "single_track_encoder"}
SINGLE |= {
    "matrix_led",
    "lsm303agr_accelerometer",
    "lsm303agr_compass",
    "mag3110_compass",
    "mma8653_accelerometer",
}
PIXELS = {"ws2812"}
"""And test_pixels.py."""
DISPLAYS = {"ssd1306"}
"""And test_display_on_boards.py."""


NAMES = "D3 D6 D2 D4 D5 D7 D8 D9 D10 D11 D12 D13 A0 A1 A5".split()
STM32 = "PA7 PB0 PC6 PB10 PA6 PC7 PC8 PB8 PB12 PB13 PC9 PC12 PC0 PC1 PC5".split()
BLUEPILL = "PA7 PB0 PB5 PB10 PA6 PA8 PA15 PB8 PB12 PB13 PB3 PB4 PA0 PA1 PA4".split()
NUCLEO = "D3 D6 D2 D4 D5 D7 D8 D10 PB12 PB13 D12 D13 A0 A1 A5".split()
MICROBIT = "P12 P16 P3 P4 P8 P5 P6 P13 P7 P9 P10 P16 P0 P1 P2".split()
MICROBIT_V2 = "P12 P13 P3 P4 P8 P5 P6 P7 P14 P15 P10 P16 P0 P1 P2".split()
MEGA = "D3 D44 D2 D10 D5 D7 D8 D6 D50 D51 D12 D13 A0 A1 A5".split()
LEONARDO = "D11 D10 D2 D7 D5 D4 D8 D9 D10 D11 D12 D13 A0 A1 A5".split()
PICO = "GP2 GP3 GP6 GP7 GP8 GP9 GP10 GP12 GP14 GP15 GP11 GP13 GP26 GP27 GP28".split()
OTHERS = {
    "pico": PICO,
    "bluepill": BLUEPILL,
    "nucleo-f401re": NUCLEO,
    "stm32f405": STM32,
    "stm32vldiscovery": STM32,
    "microbit": MICROBIT,
    "microbit-v2": MICROBIT_V2,
    "arduino-mega": MEGA,
    "arduino-leonardo": LEONARDO,
}
"""Pins in the place of those of the map, where boards call them otherwise."""


def pin(board: str, name: str) -> str:
    """The pin of a board that does what this one does in the map."""
    return OTHERS.get(board, NAMES)[NAMES.index(name)]


def device(tag: int, name: str, type_: str, constants: dict[str, object]) -> DeviceEntry:
    """A device with the channels of its kind."""
    declared = kind(type_)
    assert declared is not None
    channels = (
        Channel(one.name, one.direction, one.type, one.shape_for({}), one.enable)
        for one in declared.channels
        if one.exists_for(constants)
    )
    return DeviceEntry(tag, name, type_, "", constants, tuple(channels))


def every_driver() -> DeviceTable:
    """A robot whose devices need all drivers."""
    devices = tuple(device(k + 1, name, *what) for k, (name, what) in enumerate(DEVICES.items()))
    return DeviceTable(device(0, "all", "Robot", {}), devices)


@pytest.fixture(scope="module")
def all_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Built]:
    """A function that builds the firmware with all drivers for a board."""
    made: dict[str, Built] = {}

    def make(board: str) -> Built:
        require_board(board)
        if board not in made:
            folder = tmp_path_factory.mktemp(board)
            text = re.sub(r'"([AD]\d+)"', lambda match: f'"{pin(board, match[1])}"', MAP)
            text = text.replace("BOARD", board).replace("SUPPLY", str(load_board(board).supply))
            (folder / "hardware.toml").write_text(text)
            hardware = load_hardware(folder / "hardware.toml", every_driver())
            others = ELSEWHERE | PACKETS | PARTS | MEASURING | PIXELS | DISPLAYS | SERVOS | SINGLE
            assert {one.driver.name for one in hardware.wirings} == set(drivers()) - others
            made[board] = build(hardware, folder / "firmware")
        return made[board]

    return make


@pytest.mark.parametrize("board", boards())
def test_all_drivers_work_on_a_board(all_of: Callable[[str], Built], board: str):
    """Sensors are driven from outside and read over the link; the servo is seen at its pin."""
    built = all_of(board)
    with Bench(built.board, built.program, lockstep=True) as bench:
        clock = VirtualClock()
        pipe = lockstep_pipe(bench, clock)
        master = Master(every_driver(), lambda: pipe, clock=clock, sleep=lambda s: None)
        master.connect(1.0)
        for slot in master.numbering.slots:
            master.set_period(slot, STEP)
        bench.drive(pin(board, "D7"), 0)  # the switch is closed
        bench.drive(pin(board, "A0"), built.board.supply / 2)
        bench.drive(pin(board, "A1"), built.board.supply / 2)
        bench.drive(pin(board, "A5"), 1.75)  # 7 V at the battery
        echo(bench, pipe.pipe, pin(board, "D4"), 5831)  # us: 1 m
        position = master.numbering.channel(4, "position")
        assert position is not None
        master.set(position, 0.5)
        readings = {}
        for _ in range(30):
            step = master.step(STEP, 0.5)
            assert step is not None
            readings.update({channel.label: value for channel, value in step.values})
            pipe.pipe.pass_time(STEP / 1000)
            echo(bench, pipe.pipe, pin(board, "D4"), 5831)
        assert readings["bumper.value"] == 1
        assert readings["light.value"] == pytest.approx(350, abs=1)
        assert readings["ir.value"] == pytest.approx(500, abs=2)
        assert readings["all.battery"] == pytest.approx(500, abs=15)
        assert readings["sonar.value"] == pytest.approx(500, abs=5)
        assert bench.show(pin(board, "D9"))[:2] == ("servo", pytest.approx(1750, abs=1))


def echo(bench: Bench, pipe: object, where: str, microseconds: int) -> None:
    """Sound comes back after some time."""
    bench.drive(where, 1)
    pipe.pass_time(microseconds / 1e6)  # type: ignore[attr-defined]
    bench.drive(where, 0)


def test_a_program_that_is_too_large_is_refused(
    built: Callable[..., Firmware], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    hardware = built("arduino-uno").hardware
    small = hardware._replace(board=hardware.board._replace(ram=700))
    with pytest.raises(BuildError, match="variables take .* and the stack up to .* has 700 bytes of RAM"):
        build(small, tmp_path / "a")
    with pytest.raises(BuildError, match="has flash for 9000; leave out"):
        build(hardware._replace(board=hardware.board._replace(flash=9000)), tmp_path / "b")


def test_a_missing_compiler_is_named_with_its_packages(
    built: Callable[..., Firmware], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    hardware = built("host").hardware
    compiler = hardware.board.compiler._replace(command="no-such-gcc", packages="gcc-none")
    with pytest.raises(BuildError, match="no-such-gcc is not installed .* apt install gcc-none"):
        build(hardware._replace(board=hardware.board._replace(compiler=compiler)), tmp_path / "firmware")


def test_the_sizes_on_the_uno(built: Callable[..., Firmware]):
    size = built("arduino-uno").built.size
    table = len(built("arduino-uno").hardware.table.canonical())
    assert size.flash - table < 12_000
    assert size.ram < 700
    assert size.stack is not None and size.stack < 500
