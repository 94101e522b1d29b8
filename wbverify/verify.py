"""The whole comparison: the desktop's run, the board's runs, and what came out."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from libcontroller.compiling import compile_controller, sources_of
from wbcore.tables.device_tables import robots
from wbfirmware.bench import BenchError
from wbverify.compare import linked_rows, wired_rows
from wbverify.coverage import coverage_of
from wbverify.formats import Formats
from wbverify.lateness import late_steps
from wbverify.linked import BoardSilent, drive_alone, replay
from wbverify.mathematics import other_functions
from wbverify.packets import busiest
from wbverify.reference import Moment, Reference, record
from wbverify.table import Omitted, Row, first_difference
from wbverify.wired import Beside

if TYPE_CHECKING:
    from wbcore.robots.robot import Robot
    from wbcore.scene.load import World
    from wbfirmware.build import Built
    from wbfirmware.controllers import Controller
    from wbfirmware.hardware import Hardware
    from wbverify.coverage import Coverage
    from wbverify.reference import Companion, Filter, Values
    from wbverify.rounding import Rounding

__all__ = ["LINKED", "WIRED", "Alone", "Check", "Verified", "check", "desktop_program"]

LINKED, WIRED = "hil", "standalone"
UNDRIVEN = ("", "void", "none", "<none>", "<generic>")
SAID_LINES = 20


class Alone(NamedTuple):
    """A run in which the board drives the simulated robot by itself."""

    differs_at: int | None
    """The first step after which the worlds are not equal bit for bit; None: they always are."""
    final: str
    """Hash of the world at the end."""


class Check(NamedTuple):
    """What came out for one flavor."""

    flavor: str
    built: Built
    steps: int
    step_ms: float
    rows: list[Row]
    alone: Alone | None
    notes: list[str]
    seconds: float
    """That the board's run has taken, of real time."""
    failure: str = ""
    """Why the board's run ended early; "" when it did not."""
    coverage: Coverage | None = None
    """Of its source lines; None: not known, see `Coverage`."""

    @property
    def compared(self) -> list[Row]:
        """What was compared: not what the board was given."""
        return [row for row in self.rows if not row.is_given]

    @property
    def first(self) -> Row | None:
        """The first difference."""
        return first_difference(self.rows)

    @property
    def agrees(self) -> bool:
        """True when all of the run was compared, and nothing differs."""
        if self.failure or not self.compared or self.first is not None:
            return False
        return self.alone is None or self.alone.differs_at is None


class Verified(NamedTuple):
    """What came out for all flavors."""

    hardware: Hardware
    world: Path
    formats: Formats
    rounding: list[Rounding]
    checks: list[Check]
    omitted: list[Omitted]
    """What is not compared."""

    @property
    def agrees(self) -> bool:
        """True when all of them agree."""
        return all(one.agrees for one in self.checks)

    @property
    def rows(self) -> list[Row]:
        """The whole step table."""
        return [row for one in self.checks for row in one.rows]


def desktop_program(controller: Controller) -> Path:
    """The controller of a firmware as a program of this computer, from the same sources.

    Raises:
        BuildError: it cannot be compiled.
    """
    if sources_of(controller.folder) == controller.sources:
        program = compile_controller(controller.folder)
    else:
        program = _compile_some(controller)
    assert program is not None, "a controller has sources"
    return program


def _compile_some(controller: Controller) -> Path:
    """Compile some of the sources of a folder: those alone are copied."""
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


def check(hardware: Hardware, built: Built, load: Callable[[], World], program: Path, steps: int) -> Check:
    """Compare the firmware of a board with the desktop.

    Args:
        hardware: the hardware map, with the flavor that is meant.
        built: the firmware.
        load: gives the world, freshly loaded each time.
        program: of the controller on the desktop.
        steps: basic time steps.

    Raises:
        ReferenceError: the run on the desktop failed.
        BuildError: there is no emulator.
    """
    run = _linked if hardware.flavor.name == LINKED else _wired
    with tempfile.TemporaryDirectory(prefix="wbridge-") as made:
        traces = Path(made)
        found = run(hardware, built, load, program, steps, traces)
        return found._replace(coverage=coverage_of(hardware, built, sorted(traces.iterdir())))


def _linked(
    hardware: Hardware, built: Built, load: Callable[[], World], program: Path, steps: int, traces: Path
) -> Check:
    functions = other_functions(built)
    reference = record(load(), hardware.table.name, program, steps, _as_wire(hardware))
    notes, alone, rows, failure = _notes(hardware, reference, steps), None, [], ""
    if functions:
        notes.append(f"last digits may differ: {', '.join(functions)} on the board are of another library")
    start = perf_counter()
    try:
        side = replay(hardware, built, reference, traces / "replay")
        rows = linked_rows(hardware, reference, side, exact=not functions)
        why = _why_not_alone(hardware, load, functions)
        if why:
            notes.append(why)
        else:
            hashes = drive_alone(hardware, built, load(), reference.steps, traces / "alone")
            pairs = zip(hashes, reference.hashes, strict=True)
            alone = Alone(next((k for k, (a, b) in enumerate(pairs) if a != b), None), hashes[-1])
    except (BoardSilent, BenchError) as problem:
        failure = str(problem)
    seconds = perf_counter() - start
    return Check(LINKED, built, reference.steps, reference.step_ms, rows, alone, notes, seconds, failure)


def _wired(
    hardware: Hardware, built: Built, load: Callable[[], World], program: Path, steps: int, traces: Path
) -> Check:
    start = perf_counter()
    followed: set[int] = set()
    while True:
        with Beside(hardware, built, followed, traces / "beside") as beside:
            reference = record(load(), hardware.table.name, program, steps, beside)
        if not beside.missed:
            break
        followed |= beside.missed
    rows = wired_rows(hardware, reference, beside)
    notes = _notes(hardware, reference, steps) + beside.notes
    notes += late_steps(reference.answered, beside.times, reference.step_ms)
    notes += [f"the board said: {line}" for line in beside.text.splitlines()[:SAID_LINES]]
    notes += busiest(hardware, beside.coupled.mouths, reference.sent, reference.step_ms)
    seconds = perf_counter() - start
    head = (WIRED, built, reference.steps, reference.step_ms)
    return Check(*head, rows, None, notes, seconds, beside.failure)


def _notes(hardware: Hardware, reference: Reference, steps: int) -> list[str]:
    notes = []
    if reference.steps < steps:
        notes.append(f"on the desktop the controller ended after {reference.steps} steps")
    if hardware.flavor.name == WIRED:
        notes.append("on the desktop, too, sensors tell what the wires and converters of the board can tell")
    elif hardware.link.real == 4:
        notes.append(
            "on the desktop, too, sensors tell the 24 binary digits that the link carries to the board"
        )
    return notes


class _ShortNumbers:
    """A `Companion` that does nothing but make the sensors' values as short as the link has them."""

    def begin(self, robot: Robot) -> Mapping[int, Filter]:
        """See `Companion`."""
        return dict.fromkeys(range(len(robot.devices) + 1), _rounded)

    def live(self, moment: Moment) -> Mapping[int, Values | None]:
        """See `Companion`."""
        return {}


def _as_wire(hardware: Hardware) -> Companion | None:
    """What the link makes of the sensors' values, for the run on the desktop."""
    return None if hardware.link.real == 8 else _ShortNumbers()


def _rounded(values: Values) -> Values:
    """Reals as wide as the wire has them; other values as they are."""
    return tuple(
        float(np.float32(one)) if isinstance(one, float) else _rounded(one) if isinstance(one, tuple) else one
        for one in values
    )


def _why_not_alone(hardware: Hardware, load: Callable[[], World], functions: list[str]) -> str:
    """Why the board cannot drive the robot alone, bit for bit as the desktop does; "": it can."""
    if hardware.link.real == 4:
        return "no run with the board alone: with shorter numbers it would go its own way after some steps"
    if functions:
        return "no run with the board alone: with other last digits it would go its own way after some steps"
    others = [one for one in robots(load().nodes) if str(one.get("name")) != hardware.table.name]
    driven = [str(one.get("name")) for one in others if str(one.get("controller")) not in UNDRIVEN]
    if driven:
        return f'no run with the board alone: the robot "{driven[0]}" has a controller, too'
    return ""
