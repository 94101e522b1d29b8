"""A program of a board compared with the controllers of a page's world: the same comparison as that of
`wbridge firmware verify`, for boards that the controller drives over the robot link."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from wbridge.wbcore.controllers.runner import RunOptions
from wbridge.wbcore.controllers.search import controller_folder
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.tables.device_tables import device_table, robots
from wbridge.wbfirmware.building.build import PROGRAM, checked
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.map.reading import load_hardware, robot_of
from wbridge.wbverify.coupling import uncoupled
from wbridge.wbverify.reference import DesktopRunError, record
from wbridge.wbverify.slave_run import SLAVE, SlaveObserver, driving_program, slave_rows
from wbridge.wbverify.step_table import first_difference, write_table
from wbridge.wbverify.tolerances import apply_tolerances

__all__ = ["Comparison", "verified"]

MAP, TABLE = "hardware.toml", "steps.csv"


class Comparison(NamedTuple):
    """What is compared."""

    map: str
    """The text of the hardware map."""
    program: bytes
    """In ELF format."""
    steps: int
    """Basic time steps, at most."""


def verified(
    load: Callable[[], World], comparison: Comparison, options: Callable[[World], RunOptions]
) -> str:
    """Run the world's controller, and beside it the program on an emulated board.

    Args:
        load: returns the world, freshly loaded each time.
        comparison: what is compared.
        options: of a run of the world.

    Returns:
        JSON: `agrees`, `text` for a person, and `table`, one row for each compared value.

    Raises:
        ValueError: the map has errors, or the runs cannot be compared.
    """
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / MAP).write_text(comparison.map, "utf-8")
        (folder / PROGRAM).write_bytes(comparison.program)
        return _compared(folder, load, comparison.steps, options)


def _compared(
    folder: Path, load: Callable[[], World], steps: int, options: Callable[[World], RunOptions]
) -> str:
    world = load()
    hardware, controller = _hardware(folder / MAP, world)
    built = checked(hardware, folder / PROGRAM)
    try:
        with SlaveObserver(hardware, built) as board:
            reference = record(world, hardware.table.name, controller, steps, board, options(world))
            board.examine()
    except DesktopRunError as problem:
        raise ValueError(str(problem)) from None
    rows, _ = apply_tolerances(hardware, slave_rows(hardware, reference, board))
    write_table(folder / TABLE, rows)
    compared = [row for row in rows if not row.is_given]
    first = first_difference(rows)
    values = len({(row.device, row.value) for row in compared})
    counts = f"{len(compared)} comparisons of {values} values, {reference.steps} steps"
    text = f"{built.board.title}: agrees in {counts}"
    if board.failure:
        text = f"{built.board.title}: FAILED: {board.failure}"
    elif first is not None:
        wrong = sum(not row.agrees for row in compared)
        text = f"{built.board.title}: DIFFERS, in {wrong} of {len(compared)} comparisons; first: {first}"
    agrees = bool(compared) and first is None and not board.failure
    return json.dumps({"agrees": agrees, "text": text, "table": (folder / TABLE).read_text("utf-8")})


def _hardware(file: Path, world: World) -> tuple[Hardware, Path]:
    """Return the map, and the program of the robot's controller in the world.

    Raises:
        ValueError: they cannot be compared here.
    """
    _, name = robot_of(file)
    node = next((robot for robot in robots(world.nodes) if robot.get("name") == name), None)
    if node is None:
        raise ValueError(f'the world has no robot "{name}"')
    folder = controller_folder(world, node)
    hardware = load_hardware(file, device_table(node, world), folder)
    if hardware.flavor.name != SLAVE:
        raise ValueError(f'a page compares maps with flavor = "{SLAVE}": run wbridge firmware verify')
    if missing := uncoupled(hardware):
        listed = "; ".join(f'"{device}": {why}' for device, why in missing.items())
        raise ValueError(f"the pins of these devices cannot be compared: {listed}")
    program = driving_program(folder)
    if program is None:
        raise ValueError(f'the robot "{name}" has no controller in Python that the page could run')
    return hardware, program
