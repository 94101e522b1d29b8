"""How late boards control the speed of two motors: as their board.toml declares it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.firmware.conftest import require_board, two_wheels
from tests.firmware.test_verify import CONTROLLER, hardware_map
from wbridge.wbfirmware.bench import Bench
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.building.build import build
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.map.reading import load_hardware
from wbridge.wbverify.coupling.speed_control import BUSY_MS, PERIOD_MS

pytestmark = pytest.mark.boards
STEP_MS = 16
SLICE_US = 50
SECONDS = 3.0
TRACKS = ((0, 0), (1, 0), (1, 1), (0, 1))
SLOWEST, FASTEST = 200.0, 1500.0
"""Edges per second of an encoder, which change at each control time: so the duty changes, too."""
CONSTANT = {
    "wb_motor_set_velocity(left, 5 - near / 300 + sin(way / 3) / 4);": (
        "volatile double one = 5 - near / 300 + sin(way / 3) / 4;\n    (void)one;\n"
        "    wb_motor_set_velocity(left, 5);"
    ),
    "wb_motor_set_velocity(right, 5 - near / 130);": (
        "volatile double other = 5 - near / 130;\n    (void)other;\n    wb_motor_set_velocity(right, 4);"
    ),
}
"""The controller computes as before, but commands constant velocities: only control times change the duty."""
MOTORS = ("left wheel", "right wheel")


def prepared(folder: Path, board: str) -> Hardware:
    """Two motors with gains, and the controller with constant velocities."""
    code = next(CONTROLLER.glob("*.c")).read_text()
    for old, new in CONSTANT.items():
        assert old in code
        code = code.replace(old, new)
    (folder / "code.c").write_text(code)
    place = hardware_map(folder, board, "standalone")
    text = place.read_text().replace(str(CONTROLLER), "code.c")
    place.write_text(text.replace("speed_p = 0.0", "speed_p = 0.5").replace("speed_i = 0.0", "speed_i = 6.0"))
    return load_hardware(place, two_wheels())


class Wheel:
    """A motor whose duty is watched, and its encoder, which turns at changing speeds."""

    def __init__(self, bench: Bench, hardware: Hardware, name: str, seed: int) -> None:
        found = {one.device.name: one.values for one in hardware.wirings}
        self._bench, self._pwm = bench, found[f"{name} motor"]["pwm"]
        self._pins = [found[f"{name} sensor"][one] for one in "ab"]
        self._chance, self._rate = random.Random(seed), SLOWEST
        self._turned, self._edges, self._duty = 0.0, 0, -1.0
        self.changes: list[float] = []
        """Times of its changes (ms)."""
        for pin in self._pins:
            bench.drive(pin, 0)

    def turn(self, now_us: int) -> None:
        """Turn for a slice of time."""
        if now_us % (1000 * PERIOD_MS) == 0:
            self._rate = self._chance.uniform(SLOWEST, FASTEST)
        self._turned += self._rate * SLICE_US / 1e6
        while self._edges + 1 <= self._turned:
            before, after = TRACKS[self._edges % 4], TRACKS[(self._edges + 1) % 4]
            self._edges += 1
            changed = 0 if before[0] != after[0] else 1
            self._bench.drive(self._pins[changed], after[changed])

    def look(self, now_us: int) -> None:
        """Record a change of the duty."""
        duty = self._bench.show(self._pwm).value
        if duty != self._duty:
            self.changes.append(now_us / 1000)
        self._duty = duty


@pytest.mark.parametrize("board", ["host", "pico", "arduino-uno", "arduino-leonardo", "arduino-mega"])
def test_the_delay_of_a_board_is_the_declared_one(board: str, tmp_path: Path):
    require_board(board)
    hardware = prepared(tmp_path, board)
    built = build(hardware, tmp_path / "firmware")
    with Bench(built.board, built.program, lockstep=True) as bench:
        wheels = [Wheel(bench, hardware, name, k) for k, name in enumerate(MOTORS)]
        for now in range(0, round(1e6 * SECONDS), SLICE_US):
            for one in wheels:
                one.turn(now)
            bench.run(SLICE_US)
            for one in wheels:
                one.look(now + SLICE_US)
    delays = []
    for one in wheels:
        for time in one.changes[2:]:  # the start, and its first control
            due = time - time % PERIOD_MS
            if time - due > BUSY_MS - due % STEP_MS:  # else the controller may have been busy
                delays.append(time - due)
    declared = load_board(board).timing.control_delay
    assert len(delays) > 100
    assert max(delays) <= declared + 5 * SLICE_US / 1000
    assert max(delays) > declared - 1.2  # how often steps and control times coincide differs
