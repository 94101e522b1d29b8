"""Encoders of an ESP32 by its pulse counters, with the functions of ESP-IDF 4 and 5.

Judges: the order of an encoder's phases, and the pulse counter of the ESP32 Technical Reference Manual (17.2)
as a model; the board's bench shows that the robot's position follows.
"""

from __future__ import annotations

import math
import random
import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from tests.conftest import require_tool
from tests.firmware.conftest import WORLD, Firmware, two_wheels
from tests.firmware.test_boards import LEFT_SENSOR, Driver, turn
from tests.firmware.test_drivers import device
from wbridge.hal.table import DeviceTable
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.building.generate import generate
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware

API, CALLS = (Path(__file__).with_name(name) for name in ("arduino_api", "counter_calls.cpp"))
PHASES = [(1, 1), (0, 1), (0, 0), (1, 0)]
"""Forward, from the levels that pull-ups give."""
VERSIONS = {"ESP-IDF 4": 4, "ESP-IDF 5": 5}


@pytest.fixture(scope="module", params=VERSIONS)
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The board's file with a model of the counter."""
    folder = tmp_path_factory.mktemp("counter")
    path, project, version = folder / "hardware.toml", folder / "firmware", VERSIONS[request.param]
    path.write_text(propose(two_wheels(), str(WORLD), "esp32"))
    generate(load_hardware(path, two_wheels()), project)
    (folder / "driver").mkdir()
    (folder / "driver" / "pulse_cnt.h").write_text('#include "host/pulse_cnt.h"\n')
    flags = ["-std=gnu++17", "-Wall", "-Wextra", "-Werror", "-DARDUINO_ARCH_ESP32"]
    words = [*flags, f"-DESP_IDF_VERSION_MAJOR={version}", f"-I{folder}", f"-I{API}", f"-I{project}"]
    compiler = require_tool("c++", "compiles sketches")
    made = folder / "calls"
    subprocess.run([compiler, *words, CALLS, project / "counter.cpp", "-o", made], check=True)
    return made


def counted(program: Path, steps: list[int]) -> list[int]:
    """What the board counts after each of some steps of the phase, modulo 2^16."""
    phase, lines = 0, []
    for step in steps:
        phase = (phase + step) % 4
        lines.append("{} {}\n".format(*PHASES[phase]))
    done = subprocess.run([program], input="".join(lines), capture_output=True, text=True, check=True)
    return [int(line) for line in done.stdout.split()]


def wrapped(count: int) -> int:
    """As a number of 16 bits."""
    return (count + 2**15) % 2**16 - 2**15


@pytest.mark.parametrize("sign", [1, -1])
def test_each_edge_counts_also_beyond_the_limits_of_the_counter(program: Path, sign: int):
    steps = [sign] * 70_000 + [-sign] * 140_000
    expected, total = [], 0
    for step in steps:
        total += step
        expected.append(wrapped(total))
    assert counted(program, steps) == expected


def test_random_turns_are_counted(program: Path):
    chance = random.Random(5)
    steps = [chance.choice((-1, 1)) for _ in range(20_000)]
    found = counted(program, steps)
    assert [after - before for before, after in pairwise([0, *found])] == steps


def encoders(count: int) -> DeviceTable:
    """A robot with encoders."""
    sensors = [device(k, f"e{k}", "PositionSensor", {"type": "rotational"}) for k in range(1, count + 1)]
    return DeviceTable(device(0, "it", "Robot", {}), tuple(sensors))


def test_encoders_beyond_the_eight_counters_have_interrupts(tmp_path: Path):
    pins = [name for name, able in load_board("esp32").pins.items() if "change" in able]
    assert load_board("esp32").timing.counters == 8
    text = 'format = 1\nworld = "w.wbt"\nrobot = "it"\nboard = "esp32"\n'
    count = len(pins) // 2
    for k in range(count):
        tracks = f'a = "{pins[2 * k]}"\nb = "{pins[2 * k + 1]}"\n'
        text += f'[devices.e{k + 1}]\ndriver = "quadrature_encoder"\n{tracks}'
    (tmp_path / "hardware.toml").write_text(text)
    wirings = load_hardware(tmp_path / "hardware.toml", encoders(count)).wirings
    numbers = [wiring.timer.number if wiring.timer else None for wiring in wirings]
    assert numbers == [*range(1, min(count, 8) + 1), *[None] * (count - 8)]


def test_the_c3_has_no_counters(tmp_path: Path):
    text = propose(two_wheels(), str(WORLD), "esp32-c3")
    (tmp_path / "hardware.toml").write_text(text)
    wirings = load_hardware(tmp_path / "hardware.toml", two_wheels()).wirings
    assert {wiring.timer for wiring in wirings} == {None}


@pytest.mark.boards
def test_the_robot_s_position_follows(built: Callable[..., Firmware]):
    firmware = built("esp32")
    driver = Driver(firmware)
    with driver.bench:
        for track in "ab":
            driver.drive("left wheel sensor", track, 0)
        driver.enable(LEFT_SENSOR, "wb_position_sensor_enable")
        before = driver.step()["left wheel sensor.position"]
        turn(driver, 360)
        after = driver.step()["left wheel sensor.position"]
        turn(driver, -400)
        last = driver.step()["left wheel sensor.position"]
    assert after - before == pytest.approx(math.pi / 2, abs=1e-6)
    assert last - after == pytest.approx(-2 * math.pi * 400 / 1440, abs=1e-6)
