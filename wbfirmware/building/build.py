"""Build the project of a firmware and report its size."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from wbridge.hal.folders import lock_file
from wbridge.libcontroller.compiling import BuildError
from wbridge.wbfirmware.boards.board import Board
from wbridge.wbfirmware.building.compiler_messages import explained, notes
from wbridge.wbfirmware.building.early_code import refuse_early_code
from wbridge.wbfirmware.building.elf import Elf
from wbridge.wbfirmware.building.generate import HEAP, RENAMED, generate
from wbridge.wbfirmware.building.kept_objects import KeptObjects
from wbridge.wbfirmware.building.libraries import unavailable
from wbridge.wbfirmware.building.line_table import line_rows
from wbridge.wbfirmware.building.micropython.build import build_folder
from wbridge.wbfirmware.building.size_report import flash_exceeded, overflow, ram_exceeded
from wbridge.wbfirmware.building.stack import USERS, Reason, StackBound, source_of, stack_bound
from wbridge.wbfirmware.building.symbols import symbols
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.tools import ToolError, need, run

PROGRAM = "firmware.elf"
KEPT_WORD, KEPT_BYTES = "kept_word", 8
"""A variable that is in no section, and what it takes of the RAM (board.ld)."""


class Size(NamedTuple):
    """Memory used by a program, in bytes."""

    flash: int
    ram: int
    """Bytes of its variables."""
    stack: int | None
    """Maximum depth of the stack; None: unknown."""
    why: list[str] = []
    """Why the stack depth is unknown, with function names."""


class Built(NamedTuple):
    """A firmware that was built."""

    program: Path
    size: Size
    board: Board
    notes: list[str] = []
    """Notes for the user."""

    @property
    def report(self) -> str:
        """Lines for people."""
        if self.board.project.core:
            return "\n".join([_checked_here(self.board, self.program), *self.notes])
        lines = [_share("flash", self.size.flash, self.board.flash)]
        if self.board.python is None:
            lines.append(_share("RAM", self.size.ram, self.board.ram))
        if self.size.stack is not None:
            left = self.board.ram - self.size.ram
            lines.append(f"stack  at most {self.size.stack} bytes of the {left} that are left of RAM")
        elif self.size.why:
            lines.append(f"stack  no bound: {'; '.join(self.size.why)}")
        return "\n".join(lines + self.notes)


def _checked_here(board: Board, program: Path) -> str:
    """Return what was built of a board whose compiler is part of its Arduino core."""
    sketch = program.parent / f"{program.parent.name}.ino"
    return (
        f"the sketch compiles for this computer; for {board.title}, open {sketch} in the Arduino IDE, or "
        "build its folder with PlatformIO"
    )


def _share(name: str, used: int, limit: int) -> str:
    share = f" of {limit} bytes ({100 * used / limit:.1f} %)" if limit else " bytes"
    return f"{name:6} {used}{share}"


def build(hardware: Hardware, folder: Path, overwrite: bool = False) -> Built:
    """Write the project of a firmware and build it; only changes are compiled.

    Args:
        hardware: the hardware map.
        folder: folder of the project.
        overwrite: also replace edited files of the project.

    Raises:
        FirmwareError: the project cannot be written, or has edited files.
        BuildError: a tool is missing or has failed, or the program is too large for the board.
    """
    folder = folder.resolve()
    with _alone(folder):
        if hardware.board.python is not None:
            program, size = build_folder(hardware, folder, overwrite)
            return Built(program, Size(size, 0, None), hardware.board)
        generate(hardware, folder, overwrite)
        if hardware.board.project.sketch or shutil.which(hardware.board.compiler.command) is None:
            return compile_project(hardware, folder)
        kept = KeptObjects(folder, hardware.board.compiler, hardware.controller is not None)
        kept.restore()
        built = compile_project(hardware, folder)
        kept.keep()
        return built


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Lock the folder against other builds, also of other programs, which would mix the files."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        number = os.open(folder, os.O_RDONLY)
    except OSError:
        yield  # the attempt to write there will report the problem
        return
    try:
        lock_file(number)
        yield
    finally:
        os.close(number)


def compile_project(hardware: Hardware, folder: Path) -> Built:
    """Compile a project as it is, edited or not, and check the program.

    Raises:
        BuildError: a tool is missing or has failed, or the program is too large for the board.
    """
    board = hardware.board
    need("make", "make", "it builds the project")
    need(board.compiler.command, board.compiler.packages, f"it compiles for {board.title}")
    try:
        run(["make", "--keep-going", f"--jobs={os.cpu_count() or 1}"], folder)
    except ToolError as problem:
        words = overflow(board, problem.said, folder)
        words = words or explained(
            problem.said, hardware, lambda: unavailable(board, folder) - set(RENAMED + HEAP)
        )
        raise BuildError(words) from None
    program = folder / PROGRAM
    controller = hardware.controller
    if controller is not None:
        refuse_early_code(board, folder, controller)
    stack = _stack(board, program, controller is not None and bool(controller.cxx_sources))
    if stack.why and not hardware.unbounded_stack:
        raise BuildError(_unbounded(hardware, stack.why))
    size = _size(board, program, stack)
    _check(board, size, folder)
    return Built(program, size, board, list(notes(hardware)))


def _unbounded(hardware: Hardware, why: list[Reason]) -> str:
    """Explain why the stack of a program has no bound, with the places in the user's files."""
    lines = []
    for reason in why:
        if hardware.controller is not None and reason.file is not None and reason.file.parent.name == USERS:
            place = hardware.controller.folder / source_of(reason.file).name
            lines.append(f"{place}:{reason.line}:{reason.column}: {reason.text}")
        else:
            lines.append(reason.text)
    lines.append(
        f"so the stack has no bound, and {hardware.board.title} does not notice when it overwrites "
        "variables; use loops, direct calls and arrays of a fixed size, or allow it in "
        f"{hardware.path.name}: unbounded_stack = true"
    )
    return "\n".join(lines)


def _size(board: Board, program: Path, stack: StackBound) -> Size:
    size = need(board.compiler.size, board.compiler.packages, "it reports the size of the program")
    text, data, bss = map(int, run([size, program], program.parent).splitlines()[1].split()[:3])
    kept = KEPT_BYTES if KEPT_WORD in symbols(board, program) else 0
    return Size(text + data, data + bss + kept, stack.bytes, [reason.text for reason in stack.why])


def _stack(board: Board, program: Path, has_cxx: bool) -> StackBound:
    """Return the bound of the stack; not needed for a program that runs on a computer."""
    if not board.ram or board.project.sketch:
        return StackBound(None, [])
    objdump = board.compiler.tool("objdump")
    listing = run(
        [need(objdump, board.compiler.packages, "it shows the call graph"), "-d", program], program.parent
    )
    usage = (file for file in program.parent.rglob("*.su") if source_of(file).is_file())
    rows = reversed(line_rows(program)) if has_cxx else ()
    lines = {row.address: f"{Path(row.file).name}:{row.line}" for row in rows}
    return stack_bound(listing, usage, board.project.interrupts, board.interrupt_stack, lines)


def checked(hardware: Hardware, program: Path) -> Built:
    """Return a program that another compiler than this computer's has made, if it fits into the board.

    Raises:
        ElfError: it is no program.
        BuildError: it is too large.
    """
    text, data, bss = Elf(program).sizes
    size = Size(text + data, data + bss, None)
    _check(hardware.board, size, program.parent)
    return Built(program, size, hardware.board, list(notes(hardware)))


def _check(board: Board, size: Size, folder: Path) -> None:
    """
    Raises:
        BuildError: the program is too large.
    """
    if board.flash and size.flash > board.flash:
        raise BuildError(flash_exceeded(board, size.flash, folder))
    if board.ram and size.ram + (size.stack or 0) > board.ram:
        raise BuildError(ram_exceeded(board, size.ram, size.stack or 0, folder))
