"""What becomes of a fault: whether the build or `wbridge firmware verify` finds it, and if not, why."""

from __future__ import annotations

import multiprocessing
import shutil
from collections.abc import Callable
from functools import cached_property
from multiprocessing.connection import Connection
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from tests.firmware.mutants.operators import Mutant
from tests.firmware.rovers import WITH_LINE, prepare
from tests.firmware.test_steppers import plotter_map
from tests.firmware.test_verify_bus import imu_map
from wbridge.libcontroller.compiling import BuildError
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.scene.tables.device_tables import device_tables
from wbridge.wbfirmware.boards.flavors import load_flavor
from wbridge.wbfirmware.building.build import PROGRAM, Built, build, compile_project
from wbridge.wbfirmware.building.elf import Elf
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.map.reading import load_hardware
from wbridge.wbfirmware.template_folders import read_toml
from wbridge.wbverify.flavor_check import HIL, SLAVE, STANDALONE, check_flavor, desktop_program

__all__ = ["EQUIVALENT", "KILLED", "NOT_COVERED", "SURVIVED", "Bed", "Verdict"]

KILLED, EQUIVALENT, NOT_COVERED, SURVIVED = "killed", "equivalent", "not covered", "SURVIVED"
CRASHED = "CRASHED"
"""The comparison itself has ended with an exception, which says nothing of the fault."""
CRASH = "the comparison has crashed"
FLAVORS = STANDALONE, HIL, SLAVE
PATIENCE_S = 240.0
"""Longest comparison of firmware without a fault."""
SLOWEST, LEAST_PATIENCE_S = 15, 20.0
"""A fault may let a board hang: a comparison may take so many times as long as without it."""
SHOWN = 110


ROVER = "rover"
IMU_STEP_MS = 32
ROBOTS: dict[str, Callable[[Path, str], Path]] = {
    ROVER: lambda folder, board: prepare(folder, board, has_line=board in WITH_LINE),
    "plotter": plotter_map,
    "imu": lambda folder, board: imu_map(folder, board, IMU_STEP_MS),
}
"""Functions that write a robot's world, controller and hardware map, of which they return the path."""

Lines = dict[str, dict[int, bool]]
"""By file, for each line that has instructions: did any of them run?"""


class Verdict(NamedTuple):
    """What became of a fault."""

    kind: str
    why: str


class Bed:
    """A robot's firmware for a board, in which faults are tried one by one."""

    def __init__(self, folder: Path, board: str, steps: int, arena: str = "2 2", robot: str = ROVER) -> None:
        """
        Args:
            folder: where projects are made.
            board: the board.
            steps: basic time steps of each comparison.
            arena: size of the walled floor, in m; 2 m by 2 m is too wide for the rover to see its walls.
            robot: name in ROBOTS.
        """
        self._folder, self._steps = folder, steps
        map_ = ROBOTS[robot](folder, board)
        self._world = folder / read_toml(map_.read_text())["world"]
        self._world.write_text(self._world.read_text().replace("floorSize 2 2", f"floorSize {arena}"))
        table = next(one for one in device_tables(load_world(self._world)) if one.name == robot)
        whole = load_hardware(map_, table)
        self._hardware = {name: whole._replace(flavor=load_flavor(name)) for name in FLAVORS}
        self._ran: dict[str, Lines] = {}
        """Which lines ran in each flavor, without a fault."""
        self._patience = dict.fromkeys(FLAVORS, PATIENCE_S)
        """Longest comparison, in s, by flavor."""
        for name, hardware in self._hardware.items():
            build(hardware, folder / name)
        self.sources = {
            file: (folder / name / file).read_text()
            for name in FLAVORS
            for file in sorted(path.name for path in (folder / name).glob("*.[ch]"))
        }
        """Texts of the files by name; of those that differ from flavor to flavor, those of the last."""

    @cached_property
    def _desktop(self) -> Path:
        controller = self._hardware[STANDALONE].controller
        assert controller is not None, "the map names one"
        return desktop_program(controller)

    def agrees(self) -> str:
        """Why the firmware without a fault does not agree; "": it does."""
        for flavor in FLAVORS:
            start = perf_counter()
            found, self._ran[flavor] = self._compared(flavor, self._folder / flavor)
            if found:
                return found
            self._patience[flavor] = max(LEAST_PATIENCE_S, SLOWEST * (perf_counter() - start))
        return ""

    def judge(self, mutant: Mutant) -> Verdict:
        """Try a fault in all flavors that have the line, and look into it where nothing finds it."""
        flavors = [name for name in FLAVORS if self._has(name, mutant)]
        changed = [name for name in flavors if self._changes(name, mutant.after, mutant)]
        if not changed:
            return Verdict(EQUIVALENT, "the compiler makes the same program of it")
        for flavor in changed:
            why = self._tried(flavor, mutant.after, mutant)
            if why:
                return _verdict(flavor, why)
        ran = [self._ran[flavor].get(mutant.file, {}).get(mutant.line) for flavor in flavors]
        if False in ran and True not in ran:
            return Verdict(NOT_COVERED, "verify names the line: no step comes there")
        return Verdict(SURVIVED, "nothing finds it")

    def judge_text(self, file: str, text: str, wrong: str) -> Verdict:
        """Try a fault in any part of a file, where it is last, in all flavors that have it."""
        found = NOT_COVERED
        for flavor in FLAVORS:
            place = self._folder / flavor / file
            if not place.is_file() or text not in place.read_text():
                continue
            found, folder = SURVIVED, self._copied(flavor)
            (folder / file).write_text(wrong.join(place.read_text().rsplit(text, 1)))
            why = self._built_and_found(flavor, folder)
            if why:
                return _verdict(flavor, why)
        return Verdict(found, "nothing finds it" if found == SURVIVED else "no flavor has this text")

    def _built_and_found(self, flavor: str, folder: Path) -> str:
        """What finds the fault in a changed project: the compiler, or the comparison; "": nothing."""
        try:
            compile_project(self._hardware[flavor], folder)
        except BuildError as problem:
            return f"refused: {_short(str(problem))}"
        return self._found(flavor, folder)

    def _has(self, flavor: str, mutant: Mutant) -> bool:
        place = self._folder / flavor / mutant.file
        lines = place.read_text().splitlines() if place.is_file() else []
        return len(lines) >= mutant.line and lines[mutant.line - 1].strip() == mutant.before

    def _changes(self, flavor: str, after: str, mutant: Mutant) -> bool:
        """Does the program change, or is it refused?"""
        folder = self._patched(flavor, after, mutant)
        try:
            compile_project(self._hardware[flavor], folder)
        except BuildError:
            return True
        return _code(folder / PROGRAM) != _code(self._folder / flavor / PROGRAM)

    def _tried(self, flavor: str, after: str, mutant: Mutant) -> str:
        """What finds a changed line: the compiler, a check of the build or the comparison; "": nothing."""
        return self._built_and_found(flavor, self._patched(flavor, after, mutant))

    def _copied(self, flavor: str) -> Path:
        """Return a copy of a flavor's project."""
        folder = self._folder / f"changed-{flavor}"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self._folder / flavor, folder)
        return folder

    def _patched(self, flavor: str, after: str, mutant: Mutant) -> Path:
        """A copy of a project with a line changed."""
        folder = self._copied(flavor)
        place = folder / mutant.file
        lines = place.read_text().split("\n")
        lines[mutant.line - 1] = lines[mutant.line - 1].replace(mutant.before, after)
        place.write_text("\n".join(lines))
        return folder

    def _found(self, flavor: str, folder: Path) -> str:
        """The first difference that the comparison finds with a program; "": none."""
        return self._compared(flavor, folder)[0]

    def _compared(self, flavor: str, folder: Path) -> tuple[str, Lines]:
        """See `_found`; and which lines ran. In a process of its own, as a fault may do anything to it."""
        context = multiprocessing.get_context("fork")
        here, there = context.Pipe()
        hardware = self._hardware[flavor]
        built = Built(folder / PROGRAM, None, hardware.board)  # type: ignore[arg-type]
        work = context.Process(target=self._compare, args=(hardware, built, there))
        work.start()
        there.close()
        said, lines = f"no end within {self._patience[flavor]:.0f} s", {}
        try:
            if here.poll(self._patience[flavor]):
                said, lines = here.recv()
        except EOFError:
            said = CRASH
        work.kill()
        work.join()
        return _short(said), lines

    def _compare(self, hardware: Hardware, built: Built, end: Connection) -> None:
        found = check_flavor(hardware, built, lambda: load_world(self._world), self._desktop, self._steps)
        lines = found.coverage.lines if found.coverage is not None else {}
        if found.agrees:
            said = ""
        else:
            elsewhere = "alone, its world differs"
            said = found.failure or str(found.first if found.first is not None else elsewhere)
        end.send((said, lines))


def _verdict(flavor: str, why: str) -> Verdict:
    return Verdict(CRASHED if why == CRASH else KILLED, f"{flavor}: {why}")


def _code(program: Path) -> list[bytes]:
    """What is loaded of a program: information for debuggers also tells of functions that are left out."""
    elf = Elf(program)
    return [elf.section(name) for name in (".vectors", ".text", ".rodata", ".data")]


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHOWN else f"{line[: SHOWN - 3]}..."
