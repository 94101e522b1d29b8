"""A controller on this computer drives boards over the robot link; the pins show it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest

from tests.firmware.conftest import Firmware, boards, two_wheels
from wbridge.hal.link.master import Master, Step
from wbridge.hal.link.pipe import VirtualClock
from wbridge.hal.link.read_table import read_table
from wbridge.hal.link.transports import connect
from wbridge.wbfirmware.bench import Bench, LockstepPipe, lockstep_pipe
from wbridge.wbfirmware.boards.board import load_board

LEFT, LEFT_SENSOR, RIGHT, FRONT, STATUS = 1, 2, 3, 5, 6
STEP = 32
PATIENCE, LONG_MS = 60.0, 10_000
"""Times in real time: for an answer (s), and of the watchdog (ms). Emulators may wait for a processor."""


class Driver:
    """A controller's end, and the bench of the board."""

    def __init__(self, firmware: Firmware) -> None:
        self.firmware = firmware
        self.bench = Bench(firmware.built.board, firmware.built.program, lockstep=True)
        self.clock = VirtualClock()
        self.pipe = lockstep_pipe(self.bench, self.clock)
        self.master = Master(two_wheels(), lambda: self.pipe, watchdog=200, clock=self.clock, sleep=self.wait)
        self.master.connect(1.0)

    def wait(self, seconds: float) -> None:
        assert isinstance(self.pipe.pipe, LockstepPipe)
        self.pipe.pipe.pass_time(seconds)

    def show(self, device: str, *parameters: str) -> list[float]:
        """What the pins of a device do."""
        return [self.bench.show(self.firmware.pin(device, one)).value for one in parameters]

    def drive(self, device: str, parameter: str, value: float) -> None:
        """Set a pin of a device from outside."""
        self.bench.drive(self.firmware.pin(device, parameter), value)

    def set(self, tag: int, channel: str, value: object) -> None:
        found = self.master.numbering.channel(tag, channel)
        assert found is not None
        self.master.set(found, value)

    def enable(self, tag: int, function: str, period: int = STEP) -> None:
        found = self.master.numbering.slot(tag, function)
        assert found is not None
        self.master.set_period(found, period)

    def step(self) -> dict[str, float]:
        """A step of the controller; the readings by label."""
        begin = self.clock.now
        step = self.master.step(STEP, 0.5)
        assert isinstance(step, Step)
        self.wait(max(0.0, begin + STEP / 1000 - self.clock.now))
        return {channel.label: value for channel, value in step.values}


@pytest.fixture(params=boards())
def driver(request: pytest.FixtureRequest, built: Callable[..., Firmware]) -> Iterator[Driver]:
    made = Driver(built(request.param))
    yield made
    made.bench.close()


def turn(driver: Driver, edges: int) -> None:
    """Turn the axis of an encoder by some edges, backward if negative."""
    phases = [(0, 0), (1, 0), (1, 1), (0, 1)]
    place = phases.index((0, 0))
    for _ in range(abs(edges)):
        place = (place + (1 if edges > 0 else -1)) % 4
        driver.drive("left wheel sensor", "a", phases[place][0])
        driver.drive("left wheel sensor", "b", phases[place][1])
        driver.wait(0.0005)


def test_a_motor_turns_forward_backward_and_stops(driver: Driver):
    driver.set(LEFT, "position", math.inf)
    driver.set(LEFT, "velocity", 6.0)  # half of what it can
    driver.step()
    assert driver.show("left wheel motor", "forward", "backward") == [1, 0]
    assert driver.show("left wheel motor", "pwm") == [pytest.approx(0.5, abs=0.01)]
    driver.set(LEFT, "velocity", -12.0)
    driver.step()
    assert driver.show("left wheel motor", "forward", "backward", "pwm") == [0, 1, 1]
    driver.master.enabled = False
    driver.step()
    assert driver.show("left wheel motor", "forward", "backward", "pwm") == [0, 0, 0]


def test_a_motor_stops_when_its_controller_is_silent(driver: Driver):
    driver.set(RIGHT, "position", math.inf)
    driver.set(RIGHT, "velocity", 12.0)
    driver.step()
    assert driver.show("right wheel motor", "forward") == [1]
    driver.wait(0.150)
    assert driver.show("right wheel motor", "forward") == [1]  # within the watchdog time of 200 ms
    driver.wait(0.060)
    assert driver.show("right wheel motor", "forward", "backward", "pwm") == [0, 0, 0]


def test_a_distance_sensor_reads_by_its_lookup_table(driver: Driver):
    driver.enable(FRONT, "wb_distance_sensor_enable")
    table = two_wheels().find("front")
    assert table is not None
    (near, least, _), (far, most, _) = table.constants["lookupTable"]
    for share in (0.0, 0.25, 0.6, 1.0):  # of the supply: 0 V is far, all of it is near
        driver.drive("front", "pin", driver.firmware.built.board.supply * share)
        driver.step()
        meters = far + share * (near - far)
        expected = least + (most - least) * (meters - near) / (far - near)
        assert driver.step()["front.value"] == pytest.approx(expected, abs=abs(most - least) / 500)


def test_an_encoder_counts_both_ways(driver: Driver):
    driver.drive("left wheel sensor", "a", 0)
    driver.drive("left wheel sensor", "b", 0)
    driver.enable(LEFT_SENSOR, "wb_position_sensor_enable")
    before = driver.step()["left wheel sensor.position"]
    turn(driver, 360)
    assert driver.step()["left wheel sensor.position"] - before == pytest.approx(2 * math.pi / 4, abs=1e-6)
    turn(driver, -400)
    after = driver.step()["left wheel sensor.position"]
    assert after - before == pytest.approx(2 * math.pi * -40 / 1440, abs=1e-6)


def test_a_motor_goes_to_a_position_by_its_encoder(driver: Driver):
    driver.drive("left wheel sensor", "a", 0)
    driver.drive("left wheel sensor", "b", 0)
    driver.step()
    driver.set(LEFT, "velocity", 12.0)
    driver.set(LEFT, "position", 1.0)
    driver.step()
    assert driver.show("left wheel motor", "forward") == [1]
    turn(driver, 400)  # 1.745 rad: too far
    driver.step()
    assert driver.show("left wheel motor", "forward", "backward") == [0, 1]


def test_a_led(driver: Driver):
    for value in (1, 0):
        driver.set(STATUS, "value", value)
        driver.step()
        assert driver.show("status", "pin") == [value]


def test_the_board_tells_its_device_table(driver: Driver):
    assert read_table(driver.pipe, 5.0, clock=driver.clock) == two_wheels()


@pytest.mark.parametrize("board", boards(host=True))
def test_lockstep_is_the_same_each_time(built: Callable[..., Firmware], board: str):
    def run() -> list[object]:
        driver = Driver(built(board))
        driver.enable(FRONT, "wb_distance_sensor_enable")
        driver.set(LEFT, "position", math.inf)
        shown: list[object] = []
        for k in range(30):
            driver.drive("front", "pin", k / 10)
            driver.set(LEFT, "velocity", k / 3)
            shown += [driver.step(), driver.clock.now, driver.show("left wheel motor", "pwm")]
        driver.bench.close()
        return shown

    assert run() == run()


@pytest.mark.parametrize(
    ("board", "wire"),
    [
        pytest.param(one.values[0], wire, marks=one.marks)
        for one in boards()
        for wire in load_board(str(one.values[0])).wires
    ],
)
def test_over_a_real_wire_in_real_time(built: Callable[..., Firmware], board: str, wire: str):
    firmware = built(board, wire)
    pwm = firmware.pin("left wheel motor", "pwm")
    with (
        Bench(firmware.built.board, firmware.built.program, wire=wire) as bench,
        closing(Master(two_wheels(), lambda: connect(bench.url), watchdog=LONG_MS)) as master,
    ):
        master.connect(PATIENCE)
        bench.drive(firmware.pin("front", "pin"), 5.0)
        slot = master.numbering.slot(FRONT, "wb_distance_sensor_enable")
        velocity, position = (master.numbering.channel(LEFT, name) for name in ("velocity", "position"))
        assert slot and velocity and position
        master.set_period(slot, STEP)
        master.set(position, math.inf)
        master.set(velocity, 6.0)
        readings = []
        for _ in range(1000):
            if len(readings) >= 20:
                break
            step = master.step(STEP, PATIENCE)
            assert step is not None
            readings += [value for channel, value in step.values]
        assert readings[-1] == pytest.approx(1000.0, abs=2.0)
        assert bench.show(pwm).value == pytest.approx(0.5, abs=0.01)
        assert master.leave(PATIENCE)
        assert bench.show(pwm).value == 0
