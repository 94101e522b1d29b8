"""Sketches for ESP32: what is proposed at their pins, and how they use Espressif's Arduino core.

The judges are the data sheet of the ESP32 (pins for its start, pins without outputs), its errata (3.11), that
of the ESP32-WROVER (PSRAM at IO16, IO17) and the public reference of the core, whose functions print.
"""

from __future__ import annotations

import csv
import re
import subprocess
from pathlib import Path

import pytest

from tests.conftest import require_tool
from tests.firmware.conftest import WORLD, two_wheels
from tests.firmware.rovers import prepare
from tests.firmware.test_drivers import device
from wbridge.hal.table import DeviceTable
from wbridge.main import main
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.scene.tables.device_tables import device_tables
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.building.generate import generate
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware
from wbridge.wbfirmware.template_folders import templates_path

CALLS = Path(__file__).with_name("arduino_calls.cpp")
API = Path(__file__).with_name("arduino_api")
WITHOUT_PULL_UP = {"IO34", "IO35", "IO36", "IO39"}
LIMITS = {"minPosition": 0.0, "maxPosition": 0.0, "maxVelocity": 9.0, "controlPID": [10.0, 0.0, 0.0]}


def rover(folder: Path, board: str) -> Hardware:
    """The proposed hardware map of the rover."""
    path = prepare(folder, board, has_line=False)
    tables = device_tables(load_world(folder / "worlds" / "rover.wbt"))
    return load_hardware(path, next(one for one in tables if one.name == "rover"))


def test_encoders_get_pins_with_pull_ups_and_servos_their_pulses(tmp_path: Path):
    wirings = {one.device.name: one for one in rover(tmp_path, "esp32").wirings}
    for name in ("left encoder", "right encoder"):
        assert wirings[name].driver.name == "quadrature_encoder"
        assert not {wirings[name].values["a"], wirings[name].values["b"]} & WITHOUT_PULL_UP
    assert wirings["neck"].driver.name == "servo"
    taken = {name for name, one in wirings.items() if {"IO16", "IO17"} & set(map(str, one.values.values()))}
    assert taken <= {"status", "glow"}, "only what found no other pin is at those of the PSRAM"


@pytest.mark.slow  # test_servos.py compares a servo on another board, and the tests below compile this sketch
@pytest.mark.parametrize("board", ["esp32", "pico-w"])
def test_a_sketch_moves_a_servo_as_the_desktop_does(
    tmp_path: Path, board: str, capsys: pytest.CaptureFixture[str]
):
    """On this computer, with the core's functions for pulses."""
    path = prepare(tmp_path, board, has_line=False)
    words = ["--steps", "30", "--flavor", "standalone", "--table", str(tmp_path / "table.csv")]
    assert main(["-q", "firmware", "verify", str(path), *words]) == 0, capsys.readouterr()
    with (tmp_path / "table.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["device"] == "neck" and row["step"]]
    shown = {float(row["board"]) for row in rows}
    assert len(shown) > 10, "it has moved"


def wheels(limits: dict[str, float]) -> DeviceTable:
    """A robot of one wheel that has an encoder, and six motors that take the pins."""
    constants = {**LIMITS, **limits, "type": "rotational"}
    motors = [device(k, f"m{k}", "RotationalMotor", constants) for k in range(1, 8)]
    sensor = device(8, "sensor", "PositionSensor", {"type": "rotational", "motor": 1})
    return DeviceTable(device(0, "it", "Robot", {}), (*motors, sensor))


def test_a_potentiometer_measures_in_rad_and_only_limited_joints():
    def proposed(limits: dict[str, float], board: str) -> str:
        text = propose(wheels(limits), "w.wbt", board)
        return text[text.index('[devices."sensor"]') :]

    limited = proposed({"minPosition": -1.0, "maxPosition": 1.0}, "esp8266")
    assert 'driver = "analog"' in limited and re.search(r"^high = 6\.28", limited, re.MULTILINE)
    assert 'driver = "none"' in proposed({}, "esp8266")


def test_a_switch_at_an_analog_pin_is_0_or_1():
    bumper = device(1, "b", "TouchSensor", {"type": "bumper", "lookupTable": []})
    motors = [device(k, f"m{k}", "RotationalMotor", {**LIMITS, "type": "rotational"}) for k in range(2, 9)]
    text = propose(DeviceTable(device(0, "it", "Robot", {}), (bumper, *motors)), "w.wbt", "esp8266")
    if 'driver = "analog"' in text:
        assert re.search(r"^high = 1\.0 ", text, re.MULTILINE)


def encoder_at(folder: Path, board: str, pin: str) -> Hardware:
    """A map with an encoder at two pins."""
    sensor = device(1, "sensor", "PositionSensor", {"type": "rotational"})
    text = f'format = 1\nworld = "w.wbt"\nrobot = "it"\nboard = "{board}"\n'
    text += f'[devices.sensor]\ndriver = "quadrature_encoder"\na = "{pin}"\nb = "IO32"\n'
    (folder / "hardware.toml").write_text(text)
    return load_hardware(folder / "hardware.toml", DeviceTable(device(0, "it", "Robot", {}), (sensor,)))


def test_a_pin_without_a_pull_up_needs_a_resistor(tmp_path: Path):
    (doubt,) = encoder_at(tmp_path, "esp32", "IO34").doubts
    assert "IO34 has no pull-up; connect a resistor of 10 kOhm" in doubt.text
    assert encoder_at(tmp_path, "esp32", "IO33").doubts == ()


@pytest.mark.parametrize("pin", ["IO36", "IO39"])
def test_pins_that_the_converter_disturbs_have_no_interrupts(pin: str):
    assert "change" not in load_board("esp32").pins[pin]


def test_a_motor_that_is_no_servo_for_want_of_pulses_says_so():
    limits = {"minPosition": -1.0, "maxPosition": 1.0}
    text = propose(wheels(limits), "w.wbt", "esp32-c3")
    assert "# not the best driver for this device: servo needs " in text


def calls(folder: Path, board: str, *defined: str) -> list[str]:
    """The calls of a sketch's board file, by the core's public reference."""
    compiler = require_tool("c++", "compiles sketches")
    path = folder / "hardware.toml"
    path.write_text(propose(two_wheels(), str(WORLD), board))
    project = folder / "firmware"
    generate(load_hardware(path, two_wheels()), project)
    sources = [project / one for one in ("board.cpp", "ledc.cpp") if (project / one).is_file()]
    pins = {"esp32": (4, 13), "esp32-c3": (0, 1), "esp8266": (1, 2), "pico-w": (2, 3)}[board]
    words = [f"-DOUTPUT_PIN_A={pins[0]}", f"-DOUTPUT_PIN_B={pins[1]}", *(f"-D{one}" for one in defined)]
    made = folder / "calls"
    flags = ["-std=gnu++17", "-Wall", "-Wextra", "-Werror", f"-I{API}", f"-I{project}", *words]
    subprocess.run([compiler, *flags, CALLS, *sources, "-o", made], check=True)
    return subprocess.run([made], capture_output=True, text=True, check=True).stdout.splitlines()


def test_an_esp32_makes_pulses_by_its_led_controller(tmp_path: Path):
    """1 kHz in 8 bits; 1000, 1500 and 2000 us of 20 ms in 16 bits."""
    found = calls(tmp_path, "esp32", "ARDUINO_ARCH_ESP32", "ESP_ARDUINO_VERSION_MAJOR=3")
    assert [one for one in found if one.startswith("ledc")] == [
        *("ledcAttach 4 1000 8", "ledcWrite 4 100", "ledcWrite 4 101", "ledcWrite 4 102", "ledcWrite 4 256"),
        *("ledcAttach 13 50 16", "ledcWrite 13 3277", "ledcWrite 13 4915", "ledcWrite 13 6554"),
        "ledcDetach 4",
    ]
    assert [one for one in found if one.startswith("pinMode 4 ")] == ["pinMode 4 1"]


def test_an_esp32_s_older_core_has_channels_whose_timers_nothing_else_uses(tmp_path: Path):
    """Channels 2 n and 2 n + 1 have the timer n % 4."""
    found = calls(tmp_path, "esp32", "ARDUINO_ARCH_ESP32", "ESP_ARDUINO_VERSION_MAJOR=2")
    setups = {int(one.split()[1]): int(one.split()[2]) for one in found if one.startswith("ledcSetup")}
    timers: dict[int, set[int]] = {}
    for channel, hertz in setups.items():
        timers.setdefault(channel // 2 % 4, set()).add(hertz)
    assert sorted(setups.values()) == [50, 1000] and all(len(one) == 1 for one in timers.values())
    assert "ledcDetachPin 4" in found


def test_all_channels_of_a_c3_are_for_pwm(tmp_path: Path):
    """It has six, and no servo pulses."""
    found = calls(tmp_path, "esp32-c3", "ARDUINO_ARCH_ESP32", "ESP_ARDUINO_VERSION_MAJOR=3")
    assert "ledcAttach 0 1000 8" in found and "ledcWrite 0 256" in found
    pins = (templates_path() / "sketch_boards" / "esp32-c3" / "pins.h").read_text()
    channels, timers = (
        int(pins.split(f"#define {name} ")[1].split()[0]) for name in ("BOARD_LEDC", "BOARD_LEDC_PWM_TIMERS")
    )
    assert (channels, timers) == (6, 3) and len(load_board("esp32-c3").able("pwm")) <= channels


@pytest.mark.parametrize(
    ("board", "core", "limit"),
    [
        ("esp32", "ESP32", "Wire.setTimeOut 3"),
        ("esp32-c3", "ESP32", "Wire.setTimeOut 3"),
        ("esp8266", "ESP8266", "Wire.setClockStretchLimit 3000"),
        ("pico-w", "RP2040", "Wire.setTimeout 3 1"),
    ],
)
def test_the_bus_has_a_limit(tmp_path: Path, board: str, core: str, limit: str):
    found = calls(tmp_path, board, f"ARDUINO_ARCH_{core}")
    assert found.index(limit) > found.index("Wire.begin")


def test_pwm_sets_the_mode_of_a_pin_once(tmp_path: Path):
    found = calls(tmp_path, "pico-w", "ARDUINO_ARCH_RP2040")
    assert [one for one in found if one.startswith("analogWrite 2 ")] == [
        f"analogWrite 2 {duty}" for duty in (100, 101, 102, 255)
    ]
    assert found.count("pinMode 2 1") == 1


def test_the_usb_port_of_a_c3_does_not_wait_for_a_reader(tmp_path: Path):
    usb = ("ARDUINO_ARCH_ESP32", "ARDUINO_USB_MODE=1", "ARDUINO_USB_CDC_ON_BOOT=1")
    found = calls(tmp_path, "esp32-c3", *usb)
    assert found.index("setTxTimeoutMs 0") < found.index("Serial.begin")


@pytest.mark.parametrize("board", ["esp32", "esp32-c3", "esp8266", "pico-w"])
def test_clock_pulses_free_a_bus_that_a_part_holds(tmp_path: Path, board: str):
    """Up to nine, by the I2C bus specification, UM10204, 3.1.16; then the core's library starts again."""
    architecture = {"esp8266": "ESP8266", "pico-w": "RP2040"}.get(board, "ESP32")
    lines = calls(tmp_path, board, f"ARDUINO_ARCH_{architecture}")
    sda, scl = (6, 7) if board == "esp32-c3" else (20, 21)
    pulse = [f"pinMode {scl} 1", "delay 5", f"pinMode {scl} 2", "delay 5"]
    starts = [k for k, line in enumerate(lines) if line.startswith("held ")]
    for start, needed, pulses in zip(starts, (0, 4, 9, 100), (0, 4, 9, 9), strict=True):
        said = lines[start : lines.index(f"answer {int(needed == 0)}", start)]
        assert said[0] == f"held {needed}"
        assert [line for line in said if line.startswith((f"pinMode {scl}", "delay"))] == pulse * pulses
        assert said.count(f"pinMode {sda} 2") == said.count("Wire.begin") == (needed > 0)
