"""Open the recording of a run as a page for browsers."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from wbridge.failures import InputError
from wbridge.robot_windows.recording_page import page_start
from wbridge.running.printed import Printed
from wbridge.wbcore.recordings.chosen_columns import ChosenColumns, UnknownColumn
from wbridge.wbcore.recordings.columns import Columns
from wbridge.wbcore.recordings.device_columns import DeviceColumns
from wbridge.wbcore.recordings.page_file import PageFile
from wbridge.wbcore.recordings.page_recorder import PageRecorder
from wbridge.wbcore.simulation import Simulation
from wbridge.wbcore.view.scene_view import SceneView
from wbridge.wbcore.windows.simulation_handler import LogTap

_LOG = logging.getLogger("wbridge")


@contextmanager
def record_lines(recorder: PageRecorder, printed: Printed) -> Iterator[None]:
    """Record what controllers print and the simulator reports in the block."""
    tap, root = LogTap(recorder), logging.getLogger()
    printed.targets.append(recorder)
    root.addHandler(tap)
    try:
        yield
    finally:
        root.removeHandler(tap)
        printed.targets.remove(recorder)


def open_page(
    simulation: Simulation,
    path: Path,
    patterns: Sequence[str] = (),
    devices: bool = False,
    others: Sequence[Columns] = (),
) -> PageRecorder:
    """Start the recording of a run.

    Args:
        simulation: what to record.
        path: the page.
        patterns: values to record and plot, see `ChosenColumns`.
        devices: choose from commands and readings of devices.
        others: further values to choose from.

    Raises:
        InputError: the file cannot be written, or a pattern names no value.
    """
    of_devices = DeviceColumns(simulation.robots) if devices else None
    sources: list[Columns] = [*([of_devices] if of_devices is not None else []), *others]
    try:
        values = ChosenColumns(sources, patterns, devices and _has_supervisor(simulation))
    except UnknownColumn as problem:
        raise InputError(f"--plot: {problem}") from None
    if values.total and not values.columns:
        _LOG.info(
            "the page has no plots, because the devices have %d values; choose some with --plot ROBOT.DEVICE",
            values.total,
        )
    head = _head(simulation, path)
    try:
        file = PageFile(path, page_start(head["title"]))
    except OSError as problem:
        raise InputError(f"cannot record to {path}: {problem.strerror}") from None
    close = of_devices.close if of_devices is not None else None
    view = SceneView(simulation, has_patches=True)
    return PageRecorder(simulation, view, file, head, values, close)


def _has_supervisor(simulation: Simulation) -> bool:
    return any(bool(robot.node.get("supervisor")) for robot in simulation.robots)


def _head(simulation: Simulation, path: Path) -> dict[str, Any]:
    world = simulation.world
    info = world.first("WorldInfo")
    title = str(info.get("title")) if info is not None else ""
    name = Path(world.path).name
    return {
        "title": title or Path(name).stem or path.stem,
        "world": name,
        "contacts": simulation.physics.plan.settings.contact_law,
    }
