"""Determine which source lines of a firmware were executed on the emulated board.

The emulator records which instructions ran, and the program's debug information gives their source lines.
Nothing is added to the program: coverage is measured on the verified program. Lines without instructions,
functions removed by the linker, and lines with only conditional instructions do not count: the processor
passes through the latter in any case.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from wbridge.wbfirmware.building.build import Built
from wbridge.wbfirmware.building.elf import Elf
from wbridge.wbfirmware.building.generate import CORE, copied_files, made_files
from wbridge.wbfirmware.building.line_table import Row, line_rows
from wbridge.wbfirmware.building.thumb import conditional
from wbridge.wbfirmware.emulators import emulator
from wbridge.wbfirmware.map.hardware import Hardware

CONTROLLER, DRIVERS, BOARD, REST = "controller", "drivers", "board", "rest"
"""Kinds of files. The rest is common to all projects: the controller functions and the link."""
EMULATES_ITSELF = "program"
"""The emulator of boards whose files are the emulation itself, not firmware."""
Range = tuple[int, int]


class FileCoverage(NamedTuple):
    """The coverage of a source file."""

    file: str
    """Path in the project's folder."""
    kind: str
    """CONTROLLER, DRIVERS, BOARD or REST."""
    lines: dict[int, bool]
    """Line numbers with instructions on the board, and whether any of them ran."""
    uncalled: dict[str, Range]
    """Functions that were never called, with their first and last line."""
    uncertain: list[int]
    """Lines for which the board does not show whether they ran; not in `lines`."""

    @property
    def covered(self) -> int:
        """The number of lines that ran."""
        return sum(self.lines.values())

    @property
    def missing(self) -> list[Range]:
        """Ranges of lines that did not run, first and last, in ascending order."""
        return self._stretches(lambda line: not self.lines[line])

    @property
    def name(self) -> str:
        """The file name for messages: for the user's files, as in the controller's folder."""
        return self.file.removeprefix(f"{CORE}/") if self.kind == CONTROLLER else self.file

    @property
    def uncalled_names(self) -> list[str]:
        """The functions that were never called, for messages."""
        functions = sorted(self.uncalled.items(), key=lambda call: call[1])
        return [f"{name}() ({self.name}:{first})" for name, (first, _) in functions]

    @property
    def other_stretches(self) -> list[str]:
        """Lines that did not run in functions that were called, for messages."""
        within = {line for first, last in self.uncalled.values() for line in range(first, last + 1)}
        ranges = self._stretches(lambda line: not self.lines[line] and line not in within)
        return _words(ranges)

    @property
    def uncertain_stretches(self) -> list[str]:
        """Lines for which the board does not show whether they ran, for messages."""
        numbered = groupby(enumerate(self.uncertain), lambda entry: entry[1] - entry[0])
        lines = [[line for _, line in group] for _, group in numbered]
        return _words([(line[0], line[-1]) for line in lines])

    def _stretches(self, wanted: Callable[[int], bool]) -> list[Range]:
        """Return ranges of adjacent lines, among those with instructions."""
        groups = groupby(sorted(self.lines), wanted)
        stretches = [list(lines) for is_wanted, lines in groups if is_wanted]
        return [(lines[0], lines[-1]) for lines in stretches]


def _words(ranges: list[Range]) -> list[str]:
    return [str(a) if a == b else f"{a}-{b}" for a, b in ranges]


class Coverage(NamedTuple):
    """The coverage of a firmware."""

    files: list[FileCoverage]
    """The files by kind, then by name."""

    @property
    def lines(self) -> dict[str, dict[int, bool]]:
        """Line numbers with instructions by file, and whether any of them ran."""
        return {file.file: file.lines for file in self.files}

    def of(self, kind: str) -> list[FileCoverage]:
        """The files of a kind."""
        return [file for file in self.files if file.kind == kind]


def coverage_of(hardware: Hardware, built: Built, traces: Iterable[Path]) -> Coverage | None:
    """Return which lines of a firmware were executed.

    Args:
        hardware: the hardware map.
        built: its firmware.
        traces: of runs that have ended, see `Bench`; some may be missing.

    Returns:
        None if not available: the program has no debug information because it was built by other means, or
        this computer does not allow tracing.
    """
    executed = _executed(built, traces)
    kinds = _kinds(hardware)
    rows = [row for row in line_rows(built.program) if row.file in kinds]
    if executed is None or not rows:
        return None
    elf = Elf(built.program)
    uncalled, copies = _uncalled(elf, rows, executed)
    lines = _lines(
        [row for row in rows if not any(row.address in group for group in copies)],
        executed,
        conditional(elf, executed),
    )
    files = [
        FileCoverage(
            file,
            kinds[file],
            {line: ran for line, ran in own.items() if ran is not None},
            uncalled.get(file, {}),
            sorted(line for line, ran in own.items() if ran is None),
        )
        for file, own in lines.items()
    ]
    order = (CONTROLLER, DRIVERS, BOARD, REST)
    return Coverage(sorted(files, key=lambda file: (order.index(file.kind), file.file)))


def _executed(built: Built, traces: Iterable[Path]) -> set[int] | None:
    """Return addresses of instructions executed by any of the runs; None if unknown."""
    runs = [emulator(built.board).executed(trace) for trace in traces if trace.is_file()]
    known = [run for run in runs if run is not None]
    return set().union(*known) if known else None


def _kinds(hardware: Hardware) -> dict[str, str]:
    """Return the source files of a project with their kinds."""
    drivers = (
        {wiring.driver.name: wiring.driver for wiring in hardware.wirings} if hardware.flavor.drivers else {}
    )
    parts = {part for driver in drivers.values() for part in driver.parts} - set(hardware.flavor.parts)
    own = {f"{name}{suffix}" for name in {*drivers, *parts} for suffix in (".c", ".h")}
    boards = {file.name for file in hardware.board.files_for(hardware.wire_key)}
    files = made_files(hardware)
    kinds = dict.fromkeys(copied_files(hardware) | files, REST)
    kinds |= {name: DRIVERS for name in kinds if name in own or name in files}
    if hardware.board.emulator != EMULATES_ITSELF:
        kinds |= {name: BOARD for name in kinds if name in boards}
    if hardware.controller is not None:
        kinds |= {f"{CORE}/{name}": CONTROLLER for name in hardware.controller.texts()}
    return kinds


def _lines(rows: list[Row], executed: set[int], maybe: set[int]) -> dict[str, dict[int, bool | None]]:
    """Return for each file and line whether any instruction ran; None: all of them are conditional.

    A statement without instructions of its own, because the compiler merged it with others, counts as run if
    execution reached its place.
    """
    owners = {row.address: (row.file, row.line) for row in rows if row.owns}
    own: dict[str, dict[int, bool | None]] = defaultdict(dict)
    joined: dict[str, dict[int, bool | None]] = defaultdict(dict)
    for row in rows:
        if row.begins:
            lines = (own if owners.get(row.address) == (row.file, row.line) else joined)[row.file]
            ran = None if row.address in maybe else row.address in executed
            lines[row.line] = max(lines.get(row.line, False), ran, key=(False, None, True).index)
    return {file: joined[file] | own[file] for file in {**own, **joined}}


def _uncalled(
    elf: Elf, rows: list[Row], executed: set[int]
) -> tuple[dict[str, dict[str, Range]], list[range]]:
    """Return functions of files that were never called.

    Returns:
        The functions by file, and the addresses of those that the compiler has also inlined into their
        callers, where they ran: these do not count for their lines.
    """
    starts = {row.address: row for row in reversed(rows)}
    ran = {(row.file, row.line) for row in rows if row.address in executed and (row.begins or row.owns)}
    ranges: dict[str, dict[str, Range]] = defaultdict(dict)
    copies = []
    for function in {function.address: function for function in elf.functions}.values():
        if function.address in starts and function.address not in executed:
            file, first, *_ = starts[function.address]
            place = range(function.address, function.address + function.size)
            last = max(row.line for row in rows if row.file == file and row.address in place)
            if any((file, line) in ran for line in range(first, last + 1)):
                copies.append(place)
            else:
                ranges[file][function.name.partition(".")[0]] = (first, last)
    return ranges, copies
