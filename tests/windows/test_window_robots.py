"""`wbridge window` with robots that others emulate: an e-puck's electronics, and a board with firmware."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT
from tests.firmware.conftest import require_board
from tests.windows.browser import started
from tests.windows.wire import Looker

EPUCK = CHECKOUT / "worlds" / "epuck_arena.wbt"
BOARD = CHECKOUT / "worlds" / "two_wheels_uno.toml"


@contextmanager
def emulated(*arguments: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """An emulator of wbridge, which says where it is and takes lines: its address, and the process."""
    command = [sys.executable, "-m", "wbridge", *arguments]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen(command, cwd=CHECKOUT, text=True, **pipes) as process:  # type: ignore[call-overload]
        try:
            lines = []
            for line in process.stdout:
                lines.append(line)
                found = re.search(r": ((?:serial|tcp)://\S+)", line)
                if found:
                    yield found[1], process
                    return
            raise AssertionError("".join(lines))
        finally:
            process.terminate()


def _say(process: subprocess.Popen[str], line: str) -> None:
    assert process.stdin is not None
    process.stdin.write(f"{line}\n")
    process.stdin.flush()


def _tag(page: Looker, name: str) -> int:
    devices = page.hello["robots"][0]["table"]["devices"]
    return 1 + [one["name"] for one in devices].index(name)


def test_an_epuck_that_speaks_its_own_protocol():
    """Sensors are read by their names, sliders turn its wheels, and stopping stops it."""
    options = ("--plugin", "epuck", "--world", str(EPUCK))
    with emulated("emulate", "epuck", "--url", "tcp://127.0.0.1", "--set", "ps0=300") as (url, robot):
        assert robot.stdout is not None
        with started("window", url, *options) as on, Looker(on.url) as page:
            assert len(page.hello["robots"][0]["shape"]["rays"]) >= 8
            sensor, wheel = _tag(page, "ps0"), _tag(page, "left wheel motor")
            page.ask("enable", device=sensor, channel="value", period=32)
            page.until(lambda now: now["values"].get(str(sensor)) == {"value": 300.0})
            _say(robot, "ps0=500")
            page.until(lambda now: now["values"].get(str(sensor)) == {"value": 500.0})
            page.ask("set", device=wheel, channel="velocity", value=3)
            assert any("left=3" in line for line in iter(robot.stdout.readline, ""))
            page.ask("stop")
            assert any("left=0" in line for line in iter(robot.stdout.readline, ""))


@pytest.mark.slow
def test_a_board_with_firmware_that_tells_its_own_table(tmp_path: Path):
    """An Arduino Uno, emulated: what its pins see is seen in the window."""
    require_board("arduino-uno")
    text = BOARD.read_text("utf-8").replace('flavor = "standalone"', 'flavor = "slave"')
    text = re.sub(r"(?m)^controller = .*$", "", text)
    hardware = tmp_path / "hardware.toml"
    hardware.write_text(text.replace('"two_wheels.wbt"', f'"{BOARD.with_name("two_wheels.wbt")}"'), "utf-8")
    with (
        emulated("firmware", "emulate", str(hardware)) as (url, board),
        started("window", url) as on,
        Looker(on.url) as page,
    ):
        assert page.hello["robots"][0]["name"] == "two wheels"
        sensor, wheel = _tag(page, "front"), _tag(page, "left wheel motor")
        page.ask("enable", device=sensor, channel="value", period=32)
        _say(board, "drive A0 1.3")  # volts, at 0.2 m
        far = page.until(lambda now: now["values"].get(str(sensor), {}).get("value", 0) > 0)
        _say(board, "drive A0 0.4")  # at 0.8 m
        page.until(lambda now: now["values"][str(sensor)] != far["values"][str(sensor)])
        page.ask("set", device=wheel, channel="velocity", value=6)
        page.until(lambda now: now["acts"][str(wheel)]["velocity"] == 6.0)
        page.ask("stop")
        page.until(lambda now: now["acts"][str(wheel)]["velocity"] == 0.0)
        assert page.said == ["all motors stopped"]
