"""A controller in C, unchanged, drives the firmware of an emulated Arduino Uno by `wbridge remote`."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT, require_tool
from tests.firmware.conftest import WORLD, Firmware
from tests.remote.test_controllers_in_c import AVOIDER, controller
from wbridge.wbfirmware.bench import Bench

FAR, NEAR = 0.0, 5.0
"""Volts of the distance sensor: by the proposed curve it reads 0 and 1000; the controller turns above 600."""
PATIENCE = 30.0
FORWARD, TURN, STOPPED = (1, 0, 1, 0, 0), (1, 0, 0, 1, 1), (0, 0, 0, 0)
"""Left motor forward and backward, right motor forward and backward, LED: as in simulation."""


@pytest.mark.parametrize("board", [pytest.param("host", marks=pytest.mark.slow), "arduino-uno"])
def test_an_obstacle_avoider_in_c(board: str, built: Callable[..., Firmware], tmp_path: Path):
    require_tool("cc", "controllers in C are built with it")
    firmware = built(board)
    folder = controller(tmp_path, "avoider", AVOIDER)
    with Bench(firmware.built.board, firmware.built.program) as bench:
        motors = [
            firmware.pin(f"{side} wheel motor", way)
            for side in ("left", "right")
            for way in ("forward", "backward")
        ]
        pins = [*motors, firmware.pin("status", "pin")]

        def until(wanted: tuple[int, ...]) -> None:
            end = time.monotonic() + PATIENCE
            while (seen := tuple(round(bench.show(pin).value) for pin in pins[: len(wanted)])) != wanted:
                assert time.monotonic() < end, (seen, wanted)
                time.sleep(0.005)

        bench.drive(firmware.pin("front", "pin"), FAR)
        command = [sys.executable, "-m", "wbridge", "remote", str(WORLD), "--url", bench.url]
        with subprocess.Popen(
            [*command, "--controller", str(folder)],
            cwd=CHECKOUT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            try:
                for volts, does in ((FAR, FORWARD), (NEAR, TURN), (FAR, FORWARD)):
                    bench.drive(firmware.pin("front", "pin"), volts)
                    until(does)
                process.send_signal(signal.SIGINT)
                _, said = process.communicate(timeout=PATIENCE)
                until(STOPPED)
            finally:
                process.kill()
    assert "avoider (program)" in said
