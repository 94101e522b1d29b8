"""Prepare `wbridge firmware verify`: world, firmware, and the program for the desktop."""

from __future__ import annotations

import logging
from functools import partial
from pathlib import Path

from wbridge.failures import InputError, RunError
from wbridge.libcontroller.compiling import BuildError
from wbridge.options import VerifyOptions
from wbridge.running.hardware import controller_of, hardware_map, project_folder, world_of
from wbridge.running.world import choose_robot, load
from wbridge.wbcore.scene.diagnostics import did_you_mean
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.tables.device_tables import device_table
from wbridge.wbfirmware.bench import BenchError
from wbridge.wbfirmware.boards.flavors import load_flavor
from wbridge.wbfirmware.building.build import Built, build
from wbridge.wbfirmware.building.generate import FirmwareError
from wbridge.wbfirmware.map.controllers import find_controller
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.problems import HardwareError, Source
from wbridge.wbverify.coupling import uncoupled
from wbridge.wbverify.flavor_check import (
    HIL,
    SLAVE,
    STANDALONE,
    FlavorResult,
    VerificationResult,
    check_flavor,
    desktop_program,
)
from wbridge.wbverify.number_formats import formats_of
from wbridge.wbverify.reference import DesktopRunError
from wbridge.wbverify.rounding import Rounding, rounding_of
from wbridge.wbverify.slave_run import driving_program
from wbridge.wbverify.step_table import Omitted
from wbridge.words import counted

_LOG = logging.getLogger("wbridge")
_ELF = b"\x7fELF"
"""First bytes of ELF programs."""


def verified(chosen: VerifyOptions) -> VerificationResult:
    """Compare what the arguments select.

    Raises:
        InputError: the map, a world or an option is invalid.
        RunError: something cannot be built, or the run on the desktop fails.
    """
    hardware = hardware_map(chosen.file, chosen)
    world = chosen.world or world_of(chosen.file)[0]
    _check_world(_fresh(chosen, world), world, hardware)
    if chosen.firmware is not None:
        _check_program(chosen.firmware, hardware)
    try:
        formats = formats_of(hardware.board)
        if formats.problems:
            raise InputError(f"cannot compare numbers: {'; '.join(formats.problems)}")
        for note in formats.notes:
            _LOG.info("note: %s", note)
        flavored = _flavored(chosen, hardware)
        rounding = [] if hardware.board.python is not None else _rounding(flavored[0])
        omitted = _omitted(hardware, flavored)
        for value in omitted:
            _LOG.info("note: %s", value)
        checks = [_checked(chosen, world, flavored_map, hardware.flavor.name) for flavored_map in flavored]
    except (FirmwareError, BuildError, DesktopRunError) as problem:
        raise RunError(str(problem)) from None
    return VerificationResult(hardware, world, formats, rounding, checks, omitted)


def _check_program(path: Path, hardware: Hardware) -> None:
    """Check that a program was built for the board.

    Raises:
        InputError: it is not a program for the board.
    """
    make = f"build one: wbridge firmware build {hardware.path}"
    if not path.is_file():
        beside = sorted(file.name for file in path.parent.glob(f"*{path.suffix}") if file.is_file())
        raise InputError(f"{path}: no such program{did_you_mean(path.name, beside)}; {make}")
    if hardware.board.python is not None:
        return
    with path.open("rb") as file:
        if file.read(len(_ELF)) != _ELF:
            raise InputError(f"{path}: expected a program in ELF format; {make}")


def _rounding(hardware: Hardware) -> list[Rounding]:
    """Check that the board computes as the desktop does."""
    try:
        found = rounding_of(hardware)
    except BenchError as problem:
        raise RunError(f"{hardware.board.title}: {problem}") from None
    wrong = [str(rounding) for rounding in found if not rounding.is_same]
    if wrong:
        raise RunError(f"{hardware.board.title} does not compute as the desktop does: {'; '.join(wrong)}")
    return found


def _folder(chosen: VerifyOptions, hardware: Hardware, name: str) -> Path:
    """Return the folder of a project beside that of the map's own flavor."""
    own = chosen.out or project_folder(hardware.path)
    return Path(own).with_name(f"{Path(own).name}-{name}")


def _flavored(chosen: VerifyOptions, hardware: Hardware) -> list[Hardware]:
    """Return the hardware map for each flavor to compare."""
    wanted = list(dict.fromkeys(chosen.flavor or ()))
    if not wanted and chosen.firmware is not None:
        if not hardware.flavor.controller:
            raise InputError("--firmware requires --flavor hil, --flavor standalone or --flavor slave")
        wanted = [hardware.flavor.name]
    if chosen.firmware is not None and len(wanted) > 1:
        raise InputError("--firmware accepts one --flavor only")
    missing = uncoupled(hardware)
    if missing and {STANDALONE, SLAVE} & set(wanted):
        listed = "; ".join(f'"{name}": {why}' for name, why in missing.items())
        raise InputError(f"cannot compare the pins of these devices: {listed}; use --flavor {HIL}")
    if hardware.board.python is not None:
        if {HIL, SLAVE} & set(wanted):
            title = hardware.board.title
            raise InputError(f"--flavor {wanted[0]}: {title} runs controllers as {STANDALONE} only")
        wanted = [STANDALONE]
    own = [SLAVE] if hardware.flavor.name == SLAVE else []
    if own and _driver(chosen) is not None:
        wanted = wanted or own  # the others have the controller on the board
    wanted = wanted or ([HIL] if missing else [HIL, STANDALONE, *own])
    return [_with_flavor(chosen, hardware, name) for name in wanted]


def _omitted(hardware: Hardware, flavored: list[Hardware]) -> list[Omitted]:
    """Return the devices that are not compared."""
    found = [
        Omitted(
            flavored_map.flavor.name, device.name, "not on the board: the hardware map has no driver for it"
        )
        for flavored_map in flavored
        for device in hardware.absent
    ]
    found += [
        Omitted(HIL, wiring.device.name, f"the driver {wiring.driver.name} does not use the robot link")
        for hardware in flavored
        for wiring in hardware.wirings
        if wiring.driver.is_local and hardware.flavor.name == HIL
    ]
    if all(hardware.flavor.name != STANDALONE for hardware in flavored):
        found += [Omitted(STANDALONE, name, f"its pins: {why}") for name, why in uncoupled(hardware).items()]
    return found


def _with_flavor(chosen: VerifyOptions, hardware: Hardware, flavor: str) -> Hardware:
    """Return the hardware map with another flavor."""
    if hardware.controller is None and not (flavor == SLAVE and _driver(chosen) is not None):
        source = Source(hardware.path, hardware.path.read_text(encoding="utf-8"))
        source.data.setdefault("flavor", flavor)
        hardware = hardware._replace(controller=find_controller(source, controller_of(chosen.file, chosen)))
        if source.problems:
            raise InputError(str(HardwareError(hardware.path, source.problems)))
    return hardware._replace(flavor=load_flavor(flavor))


def _checked(chosen: VerifyOptions, path: Path, hardware: Hardware, own: str) -> FlavorResult:
    """Build and compare one flavor. `own` is the flavor in the map."""
    program = _driver(chosen) if hardware.controller is None else desktop_program(hardware.controller)
    assert program is not None, "`_with_flavor` has found it"
    built = _firmware(chosen, hardware, own)
    steps = counted(chosen.steps, "step")
    _LOG.info("comparing %s with %s, %s", steps, hardware.board.title, hardware.flavor.about)
    found = check_flavor(hardware, built, partial(_fresh, chosen, path), program, chosen.steps)
    for note in found.notes:
        if note not in found.late:
            _LOG.info("note: %s", note)
    for line in found.late:
        _LOG.warning("warning: %s: %s", hardware.flavor.name, line)
    return found


def _driver(chosen: VerifyOptions) -> Path | None:
    """Return the controller of the map's robot in the world if it is in Python."""
    return driving_program(controller_of(chosen.file, chosen))


def _fresh(chosen: VerifyOptions, path: Path) -> World:
    """A newly loaded world."""
    return load(path, chosen)


def _check_world(world: World, path: Path, hardware: Hardware) -> None:
    """Check that the world has the map's robot with the same devices."""
    table = device_table(choose_robot(world, hardware.table.name), world)
    if table.hash != hardware.table.hash:
        raise InputError(
            f'{path}: its robot "{table.name}" differs from the robot that {hardware.path} was written for'
        )


def _firmware(chosen: VerifyOptions, hardware: Hardware, own: str) -> Built:
    """Return the firmware: built, or the given program."""
    is_own = hardware.flavor.name == own
    folder = chosen.out or project_folder(hardware.path)
    place = folder if is_own else _folder(chosen, hardware, hardware.flavor.name)
    built = build(hardware, place, chosen.overwrite)
    return built if chosen.firmware is None else built._replace(program=chosen.firmware)
