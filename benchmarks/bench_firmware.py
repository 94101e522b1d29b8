"""Speed of emulated boards, and duration of a verification.

Boards without compiler or emulator are skipped.
"""

from __future__ import annotations

import tempfile
import time
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from benchmarks.case import Case, Unavailable
from libcontroller.compiling import BuildError
from wbcore.scene.load import load_world
from wbcore.tables.device_tables import device_tables
from wbfirmware.boards import load_board
from wbfirmware.build import Built, build
from wbfirmware.controllers import Controller
from wbfirmware.flavors import load_flavor
from wbfirmware.hardware import Hardware, load_hardware
from wbfirmware.propose import propose
from wbfirmware.template_folders import board_names
from wbridge.main import main
from wbverify.flavor_check import HIL, STANDALONE, desktop_program
from wbverify.hil_run import replay
from wbverify.reference import Reference, RunObserver, record
from wbverify.standalone_run import BoardObserver

WORLD = Path(__file__).resolve().parent.parent / "worlds" / "two_wheels.wbt"
CONTROLLER = WORLD.parent.parent / "controllers" / "two_wheels_avoider"
STEPS = {"program": 1000, "simavr": 1000, "qemu": 250, "rp2040": 250}
"""Steps of the world, by emulator. Results are rates, so slow emulators make fewer steps."""
VERIFY_STEPS = 1000
LINKED_LIMITS = {"program": 2000.0, "simavr": 400.0, "qemu": 200.0, "rp2040": 30.0}
"""Minimum controller steps per second, with the controller on the board and recorded replies on the link."""
WIRED_LIMITS = {"program": 5.0, "simavr": 3.0, "qemu": 0.5, "rp2040": 0.2}
"""Minimum speed relative to real time, with the controller on the board and pins read every 16 ms."""
VERIFY_S = {"arduino-uno": 12.0, "pico": 18.0, "stm32f405": 30.0}
"""Maximum seconds, with motors that hold their speed by encoders, whose edges are all emulated."""
SPEED_I = 6.0
"""Gain of the motors."""


def cases() -> list[Case]:
    """The measurements of this file."""
    found = []
    for name in board_names():
        emulator = load_board(name).emulator
        steps, times = LINKED_LIMITS[emulator], WIRED_LIMITS[emulator]
        found += [
            Case(f"{name}: steps over the link", partial(linked, name), steps, "1/s", at_least=True),
            Case(f"{name}: with its pins", partial(wired, name), times, "x real time", at_least=True),
        ]
    for name, limit in VERIFY_S.items():
        found.append(
            Case(f"{name}: build and verify, {VERIFY_STEPS} steps", partial(verified, name), limit, "s")
        )
    return found


class Prepared(NamedTuple):
    """A board's firmware and the desktop program it is compared with."""

    hardware: Hardware
    built: Built
    program: Path
    """The desktop program."""

    def reference(self, companion: RunObserver | None = None) -> Reference:
        """Record the desktop's run."""
        steps = STEPS[self.hardware.board.emulator]
        return record(load_world(WORLD), self.hardware.table.name, self.program, steps, companion)


@cache
def folder() -> Path:
    """A folder for projects, until this process exits."""
    made = tempfile.TemporaryDirectory(prefix="wbridge-bench-")
    _KEPT.append(made)
    return Path(made.name)


_KEPT: list[tempfile.TemporaryDirectory[str]] = []


def map_file(board: str) -> Path:
    """A hardware map for the sample robot."""
    path = folder() / board / "hardware.toml"
    path.parent.mkdir(exist_ok=True)
    text = propose(device_tables(load_world(WORLD))[0], str(WORLD), board)
    path.write_text(text.replace('flavor = "slave"', f'flavor = "{HIL}"\ncontroller = "{CONTROLLER}"'))
    return path


def prepared(board: str, flavor: str) -> Prepared:
    """Build the firmware and the desktop program."""
    source = CONTROLLER / f"{CONTROLLER.name}.c"
    controller = Controller(CONTROLLER, [source], [])
    hardware = load_hardware(map_file(board), device_tables(load_world(WORLD))[0])
    hardware = hardware._replace(flavor=load_flavor(flavor), controller=controller)
    try:
        built = build(hardware, folder() / board / flavor)
        return Prepared(hardware, built, desktop_program(controller))
    except BuildError as problem:
        raise Unavailable(str(problem).splitlines()[0]) from None


def linked(board: str) -> float:
    """Steps of the controller per second."""
    one = prepared(board, HIL)
    reference = one.reference()
    start = time.perf_counter()
    side = replay(one.hardware, one.built, reference)
    return len(side.durations) / (time.perf_counter() - start)


def wired(board: str) -> float:
    """Simulated seconds per second, including the desktop's run."""
    one = prepared(board, STANDALONE)
    start = time.perf_counter()
    with BoardObserver(one.hardware, one.built) as beside:
        reference = one.reference(beside)
    if beside.failure:
        raise RuntimeError(beside.failure)
    return reference.steps * reference.step_ms / 1000 / (time.perf_counter() - start)


def verified(board: str) -> float:
    """Seconds of a complete `wbridge firmware verify`."""
    path = map_file(board)
    path.write_text(path.read_text().replace("speed_i = 0.0", f"speed_i = {SPEED_I}"))
    start = time.perf_counter()
    if main(["-q", "firmware", "verify", str(path), "--steps", str(VERIFY_STEPS)]) != 0:
        raise RuntimeError("the board behaves differently from the desktop")
    return time.perf_counter() - start
