"""Time of emulated boards and of a verification, relative to the desktop and to a C loop.

Boards without compiler or emulator are skipped.
"""

from __future__ import annotations

import tempfile
import time
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from benchmarks.case import Case, Reading, Unavailable, compare, processor_seconds_of
from benchmarks.checkout import CHECKOUT
from benchmarks.yardsticks import C_LOOP, c_loop
from wbridge.libcontroller.compiling import BuildError
from wbridge.main import main
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.scene.tables.device_tables import device_tables
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.boards.flavors import load_flavor
from wbridge.wbfirmware.building.build import Built, build
from wbridge.wbfirmware.map.controllers import Controller
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware
from wbridge.wbfirmware.template_folders import board_names
from wbridge.wbverify.flavor_check import HIL, STANDALONE, desktop_program
from wbridge.wbverify.hil_run import replay
from wbridge.wbverify.reference import Reference, RunObserver, record
from wbridge.wbverify.standalone_run import BoardObserver

WORLD = CHECKOUT / "worlds" / "two_wheels.wbt"
CONTROLLER = WORLD.parent.parent / "controllers" / "two_wheels_avoider"
STEPS = {"program": 1000, "simavr": 1000, "qemu": 250, "rp2040": 250}
"""Steps of the world, by emulator; slow ones make fewer."""
VERIFY_STEPS = 1000
LINKED_LIMITS = {"program": 5.0, "simavr": 25.0, "qemu": 50.0, "rp2040": 330.0}
"""Steps with the controller on the board and recorded replies on the link, relative to those of the
desktop."""
WIRED_LIMITS = {"program": 30.0, "simavr": 50.0, "qemu": 300.0, "rp2040": 750.0}
"""The same with pins read every 16 ms."""
VERIFY_LIMITS = {"arduino-uno": 40.0, "pico": 60.0, "stm32f405": 100.0}
"""With motors that hold their speed by encoders, whose edges are all emulated; relative to a C loop."""
DESKTOP = "the desktop's program"
SPEED_I = 6.0
"""Gain of the motors."""


def cases() -> list[Case]:
    """The measurements of this file."""
    boards = []
    for name in board_names():
        emulator = load_board(name).emulator
        linked_limit, wired_limit = LINKED_LIMITS[emulator], WIRED_LIMITS[emulator]
        boards += [
            Case(f"{name}: step over the link", partial(linked, name), linked_limit, "ms", DESKTOP),
            Case(f"{name}: step with its pins", partial(wired, name), wired_limit, "ms", DESKTOP),
        ]
    title = f"build and verify, {VERIFY_STEPS} steps, processor time"
    for name, limit in VERIFY_LIMITS.items():
        boards.append(Case(f"{name}: {title}", partial(verified, name), limit, "s", C_LOOP))
    return boards


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


def desktop_ms(board: Prepared) -> float:
    """Milliseconds of a step of the desktop's run."""
    start = time.perf_counter()
    steps = board.reference().steps
    return 1000 * (time.perf_counter() - start) / steps


def linked(name: str) -> Reading:
    """Milliseconds of a step of the controller, and of the desktop's."""
    board = prepared(name, HIL)
    reference = board.reference()
    start = time.perf_counter()
    side = replay(board.hardware, board.built, reference)
    own = 1000 * (time.perf_counter() - start) / len(side.durations)
    return compare(own, desktop_ms(board))


def wired(name: str) -> Reading:
    """Milliseconds of a step beside the desktop's run, and of a step of that run alone."""
    board = prepared(name, STANDALONE)
    start = time.perf_counter()
    with BoardObserver(board.hardware, board.built) as beside:
        reference = board.reference(beside)
    own = 1000 * (time.perf_counter() - start) / reference.steps
    if beside.failure:
        raise RuntimeError(beside.failure)
    return compare(own, desktop_ms(board))


def verified(name: str) -> Reading:
    """Processor time (s) of a complete `wbridge firmware verify` with its emulators, and of a C loop."""
    path = map_file(name)
    path.write_text(path.read_text().replace("speed_i = 0.0", f"speed_i = {SPEED_I}"))

    def verify() -> None:
        if main(["-q", "firmware", "verify", str(path), "--steps", str(VERIFY_STEPS)]) != 0:
            raise RuntimeError("the board behaves differently from the desktop")

    c_loop()  # compiles it
    return compare(processor_seconds_of(verify)(), processor_seconds_of(c_loop)())
