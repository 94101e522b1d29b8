"""An ultrasonic sensor without an answer is not a free path: the reading is NaN, and the motors stand.

Judge: data sheet of the HC-SR04: the echo pin goes high after each trigger, for up to 38 ms if nothing is in
range; only a sensor that is not connected does nothing. The unchanged avoider drives on when it reads NaN.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.firmware.conftest import WORLD, boards, require_board, two_wheels
from tests.firmware.onboard import AVOIDER
from wbridge.hal.link.master import Master
from wbridge.hal.link.pipe import VirtualClock
from wbridge.wbfirmware.bench import Bench, lockstep_pipe
from wbridge.wbfirmware.building.build import Built, build
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware

NOTHING_US = 38_000
"""Pulse of a sensor with nothing in range."""
PINS = {"host": ("D10", "D12"), "arduino-uno": ("D9", "A2")}
"""Trigger and echo: free ones."""
ECHO = "ECHO:D9:A2"


def with_sonar(folder: Path, board: str, controller: Path | None) -> Built:
    """The proposed robot with an ultrasonic sensor as its front sensor."""
    text = propose(two_wheels(), str(WORLD), board)
    if controller is not None:
        text = text.replace('flavor = "slave"', f'flavor = "standalone"\ncontroller = "{controller}"')
    head, _, rest = text.partition('[devices."front"]')
    pins = PINS[board]
    _, _, rest = rest.partition("\n\n")
    sonar = f'[devices.front]\ndriver = "ultrasonic"\ntrigger = "{pins[0]}"\necho = "{pins[1]}"\n\n'
    (folder / "hardware.toml").write_text(head + sonar + rest)
    return build(load_hardware(folder / "hardware.toml", two_wheels()), folder / "firmware")


def duty(bench: Bench, folder: Path) -> float:
    """Of the left motor."""
    (pwm, *_) = re.findall('pwm = "(.*)"', (folder / "hardware.toml").read_text())
    return bench.show(pwm).value


@pytest.mark.parametrize("board", boards("host", "arduino-uno"))
def test_an_avoider_stands_without_its_sensor(board: str, tmp_path: Path):
    require_board(board)
    built = with_sonar(tmp_path, board, AVOIDER)
    echo = ":".join(("ECHO", *PINS[board]))
    with Bench(built.board, built.program, lockstep=True) as bench:
        bench.drive(echo, NOTHING_US)
        assert bench.run(1_000_000) == b""
        assert duty(bench, tmp_path) > 0, "nothing in range is a free path"
        bench.drive(echo, 0)  # unplugged
        said = bench.run(900_000)
        assert b"a distance sensor gives no value; the motors stand until it does" in said
        assert duty(bench, tmp_path) == 0
        bench.drive(echo, NOTHING_US)
        bench.run(500_000)
        assert duty(bench, tmp_path) > 0


def test_an_avoider_without_a_sensor_from_the_beginning_stops(tmp_path: Path):
    require_board("arduino-uno")
    built = with_sonar(tmp_path, "arduino-uno", AVOIDER)
    with Bench(built.board, built.program, lockstep=True) as bench:
        bench.run(2_300_000)
        assert duty(bench, tmp_path) == 0


def test_the_motors_of_a_robot_with_a_controller_elsewhere_stand(tmp_path: Path):
    require_board("arduino-uno")
    table = two_wheels()
    built = with_sonar(tmp_path, "arduino-uno", None)
    with Bench(built.board, built.program, lockstep=True) as bench:
        clock = VirtualClock()
        pipe = lockstep_pipe(bench, clock)
        master = Master(table, lambda: pipe, clock=clock, sleep=pipe.pipe.pass_time)  # type: ignore[attr-defined]
        master.connect(5.0)
        left, front = table.find("left wheel motor"), table.find("front")
        assert left is not None and front is not None
        for name, value in (("position", float("inf")), ("velocity", 6.0)):
            channel = master.numbering.channel(left.tag, name)
            assert channel is not None
            master.set(channel, value)
        slot = master.numbering.slot(front.tag, "wb_distance_sensor_enable")
        assert slot is not None
        master.set_period(slot, 32)
        seen = []
        for width in (NOTHING_US, 0, NOTHING_US):
            bench.drive(ECHO, width)
            for _ in range(30):
                assert master.step(32, 1.0) is not None
                pipe.pipe.pass_time(0.03)  # type: ignore[attr-defined]
            seen.append((master.is_faulty, duty(bench, tmp_path) > 0))
        assert seen == [(False, True), (True, False), (False, True)]


def test_each_sensor_that_is_switched_on_again_has_time_for_its_first_value(tmp_path: Path):
    """Two seconds, as after the start; the time before counts for none of them."""
    table, again = two_wheels(), []
    front = table.find("front")
    assert front is not None
    second = front._replace(tag=len(table.devices) + 1, name="second")
    both = table._replace(devices=(*table.devices, second))
    text = propose(two_wheels(), str(WORLD), "host").partition('[devices."front"]')
    rest = text[2].partition("\n\n")[2]
    for name, (trigger, echo) in {"front": PINS["host"], "second": ("D11", "D13")}.items():
        rest += f'\n[devices.{name}]\ndriver = "ultrasonic"\ntrigger = "{trigger}"\necho = "{echo}"\n'
    (tmp_path / "hardware.toml").write_text(text[0] + rest)
    built = build(load_hardware(tmp_path / "hardware.toml", both), tmp_path / "firmware")
    with Bench(built.board, built.program, lockstep=True) as bench:
        clock = VirtualClock()
        pipe = lockstep_pipe(bench, clock)
        master = Master(both, lambda: pipe, clock=clock, sleep=pipe.pipe.pass_time)  # type: ignore[attr-defined]
        master.connect(5.0)
        for device in (front, second):
            slot = master.numbering.slot(device.tag, "wb_distance_sensor_enable")
            assert slot is not None
            for period, steps in ((32, 70), (0, 5), (32, 20), (32, 60), (0, 5)):
                master.set_period(slot, period)
                for _ in range(steps):
                    assert master.step(32, 1.0) is not None
                    pipe.pipe.pass_time(0.03)  # type: ignore[attr-defined]
                again.append(master.is_faulty)
    assert again == [True, False, False, True, False] * 2
