"""Own protocols of robots over a bad line, in virtual time; for 10,000 steps in `make test-slow`.

The e-puck, the Create and Firmata check nothing that they receive, so a wrong byte may do something wrong;
`tests.remote.test_single_faults` limits for how long. What is promised on a line with faults all the time:
no error and no hang, every step in its time, the connection kept, no reading out of range, and within a
second of a good line the robot does what was commanded last. It stands when the controller stops it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.remote.bad_line import LEFT, PEERS, Line, driven_line
from tests.remote.emulated import REMOTE, tags
from wbridge.hal import api
from wbridge.hal.link.transports.fault import Chances

STEPS, STEP = [2_000, pytest.param(10_000, marks=pytest.mark.slow)], 16
BAD = {"message": Chances(*[0.03] * 4), "byte": Chances(*[0.0075] * 4)}
"""3 % of what is sent at once for each fault; or 3 % of the bytes, so that most long answers are damaged."""
SENSORS = {"create2": "cliff_left", "epuck": "ps0", "firmata": "ds"}
RANGES = {"create2": (0.0, 4095.0), "epuck": (-4095.0, 4095.0), "firmata": (-10.0, 2 * 1023.0 - 10)}
"""What the sensors can send, by the data sheets and the wiring file."""
LATE = 1.0
"""In s: what the line may lead to is over."""


@pytest.fixture
def line(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[tuple[str, Line]]:
    """A plugin that drives its robot, and the line between them."""
    name, unit = request.param
    with driven_line(name, unit, monkeypatch, tmp_path) as made:
        yield name, made


def speed_of(robot: Any, name: str) -> float:
    """What the robot's left wheel does, in its own unit; 0: it stands."""
    state: Callable[[], dict[str, float]] = robot.state
    return state()["D5" if name == "firmata" else "left"]


@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize(
    "line",
    [
        # Single bytes: see also test_single_faults.py.
        pytest.param((name, unit), marks=[pytest.mark.slow] * (unit == "byte" and name != "epuck"))
        for name in sorted(PEERS)
        for unit in ("message", "byte")
    ],
    indirect=True,
    ids=str,
)
def test_a_bad_line(line: tuple[str, Line], steps: int, capsys: pytest.CaptureFixture[str]):
    name, wire = line
    chance = random.Random(name)
    motor, sensor = tags()[LEFT[name]], tags()[SENSORS[name]]
    api.wb_motor_set_position(motor, float("inf"))
    api.wb_distance_sensor_enable(sensor, STEP)
    wire.become(BAD[wire.unit])
    longest = 0.0
    for k in range(steps):
        if k % 10 == 0:
            api.wb_motor_set_velocity(motor, chance.choice([0.0, 1.0, 2.0, 4.0]))
        before = wire.time.now
        api.wb_robot_step(STEP)
        longest = max(longest, wire.time.now - before)
        reading = api.wb_distance_sensor_get_value(sensor)
        assert math.isnan(reading) or RANGES[name][0] <= reading <= RANGES[name][1]
        assert api.wb_robot_get_mode() == REMOTE, k
    assert wire.pipe.faults > steps / 20
    assert longest <= 0.1
    for velocity in (4.0, 0.0, 2.0):
        api.wb_motor_set_velocity(motor, velocity)
        wire.become(BAD[wire.unit])
        for _ in range(20):
            api.wb_robot_step(STEP)
        wire.become(Chances())
        end = wire.time.now + LATE
        while wire.time.now < end:
            api.wb_robot_step(STEP)
        assert (speed_of(wire.robot, name) != 0) == (velocity != 0), velocity
    api.wb_robot_set_mode(0, "")
    assert speed_of(wire.robot, name) == 0
    assert "Traceback" not in capsys.readouterr().err
