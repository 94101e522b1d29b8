"""The comparison of one flavor: the desktop's run, the board's runs, and the result."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import numpy as np

from wbridge.libcontroller.compiling import compile_controller, sources_of
from wbridge.wbcore.robots.robot import Robot
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.tables.device_tables import robots
from wbridge.wbfirmware.bench import BenchError
from wbridge.wbfirmware.building.build import Built
from wbridge.wbfirmware.map.controllers import Controller
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.map.tolerances import TEXT_MAY_DIFFER
from wbridge.wbverify.board_load import BoardLoad, board_load
from wbridge.wbverify.compare import hil_rows, standalone_rows
from wbridge.wbverify.coverage import Coverage, coverage_of
from wbridge.wbverify.hil_run import BoardTimeout, replay, run_closed_loop
from wbridge.wbverify.math_library import differing_functions
from wbridge.wbverify.number_formats import NumberFormats
from wbridge.wbverify.packets import busiest
from wbridge.wbverify.printed_text import TextComparison, compare_text, precision_of
from wbridge.wbverify.reference import Filter, Reference, RunObserver, StepState, Values, record
from wbridge.wbverify.rounding import Rounding
from wbridge.wbverify.slave_run import SLAVE, SlaveObserver, slave_rows
from wbridge.wbverify.standalone_run import BoardObserver
from wbridge.wbverify.step_table import Omitted, TableRow, first_difference
from wbridge.wbverify.step_timing import late_steps
from wbridge.wbverify.tolerances import UsedTolerance, apply_tolerances, unneeded

__all__ = [
    "HIL",
    "SLAVE",
    "STANDALONE",
    "ClosedLoop",
    "FlavorResult",
    "VerificationResult",
    "check_flavor",
    "desktop_program",
]

HIL, STANDALONE = "hil", "standalone"
UNDRIVEN = ("", "void", "none", "<none>", "<generic>")
PRINTED_LINES, OWN_LINE = 20, "wbridge: "


class ClosedLoop(NamedTuple):
    """A run in which the board alone drives the simulated robot."""

    differs_at: int | None
    """The first step after which the worlds are not equal bit for bit; None if they always are."""
    final: str
    """Hash of the world at the end."""


class FlavorResult(NamedTuple):
    """The result for one flavor."""

    flavor: str
    built: Built
    steps: int
    step_ms: float
    rows: list[TableRow]
    closed_loop: ClosedLoop | None
    notes: list[str]
    seconds: float
    """Real time that the board's run took."""
    failure: str = ""
    """Why the board's run ended early; "" if it did not."""
    coverage: Coverage | None = None
    """Source line coverage; None if not available, see `coverage_of`."""
    tolerances: tuple[UsedTolerance, ...] = ()
    """The tolerances of the hardware map."""
    text: TextComparison | None = None
    """What the controllers printed; None if it is not compared: in `hil`, or after a failure."""
    load: BoardLoad | None = None
    """The load of the board's processor; None in `hil`, or if its emulator does not count cycles."""
    late: tuple[str, ...] = ()
    """A line about steps of the controller that were late; empty if there are none. `notes` has it, too."""

    @property
    def compared(self) -> list[TableRow]:
        """The rows that were compared, without the inputs of the board."""
        return [row for row in self.rows if not row.is_given]

    @property
    def first(self) -> TableRow | None:
        """The first difference."""
        return first_difference(self.rows)

    @property
    def agrees(self) -> bool:
        """True if the whole run was compared and nothing differs."""
        if self.failure or not self.compared or self.first is not None:
            return False
        if self.text is not None and not self.text.agrees:
            return False
        return self.closed_loop is None or self.closed_loop.differs_at is None


class VerificationResult(NamedTuple):
    """The results of all flavors."""

    hardware: Hardware
    world: Path
    formats: NumberFormats
    rounding: list[Rounding]
    checks: list[FlavorResult]
    omitted: list[Omitted]
    """Devices that were not compared."""

    @property
    def agrees(self) -> bool:
        """True if all flavors agree."""
        return all(check.agrees for check in self.checks)

    @property
    def unneeded(self) -> list[str]:
        """A line for each tolerance of the map that no flavor needed."""
        needless = unneeded(used for check in self.checks for used in check.tolerances)
        texts = [check.text for check in self.checks if check.text is not None]
        if any(text.is_needless for text in texts):
            needless.append(
                f"{TEXT_MAY_DIFFER} was not needed: all printed lines agree; remove it from the map"
            )
        return needless

    @property
    def rows(self) -> list[TableRow]:
        """The whole step table."""
        return [row for check in self.checks for row in check.rows]


def desktop_program(controller: Controller) -> Path:
    """Return the controller of a firmware compiled for this computer from the same sources.

    Raises:
        BuildError: it cannot be compiled.
    """
    if controller.sources[0].suffix == ".py":
        return controller.sources[0]
    if sources_of(controller.folder) == controller.sources:
        program = compile_controller(controller.folder)
    else:
        program = _compile_some(controller)
    assert program is not None, "a controller has sources"
    return program


def _compile_some(controller: Controller) -> Path:
    """Compile some of the sources of a folder: only those are copied."""
    name = controller.sources[0].stem
    with tempfile.TemporaryDirectory(prefix="wbridge-") as made:
        folder = Path(made) / name
        for path, text in controller.texts().items():
            place = folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(text.encode("utf-8", "surrogateescape"))
        program = compile_controller(folder)
        assert program is not None, "its sources have just been copied"
        return program


def check_flavor(
    hardware: Hardware, built: Built, load: Callable[[], World], program: Path, steps: int
) -> FlavorResult:
    """Compare the firmware of a board with the desktop.

    Args:
        hardware: the hardware map, with the flavor to check.
        built: the firmware.
        load: returns the world, freshly loaded each time.
        program: program of the controller on the desktop.
        steps: basic time steps.

    Raises:
        ReferenceError: the run on the desktop failed.
        BuildError: the emulator is missing.
    """
    run = {HIL: _check_hil, SLAVE: _check_slave}.get(hardware.flavor.name, _check_standalone)
    with tempfile.TemporaryDirectory(prefix="wbridge-") as folder:
        traces = Path(folder)
        result = run(hardware, built, load, program, steps, traces)
        if hardware.board.python is not None:
            return result
        return result._replace(coverage=coverage_of(hardware, built, sorted(traces.iterdir())))


def _check_hil(
    hardware: Hardware, built: Built, load: Callable[[], World], program: Path, steps: int, traces: Path
) -> FlavorResult:
    functions = differing_functions(built)
    reference = record(load(), hardware.table.name, program, steps, _link_observer(hardware))
    notes, closed_loop, failure = _notes(hardware, reference, steps), None, ""
    rows, tolerances = apply_tolerances(hardware, [])
    if functions:
        notes.append(f"last digits may differ: {', '.join(functions)} on the board are from another library")
    start = perf_counter()
    try:
        side = replay(hardware, built, reference, traces / "replay")
        rows, tolerances = apply_tolerances(
            hardware, hil_rows(hardware, reference, side, exact=not functions)
        )
        why = _why_no_closed_loop(
            hardware, load, functions, any(tolerance.needed for tolerance in tolerances)
        )
        if why:
            notes.append(why)
        else:
            hashes = run_closed_loop(hardware, built, load(), reference.steps, traces / "alone")
            pairs = zip(hashes, reference.hashes, strict=True)
            closed_loop = ClosedLoop(next((k for k, (a, b) in enumerate(pairs) if a != b), None), hashes[-1])
    except (BoardTimeout, BenchError) as problem:
        failure = str(problem)
    seconds = perf_counter() - start
    head = (HIL, built, reference.steps, reference.step_ms)
    result = FlavorResult(*head, rows, closed_loop, notes, seconds, failure)
    return result._replace(tolerances=tuple(tolerances))


def _check_standalone(
    hardware: Hardware, built: Built, load: Callable[[], World], program: Path, steps: int, traces: Path
) -> FlavorResult:
    start = perf_counter()
    followed: set[int] = set()
    while True:
        with BoardObserver(hardware, built, followed, traces / "board") as board:
            reference = record(load(), hardware.table.name, program, steps, board)
            if not board.missed:
                board.finish_text(
                    sum(len(printed_line.text.encode()) + 1 for printed_line in reference.printed)
                )
                board.examine(reference.exit_code is not None)
        if not board.missed:
            break
        followed |= board.missed
    board.finish()
    rows, tolerances = apply_tolerances(hardware, standalone_rows(hardware, reference, board))
    notes = _notes(hardware, reference, steps) + board.notes
    late = late_steps(reference.answered, board.times, reference.step_ms)
    notes += late
    notes += [f"the board printed: {line}" for line in _told_lines(board)]
    notes += busiest(hardware, board.coupled.packet_outputs, reference.sent, reference.step_ms)
    seconds = perf_counter() - start
    head = (STANDALONE, built, reference.steps, reference.step_ms)
    result = FlavorResult(*head, rows, None, notes, seconds, board.failure)
    text = None if board.failure else _compare_text(hardware, built, reference, board)
    busy = board_load(board.loads, reference.step_ms)
    return result._replace(tolerances=tuple(tolerances), text=text, load=busy, late=tuple(late))


def _check_slave(
    hardware: Hardware, built: Built, load: Callable[[], World], program: Path, steps: int, traces: Path
) -> FlavorResult:
    start = perf_counter()
    with SlaveObserver(hardware, built, traces / "board") as board:
        reference = record(load(), hardware.table.name, program, steps, board)
        board.examine()
    rows, tolerances = apply_tolerances(hardware, slave_rows(hardware, reference, board))
    head = (SLAVE, built, reference.steps, reference.step_ms)
    notes = _notes(hardware, reference, steps)
    result = FlavorResult(*head, rows, None, notes, perf_counter() - start, board.failure)
    return result._replace(tolerances=tuple(tolerances))


def _told_lines(board: BoardObserver) -> list[str]:
    """Return the board's lines for the user: the firmware's own ones; after a failure, all."""
    lines = board.text.decode("utf-8", "replace").splitlines()
    return [line for line in lines if board.failure or OWN_LINE in line][-PRINTED_LINES:]


def _compare_text(
    hardware: Hardware, built: Built, reference: Reference, board: BoardObserver
) -> TextComparison:
    """Compare what the controllers have printed."""
    is_exact = hardware.board.python is not None or not differing_functions(built)
    relative = precision_of(hardware, is_exact)
    ended = reference.exit_code is not None
    return compare_text(
        reference.printed, board.text, board.text_sizes, relative, ended, hardware.text_may_differ
    )


def _notes(hardware: Hardware, reference: Reference, steps: int) -> list[str]:
    notes = []
    if reference.steps < steps:
        notes.append(f"on the desktop the controller ended after {reference.steps} steps")
    if hardware.flavor.name == STANDALONE:
        notes.append(
            "the desktop run also uses sensor values at the resolution of the board's wires and converters"
        )
        constant = _constant_sensors(hardware, reference)
        if constant:
            notes.append(
                f"the value never changed, so the wiring is hardly verified: {', '.join(constant)}; use a "
                "world or more steps in which it changes"
            )
    elif hardware.link.real == 4:
        notes.append("the desktop run also uses sensor values rounded to the 24 bits that the link carries")
    return notes


def _constant_sensors(hardware: Hardware, reference: Reference) -> list[str]:
    """Return the names of sensors that the controller read several times, always with the same value."""
    values: dict[int, list[Values]] = {}
    for readings in reference.readings:
        for reading in readings:
            values.setdefault(reading.tag, []).append(reading.values)
    return [
        f'"{hardware.table.all[tag].name}"'
        for tag, value in sorted(values.items())
        if len(value) > 1 and all(rows == value[0] for rows in value)
    ]


class _Float32Observer:
    """A `RunObserver` that only rounds sensor values to the precision of the link."""

    def begin(self, robot: Robot) -> Mapping[int, Filter]:
        """See `RunObserver`."""
        return dict.fromkeys(range(len(robot.devices) + 1), _rounded)

    def observe_step(self, state: StepState) -> Mapping[int, Values | None]:
        """See `RunObserver`."""
        return {}


def _link_observer(hardware: Hardware) -> RunObserver | None:
    """Return an observer that applies the link's rounding on the desktop; None if it rounds nothing."""
    return None if hardware.link.real == 8 else _Float32Observer()


def _rounded(values: Values) -> Values:
    """Reals rounded to the link's precision; other values unchanged."""
    return tuple(
        float(np.float32(value))
        if isinstance(value, float)
        else _rounded(value)
        if isinstance(value, tuple)
        else value
        for value in values
    )


def _why_no_closed_loop(
    hardware: Hardware, load: Callable[[], World], functions: list[str], is_tolerated: bool
) -> str:
    """Return why the board cannot drive the robot alone, bit for bit as the desktop does; "" if it can."""
    if is_tolerated:
        return "no closed-loop run: with the differences that the map tolerates, the board would diverge"
    if hardware.link.real == 4:
        return "no closed-loop run: with numbers of lower precision, the board would diverge after some steps"
    if functions:
        return "no closed-loop run: with different last digits, the board would diverge after some steps"
    others = [robot for robot in robots(load().nodes) if str(robot.get("name")) != hardware.table.name]
    driven = [str(robot.get("name")) for robot in others if str(robot.get("controller")) not in UNDRIVEN]
    if driven:
        return f'no closed-loop run: the robot "{driven[0]}" also has a controller'
    return ""
