"""Drivers in Python for parts at pins and at the bus: boards do as the desktop, and verify finds faults."""

from __future__ import annotations

import csv
import re
import shutil
from pathlib import Path

import pytest

from tests.firmware.test_micropython import HOST, PYTHON_BOARDS, boards, verify
from tests.firmware.towers import DEVICES, PINS, changing_devices, tower_map
from wbridge.main import main
from wbridge.wbfirmware.template_folders import templates_path

STEPS = 120


@pytest.mark.parametrize("board", boards(*(one for one in PYTHON_BOARDS if one in PINS)))
def test_they_do_the_same_as_the_desktop(board: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    table, steps = tmp_path / "table.csv", STEPS if board == HOST else 1000
    assert verify(tower_map(tmp_path, board), "--table", str(table), steps=steps) == 0, capsys.readouterr()
    assert changing_devices(table) == DEVICES


FAULTS = {
    "eye": {
        "wrong address": ("wb/table.py", "'address': 41", "'address': 42"),
        "byte order": ("wb/vl53l0x_distance.py", "data[10] << 8 | data[11]", "data[11] << 8 | data[10]"),
        "scale": ("wb/vl53l0x_distance.py", "METERS_PER_MM = 0.001", "METERS_PER_MM = 0.00101"),
        "bits of the status": ("wb/vl53l0x_distance.py", "data[0] >> 3 & 0x0F", "data[0] >> 4 & 0x0F"),
        "model number": ("wb/vl53l0x_distance.py", 'b"\\xee"', 'b"\\xea"'),
        "timing": ("wb/vl53l0x_distance.py", "MOST_ENTRIES, TIMEOUT = 12", "MOST_ENTRIES, TIMEOUT = 1"),
    },
    "unit": {
        "wrong address": ("wb/table.py", "'address': 40", "'address': 41"),
        "byte order": ("wb/bno055_inertial_unit.py", "board.low_word", "board.word"),
        "order of the numbers": ("wb/bno055_inertial_unit.py", "(2, 4, 6, 0)", "(0, 2, 4, 6)"),
        "scale": ("wb/bno055_inertial_unit.py", "16384.0", "16383.0"),
        "mode": ("wb/bno055_inertial_unit.py", "data is None or", "True or"),
    },
    "north": {
        "wrong address": ("wb/table.py", "'host': 104", "'host': 105"),
        "byte order": ("wb/ak8963_compass.py", "board.low_word", "board.word"),
        "sign of the offset": ("wb/table.py", "'offset': [10.0, 0.0, -3.0]", "'offset': [-10.0, 0.0, 3.0]"),
        "sign of an axis": ("wb/table.py", "'axes': [2, 1, -3]", "'axes': [-2, 1, -3]"),
        "order of the axes": ("wb/ak8963_compass.py", "(1, 3, 5)", "(3, 1, 5)"),
    },
    "far": {
        "scale": ("wb/ultrasonic.py", "0.0001715", "0.000343"),
        "sign": ("wb/ultrasonic.py", "ticks_diff(now, self._rise)", "ticks_diff(self._rise, now)"),
        "edge": ("wb/ultrasonic.py", "        if high:\n", "        if not high:\n"),
        "timing": ("wb/ultrasonic.py", "MEASUREMENT_PERIOD = 60", "MEASUREMENT_PERIOD = 600"),
        "no trigger": ("wb/ultrasonic.py", "self._trigger.value(1)", "self._trigger.value(0)"),
        "pin map": ("wb/table.py", "'echo': 'GP7'", "'echo': 'GP3'"),
    },
    "ground": {
        "scale": ("wb/qtr_rc.py", 'width / own["longest"] if', 'width / own["longest"] / 2 if'),
        "sign": ("wb/qtr_rc.py", 'own["low"] + (', 'own["low"] - ('),
        "level": ("wb/qtr_rc.py", "and not self._pin.value()", "and self._pin.value()"),
        "timing": ("wb/qtr_rc.py", "self._begin, self._phase = ticks_us(),", "self._phase ="),
        "no charge": ("wb/qtr_rc.py", "board.drive(self._pin, 1)", "board.drive(self._pin, 0)"),
    },
    "weight": {
        "bit order": (
            "wb/hx711_force.py",
            "bits << 1 | self._data.value()",
            "bits >> 1 | self._data.value() << 23",
        ),
        "a bit too few": ("wb/hx711_force.py", "BITS = 24", "BITS = 23"),
        "gain": ("wb/hx711_force.py", '["gain"] + 1', '["gain"]'),
        "scale": ("wb/table.py", "'scale': 200.0", "'scale': 201.0"),
        "sign of zero": ("wb/table.py", "'zero': 1000.0", "'zero': -1000.0"),
        "level": ("wb/hx711_force.py", "if not self._data.value()", "if self._data.value()"),
    },
    "pixel": {
        "color order": ("wb/ws2812.py", "= light[1], light[0], light[2]", "= light[0], light[1], light[2]"),
        "bit timing": ("wb/board.py", "BIT_NS = (400, 850, 800, 450)", "BIT_NS = (400, 850, 1250, 450)"),
        "pin map": ("wb/table.py", "'pin': 'GP11'", "'pin': 'GP12'"),
        "byte order": ("wb/colors.py", "(16, 8, 0)", "(0, 8, 16)"),
    },
    "third": {
        "place": ("wb/table.py", "'place': 2", "'place': 1"),
        "number of the color": ("wb/colors.py", "listed[value - 1]", "listed[value - 2]"),
    },
    "turret": {
        "direction": ("wb/drv8833.py", "if velocity <= 0:", "if velocity > 0:"),
        "scale of the duty": ("wb/table.py", "'full_speed': 6.0", "'full_speed': 3.0"),
        "sign of P": ("wb/speed_control.py", "self._p * error + self", "-self._p * error + self"),
        "sign of I": ("wb/speed_control.py", "self._integral + self._i", "self._integral - self._i"),
        "sign of the error": ("wb/speed_control.py", "target - speed", "speed - target"),
        "scale of the speed": (
            "wb/speed_control.py",
            "- self._count) / interval",
            "- self._count) / interval / 2",
        ),
        "scale of the time": ("wb/speed_control.py", "self._passed / 1000", "self._passed / 500"),
        "encoder counts": ("wb/quadrature_encoder.py", "count / self", "2 * count / self"),
    },
    "angle": {
        "sign": ("wb/quadrature_encoder.py", "forward == 1:", "forward == 2:"),
        "tracks": ("wb/table.py", "'a': 'GP16', 'b': 'GP17'", "'a': 'GP17', 'b': 'GP16'"),
    },
}
"""Faults by the device that they change: a file on the board, a text in it, and what stands there instead."""
FAULT_STEPS = 130
"""2.1 s: a time-of-flight sensor has been set up."""
ALSO = {"turret": {"angle"}, "angle": {"turret"}, "pixel": {"third"}, "third": {"pixel"}}
ALSO |= dict.fromkeys(("eye", "far"), {"pixel", "shaker", "third", "turret"})
"""Devices of a fault that share its file, its pin or its encoder, and those that obey no command while a
distance sensor gives no value."""


@pytest.fixture(scope="module")
def tower(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The hardware map of a robot that was built."""
    map_file = tower_map(tmp_path_factory.mktemp("tower"), HOST)
    assert main(["-q", "firmware", "build", str(map_file)]) == 0
    return map_file


@pytest.mark.boards
@pytest.mark.parametrize(
    ("device", "fault"), [(one, fault) for one, all_ in FAULTS.items() for fault in all_]
)
def test_a_fault_is_found_at_its_device(device: str, fault: str, tower: Path, tmp_path: Path):
    file, old, new = FAULTS[device][fault]
    shutil.copytree(tower.with_name("firmware"), tmp_path / "firmware")
    place, table = tmp_path / "firmware" / file, tmp_path / "table.csv"
    assert place.read_text().count(old) >= 1
    place.write_text(place.read_text().replace(old, new))
    given = ["--flavor", "standalone", "--firmware", str(place.parents[1] / "main.py"), "--table", str(table)]
    assert verify(tower, *given, steps=FAULT_STEPS) == 1
    with table.open(newline="") as rows:
        found = {row["device"] for row in csv.DictReader(rows) if row["result"] not in ("given", "agrees")}
    assert device in found and found <= {device} | ALSO.get(device, set())


def test_the_set_up_of_the_time_of_flight_sensor_is_that_of_the_driver_in_c():
    """The tables of both drivers have the same bytes."""
    folder = templates_path() / "drivers" / "vl53l0x_distance"
    code = (folder / "vl53l0x_distance.c").read_text()
    known = {
        name: int(value, 0)
        for name, value in re.findall(r"#define (\w+) (\w+)\b", code)
        if value[0].isdigit()
    }
    actions = re.search(r"enum action \{(.*?)\}", code)
    listed = re.search(r"set_up\[\] = \{(.*?)\};", code, re.DOTALL)
    assert actions is not None and listed is not None
    known |= {name: k for k, name in enumerate(actions[1].replace(" ", "").split(","))}
    words = re.sub(r"/\*.*?\*/|\s", "", listed[1]).split(",")
    in_c = [known[one] if one in known else int(one, 0) for one in words]
    python = (folder / "vl53l0x_distance.py").read_text()
    text = python[python.index("SET_UP =") : python.index("class Driver")]
    assert bytes(in_c) == bytes.fromhex("".join(re.findall(r'b"(\w+)"', text)))
