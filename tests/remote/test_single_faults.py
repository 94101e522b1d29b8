"""Thousands of single faults on the robots' own wires, by seed, in virtual time.

A byte is corrupted, lost, doubled, exchanged with the next or inserted, at any place of a step, in either
direction. The judge is the emulated robot: its motors do what the controller wants again within one command
period, and every reading is one that its sensors had.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.remote.bad_line import LEFT, PEERS, RIGHT, Line, driven_line
from tests.remote.emulated import tags
from wbridge.hal import api
from wbridge.hal.link.transports.fault import FAULTS

STEP = 32
SETTLING = 16
"""Steps after a fault."""
REACH = {"send": 60, "receive": 90}
"""Bytes from the first of a step within which a fault is placed: those of a step, and a little more."""
COMMAND_PERIOD = {"epuck": STEP, "create2": 45, "firmata": STEP}
"""In ms: the step; of a Create 2 at least three frames of its stream."""
STANDSTILL_MS = 200
"""A robot whose mode or stream was damaged may stand for this time."""
TICK_MS = 5
"""Of the virtual time and the watching of motors."""
SPEEDS = (0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 3.5, -4.0)


ANALOG_TOLERANCE = 1024 / 64
"""Firmata: damage by less than 1/64 of the range looks like noise."""


class Sensor(NamedTuple):
    """A sensor that the controller reads."""

    setting: str
    """Of the emulator."""
    device: str
    high: int
    reading: Callable[[float], float] = float
    """What the controller must read."""
    tolerance: float = 0.0
    """Of a reading that a single report cannot tell from noise."""


SENSORS = {
    "epuck": [
        *(Sensor(f"ps{k}", f"ps{k}", 4095) for k in range(8)),
        Sensor("gs0", "gs0", 1023),
        Sensor("gs2", "gs2", 1023),
        Sensor("tof", "tof", 2000),
    ],
    "create2": [
        *(
            Sensor(f"cliff_{place}_signal", f"cliff_{place}", 4095, lambda raw: max(raw, 100.0))
            for place in ("left", "front_left", "front_right", "right")
        ),
        Sensor("bumper_left", "bumper_left", 1),
        Sensor("bumper_right", "bumper_right", 1),
    ],
    "firmata": [
        Sensor("A0", "ds", 1023, lambda raw: 2 * raw - 10, 2 * ANALOG_TOLERANCE),
        Sensor("D2", "bumper", 1, lambda raw: 1 - raw),
        Sensor("A2", "pot", 1023, float, ANALOG_TOLERANCE),
    ],
}
GETTERS = dict.fromkeys(("ps", "gs", "tof", "ds", "cliff"), "distance_sensor")
GETTERS |= {"bumper": "touch_sensor", "pot": "position_sensor"}


def kind_of(device: str) -> str:
    """The words between wb_ and _enable."""
    return next(kind for start, kind in GETTERS.items() if device.startswith(start))


class Bench:
    """A controller that reads all sensors and drives both wheels over a line."""

    def __init__(self, name: str, line: Line, seed: int) -> None:
        self.name, self.line, self.chance = name, line, random.Random(seed)
        self.tags = tags()
        self.allowed: dict[str, list[float]] = {}
        self.tolerances = {sensor.device: sensor.tolerance for sensor in SENSORS[name]}
        self.velocities = 0.0, 0.0
        for sensor in SENSORS[name]:
            getattr(api, f"wb_{kind_of(sensor.device)}_enable")(self.tags[sensor.device], STEP)
        for side in (LEFT, RIGHT):
            api.wb_motor_set_position(self.tags[side[name]], math.inf)
        self.see()
        self.steps(20)
        self.see()
        self.steps(20)

    def see(self) -> None:
        """Change what the sensors see; the former values may still arrive."""
        for sensor in SENSORS[self.name]:
            value = self.chance.randint(0, sensor.high)
            self.line.robot.set(sensor.setting, value)
            self.allowed[sensor.device] = [*self.allowed.get(sensor.device, []), sensor.reading(value)][-2:]

    def command(self) -> None:
        """Choose new velocities."""
        self.velocities = self.chance.choice(SPEEDS), self.chance.choice(SPEEDS)
        for side, velocity in zip((LEFT, RIGHT), self.velocities, strict=True):
            api.wb_motor_set_velocity(self.tags[side[self.name]], velocity)

    def wanted(self) -> tuple[float, ...]:
        """What the robot's motors must do, by the data sheets' units."""
        left, right = self.velocities
        if self.name == "epuck":  # 1000 steps per turn
            step = 2 * math.pi / 1000
            return round(round(left / step) * step, 6), round(round(right / step) * step, 6)
        if self.name == "create2":  # mm/s, wheels with a radius of 36 mm
            return round(round(36 * left) / 36, 6), round(round(36 * right) / 36, 6)
        # PWM of 255 for 10 rad/s with two direction pins; a servo with 90 degrees for 5 rad/s.
        return round(25.5 * abs(left)), int(left > 0), int(left < 0), 90 + round(90 * right / 5)

    def steps(self, count: int) -> list[str]:
        """Make steps; readings that no sensor has had."""
        wrong = []
        for _ in range(count):
            api.wb_robot_step(STEP)
            for device, allowed in self.allowed.items():
                value = getattr(api, f"wb_{kind_of(device)}_get_value")(self.tags[device])
                error = min(abs(value - reading) for reading in allowed)
                if len(allowed) == 2 and not error <= self.tolerances[device]:
                    wrong.append(f"{device} reads {value}, allowed {allowed}")
        return wrong

    def fault(self) -> str:
        """Place a fault in the step that follows; its description."""
        direction = self.chance.choice(list(REACH))
        offset, fault = self.chance.randrange(REACH[direction]), self.chance.choice(FAULTS)
        self.line.pipe.at[direction, self.line.pipe.passed[direction] + offset] = fault
        return f"{fault} at byte {offset} of {direction}"


@pytest.mark.parametrize("name", sorted(PEERS))
@pytest.mark.parametrize(
    ("seed", "faults"), [(1, 80), *(pytest.param(seed, 750, marks=pytest.mark.slow) for seed in range(1, 9))]
)
def test_a_single_fault_neither_moves_the_robot_nor_invents_a_reading(
    name: str, seed: int, faults: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    problems = []
    with driven_line(name, "byte", monkeypatch, tmp_path) as line:
        bench = Bench(name, line, seed)
        for _ in range(faults):
            if bench.chance.random() < 0.5:
                bench.command()
            bench.see()
            line.history.clear()
            start, what = line.time.now, bench.fault()
            wrong = bench.steps(SETTLING)
            wanted = bench.wanted()
            if line.motion() != wanted:
                wrong.append(f"the motors end with {line.motion()} instead of {wanted}")
            other = 1000 * line.longest_other(wanted, start)
            stands = name == "create2" and (0.0, 0.0) in [motion for _, motion in line.history[1:]]
            if other > (STANDSTILL_MS if stands else COMMAND_PERIOD[name] + TICK_MS):
                wrong.append(f"{other:.0f} ms of {line.history} instead of {wanted}")
            problems += [f"{what}: {problem}" for problem in wrong[:3]]
        assert line.pipe.faults > faults // 2
        assert line.opened == 1
    assert not problems, f"{len(problems)} of {faults}: " + "\n".join(problems[:12])
