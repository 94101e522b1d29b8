"""Run the world of a hardware map with the emulated board in place of the robot's controller."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import cast

from wbridge.commands import run
from wbridge.failures import InputError
from wbridge.main import Command, make_parser
from wbridge.options import BoardRun
from wbridge.running import board_controller
from wbridge.running.hardware import world_of
from wbridge.wbfirmware.building.build import Built
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbverify.coupling import uncoupled
from wbridge.wbverify.flavor_check import STANDALONE

_LOG = logging.getLogger("wbridge")


def check_couplings(hardware: Hardware) -> None:
    """
    Raises:
        InputError: the pins of this firmware cannot drive the simulated robot.
    """
    if hardware.flavor.name != STANDALONE:
        raise InputError(
            f'{hardware.path} says flavor = "{hardware.flavor.name}"; to drive the simulated robot by its '
            f'pins, the board needs the controller: flavor = "{STANDALONE}"'
        )
    if missing := uncoupled(hardware):
        listed = "; ".join(f'"{name}": {why}' for name, why in missing.items())
        raise InputError(f"cannot connect the pins of these devices to the simulation: {listed}")


def run_on_board(chosen: BoardRun, hardware: Hardware, built: Built) -> int:
    """Run until the duration is over or a signal arrives; return the exit code of the run."""
    told = {
        board_controller.MAP: str(hardware.path.resolve()),
        board_controller.PROGRAM: str(built.program.resolve()),
    }
    world = str(world_of(hardware.path)[0])
    words = [world, "--controller", f"{hardware.table.name}={Path(board_controller.__file__).resolve()}"]
    words += ["--mode", "fast" if chosen.fast else "realtime", "--fail-on-controller-error"]
    for name in ("duration", "record", "port_windows"):
        value = getattr(chosen, name)
        words += [] if value is None else [f"--{name.replace('_', '-')}", str(value)]
    words += [f"--{name.replace('_', '-')}" for name in _FLAGS if getattr(chosen, name)]
    board = f"{built.board.title}, emulated: {built.program}"
    _LOG.info('robot "%s" is driven by %s', hardware.table.name, board)
    os.environ |= told  # for the controller that represents the board
    try:
        return run.run(make_parser("run", cast(Command, run)).parse_args(words))
    finally:
        for name in told:
            del os.environ[name]


_FLAGS = ("windows", "open", "allow_missing", "fetch", "quiet")
