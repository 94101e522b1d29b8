"""Hardware maps that are wrong are refused with the place, what was found and what is allowed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.firmware.conftest import WORLD, two_wheels
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware, robot_of
from wbridge.wbfirmware.problems import HardwareError

GOOD = propose(two_wheels(), str(WORLD), "arduino-uno")
SERVO = 'driver = "servo"\npin = "D9"\nlow = -1.5\nhigh = 1.5\n'


def load(folder: Path, text: str) -> Hardware:
    file = folder / "hardware.toml"
    file.write_text(text)
    return load_hardware(file, two_wheels())


def replaced(*pairs: tuple[str, str]) -> str:
    text = GOOD
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def motor(text: str) -> str:
    """The good map with another left motor."""
    begin = GOOD.index('[devices."left wheel motor"]')
    end = GOOD.index('[devices."left wheel sensor"]')
    return f'{GOOD[:begin]}[devices."left wheel motor"]\n{text}\n{GOOD[end:]}'


WRONG = {
    "text": ("format = 1\nboard = [", "Invalid value"),
    "format": (replaced(("format = 1", "format = 2")), "format: found 2; this version supports 1"),
    "key": (replaced(("flavor =", "flavour =")), "flavour: unknown key"),
    "nearest key": (replaced(("flavor =", "flavour =")), 'did you mean "flavor"?'),
    "flavor": (replaced(('"slave"', '"master"')), "allowed: slave"),
    "board": (replaced(('"arduino-uno"', '"arduino-one"')), 'did you mean "arduino-uno"?'),
    "wire": (replaced(('wire = "serial"', 'wire = "tcp"')), "Arduino Uno has serial"),
    "baud": (
        replaced(("baud = 115200", "baud = 900000")),
        "the nearest rate of the clock of Arduino Uno is 1000000",
    ),
    "slow baud": (replaced(("baud = 115200", "baud = 10")), "allowed: 1200 to 4000000"),
    "message": (replaced(("message = 64", "message = 32")), "allowed: 64 to 16384 bytes"),
    "reals": (replaced(("[link]", "[link]\nreal = 8")), "Arduino Uno has reals of 4 bytes"),
    "unknown device": (
        replaced(('[devices."front"]', '[devices."frond"]')),
        'no such device; did you mean "front"?',
    ),
    "missing device": (
        replaced(('[devices."front"]', '[devices."frond"]')),
        '"front" (DistanceSensor) is missing',
    ),
    "unknown driver": (
        motor('driver = "hbrige"'),
        'no driver "hbrige"; available for RotationalMotor: hbridge, dynamixel_servo, sts_servo, drv8833, '
        "step_direction, stepper, pca9685_servo, servo, none",
    ),
    "driver of another device": (motor('driver = "gpio_led"'), 'the driver "gpio_led" does not match'),
    "no driver": (motor('pwm = "D3"'), "expected a table with a key driver"),
    "missing parameter": (
        replaced(("full_speed = 12.0", "#")),
        "full_speed is missing (velocity at full duty",
    ),
    "unknown parameter": (replaced(("full_speed =", "fullspeed =")), 'did you mean "full_speed"?'),
    "pin": (replaced(('pwm = "D3"', 'pwm = "D33"')), "no pin of Arduino Uno; it has D0, D1, D2"),
    "pin of the wire": (replaced(('forward = "D2"', 'forward = "D0"')), "this pin has no digital output"),
    "pin without PWM": (
        replaced(('pwm = "D3"', 'pwm = "D4"')),
        "this pin has no PWM; these have: D3, D5, D6, D9",
    ),
    "pin without ADC": (
        replaced(('pin = "A0"', 'pin = "D9"')),
        "this pin has no analog input; these have: A0, A1",
    ),
    "pin twice": (
        replaced(('forward = "D2"', 'forward = "D7"')),
        'D7 is already used by "left wheel motor": forward',
    ),
    "free pins": (replaced(('forward = "D2"', 'forward = "D7"')), "free are D2, D9, D10, A2, A3, A4, A5"),
    "speed": (
        replaced(("full_speed = 12.0", "full_speed = 8.0")),
        "maxVelocity in the world is 12, which must be reached",
    ),
    "duty": (replaced(("least_duty = 0.0", "least_duty = 1.5")), "allowed: 0 to 0.9"),
    "infinite": (replaced(("full_speed = 12.0", "full_speed = inf")), "expected a number"),
    "flag": (replaced(("inverted = false", "inverted = 1")), "allowed: true and false"),
    "encoder": (
        replaced(('encoder = "left wheel sensor"', 'encoder = "front"')),
        "expected a device with the driver quadrature_encoder",
    ),
    "short curve": (
        replaced(("curve = [[0.0, 0.8], [5.0, 0.0]]", "curve = [[0.0, 0.8]]")),
        "rows of two numbers, for example",
    ),
    "curve": (
        replaced(("curve = [[0.0, 0.8], [5.0, 0.0]]", "curve = [[5.0, 0.8], [1.0, 0.0]]")),
        "must ascend",
    ),
    "curve in millivolts": (
        replaced(("curve = [[0.0, 0.8], [5.0, 0.0]]", "curve = [[0, 0.8], [3300, 0.1]]")),
        "the first numbers must be 0 to 12 (pairs of volts and meters",
    ),
    "curve in centimeters": (
        replaced(("curve = [[0.0, 0.8], [5.0, 0.0]]", "curve = [[0.4, 80], [3.0, 5]]")),
        "the nearest distance is 5 m, and the device's lookupTable in the world ends at 0.8 m",
    ),
    "servo in degrees": (
        motor(SERVO.replace("low = -", "low = -90 # ")),
        "low: found -90; allowed: -40 to 40 (position at the pulse length low_pulse, in rad",
    ),
    "pulse in milliseconds": (
        motor(SERVO + "\nlow_pulse = 1.0"),
        "expected a whole number (pulse length at the position low, in us; 1000 us are 1 ms)",
    ),
}


def test_what_is_proposed_is_right(tmp_path: Path):
    hardware = load(tmp_path, GOOD)
    assert [one.driver.name for one in hardware.wirings] == [
        *("hbridge", "quadrature_encoder", "hbridge", "quadrature_encoder", "analog_distance", "gpio_led")
    ]
    assert hardware.absent == []
    assert robot_of(tmp_path / "hardware.toml") == (WORLD, "two wheels")


def test_a_speed_that_looks_like_another_unit_is_doubted(tmp_path: Path):
    assert load(tmp_path, GOOD).doubts == ()
    doubts = load(tmp_path, replaced(("full_speed = 12.0", "full_speed = 115"))).doubts
    assert doubts
    lines = (tmp_path / "hardware.toml").read_text().splitlines()
    for doubt in doubts:
        assert "full_speed is 115, but maxVelocity of the device in the world is 12" in doubt.text
        assert lines[doubt.line - 1].startswith("full_speed = 115")


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_map_is_refused(tmp_path: Path, name: str):
    text, words = WRONG[name]
    with pytest.raises(HardwareError) as caught:
        load(tmp_path, text)
    assert words in str(caught.value)
    assert str(tmp_path / "hardware.toml") + ":" in str(caught.value)


def test_a_timer_cannot_make_pwm_and_servo_pulses(tmp_path: Path):
    text = motor(SERVO).replace('pwm = "D5"', 'pwm = "D10"')
    with pytest.raises(HardwareError) as caught:
        load(tmp_path, text)
    assert "D10 needs timer 1 for PWM" in str(caught.value)
    assert '"left wheel motor": pin (D9) needs it for servo pulses' in str(caught.value)


def test_all_problems_are_told_at_once_with_their_lines(tmp_path: Path):
    text = replaced(
        ('pwm = "D3"', 'pwm = "D4"'), ("least_duty = 0.0", "least_duty = 2"), ("baud = 115200", "baud = 7")
    )
    with pytest.raises(HardwareError) as caught:
        load(tmp_path, text)
    lines = text.splitlines()
    wrong = [lines[one.line - 1].split(" ")[0] for one in caught.value.problems]
    assert wrong == ["baud", "pwm", "least_duty"]


def test_a_device_may_be_absent(tmp_path: Path):
    hardware = load(tmp_path, motor('driver = "none"'))
    assert [one.name for one in hardware.absent] == ["left wheel motor"]
