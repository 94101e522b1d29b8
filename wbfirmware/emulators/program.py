"""The board that is a program on this computer: it needs no emulator."""

from __future__ import annotations

import platform
from array import array
from pathlib import Path

from wbridge.wbfirmware.boards.board import Board
from wbridge.wbfirmware.building.line_table import line_rows
from wbridge.wbfirmware.emulators.compiled import compiled, programs_folder

WIRES = {"serial": "pty", "tcp": "tcp", "tcps": "tcp", "mqtt": "mqtt"}
TRACER = "traced_program.c"
MACHINES = ("x86_64", "aarch64")
"""Processors that the tracer supports."""
DONE = 1 << 63
"""Flag in a trace: the instruction was executed."""


def command(board: Board, program: Path, lockstep: bool, wire: str) -> list[str]:
    """The program itself."""
    return [str(program), *(["--lockstep"] if lockstep else []), WIRES[wire]]


def traced(command: list[str], board: Board, program: Path, trace: Path) -> list[str]:
    """See `wbridge.wbfirmware.emulators.Emulator`: breakpoints at the beginning of lines; see
    traced_program.c."""
    known = platform.machine() in MACHINES
    places = sorted({row.address for row in line_rows(program)}) if known else []
    trace.write_bytes(array("Q", [0, *places]).tobytes())
    if not known:
        return command
    return [str(compiled([programs_folder() / TRACER], ["-D_GNU_SOURCE"])), str(trace), *command]


def executed(trace: Path) -> set[int] | None:
    """See `wbridge.wbfirmware.emulators.Emulator`; None if the system does not allow tracing."""
    is_traced, *places = array("Q", trace.read_bytes())
    return {place - DONE for place in places if place >= DONE} if is_traced else None
