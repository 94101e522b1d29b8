"""`wbridge firmware test --checklist` at emulated boards: a cable that is cut, a person who sees the pins.

The firmware is the user's own and runs in real time: on an emulated Uno and Pico, and for ESP32 the sketch on
this computer. What the person answers is read from the pins, which are the judge.
"""

from __future__ import annotations

import os
import re
import select
import threading
import tty
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.firmware.bring_up import Terminal
from tests.firmware.conftest import WORLD, require_board, two_wheels
from tests.waiting import wait_for
from wbridge.wbfirmware.bench import Bench
from wbridge.wbfirmware.bringup.board_checklist import BOARDS
from wbridge.wbfirmware.bringup.session import as_slave
from wbridge.wbfirmware.building.build import build
from wbridge.wbfirmware.map.reading import load_hardware

NAMES = {board: name for name, board in BOARDS.items()}


class Pins(NamedTuple):
    """Pins of the motor's bridge and of the lamp."""

    pwm: str
    forward: str
    backward: str
    lamp: str


PINS = {
    "arduino-uno": Pins("D3", "D2", "D4", "D13"),
    "pico": Pins("GP2", "GP3", "GP4", "GP15"),
    "esp32": Pins("IO25", "IO26", "IO27", "IO4"),
}


def map_text(board: str) -> str:
    """A hardware map with a motor and a lamp."""
    pins = PINS[board]
    motor = f'pwm = "{pins.pwm}"\nforward = "{pins.forward}"\nbackward = "{pins.backward}"'
    others = ("left wheel sensor", "right wheel motor", "right wheel sensor", "front")
    return (
        f'format = 1\nworld = "{WORLD}"\nrobot = "two wheels"\nboard = "{board}"\nflavor = "slave"\n'
        f'[link]\nwire = "serial"\n[devices."left wheel motor"]\ndriver = "hbridge"\n{motor}\n'
        "full_speed = 16.0\n"
        f'[devices.status]\ndriver = "gpio_led"\npin = "{pins.lamp}"\n'
        + "".join(f'[devices."{name}"]\ndriver = "none"\n' for name in others)
    )


class Cable(threading.Thread):
    """A serial line between the program and the board, which can be cut."""

    def __init__(self, url: str) -> None:
        super().__init__(daemon=True)
        self._board = os.open(url.partition("://")[2].partition("?")[0], os.O_RDWR | os.O_NOCTTY)
        self._own, self._outer = os.openpty()
        for end in (self._board, self._own, self._outer):
            tty.setraw(end)
        self.url = f"serial://{os.ttyname(self._outer)}"
        self.is_cut = False
        self._over = threading.Event()

    def run(self) -> None:
        """Pass bytes on in both directions."""
        ways = {self._own: self._board, self._board: self._own}
        while not self._over.is_set():
            for end in select.select(list(ways), [], [], 0.05)[0]:
                data = os.read(end, 4096)
                if not self.is_cut:
                    os.write(ways[end], data)

    def close(self) -> None:
        """End the thread."""
        self._over.set()
        self.join()
        for end in (self._board, self._own, self._outer):
            os.close(end)


class Eyes(threading.Thread):
    """Sees which way the motor turns."""

    def __init__(self, bench: Bench, pins: Pins) -> None:
        super().__init__(daemon=True)
        self._bench, self._pins, self._lock = bench, pins, threading.Lock()
        self.turned: list[str] = []
        """f or b for each motion."""
        self._over = threading.Event()

    def level(self, pin: str) -> bool:
        """Whether a pin is high or, as PWM, ever."""
        with self._lock:
            return self._bench.show(pin).value > 0

    def sees_motion(self) -> str:
        """f, b, or "" while the motor stands."""
        with self._lock:
            pwm, forward, backward = (self._bench.show(pin).value for pin in self._pins[:3])
        return "" if not pwm or forward == backward else "f" if forward else "b"

    def run(self) -> None:
        """Look all the time."""
        last = ""
        while not self._over.wait(0.004):
            now = self.sees_motion()
            if now and now != last:
                self.turned.append(now)
            last = now

    def close(self) -> None:
        """End the thread."""
        self._over.set()
        self.join()


@pytest.fixture(params=[pytest.param(name, marks=pytest.mark.boards) for name in PINS])
def board(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, Bench]]:
    """A board with the firmware of the map, in real time."""
    name = request.param
    require_board(name)
    (tmp_path / "hardware.toml").write_text(map_text(name))
    built = build(as_slave(load_hardware(tmp_path / "hardware.toml", two_wheels())), tmp_path / "firmware")
    with Bench(built.board, built.program) as bench:
        yield name, bench


def test_each_step_passes_and_one_report_is_written(board: tuple[str, Bench], tmp_path: Path):
    name, bench = board
    pins = PINS[name]
    cable, eyes = Cable(str(bench.url)), Eyes(bench, pins)
    cable.start()
    eyes.start()

    def yes(is_right: bool) -> str:
        return "y" if is_right else "n"

    answers = {
        r"[Ww]hich way did it turn\?.*\) $": lambda: eyes.turned[-1],
        r"[Ii]s it on.*\) $": lambda: yes(eyes.level(pins.lamp)),
        r"Did all motors turn.*\) $": lambda: yes(bool(eyes.turned) and not eyes.sees_motion()),
        r"Did all motors stop.*\) $": lambda: yes(not eyes.sees_motion()),
        r"or Enter: $": lambda: "",
    }
    terminal = Terminal("firmware", "test", "hardware.toml", "--url", cable.url, "--checklist", cwd=tmp_path)
    try:
        text = ""
        for request in ("Press the board's reset button now", "Pull the cable now"):
            text += terminal.converse(answers, request)
            assert eyes.sees_motion() == "f"
            cable.is_cut = True  # no board answers while it starts
            wait_for(lambda: not eyes.sees_motion())
            terminal.read_until("connecting again")
            cable.is_cut = False
        text += terminal.converse(answers, "is the report")
        code, _ = terminal.finish()
    finally:
        terminal.process.kill()
        terminal.process.wait()
        eyes.close()
        cable.close()
    report = (tmp_path / f"checklist-{NAMES[name]}.txt").read_text()
    measured = re.search(r"\n(passed|differs) .*measure the link: median \d", report)
    assert measured, report  # a busy computer is late
    assert report.count("\npassed ") == 5 + (measured[1] == "passed"), (text, report)
    assert code == (measured[1] != "passed")
    assert f"board: {name}\n" in report and report.count("connected again") == 2
    assert (
        "    left wheel motor (hbridge): passed\n" in report and "    status (gpio_led): passed\n" in report
    )
    assert "f" in eyes.turned and "b" in eyes.turned
    assert cable.url.partition("//")[2] not in report and str(tmp_path) not in report
