"""Wrong pins, numbers and buses: each is refused at its line, with what is allowed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.firmware.bus import at_the_bus, sensors
from tests.firmware.test_drivers import LOOKUP, MOTOR, device
from wbridge.hal.table import DeviceTable
from wbridge.wbfirmware.map.reading import load_hardware
from wbridge.wbfirmware.problems import HardwareError

WHEEL = {**MOTOR, "minPosition": 0.0, "maxPosition": 0.0, "type": "rotational", "positionSensor": 2}
DEVICES = {
    "wheel": ("RotationalMotor", WHEEL),
    "wheel sensor": ("PositionSensor", {"type": "rotational", "motor": 1}),
    "other sensor": ("PositionSensor", {"type": "rotational"}),
    "arm": ("RotationalMotor", {**MOTOR, "type": "rotational"}),
    **sensors(),
    "sonar": ("DistanceSensor", {"lookupTable": LOOKUP}),
    "light": ("LightSensor", {"lookupTable": []}),
}
GOOD = """format = 1
world = "w.wbt"
robot = "robot"
board = "arduino-uno"
[link]
table = false
[devices.wheel]
driver = "hbridge"
pwm = "D3"
forward = "D2"
backward = "D4"
full_speed = 2.0
encoder = "wheel sensor"
[devices."wheel sensor"]
driver = "quadrature_encoder"
a = "D7"
b = "D8"
[devices."other sensor"]
driver = "quadrature_encoder"
a = "D12"
b = "D13"
[devices.arm]
driver = "servo"
pin = "D9"
low = -1.0
high = 1.0
SENSORS[devices.sonar]
driver = "ultrasonic"
trigger = "D5"
echo = "D6"
range = 2.0
[devices.light]
driver = "analog"
pin = "A0"
low = 0.0
high = 1000.0
""".replace(
    "SENSORS",
    at_the_bus(
        "A4",
        "A5",
        acceleration='axes = ["x", "-y", "-z"]\nrange = 4',
        turning="address = 0x68",
        north="offset = [1, 2, 3]",
    ),
)
WRONG = {
    'pwm = "d3"': ('pwm = "D3"', "no pin of Arduino Uno; it has D0, D1, D2", 'did you mean "D3"?'),
    'pwm = "D02"': ('pwm = "D3"', "no pin of Arduino Uno", 'did you mean "D2"?'),
    "pwm = 3": ('pwm = "D3"', "pwm: found 3; no pin of Arduino Uno"),
    'pwm = "D8"': ('pwm = "D3"', "this pin has no PWM; these have: D3, D5, D6, D9, D10, D11"),
    'forward = "D1"': (
        'forward = "D2"',
        "no digital output (the robot link goes through it); these have: D2",
    ),
    'backward = "D2"': (
        'backward = "D4"',
        'D2 is already used by "wheel": forward',
        "free are D4, D10, D11, A1",
    ),
    'encoder = "weel sensor"': ('encoder = "wheel sensor"', 'did you mean "wheel sensor"?'),
    'encoder = "other sensor"': (
        'encoder = "wheel sensor"',
        'belongs to another joint; in the world it is "wheel sensor"',
    ),
    "full_speed = 1.5": ("full_speed = 2.0", "maxVelocity in the world is 2, which must be reached"),
    "full_speed = -2.0": ("full_speed = 2.0", "expected a number above 0"),
    'full_speed = "2"': ("full_speed = 2.0", "found '2'; expected a number"),
    'pin = "D6"': ('pin = "D9"', "this pin has no servo pulses; these have: D9, D10"),
    "low = -0.5": ("low = -1.0", "minPosition in the world is -1, which must be reached"),
    "high = 0.5": ("high = 1.0", "maxPosition in the world is 1, which must be reached"),
    "low = 2.0": ("low = -1.0", "minPosition in the world is -1"),
    "high_pulse = 1000\nhigh = 1.0": ("high = 1.0", "low_pulse: found 1000; high_pulse has the same value"),
    "high_pulse = 3000\nhigh = 1.0": ("high = 1.0", "high_pulse: found 3000; allowed: 400 to 2600"),
    "low_pulse = 1.5\nhigh = 1.0": ("high = 1.0", "low_pulse: found 1.5; expected a whole number"),
    'sda = "A3"': ('sda = "A4"', "no data line of an I2C bus; these have: A4"),
    'axes = ["x", "y", "x"]': ('axes = ["x", "-y", "-z"]', "expected the three axes, each once"),
    "axes = [1, 2, 3]": ('axes = ["x", "-y", "-z"]', "expected the three axes, each once"),
    "range = 3": ("range = 4", "range: found 3; allowed: 2, 4, 8, 16"),
    "range = true": ("range = 4", "range: found true; allowed: 2, 4, 8, 16"),
    "bandwidth = 5\naddress = 0x68": (
        "address = 0x68",
        'bandwidth: found 5, and "acceleration" has 44: the part at this address has one for both',
    ),
    "address = 0x1E": ("address = 0x68", "address: found 30; allowed: 0x68, 0x69"),
    "offset = [1, 2]": ("offset = [1, 2, 3]", "expected three numbers"),
    "offset = [1, 2, 5000]": ("offset = [1, 2, 3]", "allowed: -2048 to 2047 each"),
    "range = 9.5": ("range = 2.0", "allowed: 0.1 to 8"),
    'echo = "D5"': ('echo = "D6"', '"sonar": echo: D5 is already used by "sonar": trigger'),
    'pin = "A4"': ('pin = "A0"', 'A4 is already used by "acceleration": sda'),
    "low = 1000.0": ("low = 0.0", "high has the same value, so there is no range between them"),
    "hihg = 5": ("high = 1000.0", "analog has no parameter hihg", 'did you mean "high"?'),
}


def robot() -> DeviceTable:
    made = tuple(device(k + 1, name, *what) for k, (name, what) in enumerate(DEVICES.items()))
    return DeviceTable(device(0, "robot", "Robot", {}), made)


def problems(folder: Path, text: str) -> list[tuple[int, str]]:
    """Lines and texts of what is wrong."""
    file = folder / "hardware.toml"
    file.write_text(text)
    with pytest.raises(HardwareError) as caught:
        load_hardware(file, robot())
    assert all(line.startswith(f"{file}:") for line in str(caught.value).splitlines())
    return [(one.line, one.text) for one in caught.value.problems]


def test_the_map_that_is_made_wrong_is_right(tmp_path: Path):
    (tmp_path / "hardware.toml").write_text(GOOD)
    assert load_hardware(tmp_path / "hardware.toml", robot()).absent == []


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_line_is_refused_where_it_stands(tmp_path: Path, wrong: str):
    right, *words = WRONG[wrong]
    assert GOOD.count(f"\n{right}\n") >= 1
    text = GOOD.replace(f"\n{right}\n", f"\n{wrong}\n", 1)
    found = problems(tmp_path, text)
    (line, said), *_ = [one for one in found if words[0] in one[1]] or [(0, str(found))]
    for one in words:
        assert one in said
    key = words[0].split(":")[0] if ": found" in words[0] and "\n" in wrong else wrong.split(" ")[0]
    places = [k for k, content in enumerate(text.splitlines(), 1) if content.startswith(f"{key} =")]
    table = max(k for k, content in enumerate(text.splitlines(), 1) if content.startswith("[") and k <= line)
    assert line in places or (line == table and not places)


def test_two_parts_cannot_have_one_address(tmp_path: Path):
    table = robot()
    twice = table._replace(devices=(*table.devices, device(10, "second", "Gyro", {"lookupTable": []})))
    file = tmp_path / "hardware.toml"
    file.write_text(
        GOOD + '[devices.second]\ndriver = "mpu6050_gyro"\nsda = "A4"\nscl = "A5"\naddress = 0x68\n'
    )
    with pytest.raises(HardwareError, match='0x68 is already used by "acceleration"'):
        load_hardware(file, twice)
    file.write_text(file.read_text().replace("0x68\n[devices.north", "0x69\n[devices.north"))
    assert load_hardware(file, twice).absent == []


def test_there_is_one_bus(tmp_path: Path):
    text = (
        GOOD.replace('board = "arduino-uno"', 'board = "host"')
        .replace('"A4"', '"D20"')
        .replace('"A5"', '"D21"')
    )
    text = text.replace('sda = "D20"', 'sda = "D22"', 1)
    found = problems(tmp_path, text)
    words = 'D20 is not the pin of "acceleration": sda (D22); this computer has one I2C bus'
    assert any(words in one for _, one in found)


SYNTAX = {
    "value": ("format = 1\nboard = [", 2, "not valid TOML: "),
    "end": ("format = 1\n\n[devices", 3, "not valid TOML: "),
    "sign": ('format = 1\nrobot "a"\n', 2, "column 7: not valid TOML: "),
    "twice": ("format = 1\nworld = 'a'\nworld = 'b'\n", 3, "not valid TOML: "),
    "nothing": ("format = \n", 1, "not valid TOML: Invalid value"),
}


@pytest.mark.parametrize("name", SYNTAX)
def test_what_is_no_toml_is_named_with_its_line(tmp_path: Path, name: str):
    text, line, words = SYNTAX[name]
    ((at, said),) = problems(tmp_path, text)
    assert at == line and words in said


def test_what_is_no_text_is_named_with_its_line(tmp_path: Path):
    file = tmp_path / "hardware.toml"
    file.write_bytes(b'format = 1\nrobot = "\xff"\n')
    with pytest.raises(HardwareError, match="hardware.toml:2: not a UTF-8 text"):
        load_hardware(file, robot())


def test_keys_with_dots_have_their_lines(tmp_path: Path):
    text = GOOD[: GOOD.index("[devices.light]")] + '[devices]\nlight.driver = "analog"\nlight.pin = "D2"\n'
    found = problems(tmp_path, text.replace("[link]\ntable = false\n", "link.table = 7\n"))
    lines = text.replace("[link]\ntable = false\n", "link.table = 7\n").splitlines()
    assert {lines[line - 1].split(" ")[0] for line, _ in found} == {"link.table", "light.pin"}
